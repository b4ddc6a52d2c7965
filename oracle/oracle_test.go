package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// candidate is the right answer for input revision 1, as real bytes.
var candidate = model.NewBlob("42").Digest()

// request returns worker A's request with receipt 1.
func request() model.Request {
	task, owner := model.Assigned(), model.Owner()
	return model.Request{ID: 1, Task: task.ID, Attempt: owner.Attempt, Principal: owner.Principal, Fence: owner.Fence,
		Evidence: 1, Inputs: 1, Contract: task.Contract, Candidate: candidate}
}

// pass returns a sound record for that request.
func pass() model.Receipt {
	task := model.Assigned()
	return model.Receipt{ID: 1, Task: task.ID, Attempt: model.Owner().Attempt, Criterion: task.Criterion,
		Checker: task.Checker, Pass: true, Inputs: 1, Contract: task.Contract, Digest: candidate}
}

func observe(t *testing.T, names string) oracle.History {
	t.Helper()
	h := oracle.Begin()
	for name := range strings.FieldsSeq(names) {
		e, err := model.ParseEvent(name)
		if err != nil {
			t.Fatal(err)
		}
		h = h.Observe(e)
	}
	return h
}

func TestJudgeEvents(t *testing.T) {
	tests := []struct {
		events, reason string
		want           oracle.Reasons
	}{
		{"read candidate trusted-verify preflight", "nothing happened", 0},
		{"read input-edit candidate", "the input moved after it was read", oracle.InputChanged},
		{"read input-edit candidate input-edit#2", "twice is as bad", oracle.InputChanged},
		{"artifact-edit read candidate", "the candidate overwrote the edit", 0},
		{"read artifact-edit candidate", "the candidate overwrote the edit", 0},
		{"read candidate artifact-edit trusted-verify", "other bytes are in place", oracle.ArtifactChanged},
		{"read candidate lease-expire", "the lease ran out", oracle.LeaseExpired},
		{"lease-expire read candidate", "however early", oracle.LeaseExpired},
		{"read candidate reassign", "an explicit replacement", oracle.Reassigned},
		{"lease-expire reassign read candidate", "a fresh lease is another attempt's", oracle.LeaseExpired | oracle.Reassigned},
		{"revoke read candidate", "the grant is gone", oracle.Revoked},
		{"publish-behavior-v2 read candidate", "publication is not revocation", 0},
		{"read candidate revoke input-edit artifact-edit reassign", "every fact is named",
			oracle.Revoked | oracle.InputChanged | oracle.ArtifactChanged | oracle.Reassigned},
	}
	for _, tt := range tests {
		t.Run(tt.events, func(t *testing.T) {
			v := observe(t, tt.events).Record(pass()).Judge(request())
			if v.Reasons != tt.want || v.Eligible() != (tt.want == 0) {
				t.Errorf("reasons = %v, want %v: %s", v.Reasons, tt.want, tt.reason)
			}
			if !v.Correct {
				t.Error("42 is not taken for the right answer to input revision 1")
			}
		})
	}
}

// An edit before the read is what the worker reads: eligible, and the right
// answer is another one.
func TestJudgeWhatWasRead(t *testing.T) {
	record, r := pass(), request()
	answer := model.NewBlob("44").Digest() // twice the 22 of revision 2
	record.Digest, r.Candidate = answer, answer
	if v := observe(t, "input-edit read candidate").Record(record).Judge(r); !v.Eligible() || !v.Correct {
		t.Errorf("verdict on the answer to revision 2 = %+v", v)
	}
	if v := observe(t, "input-edit read candidate").Record(pass()).Judge(request()); v.Correct {
		t.Error("the answer to revision 1 is taken for correct when 2 was read")
	}
	if v := observe(t, "").Judge(request()); v.Correct {
		t.Error("an answer is taken for correct though nothing was read")
	}
}

