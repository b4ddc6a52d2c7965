package cases

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"example.com/commitpoint/episode"
	"example.com/commitpoint/episode/judgment"
)

// A difference is one thing that is not as expected.
type difference struct{ path, want, got string }

// compare returns an error that matches ErrDiffers if something is not as expected.
func (c Case) compare(o Outcome) error {
	// All of it, and not only the first: whoever corrects a case wants to see the rest, too.
	var all []difference
	all = append(all, listed("/expect/decisions", c.Expect.Decisions, o.decided())...)
	all = append(all, listed("/expect/refused", c.Expect.Refused, o.Refused)...)
	all = append(all, listed("/expect/dispatched", c.Expect.Dispatched, o.Dispatched)...)
	all = append(all, c.compareFacts(o)...)
	all = append(all, listed("/expect/owed", c.Expect.Owed, o.owed())...)
	all = append(all, c.compareClosure(o)...)
	all = append(all, c.compareJudgments(o)...)
	if len(all) == 0 {
		return nil
	}
	var lines []string
	for _, d := range all {
		lines = append(lines, fmt.Sprintf("%s: %s: it expects %s, and there is %s; correct the expectation or the steps",
			c.name(), d.path, d.want, d.got))
	}
	return differs(strings.Join(lines, "\n"))
}

// differs is an error with a text that is complete without that of ErrDiffers.
type differs string

func (d differs) Error() string { return string(d) }

func (d differs) Is(target error) bool { return target == ErrDiffers }

// listed compares two lists, element by element. No list and an empty one are the same.
func listed[T any](path string, want, got []T) (all []difference) {
	for i := range max(len(want), len(got)) {
		w, g := "nothing", "nothing"
		if i < len(want) {
			w = text(want[i])
		}
		if i < len(got) {
			g = text(got[i])
		}
		if i >= len(want) || i >= len(got) || !reflect.DeepEqual(want[i], got[i]) {
			all = append(all, difference{path + "/" + strconv.Itoa(i), w, g})
		}
	}
	return all
}

// text shows a value in a message.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case Refused:
		return fmt.Sprintf("step %d refused because %q", v.Step, v.Because)
	case Decided:
		return fmt.Sprintf("%s of %q because %q", v.Decision, v.Action, v.Because)
	}
	return fmt.Sprint(v)
}

// decided returns the decisions in the form of an expectation.
func (o Outcome) decided() (all []Decided) {
	for _, d := range o.Decisions {
		one := Decided{Action: d.Action, Decision: d.String()}
		for _, f := range d.Because() {
			if d.Answer != episode.Pass {
				one.Because = append(one.Because, Reason{f.Guard, f.Reason})
			}
		}
		all = append(all, one)
	}
	return all
}

// owed returns the commitments that are, in the order in which they were proposed.
func (o Outcome) owed() (ids []string) {
	for _, c := range o.Commitments {
		if c.Owed() {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// compareFacts compares status and value. Who reported is a matter of the steps.
func (c Case) compareFacts(o Outcome) (all []difference) {
	for i, want := range c.Expect.Facts {
		got := o.fact(want.Name)
		if want.Status != got.Status || want.Value != got.Value {
			all = append(all, difference{fmt.Sprintf("/expect/facts/%d", i),
				fmt.Sprintf("%s %v %q", want.Name, want.Status, want.Value), fmt.Sprintf("%v %q", got.Status, got.Value)})
		}
	}
	return all
}

// compareClosure compares the ending and what blocks. A case that is about decisions only
// leaves both out.
func (c Case) compareClosure(o Outcome) (all []difference) {
	want := episode.Closure{Blocks: o.Closure.Blocks} // open, whatever blocks
	if c.Expect.Closure != nil {
		want = *c.Expect.Closure
	}
	if want.Ending != o.Closure.Ending {
		all = append(all, difference{"/expect/closure/ending", want.Ending.String(), o.Closure.Ending.String()})
	}
	return append(all, listed("/expect/closure/blocks", want.Blocks, o.Closure.Blocks)...)
}

// compareJudgments compares the grades that are expected. An expectation of a judgment that
// there is not would otherwise always hold.
func (c Case) compareJudgments(o Outcome) (all []difference) {
	known := 0
	for _, row := range judgment.Compare(o.Judgments, o.Judgments) {
		want, expected := c.Expect.Judgments[row.Judgment]
		if !expected {
			continue
		}
		known++
		if want != row.A {
			all = append(all, difference{"/expect/judgments/" + row.Judgment, want.String(), fmt.Sprintf("%v (%s)", row.A, strings.TrimPrefix(row.Why, "both: "))})
		}
	}
	if known < len(c.Expect.Judgments) {
		all = append(all, difference{"/expect/judgments", "a judgment that there is not", "none but the eight"})
	}
	return all
}
