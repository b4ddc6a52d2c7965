package recordings

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"example.com/commitpoint/model/deadline"
)

// A decoder takes a trial out of a tree. The first thing that is wrong stays, and what is
// returned after it is nothing: a trial is whole only if nothing is wrong in the end. All
// methods take none for a value, and return nothing for it.
type decoder struct {
	tree
	wrong *fault
}

func (d *decoder) fail(n int, format string, args ...any) {
	if d.wrong == nil {
		d.wrong = &fault{int(d.nodes[n].at), fmt.Sprintf(format, args...)}
	}
}

// kinds says what a value is.
var kinds = map[byte]string{'{': "an object", '[': "a list", '"': "a text", '0': "a number", 't': "true", 'f': "false", 'n': "null"}

// isA reports whether a value is of a kind; it is wrong if it is of another.
func (d *decoder) isA(n int, kind byte) bool {
	if n == none {
		return false
	}
	if d.nodes[n].kind != kind {
		d.fail(n, "this is %s: it has to be %s", kinds[d.nodes[n].kind], kinds[kind])
		return false
	}
	return true
}

// find returns the value of a member, or none. It is wrong if there are two.
func (d *decoder) find(object int, name string) int {
	found := none
	if !d.isA(object, '{') {
		return none
	}
	d.members(object, func(key, value int) bool {
		if d.is(key, name) {
			if found != none {
				d.fail(value, "the field comes twice: leave one out")
			}
			found = value
		}
		return true
	})
	return found
}

// need is find, and wrong if there is no such member.
func (d *decoder) need(object int, name string) int {
	n := d.find(object, name)
	if n == none && object != none {
		d.fail(object, "the field %s is missing: a trial without it can't be scored", name)
	}
	return n
}

// may is find; null is the same as nothing.
func (d *decoder) may(object int, name string) int {
	return d.unlessNull(d.find(object, name))
}

func (d *decoder) unlessNull(n int) int {
	if n != none && d.nodes[n].kind == 'n' {
		return none
	}
	return n
}

// only is wrong if the object has a member of another name.
func (d *decoder) only(object int, names []string) {
	if !d.isA(object, '{') {
		return
	}
	d.members(object, func(key, value int) bool {
		if !slices.ContainsFunc(names, func(name string) bool { return d.is(key, name) }) {
			d.fail(value, "unknown field: a condensed trial has here %s", list(names))
		}
		return d.wrong == nil
	})
}

// each calls f for each element of a list, with its place and itself.
func (d *decoder) each(n int, f func(i, n int)) {
	if !d.isA(n, '[') {
		return
	}
	d.elements(n, func(i, n int) bool {
		f(i, n)
		return d.wrong == nil
	})
}

// tuple returns the elements of a list of that many.
func (d *decoder) tuple(n, size int) []int {
	elements := []int{none, none, none}[:size]
	count := 0
	d.each(n, func(i, n int) {
		if count++; i < size {
			elements[i] = n
		}
	})
	if n != none && count != size {
		d.fail(n, "there are %d values: a sample has %d", count, size)
	}
	return elements
}

func (d *decoder) text(n int) string {
	if !d.isA(n, '"') {
		return ""
	}
	return d.string(n)
}

// name returns a text that is not empty.
func (d *decoder) name(n int) string {
	s := d.text(n)
	if n != none && s == "" {
		d.fail(n, "the text is empty: give it a value")
	}
	return s
}

func (d *decoder) boolean(n int) bool {
	if n == none {
		return false
	}
	kind := d.nodes[n].kind
	if kind != 't' && kind != 'f' {
		d.fail(n, "this is %s: it has to be true or false", kinds[kind])
	}
	return kind == 't'
}

// bytes returns a number of bytes.
func (d *decoder) bytes(n int) int64 {
	if !d.isA(n, '0') {
		return 0
	}
	raw := string(d.raw(n))
	count, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		f, _ := strconv.ParseFloat(raw, 64)
		if count = int64(f); f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
			d.fail(n, "%.40s is no number of bytes: give a whole one below 2^53", raw)
		}
	}
	if count < 0 {
		d.fail(n, "%.40s is less than no bytes: give a number that is not negative", raw)
	}
	return count
}

// seconds returns a time, rounded to the nanosecond.
func (d *decoder) seconds(n int) time.Duration {
	if !d.isA(n, '0') {
		return 0
	}
	raw := d.raw(n)
	s, err := strconv.ParseFloat(string(raw), 64)
	ns := math.Round(s * 1e9)
	switch {
	case err != nil || math.Abs(ns) >= math.MaxInt64:
		d.fail(n, "%.40s is no time: give seconds, fewer than %d", raw, math.MaxInt64/int64(time.Second))
	case ns < 0 || bytes.HasPrefix(raw, []byte("-")) && s != 0:
		d.fail(n, "%.40s is before the start: give seconds after it", raw)
	}
	return time.Duration(ns)
}

// A clock sees to it that times come in order.
type clock struct {
	last time.Duration
	what string
}

// next returns a time that is not before the last one.
func (d *decoder) next(c *clock, n int) time.Duration {
	at := d.seconds(n)
	if n != none && at < c.last && d.wrong == nil {
		d.fail(n, "%v comes after %v: list %s in the order of their times", at, c.last, c.what)
	}
	c.last = at
	return at
}

// verdicts are what a judge can say.
var verdicts = map[string]deadline.Verdict{
	"Fulfilled": deadline.Fulfilled, "Violated": deadline.Violated, "NotDetermined": deadline.NotDetermined,
}

func (d *decoder) verdict(n int) deadline.Verdict {
	v, known := verdicts[d.text(n)]
	if n != none && !known {
		d.fail(n, "%.40s is no verdict: a judge says Fulfilled, Violated or NotDetermined", d.raw(n))
	}
	return v
}

// claim returns what the agent says of itself.
func claim(said string) deadline.Claim {
	switch said {
	case "done":
		return deadline.Done
	case "refused":
		return deadline.Refused
	}
	return deadline.NoClaim
}

// signal returns what a job's status says.
func signal(status string) deadline.Signal {
	switch status {
	case "":
		return deadline.NoSignal
	case "scheduled", "active":
		return deadline.Pending
	}
	return deadline.Terminal
}

// The operations that the tasks need.
var required = map[deadline.Task]string{deadline.Placement: "schedule_file_replication", deadline.Deletion: "delete_file"}

// condition reads the injected condition, with the times under the names that the format
// has for them. Without a condition it says so.
func (d *decoder) condition(n int, from, until string) (name string, c deadline.Condition) {
	if n == none {
		return "", c
	}
	if name = d.name(d.need(n, "condition")); name == "none" || d.wrong != nil {
		return "", c
	}
	c.Present, c.From = true, d.seconds(d.need(n, from))
	if end := d.may(n, until); end != none {
		c.Cleared, c.Until = true, d.seconds(end)
		if c.Until < c.From {
			d.fail(end, "the condition ends before it begins: give a time after %v, or null", c.From)
		}
	}
	return name, c
}
