package study

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// dumb scores a scenario the plain way: every schedule is replayed from the
// start for every mechanism on its own, and every accepted execution is
// submitted again.
func dumb(o enumerate.Order[model.Event], list []mechanisms.Mechanism) ScenarioScore {
	out := ScenarioScore{Events: environmentOf(o), Scores: make([]Score, len(list))}
	for schedule := range o.Schedules() {
		out.Schedules++
		for i, m := range list {
			states := counterexamples.Replay(solo{mechanism: m}, schedule)
			final := states[len(states)-1]
			eligible := final.verdict.Eligible()
			if i == 0 && eligible {
				out.Eligible++
			}
			switch {
			case final.recorded && eligible:
				out.Scores[i].SafeAccept++
			case final.recorded:
				out.Scores[i].UnsafeAccept++
			case eligible:
				out.Scores[i].EligibleReject++
			default:
				out.Scores[i].UnsafeReject++
			}
			if !final.recorded {
				continue
			}
			out.Replays.Identical++
			ledger, again, ok := final.model.Ledger.Complete(final.request, m.Decide(final.model, final.request).Accepted)
			if ok && again == final.receipt && ledger.Writes == 1 {
				out.Replays.IdenticalSameReceipt++
			}
			changed := final.request
			changed.Candidate = model.NewBlob("changed").Digest()
			out.Replays.ChangedDigest++
			if ledger, _, ok = ledger.Complete(changed, true); !ok && ledger.Writes == 1 {
				out.Replays.ChangedDigestRejected++
			}
		}
	}
	return out
}

func TestEvaluateAgreesWithDumbReplay(t *testing.T) {
	opt, err := Options{}.complete()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Evaluate(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range opt.Scenarios {
		if want := dumb(o, opt.Mechanisms); !reflect.DeepEqual(got[i], want) {
			t.Errorf("scenario %v:\n%+v\nby replaying every schedule for every mechanism:\n%+v", o, got[i], want)
		}
	}
}

// A rule that is a function is judged like the row of the table that says the
// same, at either point.
func TestOwnRulesAreJudgedLikeTheTable(t *testing.T) {
	table := mechanisms.All()
	var own []mechanisms.Mechanism
	for _, m := range table {
		rule := mechanisms.Func(m.Name, func(s model.State, r model.Request) mechanisms.Decision {
			return mechanisms.Require(s, r, m.Requires)
		})
		if m.At == mechanisms.Preflight {
			rule = mechanisms.AtPreflight(rule)
		}
		own = append(own, rule)
	}
	scores, err := Evaluate(context.Background(), Options{Mechanisms: slices.Concat(table, own)})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if n := len(table); !slices.Equal(s.Scores[:n], s.Scores[n:]) {
			t.Errorf("scenario %v: %v in the table, %v as functions", s.Events, s.Scores[:n], s.Scores[n:])
		}
	}
}

// A ledger that answered wrongly would not pass for a sound one.
func TestResubmitNoticesUnsoundAnswers(t *testing.T) {
	states := counterexamples.Replay(solo{mechanism: mechanisms.Mechanism{}}, model.Chain())
	final := states[len(states)-1]
	if got := resubmit(final.model.Ledger, final.request, final.receipt); got != soundReplay {
		t.Fatalf("resubmit = %+v, want %+v", got, soundReplay)
	}
	open := model.Ledger{} // forgot: the identical request is accepted again, with a second receipt
	if got := resubmit(open, final.request, model.Completion{Version: 9}); got.IdenticalSameReceipt != 0 {
		t.Errorf("another receipt passes for the original: %+v", got)
	}
	twice := final.model.Ledger
	twice.Writes = 2
	if got := resubmit(twice, final.request, final.receipt); got.IdenticalSameReceipt != 0 || got.ChangedDigestRejected != 0 {
		t.Errorf("two terminal writes pass for one: %+v", got)
	}
	bound := final.model.Ledger
	bound.Bound.Candidate = other.Digest() // the changed request is the recorded one
	if got := resubmit(bound, final.request, final.receipt); got.ChangedDigestRejected != 0 {
		t.Errorf("a changed request that is answered passes for refused: %+v", got)
	}
}
