package conformance

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/study"
)

// A Report is what driving a system through schedules came to.
type Report struct {
	System   string      `json:"system"`
	Sets     []SetReport `json:"sets"`
	Failures []Failure   `json:"failures"`        // one for each distinct reason, with the shortest history
	Fault    *Fault      `json:"fault,omitempty"` // what kept the rest from being judged
}

// A SetReport says what of a set of scenarios was run.
type SetReport struct {
	Name        string          `json:"name"`
	Mode        Mode            `json:"mode"`
	Scenarios   int             `json:"scenarios"` // with the events that the system has
	Of          int             `json:"of"`        // that the set has
	Schedules   enumerate.Count `json:"schedules"` // of these scenarios
	Ran         uint64          `json:"ran"`       // of them
	Requests    uint64          `json:"requests"`  // that were decided
	LeftOut     []string        `json:"left_out"`  // events that the system lacks, or that say nothing without those
	Unexercised []string        `json:"unexercised"`
	Unasked     []string        `json:"unasked"` // occurs in the scenarios, and in no request that was made: not drawn, or behind something wrong
	Exercised   []Exercise      `json:"exercised"`
	Wrong       []Wrong         `json:"wrong"`
}

// A Wrong says in how many schedules a system is wrong in one way, for whatever reason.
// The rest of such a schedule is not run.
type Wrong struct {
	Kind      study.Kind `json:"kind"`
	Schedules uint64     `json:"schedules"`
}

// An Exercise says how many requests could have been decided wrongly in some way.
type Exercise struct {
	Kind     study.Kind `json:"kind"`
	Reason   string     `json:"reason"`
	Requests uint64     `json:"requests"`
}

// A Failure is a way in which the system is wrong.
type Failure struct {
	Set       string                `json:"set"`
	Kind      study.Kind            `json:"kind"`
	Reason    string                `json:"reason"`
	Schedules uint64                `json:"schedules"` // of those that were run
	Schedule  []string              `json:"schedule"`  // the shortest
	Trace     counterexamples.Trace `json:"trace"`
}

// Verdict says what the report comes to: Violated if there are failures, Incomplete if a
// fault kept something from being judged, and Holds otherwise. That is about the schedules
// that were run, of the scenarios that the system has the events for.
func (r Report) Verdict() enumerate.Verdict {
	switch {
	case len(r.Failures) > 0:
		return enumerate.Violated
	case r.Fault != nil:
		return enumerate.Incomplete
	}
	return enumerate.Holds
}

// WriteText writes the report for people: every failure, what was run, and what was not.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, f := range r.Failures {
		if !r.shortestOf(i) {
			continue
		}
		b.WriteString(text(f.Trace) + "\n")
		if others := r.others(i); others != nil {
			b.WriteString(counterexamples.Wrap("the same in: ", "    ", strings.Join(others, ", ")))
		}
		b.WriteString("\n")
	}
	for _, s := range r.Sets {
		s.writeText(&b)
	}
	b.WriteString(counterexamples.Wrap("", "  ", r.summary()))
	_, err := io.WriteString(w, b.String())
	return err
}

// shortestOf reports whether failure i is the first with the shortest schedule of those
// with its kind and reason, which several sets can show.
func (r Report) shortestOf(i int) bool {
	for j, g := range r.Failures {
		f := r.Failures[i]
		if f.Kind == g.Kind && f.Reason == g.Reason &&
			(len(g.Schedule) < len(f.Schedule) || len(g.Schedule) == len(f.Schedule) && j < i) {
			return false
		}
	}
	return true
}

// others returns the other sets that show what failure i does.
func (r Report) others(i int) (sets []string) {
	for j, g := range r.Failures {
		if f := r.Failures[i]; j != i && f.Kind == g.Kind && f.Reason == g.Reason {
			sets = append(sets, g.Set)
		}
	}
	return sets
}

func (s SetReport) writeText(b *strings.Builder) {
	if s.Scenarios == 0 {
		b.WriteString(counterexamples.Wrap(s.Name+": not run, because the system lacks ", "    ", strings.Join(s.LeftOut, ", ")))
		return
	}
	fmt.Fprintf(b, "%s: %d of %v schedules (%v), %d requests", s.Name, s.Ran, s.Schedules, s.Mode, s.Requests)
	if s.Scenarios < s.Of {
		fmt.Fprintf(b, ", in %d of %d scenarios", s.Scenarios, s.Of)
	}
	b.WriteString("\n")
	for _, line := range []struct {
		what string
		list []string
	}{{"events that the system lacks or can't use", s.LeftOut}, {"therefore not exercised", s.Unexercised}, {"not exercised by the schedules that were run", s.Unasked}} {
		if len(line.list) > 0 {
			b.WriteString(counterexamples.Wrap("  "+line.what+": ", "    ", strings.Join(line.list, ", ")))
		}
	}
}

// summary says what it comes to, in a line.
func (r Report) summary() string {
	var text string
	switch n := len(r.Failures); {
	case n == 1:
		text = fmt.Sprintf("%q is wrong for 1 reason", r.System)
	case n > 1:
		text = fmt.Sprintf("%q is wrong for %d reasons", r.System, n)
	case r.Fault == nil:
		text = fmt.Sprintf("%q is right in every schedule that was run", r.System)
	default:
		text = fmt.Sprintf("%q is not judged", r.System)
	}
	if r.Fault != nil {
		text += ": " + r.Fault.Error()
	}
	return text
}

// inOrder returns exercises by kind, and then by reason.
func inOrder(counts map[obligation]uint64) []Exercise {
	list := []Exercise{}
	for o, n := range counts {
		list = append(list, Exercise{o.kind, o.reason, n})
	}
	kinds := Kinds()
	slices.SortFunc(list, func(a, b Exercise) int {
		if a.Kind != b.Kind {
			return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
		}
		return strings.Compare(a.Reason, b.Reason)
	})
	return list
}

func text(t counterexamples.Trace) string {
	var b strings.Builder
	counterexamples.WriteText(&b, t) // a strings.Builder does not fail
	return strings.TrimSuffix(b.String(), "\n")
}
