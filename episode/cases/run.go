package cases

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/episode"
	"example.com/commitpoint/episode/judgment"
)

// An Outcome is what came of a case.
type Outcome struct {
	Case string `json:"case"`

	// Steps has what came of each: "ALLOW", "HOLD" or worse with the guards that decided
	// and why, "done", or "refused: " and why.
	Steps []string `json:"steps"`

	Decisions   []episode.Decision   `json:"decisions"`
	Refused     []Refused            `json:"refused"`
	Dispatched  []string             `json:"dispatched"`
	Facts       []episode.Fact       `json:"facts"`
	Commitments []episode.Commitment `json:"commitments"`
	Closure     episode.Closure      `json:"closure"`
	Judgments   judgment.Vector      `json:"judgments"`
	Record      []episode.Entry      `json:"record"`
	Output      []episode.Fact       `json:"output"` // what the episode is for, as it stands in the end
}

// ErrDiffers matches the error of a case of which something else came than it expects.
var ErrDiffers = errors.New("it is not as expected")

// Run makes the steps of a case, one after the other, and compares what came of it with
// what is expected. Guards that the case names, beside the six of every episode, have to be
// among those that are given; others that are given are not asked.
//
// If something differs, the error matches ErrDiffers, has a line for each difference, with
// file and place, and the outcome is complete. Any other error says that the case can't be
// run: it expects nothing, names what there is not, or has a step that no episode can take.
func Run(c Case, guards ...episode.Guard) (Outcome, error) {
	if err := c.check(guards); err != nil {
		return Outcome{}, err
	}
	terms := c.Terms
	for _, g := range guards {
		if slices.Contains(c.Guards, g.Name) {
			terms.Guards = append(terms.Guards, g)
		}
	}
	e, err := episode.Begin(terms)
	if err != nil {
		return Outcome{}, c.errorf("/terms", "%w", err)
	}
	o := Outcome{Case: c.ID}
	for i, s := range c.Steps {
		before := len(e.Record())
		err := s.take(e)
		if err != nil && !errors.Is(err, episode.ErrRefused) {
			return Outcome{}, c.errorf(fmt.Sprintf("/steps/%d", i), "%w", err)
		}
		o.add(i+1, e.Record()[before:])
	}
	o.end(e)
	return o, c.compare(o)
}

// add adds what a step has put on the record.
func (o *Outcome) add(step int, entries []episode.Entry) {
	result := "done"
	for _, e := range entries {
		switch e.Kind {
		case "admission":
			o.Decisions = append(o.Decisions, e.Decision)
			result = admitted(e.Decision)
		case "dispatch":
			o.Dispatched = append(o.Dispatched, e.Subject)
		case "refusal":
			_, because, _ := strings.Cut(e.Value, ": ")
			o.Refused = append(o.Refused, Refused{step, because})
			result = "refused: " + because
		}
	}
	o.Steps = append(o.Steps, result)
}

// admitted says a decision, and, for all but ALLOW, what decided.
func admitted(d episode.Decision) string {
	if d.Answer == episode.Pass {
		return d.String()
	}
	var reasons []string
	for _, f := range d.Because() {
		reasons = append(reasons, f.Guard+": "+f.Reason)
	}
	return fmt.Sprintf("%v (%s)", d, strings.Join(reasons, "; "))
}

// end adds what is there after the last step.
func (o *Outcome) end(e *episode.Episode) {
	o.Facts, o.Commitments, o.Closure = e.Facts(), e.Commitments(), e.Closure()
	o.Judgments, o.Record = judgment.Of(e), e.Record()
	for _, want := range e.Terms().Outcome {
		o.Output = append(o.Output, o.fact(want.Fact))
	}
}

// fact returns a fact of the outcome; one that was never mentioned is unknown.
func (o Outcome) fact(name string) episode.Fact {
	for _, f := range o.Facts {
		if f.Name == name {
			return f
		}
	}
	return episode.Fact{Name: name}
}

// check checks that a case can be run, and that it expects something. A misspelt guard in an
// expectation would be a difference, too, but one that says less.
func (c Case) check(guards []episode.Guard) error {
	if c.Expect.Closure == nil && len(c.Expect.Decisions) == 0 {
		return c.errorf("/expect", "it expects no decision and no closure; a case that can't fail shows nothing; add what it expects")
	}
	known := []string{}
	for _, g := range guards {
		known = append(known, g.Name)
	}
	for i, name := range c.Guards {
		if !slices.Contains(known, name) {
			return c.errorf(fmt.Sprintf("/guards/%d", i), "guard %q is unknown; give Run a guard of that name (it has %q), or leave it out", name, known)
		}
	}
	asked := append([]string{}, c.Guards...)
	for _, g := range episode.Guards() {
		asked = append(asked, g.Name)
	}
	for i, d := range c.Expect.Decisions {
		for j, b := range d.Because {
			if !slices.Contains(asked, b.Guard) {
				return c.errorf(fmt.Sprintf("/expect/decisions/%d/because/%d/guard", i, j), "guard %q is unknown; use one of %q", b.Guard, asked)
			}
		}
	}
	return nil
}

// errorf returns an error about a place in the case.
func (c Case) errorf(path, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", c.name(), path, fmt.Errorf(format, args...))
}

// name is what errors call the case: its file, if it has one.
func (c Case) name() string {
	if c.file != "" {
		return c.file
	}
	return "case " + c.ID
}
