package contract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/model/contract"
)

// event reads the name of an event.
func event(t testing.TB, name string) contract.Event {
	t.Helper()
	e, err := contract.ParseEvent(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// after returns the state after the events with the given names, separated by spaces,
// where "completed" stands for the completion by worker a's request.
func after(t testing.TB, setup contract.Setup, names string) contract.State {
	t.Helper()
	s := contract.Initial(setup)
	for name := range strings.FieldsSeq(names) {
		if name == "completed" {
			s.Complete(s.Request(event(t, "a:commit")), false)
			continue
		}
		s.Step(event(t, name))
	}
	return s
}

var (
	first    = contract.Identity{Outer: 1, Inner: 1, Fence: 1, Incarnation: 1}
	second   = contract.Identity{Outer: 1, Inner: 2, Fence: 2, Incarnation: 1}
	bytesOfA = contract.Bytes{Writer: 1, Inputs: 1}
	plain    = contract.Candidate{Bytes: bytesOfA, Inputs: 1, Members: 1, Bases: [3]uint8{1, 0, 0}}
	passed   = contract.Receipt{Attempt: first, Contract: 1, Bytes: bytesOfA, Inputs: 1, Members: 1, Version: 1, Pass: true}
	asked    = contract.Request{ID: 1, Caller: contract.A, Author: contract.A, Attempt: first, Contract: 1, Content: plain}
)

func TestInitial(t *testing.T) {
	everything := contract.TargetSet(contract.OutA, contract.OutB, contract.Secret)
	want := contract.State{
		Contract: 1, Owner: contract.Ownership{Identity: first, Principal: contract.A, Lease: 1},
		LastInner: 1, LastFence: 1, Authority: 1, Grants: [2]contract.Targets{everything, everything},
		Inputs: 1, Members: 1, Latest: contract.OutA, Revisions: [3]uint8{1, 1, 1}, Admitted: [2]uint8{1, 1},
		Slots: [2]contract.Slot{{Told: first}, {}},
	}
	for _, setup := range []contract.Setup{{}, {Optional: true}, {InPlace: true}, {Optional: true, InPlace: true}} {
		if want.Setup = setup; contract.Initial(setup) != want {
			t.Errorf("the task starts with\n%s", cmp.Diff(want, contract.Initial(setup)))
		}
		s := contract.Initial(setup)
		criteria := s.Required()
		if optional := len(criteria) == 1 && criteria[0] == contract.Tests; optional != setup.Optional || !optional && len(criteria) != 2 {
			t.Errorf("with setup %+v the required criteria are %v", setup, criteria)
		}
	}
}

const chain = "a:read a:candidate a:verify"

// Every event changes what it says and nothing else.
func TestStep(t *testing.T) {
	own := func(s *contract.State) *contract.Slot { return s.Of(contract.A) }
	assigned := func(s *contract.State, i contract.Identity, w contract.Worker) {
		s.Owner = contract.Ownership{Identity: i, Principal: w, Lease: 1}
		s.LastInner, s.LastFence = i.Inner, i.Fence
	}
	tests := []struct {
		name, reason string
		before       string
		event        string
		change       func(*contract.State)
	}{
		{"claim", "a new inner attempt and fence, which the worker is told", "", "b:claim",
			func(s *contract.State) { assigned(s, second, contract.B); s.Of(contract.B).Told = second }},
		{"claim by the owner", "it is another attempt, too", chain, "a:claim",
			func(s *contract.State) { assigned(s, second, contract.A); own(s).Told = second }},
		{"claim of a dead lease", "the lease is fresh", "lease-expire", "b:claim",
			func(s *contract.State) { assigned(s, second, contract.B); s.Of(contract.B).Told = second }},
		{"claim of a renewed lease", "the lease is fresh, and not longer", "renew renew#2", "b:claim",
			func(s *contract.State) { assigned(s, second, contract.B); s.Of(contract.B).Told = second }},
		{"reclaim", "another process is told, the old one is not", "", "reclaim",
			func(s *contract.State) { assigned(s, second, contract.A) }},
		{"reclaim from b", "of the current owner", "b:claim", "reclaim",
			func(s *contract.State) { assigned(s, contract.Identity{1, 3, 3, 1}, contract.B) }},
		{"reclaim of nobody's", "there is no owner to claim it", "sweep-read lease-expire sweep-write", "reclaim",
			func(*contract.State) {}},
		{"claim of nobody's", "it is in the queue", "sweep-read lease-expire sweep-write", "a:claim",
			func(s *contract.State) {
				assigned(s, contract.Identity{1, 3, 3, 1}, contract.A)
				own(s).Told = contract.Identity{1, 3, 3, 1}
			}},
		{"restage", "a new outer attempt, of which the first try is worker b's", "", "restage",
			func(s *contract.State) {
				assigned(s, contract.Identity{2, 1, 2, 1}, contract.B)
				s.Of(contract.B).Told = contract.Identity{2, 1, 2, 1}
			}},
		{"restage after claims", "tries are numbered within a stage, fences are not", "b:claim a:claim", "restage",
			func(s *contract.State) {
				assigned(s, contract.Identity{2, 1, 4, 1}, contract.B)
				s.Of(contract.B).Told = contract.Identity{2, 1, 4, 1}
			}},
		{"claim after a restage", "the second try of the second stage", "restage", "a:claim",
			func(s *contract.State) {
				assigned(s, contract.Identity{2, 2, 3, 1}, contract.A)
				own(s).Told = contract.Identity{2, 2, 3, 1}
			}},

		{"read", "it records what is current", "input-edit file-add file-add#2 migrate", "a:read",
			func(s *contract.State) { own(s).Inputs, own(s).Members, own(s).Contract = 2, 3, 2 }},
		{"refresh", "the contract alone", "a:read migrate input-edit file-add", "a:refresh",
			func(s *contract.State) { own(s).Contract = 2 }},
		{"candidate", "made of what was read, based on what is published now", "a:read input-edit file-add foreign-publish", "a:candidate",
			func(s *contract.State) { own(s).Candidate = plain; own(s).Candidate.Bases[contract.OutA] = 2 }},
		{"candidate of nothing", "nothing was read", "", "a:candidate",
			func(s *contract.State) {
				own(s).Candidate = contract.Candidate{Bytes: contract.Bytes{Writer: 1}, Bases: [3]uint8{1, 0, 0}}
			}},
		{"candidate again", "an earlier one, and what was replaced in it, is gone", "a:read a:candidate-pair a:replace", "a:candidate",
			func(s *contract.State) { own(s).Candidate = plain }},
		{"candidate of b", "each worker has its own", "b:read", "b:candidate",
			func(s *contract.State) {
				s.Of(contract.B).Candidate = plain
				s.Of(contract.B).Candidate.Bytes.Writer = 2
			}},
		{"candidate-pair", "based on two targets", "a:read foreign-publish", "a:candidate-pair",
			func(s *contract.State) {
				own(s).Candidate = contract.Candidate{Bytes: bytesOfA, Manifest: contract.Pair, Inputs: 1, Members: 1, Bases: [3]uint8{2, 1, 0}}
			}},
		{"candidate-alias", "based on where the alias leads", "a:read foreign-publish", "a:candidate-alias",
			func(s *contract.State) {
				own(s).Candidate = contract.Candidate{Bytes: bytesOfA, Manifest: contract.Aliased, Inputs: 1, Members: 1, Bases: [3]uint8{2, 0, 0}}
			}},
		{"candidate-alias, moved", "which is outside of the scope now", "a:read alias-move", "a:candidate-alias",
			func(s *contract.State) {
				own(s).Candidate = contract.Candidate{Bytes: bytesOfA, Manifest: contract.Aliased, Inputs: 1, Members: 1, Bases: [3]uint8{0, 0, 1}}
			}},
		{"candidate-unclean", "based on what is outside", "a:read", "a:candidate-unclean",
			func(s *contract.State) {
				own(s).Candidate = contract.Candidate{Bytes: bytesOfA, Manifest: contract.Unclean, Inputs: 1, Members: 1, Bases: [3]uint8{0, 0, 1}}
			}},
		{"candidate-case", "based on the file whatever it is called", "a:read foreign-publish", "a:candidate-case",
			func(s *contract.State) {
				own(s).Candidate = contract.Candidate{Bytes: bytesOfA, Manifest: contract.OtherCase, Inputs: 1, Members: 1, Bases: [3]uint8{2, 0, 0}}
			}},
		{"replace", "other bytes of the same inputs", chain, "a:replace",
			func(s *contract.State) { own(s).Candidate.Bytes.Variant = 1 }},
		{"replace nothing", "there is no candidate", "a:read", "a:replace", func(*contract.State) {}},

		{"verify", "a receipt for each criterion", "a:read a:candidate", "a:verify",
			func(s *contract.State) { own(s).Receipts = [2]contract.Receipt{passed, passed} }},
		{"verify-tests", "one for this criterion", "a:read a:candidate", "a:verify-tests",
			func(s *contract.State) { own(s).Receipts[contract.Tests] = passed }},
		{"verify-review", "one for the other", "a:read a:candidate", "a:verify-review",
			func(s *contract.State) { own(s).Receipts[contract.Review] = passed }},
		{"verify nothing", "there is no candidate", "a:read", "a:verify", func(*contract.State) {}},
		{"verify what was replaced", "the bytes that there are now", "a:read a:candidate a:replace", "a:verify-tests",
			func(s *contract.State) {
				own(s).Receipts[contract.Tests] = passed
				own(s).Receipts[contract.Tests].Bytes.Variant = 1
			}},
		{"verify later", "what the worker was told, the pinned contract, the checker's version, the candidate's dependencies",
			"a:read a:candidate b:claim migrate withdraw-checker input-edit file-add", "a:verify",
			func(s *contract.State) {
				own(s).Receipts = [2]contract.Receipt{passed, passed}
				own(s).Receipts[contract.Tests].Contract, own(s).Receipts[contract.Review].Contract = 2, 2
				own(s).Receipts[contract.Review].Version = 2
			}},
		{"verify in another attempt", "the receipt names it whole: ids come again", "a:read a:candidate restart-attempts a:claim", "a:verify-tests",
			func(s *contract.State) {
				own(s).Receipts[contract.Tests] = passed
				own(s).Receipts[contract.Tests].Attempt.Fence = 2
			}},
		{"verify a file that appeared", "the candidate's membership, not the directory's", "a:read file-add a:read a:candidate file-add#2", "a:verify-tests",
			func(s *contract.State) {
				own(s).Receipts[contract.Tests] = passed
				own(s).Receipts[contract.Tests].Members = 2
			}},

		{"preflight", "the answer is the mechanism's", chain + " migrate input-edit", "a:preflight", func(*contract.State) {}},
		{"commit", "it remembers what it sent; what comes of it is Complete's", chain, "a:commit",
			func(s *contract.State) { own(s).Sent = asked }},
		{"commit again", "what it sent first is what it retries", chain + " a:commit a:replace", "a:commit#2", func(*contract.State) {}},
		{"retry", "the first time it is a request like any other", chain, "a:retry", func(s *contract.State) { own(s).Sent = asked }},
		{"retry-other", "another body is not what it sent", chain, "a:retry-other", func(*contract.State) {}},
		{"impersonate", "the other sends it", chain, "a:impersonate", func(*contract.State) {}},
		{"report-failure", "it is the current attempt's", chain, "a:report-failure", func(s *contract.State) { s.Status = contract.Failed }},
		{"report of b", "it has no attempt", chain, "b:report-failure", func(*contract.State) {}},

		{"lease-expire", "the attempt stays, its lease is dead", "", "lease-expire", func(s *contract.State) { s.Owner.Lease = 0 }},
		{"lease-expire after renewal", "it has one more to run out", "renew", "lease-expire", func(s *contract.State) { s.Owner.Lease = 1 }},
		{"lease-expire of a dead lease", "it can't be deader", "lease-expire", "lease-expire#2", func(*contract.State) {}},
		{"renew", "it can run out once more", "", "renew", func(s *contract.State) { s.Owner.Lease = 2 }},
		{"renew a dead lease", "it stays dead", "lease-expire", "renew", func(*contract.State) {}},
		{"cancel", "the task alone", chain, "cancel", func(s *contract.State) { s.Status = contract.Cancelled }},
		{"migrate", "the worker is not told", chain, "migrate", func(s *contract.State) { s.Contract = 2 }},
		{"revoke", "worker a's grants, not worker b's", "", "revoke", func(s *contract.State) { s.Grants[0] = 0 }},
		{"revoke-second", "the one for out/b", "", "revoke-second",
			func(s *contract.State) { s.Grants[0] = contract.TargetSet(contract.OutA, contract.Secret) }},
		{"revoke-second of nothing", "it is not held", "revoke", "revoke-second", func(*contract.State) {}},
		{"regrant", "everything again", "revoke", "regrant",
			func(s *contract.State) {
				s.Grants[0] = contract.TargetSet(contract.OutA, contract.OutB, contract.Secret)
			}},
		{"input-edit", "a new revision; nobody reads it by itself", chain, "input-edit", func(s *contract.State) { s.Inputs = 2 }},
		{"file-add", "another member", chain, "file-add", func(s *contract.State) { s.Members = 2 }},
		{"foreign-publish", "the first target, with other bytes", chain, "foreign-publish",
			func(s *contract.State) {
				s.Revisions[contract.OutA] = 2
				s.Contents[contract.OutA] = contract.Bytes{Writer: 255, Variant: 2}
			}},
		{"alias-move", "it leads outside", chain, "alias-move", func(s *contract.State) { s.Latest = contract.Secret }},
		{"withdraw-checker", "of the criterion review", chain, "withdraw-checker", func(s *contract.State) { s.Admitted[contract.Review] = 2 }},
		{"publish-policy", "the default moves, the task stays pinned", chain, "publish-policy", func(s *contract.State) { s.NewPolicy = true }},
		{"restart-fences", "one counter, and not what was issued", "b:claim", "restart-fences", func(s *contract.State) { s.LastFence = 0 }},
		{"restart-attempts", "the other one", "b:claim", "restart-attempts", func(s *contract.State) { s.LastInner = 0 }},
		{"restore", "both, in a new incarnation", "b:claim", "restore",
			func(s *contract.State) { s.LastFence, s.LastInner, s.Authority = 0, 0, 2 }},
		{"reclaim after restart-fences", "a fence comes again, the attempt id does not", "b:claim restart-fences", "reclaim",
			func(s *contract.State) { assigned(s, contract.Identity{1, 3, 1, 1}, contract.B) }},
		{"reclaim after restart-attempts", "an attempt id comes again, the fence does not", "b:claim restart-attempts", "reclaim",
			func(s *contract.State) { assigned(s, contract.Identity{1, 1, 3, 1}, contract.B) }},
		{"reclaim after restore", "both come again, in another incarnation", "restore", "reclaim",
			func(s *contract.State) { assigned(s, contract.Identity{1, 1, 1, 2}, contract.A) }},
		{"reclaim after both restarts", "everything comes again", "restart-fences restart-attempts", "reclaim",
			func(s *contract.State) { assigned(s, first, contract.A) }},
		{"sweep-read", "it sees what runs", "b:claim", "sweep-read",
			func(s *contract.State) { s.Swept = contract.Sweep{Running: true, Attempt: second} }},
		{"sweep-read after the end", "it sees that nothing runs", "cancel", "sweep-read",
			func(s *contract.State) { s.Swept = contract.Sweep{Attempt: first} }},
		{"sweep-write", "nobody owns it", "sweep-read lease-expire", "sweep-write",
			func(s *contract.State) {
				s.Owner = contract.Ownership{Identity: second}
				s.LastInner, s.LastFence = 2, 2
			}},
		{"sweep-write with a live lease", "it is guarded", "sweep-read", "sweep-write", func(*contract.State) {}},
	}
	tried := map[contract.Kind]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := after(t, contract.Setup{}, tt.before)
			got := want
			e := event(t, tt.event)
			got.Step(e)
			tried[e.Kind] = true
			if tt.change(&want); got != want {
				t.Errorf("%s after %q: %s\n%s", tt.event, tt.before, tt.reason, cmp.Diff(want, got))
			}
		})
	}
	if len(tried) != int(contract.SweepWrite) {
		t.Errorf("%d kinds of event were tried, of %d", len(tried), contract.SweepWrite)
	}
}

