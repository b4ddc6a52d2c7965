package conformance

import (
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study"
)

// A totals is what many schedules came to.
type totals struct {
	ran, requests uint64
	asked         map[*expectation]uint64
	wrong         map[study.Kind]uint64 // schedules
	failed        map[obligation]found
}

// A found is how often something went wrong, and the least history in which it did.
type found struct {
	schedules uint64
	least     history
}

func newTotals() *totals {
	return &totals{
		asked:  make(map[*expectation]uint64),
		wrong:  make(map[study.Kind]uint64),
		failed: make(map[obligation]found),
	}
}

// add adds what a schedule came to.
func (t *totals) add(steps []step, r ran) {
	t.ran++
	for i := range steps[:r.at] {
		if x := steps[i].expect; x != nil {
			t.requests++
			t.asked[x]++
		}
	}
	if r.fails == nil {
		return
	}
	h := make(history, r.at)
	for i := range h {
		h[i] = steps[i].index
	}
	t.wrong[r.fails[0].kind]++
	for _, o := range r.fails {
		known, ok := t.failed[o]
		if !ok || enumerate.CompareHistories(h, known.least) < 0 {
			known.least = h
		}
		known.schedules++
		t.failed[o] = known
	}
}

// exercised returns how often each obligation could have been failed.
func (t *totals) exercised() []Exercise {
	counts := make(map[obligation]uint64)
	for x, n := range t.asked {
		for _, o := range x.exercises {
			counts[o] += n
		}
	}
	return inOrder(counts)
}
