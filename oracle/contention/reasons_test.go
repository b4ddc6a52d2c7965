package contention_test

import (
	"slices"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
	reasons "example.com/commitpoint/oracle"
	oracle "example.com/commitpoint/oracle/contention"
	study "example.com/commitpoint/study/contention"
)

// A witness is the oracle alone, as a machine.
type witness struct{}

func (witness) Init() oracle.History { return oracle.Begin() }

func (witness) Next(h oracle.History, e contention.Event) oracle.History { return h.Observe(e) }

func raceOfTwo(t *testing.T) enumerate.Order[contention.Event] {
	t.Helper()
	o, err := study.Order(2)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// A request is eligible just if there is no reason against it: at every point that the
// schedules of two submitters come to, for either of them.
func TestNoReasonsMeansEligible(t *testing.T) {
	agree := func(h oracle.History) (pair [2]reasons.Reasons) {
		for w := range uint8(2) {
			pair[w] = h.Reasons(w + 1)
			if (pair[w] == 0) != h.Eligible(w+1) {
				t.Errorf("after %+v submitter %d is eligible: %v, with the reasons %v", h, w+1, h.Eligible(w+1), pair[w])
			}
		}
		return pair
	}
	agree(oracle.Begin())
	tally, err := enumerate.Tally(t.Context(), raceOfTwo(t), witness{}, enumerate.Observe(
		func(_ oracle.History, _ contention.Event, after oracle.History) ([2]reasons.Reasons, bool) {
			return agree(after), true
		}),
		enumerate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Nodes != 7416 || tally.Schedules.String() != "726485760" || len(tally.Observed) != 96 {
		t.Errorf("%d points of %v schedules, with %d pairs of reasons; want 7,416 of 726,485,760, with 96",
			tally.Nodes, tally.Schedules, len(tally.Observed))
	}
}

// Every reason once more, by the places of events in the history: after each event of
// each schedule in which nobody asks for anything.
func TestReasonsAgreeWithTheHistory(t *testing.T) {
	order := raceOfTwo(t).Restrict(func(e contention.Event) bool {
		return e.Kind == model.Read || e.Kind == model.Snapshot || e.Submitter == 0 && e.Kind != model.PublishV2
	})
	counts := map[reasons.Reasons]int{}
	err := enumerate.Walk(t.Context(), []enumerate.Order[contention.Event]{order}, witness{}, func(_ int, history []contention.Event, h *oracle.History) bool {
		at := func(w uint8, k model.Kind) int { return slices.Index(history, contention.Event{Submitter: w, Kind: k}) }
		owner := uint8(1)
		if at(0, model.Reassign) >= 0 {
			owner = 2
		}
		for w := uint8(1); w <= 2; w++ {
			read, prepared := at(w, model.Read), at(w, model.Snapshot)
			var want reasons.Reasons
			if owner != w {
				want |= reasons.Reassigned
			}
			if w == 1 && at(0, model.LeaseExpire) >= 0 {
				want |= reasons.LeaseExpired
			}
			if at(0, model.Revoke) >= 0 {
				want |= reasons.Revoked
			}
			if read >= 0 && at(0, model.InputEdit) > read {
				want |= reasons.InputChanged
			}
			if prepared >= 0 && max(at(0, model.ArtifactEdit), at(3-w, model.Snapshot)) > prepared {
				want |= reasons.ArtifactChanged
			}
			if got := h.Reasons(w); got != want {
				t.Errorf("after %v submitter %d has the reasons %v, want %v", history, w, got, want)
			}
			counts[want]++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(counts) != 1<<5 {
		t.Errorf("%d sets of the five reasons, want all 32: %v", len(counts), counts)
	}
}