// What has ended stays as it is, whoever claims it.
func TestNothingMovesWhatHasEnded(t *testing.T) {
	for _, end := range []struct {
		before string
		status contract.Status
		text   string
	}{
		{chain + " cancel", contract.Cancelled, "cancelled"},
		{chain + " completed", contract.Completed, "completed"},
		{chain + " a:report-failure", contract.Failed, "failed"},
	} {
		before := after(t, contract.Setup{}, "sweep-read lease-expire "+end.before)
		if before.Status != end.status || before.Status.String() != end.text {
			t.Errorf("after %s the task is %v, want %s", end.before, before.Status, end.text)
		}
		for _, name := range []string{"a:claim", "b:claim", "reclaim", "restage", "cancel", "migrate", "sweep-write", "a:report-failure", "b:report-failure"} {
			s := before
			if s.Step(event(t, name)); s != before {
				t.Errorf("%s changes a task that is %v\n%s", name, before.Status, cmp.Diff(before, s))
			}
		}
	}
}

func TestComplete(t *testing.T) {
	pair := contract.Candidate{Bytes: bytesOfA, Manifest: contract.Pair, Inputs: 1, Members: 1, Bases: [3]uint8{1, 1, 0}}
	const ofPair = "a:read a:candidate-pair a:verify"
	publish := func(s *contract.State, targets ...contract.Target) {
		for _, target := range targets {
			s.Revisions[target], s.Contents[target] = 2, bytesOfA
		}
	}
	tests := []struct {
		name, reason string
		before       string
		torn         bool
		change       func(*contract.State)
	}{
		{"one target", "published, recorded, ended", chain, false,
			func(s *contract.State) { publish(s, contract.OutA) }},
		{"one target, torn", "there is nothing to tear", chain, true,
			func(s *contract.State) { publish(s, contract.OutA) }},
		{"two targets", "at once", ofPair, false,
			func(s *contract.State) { publish(s, contract.OutA, contract.OutB); s.Ledger.Bound.Content = pair }},
		{"two targets, torn", "only the first, and the task has ended all the same", ofPair, true,
			func(s *contract.State) { publish(s, contract.OutA); s.Ledger.Bound.Content = pair }},
		{"moved alias", "what is really written, in scope or not", "a:read a:candidate-alias a:verify alias-move", false,
			func(s *contract.State) {
				publish(s, contract.Secret)
				s.Ledger.Bound.Content.Manifest = contract.Aliased
			}},
		{"cancelled", "it decides nothing, and overwrites", chain + " cancel", false,
			func(s *contract.State) { publish(s, contract.OutA) }},
		{"completed", "a second terminal write is counted", chain + " completed", false,
			func(s *contract.State) {
				publish(s, contract.OutA)
				s.Revisions[contract.OutA], s.Ledger.Writes = 3, 2
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := after(t, contract.Setup{}, tt.before)
			got, r := want, want.Request(event(t, "a:commit"))
			got.Complete(r, tt.torn)
			want.Status, want.Ledger = contract.Completed, contract.Ledger{Bound: asked, Writes: 1}
			if tt.change(&want); got != want {
				t.Errorf("%s\n%s", tt.reason, cmp.Diff(want, got))
			}
		})
	}
}

