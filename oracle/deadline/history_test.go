package deadline_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/model/deadline"
	oracle "example.com/commitpoint/oracle/deadline"
)

// whole judges a history by looking at all of it, moment by moment.
func whole(history []deadline.Event) (inTime, atProbe, atClose, ever bool) {
	closed := len(history)
	if i := slices.IndexFunc(history, func(e deadline.Event) bool { return e.Kind.Closes() }); i >= 0 {
		closed = i
	}
	for i, e := range history {
		holds := holdsAfter(history[:i+1])
		ever = ever || holds
		if i <= closed && holds {
			inTime = true
			atProbe = atProbe || e.Kind.Samples()
			atClose = atClose || i == closed
		}
	}
	return inTime, atProbe, atClose, ever
}

// holdsAfter reports whether the predicate holds after a history: the last operation was
// right, it took effect later, and nothing undid it since; or what held before stays.
func holdsAfter(history []deadline.Event) bool {
	for i := len(history) - 1; i >= 0; i-- {
		switch history[i].Kind {
		case deadline.Undo:
			return false
		case deadline.Converge:
			for j := i - 1; j >= 0; j-- {
				switch history[j].Kind {
				case deadline.Operate:
					return true
				case deadline.OperateElsewhere, deadline.OperateMalformed:
					j = -1
				}
			}
		}
	}
	return false
}

// likely are the kinds that matter to the truth, some of them more often.
var likely = []deadline.Kind{
	deadline.Operate, deadline.Operate, deadline.Operate, deadline.OperateElsewhere, deadline.OperateMalformed,
	deadline.Converge, deadline.Converge, deadline.Converge, deadline.Undo, deadline.Observe, deadline.ReportDone,
	deadline.Probe, deadline.Miss, deadline.ProbeAtDeadline, deadline.MissAtDeadline, deadline.Close,
}

func TestFoldAgreesWithWholeHistory(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		history := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) deadline.Event {
			return deadline.Event{Kind: rapid.SampledFrom(likely).Draw(t, "kind")}
		}), 0, 12).Draw(t, "history")
		var h oracle.History
		for _, e := range history {
			h.Step(e)
		}
		inTime, atProbe, atClose, ever := whole(history)
		if h.InTime != inTime || h.AtProbe != atProbe || h.AtClose != atClose || h.Ever != ever || h.Holds() != holdsAfter(history) {
			t.Fatalf("%v: %+v; whole: in time %v, at a probe %v, at the deadline %v, ever %v", history, h, inTime, atProbe, atClose, ever)
		}
		if inTime {
			held++
		}
	})
	if held < 3 {
		t.Errorf("only %d histories held in time", held)
	}
}
