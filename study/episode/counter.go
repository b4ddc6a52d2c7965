package episode

import (
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/episode"
	oracle "example.com/commitpoint/oracle/episode"
	"example.com/commitpoint/study/counts"
)

// A counter adds up what is observed of one mechanism.
type counter struct {
	counts.Sum
	closures [2]enumerate.Count // fulfilled, and not
	broken   [len(oracle.PropertyNames)]enumerate.Count
	faced    [oracle.NumReasons]enumerate.Count
}

// The two ways in which an episode ends.
const (
	fulfilled    = "fulfilled"
	notFulfilled = "not fulfilled"
)

// add counts what was observed n times.
func (c *counter) add(s seen, n enumerate.Count) {
	if !s.ended {
		c.Bits(c.faced[:], uint64(s.answer.against), n)
		for _, k := range s.answer.keys() {
			c.Wrong(k.kind, k.reason, n)
		}
		return
	}
	verdict := 1
	if s.ending.fulfilled {
		verdict = 0
	}
	c.Plus(&c.closures[verdict], n)
	c.Bits(c.broken[:], uint64(s.ending.broken), n)
}

// service returns what was counted of a mechanism.
func (c *counter) service(m mechanisms.Mechanism, t enumerate.Tallied[seen]) Service {
	return Service{
		Mechanism: m.Name,
		Nodes:     enumerate.NewCount(t.Nodes),
		Edges:     enumerate.NewCount(t.Edges),
		Closures:  counts.List(c.closures[:], []string{fulfilled, notFulfilled}),
		Broken:    counts.List(c.broken[:], oracle.PropertyNames[:]),
		Errors:    c.Errors(reasons),
	}
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