// The sweeper and a report of a failure, guarded and not.
func TestSweepAndReport(t *testing.T) {
	tests := []struct {
		name, reason string
		before       string
		writer       string
		guarded      string // "works" or "nothing"
		unguarded    string
	}{
		{"sweep a dead lease", "what it is for", "sweep-read lease-expire", "sweep", "works", "works"},
		{"sweep, having seen it dead", "the same, in the other order", "lease-expire sweep-read", "sweep", "works", "works"},
		{"sweep after a restart", "the same attempt is there", "sweep-read restart-fences restart-attempts lease-expire", "sweep", "works", "works"},
		{"sweep after a restore", "the same attempt is there", "sweep-read restore lease-expire", "sweep", "works", "works"},
		{"sweep a live lease", "its holder works", "sweep-read", "sweep", "nothing", "works"},
		{"sweep a renewed lease", "it was prolonged in time", "renew sweep-read lease-expire", "sweep", "nothing", "works"},
		{"sweep another attempt", "not the one that it saw", "sweep-read reclaim lease-expire", "sweep", "nothing", "works"},
		{"sweep after the end", "there is nothing to put back", "sweep-read lease-expire cancel", "sweep", "nothing", "works"},
		{"sweep unseen", "it did not look", "lease-expire", "sweep", "nothing", "nothing"},
		{"sweep what had ended", "it saw nothing to do", "lease-expire cancel sweep-read", "sweep", "nothing", "nothing"},
		{"sweep twice", "the second time it is not that attempt", "sweep-read lease-expire sweep-write", "sweep", "nothing", "works"},

		{"report", "of the current attempt", "", "report a", "works", "works"},
		{"report with a dead lease", "the attempt is current as long as nobody else has one", "lease-expire", "report a", "works", "works"},
		{"report after its completion", "there is no failure to report", chain + " completed", "report a", "nothing", "nothing"},
		{"report of the other after it", "it has lost the task", chain + " completed", "report b", "nothing", "works"},
		{"report after another's claim", "it has lost the task", "b:claim", "report a", "nothing", "works"},
		{"report of the claimer", "it has the task", "b:claim", "report b", "works", "works"},
		{"report after a reclaim", "another process has it", "reclaim", "report a", "nothing", "works"},
		{"report after a restore", "the authority that assigned it is gone", "restore", "report a", "nothing", "works"},
		{"report after a restore and a claim", "assigned by the present authority", "restore a:claim", "report a", "works", "works"},
		{"report after a cancellation", "the status stays", "cancel", "report a", "nothing", "works"},
		{"report of what is in the queue", "nobody has it", "sweep-read lease-expire sweep-write", "report a", "nothing", "works"},
	}
	for _, tt := range tests {
		for _, guarded := range []bool{true, false} {
			s := after(t, contract.Setup{}, tt.before)
			want, works := s, tt.unguarded == "works"
			if guarded {
				works = tt.guarded == "works"
			}
			if tt.writer == "sweep" {
				if s.Sweep(guarded); works {
					want.Status = contract.Running
					want.LastInner++
					want.LastFence++
					want.Owner = contract.Ownership{Identity: contract.Identity{
						Outer: want.Owner.Outer, Inner: want.LastInner, Fence: want.LastFence, Incarnation: want.Authority}}
				}
			} else {
				w := map[string]contract.Worker{"report a": contract.A, "report b": contract.B}[tt.writer]
				if s.Report(w, guarded); works {
					want.Status = contract.Failed
				}
			}
			if s != want {
				t.Errorf("%s, guarded %v: %s\n%s", tt.name, guarded, tt.reason, cmp.Diff(want, s))
			}
		}
	}
}

