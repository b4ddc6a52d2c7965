package mechanisms_test

import (
	"strings"
	"testing"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// prepared returns the state after the chain up to preflight, in which every
// check holds.
func prepared() model.State {
	s := model.Initial()
	for _, e := range model.Chain()[:3] {
		s = model.Next(s, e)
	}
	return s
}

func TestFailed(t *testing.T) {
	type change = func(*model.State, *model.Request)
	tests := []struct {
		name   string
		reason string
		change change
		want   model.Checks
	}{
		{"nothing", "the prepared request passes them all", func(*model.State, *model.Request) {}, 0},
		{"attempt id", "another attempt is current", func(s *model.State, _ *model.Request) { s.Owner.Attempt = 2 }, model.Attempt},
		{"principal", "the attempt is another principal's", func(s *model.State, _ *model.Request) { s.Owner.Principal = model.WorkerB }, model.Attempt},
		{"fence behind", "the fence moved on", func(s *model.State, _ *model.Request) { s.Owner.Fence = 2 }, model.Fence},
		{"fence ahead", "equal means equal", func(_ *model.State, r *model.Request) { r.Fence = 2 }, model.Fence},
		{"lease", "the lease ran out", func(s *model.State, _ *model.Request) { s.Owner.LeaseLive = false }, model.Lease},
		{"grant", "the grant is gone", func(s *model.State, _ *model.Request) { s.Grants = s.Grants.Without(model.WorkerA) }, model.Grant},
		{"inputs", "the input moved", func(s *model.State, _ *model.Request) { s.Input++ }, model.Inputs},
		{"artifact", "other bytes are in place", func(s *model.State, _ *model.Request) { s.Artifact = model.NewBlob("43") }, model.Artifact},
		{"candidate", "the request is about other bytes", func(_ *model.State, r *model.Request) { r.Candidate = model.NewBlob("43").Digest() }, model.Artifact | model.Evidence},
		{"no receipt cited", "no evidence is not a pass", func(s *model.State, r *model.Request) { s.Evidence, r.Evidence = model.Receipt{}, 0 }, model.Evidence},
		{"unknown receipt", "the store never admitted it", func(_ *model.State, r *model.Request) { r.Evidence = 7 }, model.Evidence},
		{"failed receipt", "its result is not a pass", func(s *model.State, _ *model.Request) { s.Evidence.Pass = false }, model.Evidence},
		{"receipt for other bytes", "its digest is not the candidate's", func(s *model.State, _ *model.Request) { s.Evidence.Digest = s.Task.Contract }, model.Evidence},
		{"receipt of another attempt", "no other field of a receipt is compared", func(s *model.State, _ *model.Request) { s.Evidence.Attempt = 2 }, 0},
		{"receipt for a stale input", "no other field of a receipt is compared", func(s *model.State, _ *model.Request) { s.Evidence.Inputs = 9 }, 0},
		{"task", "the request names another task", func(_ *model.State, r *model.Request) { r.Task = 2 }, model.Contract},
		{"contract", "the request names another contract", func(_ *model.State, r *model.Request) { r.Contract = r.Candidate }, model.Contract},
		{"policy", "a newer default exists", func(s *model.State, _ *model.Request) { s.Default = model.BehaviorV2 }, model.LatestPolicy},
		{"several", "all that fail are named, not the first", func(s *model.State, _ *model.Request) { s.Owner.LeaseLive = false; s.Input++; s.Grants = 0 },
			model.Lease | model.Grant | model.Inputs},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := prepared()
			r := s.Request()
			tt.change(&s, &r)
			if got := mechanisms.Failed(s, r); got != tt.want {
				t.Errorf("Failed = %v, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
}

// The table, as the study names it.
func TestAll(t *testing.T) {
	want := `self-report|none|commit
attempt-lease|attempt, fence, lease|commit
preflight-cached|attempt, fence, lease, grant, inputs, artifact, evidence, contract|preflight
atomic|attempt, fence, lease, grant, inputs, artifact, evidence, contract|commit
without-attempt|lease, grant, inputs, artifact, evidence, contract|commit
without-fence|attempt, lease, grant, inputs, artifact, evidence, contract|commit
without-lease|attempt, fence, grant, inputs, artifact, evidence, contract|commit
without-grant|attempt, fence, lease, inputs, artifact, evidence, contract|commit
without-inputs|attempt, fence, lease, grant, artifact, evidence, contract|commit
without-artifact|attempt, fence, lease, grant, inputs, evidence, contract|commit
without-evidence|attempt, fence, lease, grant, inputs, artifact, contract|commit
without-contract|attempt, fence, lease, grant, inputs, artifact, evidence|commit
latest-policy|attempt, fence, lease, grant, inputs, artifact, evidence, contract, latest-policy|commit
`
	var got strings.Builder
	for _, m := range mechanisms.All() {
		got.WriteString(m.Name + "|" + m.Requires.String() + "|" + m.At.String() + "\n")
	}
	if got.String() != want {
		t.Errorf("the thirteen mechanisms:\n%s\nwant\n%s", &got, want)
	}
	mechanisms.All()[0].Name = "changed"
	if mechanisms.All()[0].Name != "self-report" {
		t.Error("the table can be changed through what All returns")
	}
}

func TestNamed(t *testing.T) {
	for _, m := range mechanisms.All() {
		if got, err := mechanisms.Named(m.Name); err != nil || got.Requires != m.Requires || got.At != m.At {
			t.Errorf("Named(%q) = %+v, %v", m.Name, got, err)
		}
	}
	_, err := mechanisms.Named("atomik")
	if err == nil || !strings.HasPrefix(err.Error(), `unknown mechanism "atomik": the mechanisms are self-report, attempt-lease, `) {
		t.Errorf("Named of an unknown name: %v", err)
	}
}

func TestDecision(t *testing.T) {
	s := prepared()
	s.Owner.LeaseLive, s.Input = false, 2
	r := s.Request()
	d := mechanisms.Require(s, r, model.Attempt|model.Lease|model.Inputs)
	want := mechanisms.Decision{Relied: model.Attempt | model.Lease | model.Inputs, Failed: model.Lease | model.Inputs}
	if d != want {
		t.Errorf("Require = %+v, want %+v", d, want)
	}
	advice := d.Recovery()
	if len(advice) != 2 || advice[0] != mechanisms.Recovery(model.Lease) || advice[1] != mechanisms.Recovery(model.Inputs) {
		t.Errorf("recovery = %q, want that of the lease and of the inputs", advice)
	}
	if d := mechanisms.Require(s, r, model.Attempt|model.Grant); !d.Accepted || d.Failed != 0 {
		t.Errorf("Require does not ask for what failed, and decides %+v", d)
	}
}

func TestRecoveryOfEveryCheck(t *testing.T) {
	for _, c := range (model.All | model.LatestPolicy).Each() {
		if mechanisms.Recovery(c) == "" {
			t.Errorf("no recovery for %v", c)
		}
	}
	if got := mechanisms.Recovery(model.All); got != "" {
		t.Errorf("recovery of several checks at once = %q", got)
	}
	if got := mechanisms.Recovery(model.Grant); !strings.Contains(got, "not recovery") {
		t.Errorf("recovery of a revoked grant = %q, want a word against retrying", got)
	}
}

func TestOwnRule(t *testing.T) {
	refuses := mechanisms.Func("never", func(model.State, model.Request) mechanisms.Decision { return mechanisms.Decision{} })
	s := prepared()
	if refuses.At != mechanisms.Commit || refuses.Decide(s, s.Request()).Accepted {
		t.Errorf("Func = %+v, want the rule given, at commit", refuses)
	}
	early := mechanisms.AtPreflight(refuses)
	if early.At != mechanisms.Preflight || early.Name != "never" || refuses.At != mechanisms.Commit {
		t.Errorf("AtPreflight = %+v, want the same rule, at preflight", early)
	}
	if !(mechanisms.Mechanism{}).Decide(s, s.Request()).Accepted {
		t.Error("the zero mechanism requires something")
	}
}

func TestNoRule(t *testing.T) {
	defer func() {
		if got, want := recover(), "mechanisms.Func: the rule is nil; pass a function"; got != want {
			t.Errorf("panic = %v, want %s", got, want)
		}
	}()
	mechanisms.Func("nil", nil)
}
