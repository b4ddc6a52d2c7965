package episode

import (
	"slices"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	oracle "example.com/commitpoint/oracle/episode"
	"example.com/commitpoint/study"
)

// A counter adds up what is observed of one mechanism. The first error stays.
type counter struct {
	closures [2]enumerate.Count // fulfilled, and not
	broken   [len(oracle.PropertyNames)]enumerate.Count
	faced    [oracle.NumReasons]enumerate.Count
	errors   []Error // in no order
	err      error
}

// The two ways in which an episode ends.
const (
	fulfilled    = "fulfilled"
	notFulfilled = "not fulfilled"
)

func (c *counter) plus(sum *enumerate.Count, n enumerate.Count) {
	var err error
	if *sum, err = sum.Plus(n); c.err == nil {
		c.err = err
	}
}

// add counts what was observed n times.
func (c *counter) add(s seen, n enumerate.Count) {
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
	verdict := 1
	if s.ending.fulfilled {
		verdict = 0
	}
	c.plus(&c.closures[verdict], n)
	for i := range c.broken {
		if s.ending.broken>>i&1 != 0 {
			c.plus(&c.broken[i], n)
		}
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

// service returns what was counted of a mechanism.
func (c *counter) service(m mechanisms.Mechanism, t enumerate.Tallied[seen]) Service {
	s := Service{
		Mechanism: m.Name,
		Nodes:     enumerate.NewCount(t.Nodes),
		Edges:     enumerate.NewCount(t.Edges),
		Closures:  list(c.closures[:], []string{fulfilled, notFulfilled}),
		Broken:    list(c.broken[:], oracle.PropertyNames[:]),
		Errors:    []Error{},
	}
	for _, kind := range study.Kinds() {
		for _, reason := range reasons {
			if i := slices.IndexFunc(c.errors, func(e Error) bool { return e.Kind == kind && e.Reason == reason }); i >= 0 {
				s.Errors = append(s.Errors, c.errors[i])
			}
		}
	}
	return s
}

// reasons are those of all errors, in the order in which they are listed: what stands
// against a yes, and what a no was said to.
var reasons = func() []string {
	list := oracle.Reasons(1<<oracle.NumReasons - 1).Names()
	for q := oracle.Admission; q <= oracle.Closure; q++ {
		list = append(list, q.String())
	}
	return list
}()

// list returns the counts that are not zero, with their names.
func list(counts []enumerate.Count, names []string) []Tally {
	list := []Tally{}
	for i, n := range counts {
		if n != (enumerate.Count{}) {
			list = append(list, Tally{names[i], n})
		}
	}
	return list
}
