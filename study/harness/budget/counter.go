package budget

import (
	"slices"
	"strconv"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
	oracle "example.com/commitpoint/oracle/harness/budget"
	"example.com/commitpoint/study"
)

// A counter adds up what is observed of one mechanism. The first error stays.
type counter struct {
	alike    enumerate.Count
	admitted [model.Racers + 1]enumerate.Count
	broken   [len(oracle.PropertyNames)]enumerate.Count
	faced    [oracle.NumReasons]enumerate.Count
	reused   enumerate.Count
	errors   []Error // in no order
	err      error
}

func (c *counter) times(n enumerate.Count) enumerate.Count {
	product, err := n.Times(c.alike)
	c.note(err)
	return product
}

func (c *counter) note(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *counter) plus(sum *enumerate.Count, n enumerate.Count) {
	var err error
	*sum, err = sum.Plus(n)
	c.note(err)
}

// add counts what was observed n times in the order's schedules.
func (c *counter) add(s seen, n enumerate.Count) {
	n = c.times(n)
	if !s.ended {
		for i := range c.faced {
			if s.answer.against>>i&1 != 0 {
				c.plus(&c.faced[i], n)
			}
		}
		for _, k := range s.answer.keys() {
			c.plus(&c.of(k).Count, n)
		}
		return
	}
	c.plus(&c.admitted[s.ending.admitted], n)
	for i := range c.broken {
		if s.ending.broken>>i&1 != 0 {
			c.plus(&c.broken[i], n)
		}
	}
	if s.ending.reused {
		c.plus(&c.reused, n)
	}
}

// of returns the counter of an error.
func (c *counter) of(k errorKey) *Error {
	i := slices.IndexFunc(c.errors, func(e Error) bool { return e.Kind == k.kind && e.Reason == k.reason })
	if i < 0 {
		i = len(c.errors)
		c.errors = append(c.errors, Error{Kind: k.kind, Reason: k.reason})
	}
	return &c.errors[i]
}

// ledger returns what was counted of a mechanism.
func (c *counter) ledger(m mechanisms.Mechanism, t enumerate.Tallied[seen]) Ledger {
	l := Ledger{
		Mechanism: m.Name,
		Nodes:     enumerate.NewCount(t.Nodes),
		Edges:     enumerate.NewCount(t.Edges),
		Broken:    c.list(c.broken[:], oracle.PropertyNames[:]),
		Errors:    []Error{},
	}
	var numbers []string
	for i := range c.admitted {
		numbers = append(numbers, strconv.Itoa(i))
	}
	l.Admitted = c.list(c.admitted[:], numbers)
	for _, kind := range study.Kinds() {
		for _, reason := range reasons {
			if i := slices.IndexFunc(c.errors, func(e Error) bool { return e.Kind == kind && e.Reason == reason }); i >= 0 {
				l.Errors = append(l.Errors, c.errors[i])
			}
		}
	}
	return l
}

// reasons are those of all errors, in the order in which they are listed.
var reasons = slices.Concat(oracle.Reasons(1<<oracle.NumReasons-1).Names(),
	[]string{oracle.Admission.String(), oracle.Release.String(), oracle.Charge.String()})

// list returns the counts that are not zero, with their names.
func (c *counter) list(counts []enumerate.Count, names []string) []Tally {
	list := []Tally{}
	for i, n := range counts {
		if n != (enumerate.Count{}) {
			list = append(list, Tally{names[i], n})
		}
	}
	return list
}
