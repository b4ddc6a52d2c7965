package study

import (
	"errors"
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// accepted returns the outcome of n schedules in which the only mechanism
// accepted an eligible request.
func accepted(n uint64) enumerate.Outcome[state, model.Event] {
	final := newMachine(nil).Init()
	for _, e := range model.Chain()[:4] {
		final = newMachine(nil).Next(final, e)
	}
	final.accepted, final.verdict = 1, oracle.Verdict{}
	final.model.Ledger, final.receipt, _ = final.model.Ledger.Complete(final.model.Request(), true)
	return enumerate.Outcome[state, model.Event]{Final: final, Schedules: n, First: model.Chain()}
}

// A run that lost schedules, or whose ledger answers wrongly, is not scored.
func TestScoreNoticesWhatCannotBe(t *testing.T) {
	bare := Scenarios(0)[0] // one schedule
	lost := accepted(2)
	twice := accepted(1)
	twice.Final.model.Ledger.Writes = 2
	tests := []struct {
		name    string
		outcome enumerate.Outcome[state, model.Event]
		want    string
	}{
		{"sound", accepted(1), ""},
		{"a count that is off", lost, "in scenario {read, candidate, trusted-verify, preflight, commit}, 2 schedules were walked and the closed form says 1"},
		{"a second write", twice, "a replay after [read candidate trusted-verify preflight commit] was not answered with the original receipt and a single write"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := score(bare, []enumerate.Outcome[state, model.Event]{tt.outcome}, 1)
			if tt.want == "" {
				if want := (Score{SafeAccept: 1}); err != nil || got.Scores[0] != want || got.Replays != soundReplay {
					t.Errorf("score = %+v, %v", got, err)
				}
				return
			}
			if !errors.Is(err, ErrUnsound) || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("error = %v\nwant %s", err, tt.want)
			}
		})
	}
}

// More mechanisms than a byte has bits keep their positions.
func TestManyMechanisms(t *testing.T) {
	opt := Options{Scenarios: Scenarios(1)}
	for i := range maxMechanisms {
		m := ownAtEither(i)
		opt.Mechanisms = append(opt.Mechanisms, m)
	}
	scores, err := Evaluate(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		for i, score := range s.Scores {
			wants := i%3 == 0
			if accepts := score.SafeAccept+score.UnsafeAccept == s.Schedules; accepts != wants || score.Total() != s.Schedules {
				t.Errorf("scenario %v, mechanism %d, which accepts everything: %v; scored %+v", s.Events, i, wants, score)
			}
		}
	}
}
