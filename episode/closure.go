package episode

import (
	"fmt"
	"slices"
)

// A Closure is how an episode stands at its end.
type Closure struct {
	Ending Ending `json:"ending"`

	// Blocks has what kept it from being fulfilled, a clause each: it is empty if and only
	// if the episode is fulfilled or could be. What is left undone stays visible in it.
	Blocks []string `json:"blocks"`
}

// Close ends the episode. As Fulfilled it is refused while something blocks that; the
// Closure then says what, and the episode stays open. It may end otherwise at any time, but
// only once. On the record it is an "ending".
//
// Nothing is admitted, reserved, dispatched, delegated, approved or agreed to afterwards.
// Evidence, revocations, discharges and transfers are still recorded; they do not change
// the ending.
//
// See section 2.4, R4, and section 6.4.
func (e *Episode) Close(ending Ending) (Closure, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case ending == Open || ending > Unresolved:
		return Closure{}, fmt.Errorf("close as %v: that is no ending; use one of %q", ending, endingNames[1:])
	case e.closure.Ending != Open:
		return e.closure.clone(), e.ended("close as", "", ending.String())
	}
	c := Closure{Blocks: e.ends().blocks()}
	if ending == Fulfilled && len(c.Blocks) > 0 {
		return c, e.refuse("close as", "", ending.String(), "%s", c.Blocks[0]+more(len(c.Blocks)-1))
	}
	c.Ending = ending
	e.closure = c
	e.append(Entry{Kind: "ending", Value: ending.String()})
	return c.clone(), nil
}

// more says how many blocks there are beside the one that is shown.
func more(n int) string {
	if n == 0 {
		return "; settle that, or end it otherwise"
	}
	return fmt.Sprintf("; settle that and %d more, or end it otherwise", n)
}

// Ends are all that closure looks at: a value, so that the rule can be checked on every one
// of them, whether or not an episode can get there.
type ends struct {
	outcome     []Fact // as it is, in the order of wanted
	wanted      []string
	mandatory   []Fact
	effects     []Fact // of the actions that were dispatched
	commitments []Commitment
	due         []Fact // of each commitment
}

func (e *Episode) ends() (s ends) {
	for _, want := range e.terms.Outcome {
		s.outcome, s.wanted = append(s.outcome, e.fact(want.Fact)), append(s.wanted, want.Value)
	}
	for _, name := range e.terms.Mandatory {
		s.mandatory = append(s.mandatory, e.fact(name))
	}
	// What was admitted or reserved and not dispatched has no effect to know of.
	for _, id := range e.actionOrder {
		if e.actions[id].dispatched > 0 {
			s.effects = append(s.effects, e.fact(id))
		}
	}
	for _, id := range e.commitmentOrder {
		c := e.commitments[id]
		s.commitments, s.due = append(s.commitments, c), append(s.due, e.fact(c.Due))
	}
	return s
}

// blocks returns what blocks fulfillment, in a fixed order. A proposal does not: it binds
// nobody. Whatever is short of accepted does, not only what is contested or unknown.
func (s ends) blocks() []string {
	blocks := []string{}
	for i, f := range s.outcome {
		if !f.Is(s.wanted[i]) {
			blocks = append(blocks, "outcome "+says(f))
		}
	}
	for _, f := range s.mandatory {
		if f.Status != Accepted {
			blocks = append(blocks, "mandatory "+says(f))
		}
	}
	for _, f := range s.effects {
		if f.Status != Accepted {
			blocks = append(blocks, "the effect of "+says(f))
		}
	}
	for i, c := range s.commitments {
		switch {
		case c.Owed():
			blocks = append(blocks, fmt.Sprintf("%s still owes %s to %s (%s)", c.Debtor, c.Due, c.Creditor, c.ID))
		case c.Discharged && !s.due[i].Is(""):
			// What was done is on the record. That it was done is no longer established.
			blocks = append(blocks, fmt.Sprintf("the discharge of %s no longer holds: %s", c.ID, says(s.due[i])))
		}
	}
	return slices.Clip(blocks)
}

// says says a fact: "seat is accepted (12A)".
func says(f Fact) string {
	if f.Value == "" {
		return fmt.Sprintf("%s is %v", f.Name, f.Status)
	}
	return fmt.Sprintf("%s is %v (%s)", f.Name, f.Status, f.Value)
}
