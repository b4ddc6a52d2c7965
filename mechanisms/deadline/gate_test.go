package deadline

import (
	"slices"
	"testing"
	"time"

	"example.com/commitpoint/model/deadline"
)

var (
	allVerdicts = []deadline.Verdict{deadline.NotDetermined, deadline.Fulfilled, deadline.Violated}
	allParties  = []Party{Neither, Agent, Service, Both}
)

func TestRoute(t *testing.T) {
	escalate := []Remedy{Escalate, Recheck}
	want := map[deadline.Verdict]map[Party][]Remedy{
		deadline.Fulfilled:     {},
		deadline.NotDetermined: {Neither: escalate, Agent: escalate, Service: escalate, Both: escalate},
		deadline.Violated:      {Neither: escalate, Agent: {Reinvoke}, Service: {Wait}, Both: {Reinvoke, Wait}},
	}
	for _, v := range allVerdicts {
		for _, p := range allParties {
			if got := Route(v, p); !slices.Equal(got, want[v][p]) {
				t.Errorf("%v, %v: %v, want %v", v, p, got, want[v][p])
			}
		}
	}
}

// A turn is one verification.
type turn struct {
	verdict deadline.Verdict
	party   Party
	elapsed time.Duration
}

func TestGate(t *testing.T) {
	const yes, no, unknown = deadline.Fulfilled, deadline.Violated, deadline.NotDetermined
	tests := []struct {
		name, reason string
		turns        []turn
		want         Outcome
		cycles       int
		last         []Remedy
	}{
		{"at first", "it is released at once", []turn{{yes, Neither, 30 * sec}}, FulfilledAtFirst, 1, nil},
		{"at first, very late", "the bounds are checked after a rejection", []turn{{yes, Neither, 500 * sec}}, FulfilledAtFirst, 1, nil},
		{"recovered", "the second time", []turn{{no, Service, 30 * sec}, {yes, Neither, 60 * sec}}, VerifiedAfterRecovery, 2, nil},
		{"recovered at last", "the third time", []turn{{no, Agent, 30 * sec}, {no, Both, 60 * sec}, {yes, Neither, 119 * sec}}, VerifiedAfterRecovery, 3, nil},
		{"recovered past the time", "a verification that succeeds is not too late", []turn{{no, Agent, 30 * sec}, {yes, Neither, 121 * sec}}, VerifiedAfterRecovery, 2, nil},
		{"held", "a remedy comes next", []turn{{no, Both, 30 * sec}}, Open, 1, []Remedy{Reinvoke, Wait}},
		{"held again", "a remedy comes next", []turn{{no, Both, 30 * sec}, {no, Service, 60 * sec}}, Open, 2, []Remedy{Wait}},
		{"three times", "there are three cycles at most", []turn{{no, Agent, 3 * sec}, {no, Agent, 6 * sec}, {no, Agent, 9 * sec}}, TerminatedUnverified, 3, nil},
		{"just in time", "119 s leave time for a remedy", []turn{{no, Agent, MaxElapsed - 1}}, Open, 1, []Remedy{Reinvoke}},
		{"out of time", "at 120 s none is left", []turn{{no, Agent, MaxElapsed}}, TerminatedUnverified, 1, nil},
		{"nobody", "one bounded look again", []turn{{no, Neither, 30 * sec}}, Open, 1, []Remedy{Escalate, Recheck}},
		{"nobody, again", "the look was the last remedy", []turn{{no, Neither, 30 * sec}, {no, Agent, 40 * sec}}, TerminatedUnverified, 2, nil},
		{"not determined, again", "as above", []turn{{unknown, Agent, 30 * sec}, {unknown, Agent, 40 * sec}}, TerminatedUnverified, 2, nil},
		{"not determined, then held", "a look again can release it", []turn{{unknown, Neither, 30 * sec}, {yes, Neither, 40 * sec}}, VerifiedAfterRecovery, 2, nil},
		{"after the end", "a closed gate stays as it is", []turn{{yes, Neither, 30 * sec}, {no, Agent, 40 * sec}}, FulfilledAtFirst, 1, nil},
		{"after a termination", "a closed gate stays as it is", []turn{{no, Agent, MaxElapsed}, {yes, Neither, 130 * sec}}, TerminatedUnverified, 1, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var g Gate
			var remedies []Remedy
			for _, turn := range tt.turns {
				g, remedies = g.Next(turn.verdict, turn.party, turn.elapsed)
			}
			if g.Outcome != tt.want || g.Cycles != tt.cycles || !slices.Equal(remedies, tt.last) {
				t.Errorf("%v after %d cycles, then %v; want %v, %d, %v: %s", g.Outcome, g.Cycles, remedies, tt.want, tt.cycles, tt.last, tt.reason)
			}
			if want := tt.want == FulfilledAtFirst || tt.want == VerifiedAfterRecovery; g.Released() != want {
				t.Errorf("released: %v, want %v", g.Released(), want)
			}
			if g.First != tt.turns[0].verdict {
				t.Errorf("the first verdict became %v, it was %v", g.First, tt.turns[0].verdict)
			}
		})
	}
}

// In every run of four verifications, with every verdict and party: the first verdict
// stays, a report is released by Fulfilled and by nothing else, the remedies are those of
// the route while the gate is open and none afterwards, and it is closed after three.
func TestGateInvariants(t *testing.T) {
	runs := 0
	var walk func(g Gate, first, last deadline.Verdict, depth int)
	walk = func(g Gate, first, last deadline.Verdict, depth int) {
		if runs++; depth == MaxCycles+1 {
			if g.Outcome == Open {
				t.Errorf("a gate is open after %d verifications: %+v", depth, g)
			}
			return
		}
		for _, v := range allVerdicts {
			for _, p := range allParties {
				next, remedies := g.Next(v, p, time.Duration(depth)*sec)
				was, now := first, v
				if depth == 0 {
					was = v
				}
				if g.Outcome != Open {
					now = last
				}
				switch {
				case next.First != was:
					t.Errorf("the first verdict became %v, it was %v", next.First, was)
				case next.Released() != (now == deadline.Fulfilled):
					t.Errorf("released %v after %v", next.Released(), now)
				case next.Outcome == Open && !slices.Equal(remedies, Route(v, p)), next.Outcome != Open && remedies != nil:
					t.Errorf("remedies %v of a gate that is %v", remedies, next.Outcome)
				case g.Outcome != Open && next != g:
					t.Errorf("a gate that was %v became %v", g.Outcome, next.Outcome)
				case next.Cycles > MaxCycles:
					t.Errorf("%d cycles", next.Cycles)
				}
				walk(next, was, now, depth+1)
			}
		}
	}
	walk(Gate{}, 0, 0, 0)
	if runs < 10000 {
		t.Errorf("only %d gates were looked at", runs)
	}
}

func TestGateNames(t *testing.T) {
	if got := []string{Reinvoke.String(), Wait.String(), Escalate.String(), Recheck.String(), Open.String(), FulfilledAtFirst.String(),
		VerifiedAfterRecovery.String(), TerminatedUnverified.String(), Neither.String(), Both.String()}; !slices.Equal(got, []string{
		"re-invoke", "wait", "escalate", "re-check", "open", "fulfilled at first", "verified after recovery", "terminated unverified", "neither", "both"}) {
		t.Errorf("names %q", got)
	}
}
