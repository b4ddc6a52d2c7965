package conformance

import (
	"fmt"
	"strings"

	"example.com/commitpoint/counterexamples"
)

// tell tells a history as the reference has it, with what the system decided.
func (t *planned[S, E]) tell(h shown) counterexamples.Trace {
	events := t.eventsOf(h.history)
	states := counterexamples.Replay(t.machine, events)
	steps := t.steps(h.history)
	trace := counterexamples.Trace{
		Schedule: t.names(h.history),
		ReliedOn: []string{}, FailedChecks: []string{}, Oracle: counterexamples.Oracle{Reasons: []string{}},
	}
	narrator := t.Narrator
	trace.Initial, trace.Steps = narrator.Tell(states, events)
	last := -1
	for i := range steps {
		x := steps[i].expect
		if x == nil {
			continue
		}
		last = i
		if d, decided := h.decisions[i]; decided {
			trace.Steps[i].Effect = effect(d)
			trace.Decision = said(d)
			if d.Accepted != x.Eligible() { // the reference did what is right
				trace.Steps[i].Changed = []counterexamples.Change{}
			}
		}
		trace.Oracle.Eligible, trace.Oracle.Reasons = x.Eligible(), append([]string{}, x.Reasons...)
	}
	if last >= 0 && t.Explain != nil {
		trace.FailedChecks, trace.Notes = t.Explain(states[last], events[last], trace.Decision == "accepted")
	}
	return trace
}

// effect says what a system decided.
func effect(d Decision) string {
	text := strings.ToUpper(said(d))
	switch {
	case d.Accepted:
		return fmt.Sprintf("%s   receipt: %s", text, d.Receipt)
	case d.Refusal != "":
		return fmt.Sprintf("%s   it says: %s", text, d.Refusal)
	}
	return text
}
