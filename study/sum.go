package study

import (
	"fmt"
	"slices"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
)

// A sum accumulates the schedules of one scenario.
type sum struct {
	schedules uint64
	eligible  uint64
	safe      []uint64 // accepts of eligible requests, one count a mechanism
	unsafe    []uint64 // accepts of ineligible ones
	replays   Replays
	broken    []model.Event // the first schedule with a wrongly answered replay
}

func newSum(mechanisms int) *sum {
	return &sum{safe: make([]uint64, mechanisms), unsafe: make([]uint64, mechanisms)}
}

// add counts a complete schedule.
func (s *sum) add(schedule []model.Event, final state) *sum {
	s.schedules++
	accepts := s.unsafe
	if final.verdict.Eligible() {
		s.eligible++
		accepts = s.safe
	}
	final.accepted.each(func(i int) { accepts[i]++ })
	if final.accepted != 0 {
		one := resubmit(final.model, final.receipt)
		if one != soundReplay && s.broken == nil {
			s.broken = slices.Clone(schedule)
		}
		s.replays.add(one.times(final.accepted.size()))
	}
	return s
}

// merge adds a later part of the same scenario.
func (s *sum) merge(later *sum) *sum {
	s.schedules += later.schedules
	s.eligible += later.eligible
	for i := range s.safe {
		s.safe[i] += later.safe[i]
		s.unsafe[i] += later.unsafe[i]
	}
	s.replays.add(later.replays)
	if s.broken == nil {
		s.broken = later.broken
	}
	return s
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
func resubmit(s model.State, original model.Completion) Replays {
	r := s.Request()
	s, again, ok := model.Complete(s, r, true)
	same := ok && again == original && s.Ledger.Writes == 1

	r.Candidate = other.Digest()
	s, _, ok = model.Complete(s, r, true)
	refused := !ok && s.Ledger.Writes == 1

	out := Replays{Identical: 1, ChangedDigest: 1}
	if same {
		out.IdenticalSameReceipt = 1
	}
	if refused {
		out.ChangedDigestRejected = 1
	}
	return out
}

// verify reports what must not be in any run, whatever the mechanisms do.
func (s *sum) verify(o enumerate.Order[model.Event]) error {
	if s.broken != nil {
		return fmt.Errorf("scenario %v: a replay after %v was not answered with the original receipt and a single write",
			o, s.broken)
	}
	n, ok := o.Extensions()
	if ok && (!n.IsUint64() || n.Uint64() != s.schedules) {
		return fmt.Errorf("scenario %v: walked %d schedules, the closed form says %v", o, s.schedules, n)
	}
	return nil
}

func (s *sum) score(events []model.Event) ScenarioScore {
	out := ScenarioScore{Events: events, Schedules: s.schedules, Eligible: s.eligible, Replays: s.replays}
	for i := range s.safe {
		out.Scores = append(out.Scores, Score{
			SafeAccept:     s.safe[i],
			UnsafeAccept:   s.unsafe[i],
			UnsafeReject:   s.schedules - s.eligible - s.unsafe[i],
			EligibleReject: s.eligible - s.safe[i],
		})
	}
	return out
}
