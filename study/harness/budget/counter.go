package budget

import (
	"slices"
	"strconv"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
	oracle "example.com/commitpoint/oracle/harness/budget"
	"example.com/commitpoint/study/counts"
)

// A counter adds up what is observed of one mechanism.
type counter struct {
	counts.Sum
	alike    enumerate.Count
	admitted [model.Racers + 1]enumerate.Count
	broken   [len(oracle.PropertyNames) + 1]enumerate.Count
	faced    [oracle.NumReasons]enumerate.Count
	reused   enumerate.Count
}

func (c *counter) times(n enumerate.Count) enumerate.Count {
	product, err := n.Times(c.alike)
	c.Note(err)
	return product
}

// add counts what was observed n times in the order's schedules.
func (c *counter) add(s seen, n enumerate.Count) {
	n = c.times(n)
	if !s.ended {
		c.Bits(c.faced[:], uint64(s.answer.against), n)
		for _, k := range s.answer.keys() {
			c.Wrong(k.kind, k.reason, n)
		}
		return
	}
	c.Plus(&c.admitted[s.ending.admitted], n)
	c.Bits(c.broken[:], s.ending.broken, n)
	if s.ending.reused {
		c.Plus(&c.reused, n)
	}
}

// ledger returns what was counted of a mechanism.
func (c *counter) ledger(m mechanisms.Mechanism, t enumerate.Tallied[seen]) Ledger {
	var numbers []string
	for i := range c.admitted {
		numbers = append(numbers, strconv.Itoa(i))
	}
	return Ledger{
		Mechanism: m.Name,
		Nodes:     enumerate.NewCount(t.Nodes),
		Edges:     enumerate.NewCount(t.Edges),
		Admitted:  counts.List(c.admitted[:], numbers),
		Broken:    counts.List(c.broken[:], properties),
		Errors:    c.Errors(reasons),
	}
}

// reasons are those of all errors, in the order in which they are listed.
var reasons = slices.Concat(oracle.Reasons(1<<oracle.NumReasons-1).Names(),
	[]string{oracle.Admission.String(), oracle.Dispatch.String(), oracle.Release.String(), oracle.Charge.String()})