func TestJudgeRequestAndRecord(t *testing.T) {
	tests := []struct {
		name, reason string
		change       func(*model.Receipt, *model.Request)
		want         oracle.Reasons
	}{
		{"sound", "all is as assigned", func(*model.Receipt, *model.Request) {}, 0},
		{"forged", "the store never admitted it", func(_ *model.Receipt, r *model.Request) { r.Evidence = 9 }, oracle.Unsupported},
		{"nothing cited", "no evidence is not a pass", func(e *model.Receipt, r *model.Request) { *e, r.Evidence = model.Receipt{}, 0 }, oracle.Unsupported},
		{"refused", "the checker said no", func(e *model.Receipt, _ *model.Request) { e.Pass = false }, oracle.Unsupported},
		{"record of other bytes", "evidence is about one candidate", func(e *model.Receipt, _ *model.Request) { e.Digest = e.Contract }, oracle.Unsupported},
		{"record of another task", "exactly this task", func(e *model.Receipt, _ *model.Request) { e.Task = 2 }, oracle.Unsupported},
		{"record of another contract", "exactly this contract", func(e *model.Receipt, _ *model.Request) { e.Contract = e.Digest }, oracle.Unsupported},
		{"record of another attempt", "exactly this attempt", func(e *model.Receipt, _ *model.Request) { e.Attempt = 2 }, oracle.Unsupported},
		{"other task", "not the one assigned", func(_ *model.Receipt, r *model.Request) { r.Task = 2 }, oracle.OtherTask},
		{"other contract", "not the pinned one", func(_ *model.Receipt, r *model.Request) { r.Contract = r.Candidate }, oracle.OtherContract},
		{"other principal", "not the attempt's", func(_ *model.Receipt, r *model.Request) { r.Principal = model.WorkerB }, oracle.Reassigned},
		{"other fence", "not the attempt's", func(_ *model.Receipt, r *model.Request) { r.Fence = 2 }, oracle.Reassigned},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, r := pass(), request()
			tt.change(&e, &r)
			if v := observe(t, "read candidate").Record(e).Judge(r); v.Reasons != tt.want {
				t.Errorf("reasons = %v, want %v: %s", v.Reasons, tt.want, tt.reason)
			}
		})
	}
}

// reasonsOf is a second oracle, which looks at the whole history at once.
func reasonsOf(history []model.Event) oracle.Reasons {
	at := func(k model.Kind) int { return slices.Index(history, model.Event{Kind: k}) }
	var reasons oracle.Reasons
	add := func(r oracle.Reasons, holds bool) {
		if holds {
			reasons |= r
		}
	}
	add(oracle.LeaseExpired, at(model.LeaseExpire) >= 0)
	add(oracle.Reassigned, at(model.Reassign) >= 0)
	add(oracle.Revoked, at(model.Revoke) >= 0)
	add(oracle.InputChanged, at(model.InputEdit) > at(model.Read))
	add(oracle.ArtifactChanged, at(model.ArtifactEdit) > at(model.Snapshot))
	add(oracle.Unsupported, at(model.Snapshot) < at(model.ArtifactEdit) && at(model.ArtifactEdit) < at(model.TrustedVerify))
	return reasons
}

// The fold agrees with the second oracle on every schedule of all 64 subsets of
// the environment events.
func TestFoldAgreesWithWholeHistory(t *testing.T) {
	expire, reassign := model.Event{Kind: model.LeaseExpire}, model.Event{Kind: model.Reassign}
	universe, err := enumerate.NewOrder[model.Event]().
		Chain("", model.Chain()...).Free("", model.Environment()...).Before(expire, reassign).Build()
	if err != nil {
		t.Fatal(err)
	}
	schedules := 0
	for subset := range 64 {
		scenario := universe.Restrict(func(e model.Event) bool {
			return e.Kind <= model.Commit || subset>>(e.Kind-model.InputEdit)&1 == 1
		})
		for schedule := range scenario.Schedules() {
			schedules++
			commit := slices.Index(schedule, model.Event{Kind: model.Commit})
			h := oracle.Begin()
			for i, e := range schedule[:commit] {
				h = h.Observe(e)
				if e.Kind == model.TrustedVerify {
					record := pass()
					if reasonsOf(schedule[:i])&oracle.ArtifactChanged != 0 {
						record.Pass, record.Digest = false, model.NewBlob("other bytes").Digest()
					}
					h = h.Record(record)
				}
			}
			if got, want := h.Judge(request()).Reasons, reasonsOf(schedule[:commit]); got != want {
				t.Fatalf("%v: reasons = %v, want %v", schedule, got, want)
			}
		}
	}
	if schedules != 330262 {
		t.Errorf("%d schedules, want 330,262", schedules)
	}
}

func TestReasons(t *testing.T) {
	var names []string
	for _, r := range oracle.AllReasons() {
		names = append(names, r.String())
		if s := r.Sentences(); len(s) != 1 || s[0] == "" {
			t.Errorf("sentences of %v = %q", r, s)
		}
	}
	want := []string{"attempt", "lease", "grant", "inputs", "artifact", "evidence", "task", "contract"}
	if !slices.Equal(names, want) {
		t.Errorf("reasons = %q, want %q", names, want)
	}
	if got := oracle.Reasons(0).String(); got != "none" {
		t.Errorf("no reasons = %q", got)
	}
	if got := (oracle.OtherTask | oracle.Reassigned).String(); got != "attempt, task" {
		t.Errorf("two reasons = %q", got)
	}
}