// Candidates that are written in place are there at once, and verified where they are.
func TestInPlace(t *testing.T) {
	inPlace := contract.Setup{InPlace: true}
	foreign := contract.Bytes{Writer: 255, Variant: 2}
	tests := []struct {
		name, reason string
		before       string
		content      contract.Bytes // of the first target
		seen         contract.Bytes // by the checker
		pass         bool
	}{
		{"candidate", "it is there", "a:read a:candidate a:verify", bytesOfA, bytesOfA, true},
		{"overwritten", "the checker sees what is there", "a:read a:candidate foreign-publish a:verify", foreign, foreign, false},
		{"overwritten later", "the checker saw what was there", "a:read a:candidate a:verify foreign-publish", foreign, bytesOfA, true},
		{"by the other worker", "not what this one prepared", "a:read b:read a:candidate b:candidate a:verify",
			contract.Bytes{Writer: 2, Inputs: 1}, contract.Bytes{Writer: 2, Inputs: 1}, false},
	}
	for _, tt := range tests {
		s := after(t, inPlace, tt.before)
		receipt := s.Of(contract.A).Receipts[contract.Tests]
		if s.Contents[contract.OutA] != tt.content || receipt.Bytes != tt.seen || receipt.Pass != tt.pass {
			t.Errorf("%s: there is %v, the receipt is a %v; want %v, %v of %v: %s", tt.name,
				s.Contents[contract.OutA], receipt, tt.content, tt.pass, tt.seen, tt.reason)
		}
		if s.Revisions != contract.Initial(inPlace).Revisions && !strings.Contains(tt.before, "publish") {
			t.Errorf("%s: revisions %v: nothing was published", tt.name, s.Revisions)
		}
	}
	if s := after(t, contract.Setup{}, "a:read a:candidate"); s.Contents[contract.OutA] != (contract.Bytes{}) {
		t.Errorf("a candidate that is not written in place is at %v", s.Contents)
	}
}

