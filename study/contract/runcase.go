package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

// Run checks that the case is what it says: that its mechanism does wrong what it expects,
// with its story as the shortest history, and that the complete mechanism does nothing
// wrong in any order of its events. It returns that history; an error names the line of
// the expectation that does not hold, and what holds instead.
func (c Case) Run(ctx context.Context, opt enumerate.Options) (counterexamples.Trace, error) {
	orders, err := c.Scenarios()
	if err != nil {
		return counterexamples.Trace{}, err
	}
	wrong, err := mistakes(ctx, orders, contract.Complete, opt)
	if err != nil {
		return counterexamples.Trace{}, err
	}
	if len(wrong) > 0 {
		return counterexamples.Trace{}, c.at("chain", "the complete mechanism is wrong (%s), after %s: either no contract could tell, as when both counters are lost in one incarnation, or this one lacks an obligation",
			wrong[0].what, text(wrong[0].history))
	}
	if wrong, err = mistakes(ctx, orders, c.Mechanism, opt); err != nil {
		return counterexamples.Trace{}, err
	}
	at := slices.IndexFunc(wrong, c.expects)
	if at < 0 {
		return counterexamples.Trace{}, c.at("expect", "%s does not do that in any order of these events; what it does: %s", c.Mechanism.Name, whats(wrong))
	}
	found := wrong[at]
	if story := strings.Join(c.Story, " "); c.Story != nil && story != text(found.history) {
		return counterexamples.Trace{}, c.at("story", "the shortest history is another: %s", text(found.history))
	}
	return c.trace(orders[len(orders)-1], found), nil
}

// A mistake is one way in which a mechanism is wrong.
type mistake struct {
	key     errorKey
	what    string // kind and reason, or "breaks" and the invariant
	history []model.Event
}

func (c Case) expects(m mistake) bool {
	if c.Breaks != "" {
		return m.what == breaksWhat(c.Breaks)
	}
	return m.key.kind == c.Kind && (c.Reason == "" || m.key.reason == c.Reason)
}

func breaksWhat(invariant string) string { return fmt.Sprintf("breaks %q", invariant) }

// mistakes returns the shortest history of each mistake of a mechanism: wrong decisions,
// the shortest first, and then broken invariants, the same.
func mistakes(ctx context.Context, orders []enumerate.Order[model.Event], m contract.Mechanism, opt enumerate.Options) ([]mistake, error) {
	walked := machine{mechanism: m}
	decisions, err := counterexamples.Find(ctx, orders, walked, walked.observe(), seen.keys, opt)
	if err != nil {
		return nil, err
	}
	var list []mistake
	for _, f := range decisions {
		list = append(list, mistake{f.Reason, string(f.Reason.kind) + " " + f.Reason.reason, f.History})
	}
	broken, err := counterexamples.FindViolations(ctx, orders, walked, properties(), opt)
	for _, f := range broken {
		list = append(list, mistake{what: breaksWhat(f.Reason), history: f.History})
	}
	return list, err
}

func whats(wrong []mistake) string {
	if len(wrong) == 0 {
		return "nothing wrong"
	}
	var names []string
	for _, m := range wrong {
		names = append(names, m.what)
	}
	return strings.Join(names, "; ")
}

func text(history []model.Event) string { return strings.Join(eventNames(history), " ") }

// trace tells the history of a mistake.
func (c Case) trace(order enumerate.Order[model.Event], m mistake) counterexamples.Trace {
	var t counterexamples.Trace
	if last := m.history[len(m.history)-1]; decides(last) {
		t = trace(c.Mechanism, order, m.history)
	} else {
		states := counterexamples.Replay(machine{mechanism: c.Mechanism}, m.history)
		t = counterexamples.Trace{Mechanism: "contract/" + c.Mechanism.Name, Schedule: eventNames(m.history)}
		t.Initial, t.Steps = narrator(c.Mechanism, states, m.history, model.A).Tell(states, m.history)
		t.Notes = []string{m.what}
	}
	t.Summary = c.Mechanism.Name + ": " + m.what
	return t
}
