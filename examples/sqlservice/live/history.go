package live

import (
	"fmt"
	"math"
	"time"

	"github.com/anishathalye/porcupine"

	"example.com/commitpoint/model/contract"
)

// A History is what was asked and answered about one task. Times are nanoseconds since
// the run began.
type History struct {
	Task       string
	Operations []porcupine.Operation // each with an Input and an Output
}

// Clients that operations are shown to be of, besides the two workers. An operation that
// was not answered gets a client of its own, since its client has gone on.
const (
	sweeper = iota + 2
	editor
	administrator
	clock
	unanswered
)

// never is when operations return that were not answered.
const never = math.MaxInt64

// closed returns the history with an end to everything: expiries last until what was
// under way with them has ended, and what was not answered until after all the rest.
func (h History) closed() History {
	list := make([]porcupine.Operation, len(h.Operations))
	last := int64(0)
	for i, op := range h.Operations {
		list[i] = op
		last = max(last, op.Call)
		if op.Return != never {
			last = max(last, op.Return)
		}
	}
	next := unanswered
	for i := range list {
		op := &list[i]
		if op.Input.(Input).Event.Kind == contract.LeaseExpire {
			op.Return = h.settled(op.Return)
		}
		if op.Output.(Output).Unknown {
			op.ClientId = next
			next++
		}
		op.Return = min(op.Return, last+1)
	}
	return History{h.Task, list}
}

// settled returns when the last of the operations has ended that were under way at a
// moment.
func (h History) settled(moment int64) int64 {
	end := moment
	for _, op := range h.Operations {
		if op.Call <= moment {
			end = max(end, op.Return)
		}
	}
	return end
}

// A Judgement is what a check of a history came to.
type Judgement struct {
	Task   string
	Result porcupine.CheckResult // Unknown if the time was up
	info   porcupine.LinearizationInfo
}

// Check looks for an order of the operations in which the machine answers as the service
// did, for as long as limit; 0 is no limit.
func (h History) Check(limit time.Duration) Judgement {
	closed := h.closed().Operations
	j := Judgement{Task: h.Task, Result: porcupine.CheckOperationsTimeout(machine, closed, limit)}
	if j.Result != porcupine.Ok {
		// What there is to see is collected only if somebody is to see it.
		_, j.info = porcupine.CheckOperationsVerbose(machine, closed, limit)
	}
	return j
}

// View writes the history as an HTML page to a file: the longest orders that agree, and
// what could not come next. There is nothing to see of one that is linearizable.
func (j Judgement) View(path string) error {
	if j.Result == porcupine.Ok {
		return fmt.Errorf("view task %q: its history is linearizable", j.Task)
	}
	return porcupine.VisualizePath(machine, j.info, path)
}