// What a deciding event submits.
func TestRequest(t *testing.T) {
	with := func(change func(*contract.Request)) contract.Request {
		r := asked
		change(&r)
		return r
	}
	ofB := contract.Request{ID: 2, Caller: contract.B, Author: contract.B, Attempt: second, Contract: 1,
		Content: contract.Candidate{Bytes: contract.Bytes{Writer: 2, Inputs: 1}, Inputs: 1, Members: 1, Bases: [3]uint8{1, 0, 0}}}
	tests := []struct {
		name, reason  string
		before, event string
		want          contract.Request
	}{
		{"commit", "what the worker has", chain, "a:commit", asked},
		{"commit of nothing", "its attempt alone", "", "a:commit", contract.Request{ID: 1, Caller: contract.A, Author: contract.A, Attempt: first}},
		{"commit of b", "its own", "b:claim b:read b:candidate", "b:commit", ofB},
		{"commit after others", "what it was told, whoever has the task", chain + " b:claim migrate", "a:commit", asked},
		{"commit again", "what it has now", chain + " a:commit a:replace", "a:commit#2",
			with(func(r *contract.Request) { r.Content.Bytes.Variant = 1 })},
		{"retry", "what it sent", chain + " a:commit a:replace a:claim migrate a:refresh", "a:retry", asked},
		{"retry of nothing sent", "what it has", chain, "a:retry", asked},
		{"retry-other", "the id and all of what it sent, but other bytes", chain + " a:commit a:replace a:claim", "a:retry-other",
			with(func(r *contract.Request) { r.Content.Bytes.Variant = 2 })},
		{"impersonate", "what it sent, from the other", chain + " a:commit a:replace a:claim", "a:impersonate",
			with(func(r *contract.Request) { r.Caller = contract.B })},
		{"impersonate of nothing sent", "what it has, from the other", chain, "a:impersonate",
			with(func(r *contract.Request) { r.Caller = contract.B })},
		{"impersonate b", "the other is worker a", "b:claim b:read b:candidate", "b:impersonate",
			func() contract.Request { r := ofB; r.Caller = contract.A; return r }()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := after(t, contract.Setup{}, tt.before)
			if got := s.Request(event(t, tt.event)); got != tt.want {
				t.Errorf("%s\n%s", tt.reason, cmp.Diff(tt.want, got))
			}
		})
	}
}
