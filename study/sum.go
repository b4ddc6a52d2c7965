package study

import (
	"fmt"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
)

// score sums up one scenario from the states in which its schedules end. It
// reports what must not be in any run, whatever the mechanisms do.
func score(o enumerate.Order[model.Event], outcomes []enumerate.Outcome[state, model.Event], mechanisms int) (ScenarioScore, error) {
	out := ScenarioScore{Events: environmentOf(o), Scores: make([]Score, mechanisms)}
	for i := range outcomes {
		n, s := outcomes[i].Schedules, &outcomes[i].Final
		out.Schedules += n
		if s.verdict.Eligible() {
			out.Eligible += n
		}
		for i := range out.Scores {
			out.Scores[i].count(n, s.accepted.has(i), s.verdict.Eligible())
		}
		if s.accepted == 0 {
			continue
		}
		replayed := resubmit(s.model.Ledger, s.model.Request(), s.receipt)
		if replayed != soundReplay {
			return out, fmt.Errorf("%w: in scenario %v, a replay after %v was not answered with the original receipt and a single write",
				ErrUnsound, o, outcomes[i].First)
		}
		out.Replays.add(replayed.times(n * s.accepted.size()))
	}
	n, ok := o.Extensions()
	if ok && (!n.IsUint64() || n.Uint64() != out.Schedules) {
		return out, fmt.Errorf("%w: in scenario %v, %d schedules were walked and the closed form says %v", ErrUnsound, o, out.Schedules, n)
	}
	return out, nil
}

// count adds n schedules with the same decision.
func (s *Score) count(n uint64, accepted, eligible bool) {
	switch {
	case accepted && eligible:
		s.SafeAccept += n
	case accepted:
		s.UnsafeAccept += n
	case eligible:
		s.EligibleReject += n
	default:
		s.UnsafeReject += n
	}
}

// soundReplay is how the replays after one accepted execution must come out.
var soundReplay = Replays{Identical: 1, IdenticalSameReceipt: 1, ChangedDigest: 1, ChangedDigestRejected: 1}

func (r Replays) times(n uint64) Replays {
	return Replays{
		Identical:             n * r.Identical,
		IdenticalSameReceipt:  n * r.IdenticalSameReceipt,
		ChangedDigest:         n * r.ChangedDigest,
		ChangedDigestRejected: n * r.ChangedDigestRejected,
	}
}

// other is content that no candidate has.
var other = model.NewBlob("the bytes of another candidate\n")

// resubmit replays the completed request, first as it was and then with another
// candidate under the same request id, long after original was its answer. The
// mechanism is not asked: even one that would accept must not write again.
func resubmit(l model.Ledger, r model.Request, original model.Completion) Replays {
	l, again, ok := l.Complete(r, true)
	same := ok && again == original && l.Writes == 1

	r.Candidate = other.Digest()
	l, _, ok = l.Complete(r, true)
	refused := !ok && l.Writes == 1

	out := Replays{Identical: 1, ChangedDigest: 1}
	if same {
		out.IdenticalSameReceipt = 1
	}
	if refused {
		out.ChangedDigestRejected = 1
	}
	return out
}
