package counterexamples

import (
	"iter"
	"slices"
	"strings"
)

// A Narrator is what a protocol has to say about its events and states, so that
// histories of it become Steps. Event and Fields are needed; the others can be nil.
type Narrator[S, E any] struct {
	Event  func(e E) (actor, name, object string)
	Fields func(s S) iter.Seq2[string, string] // names and values, the same names in every state
	Effect func(after S, e E) string           // in a clause
	Marked func(e E) bool                      // whether the event is one that makes a difference
	Checks func(s S) (holds, fails []string)
}

// Tell returns the fields of the first state and a step for each event of history,
// where states has the state before the first event and then one after each, as
// Replay returns them.
func (n Narrator[S, E]) Tell(states []S, history []E) (initial State, steps []Step) {
	if n.Event == nil || n.Fields == nil || len(states) != len(history)+1 {
		panic("counterexamples.Narrator: give Event and Fields, and to Tell one state more than there are events, as Replay returns them")
	}
	before := n.state(states[0])
	initial = before
	for i, e := range history {
		after := n.state(states[i+1])
		s := Step{Changed: changes(before, after), State: after, Holds: []string{}, Fails: []string{}}
		s.Actor, s.Event, s.Object = n.Event(e)
		if n.Effect != nil {
			s.Effect = n.Effect(states[i+1], e)
		}
		if n.Marked != nil {
			s.Marked = n.Marked(e)
		}
		if n.Checks != nil {
			s.Holds, s.Fails = n.Checks(states[i+1])
		}
		steps = append(steps, s)
		before = after
	}
	return initial, steps
}

func (n Narrator[S, E]) state(s S) State {
	var fields State
	for name, value := range n.Fields(s) {
		fields = append(fields, Field{name, value})
	}
	return fields
}

// changes returns the fields that differ, in the order of after.
func changes(before, after State) []Change {
	list := []Change{}
	for _, f := range after {
		from := ""
		if i := slices.IndexFunc(before, func(g Field) bool { return g.Name == f.Name }); i >= 0 {
			from = before[i].Value
		}
		if from != f.Value {
			list = append(list, Change{f.Name, from, f.Value})
		}
	}
	return list
}

// list joins names, or says that there are none.
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func eligibility(o Oracle) string {
	if o.Eligible {
		return "eligible"
	}
	return "not eligible"
}
