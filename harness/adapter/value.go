package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A document is a payload that is being read.
type document struct {
	err error // the first, after which nothing is read any more
}

// A Value is a place in a payload. Its methods return what is there; if that is something
// else than is asked for, they return zero and the payload is refused, by an error with the
// path. Values are only valid while the adapter that they were given to runs, and are not
// safe for concurrent use. The zero Value is not usable.
type Value struct {
	doc  *document
	node *node
	path string
}

// Key returns the member of an object, which must be there.
func (v Value) Key(name string) Value {
	member, found := v.Optional(name)
	if !found {
		v.child(name).Refuse("it is missing", "send it")
	}
	return member
}

// Optional returns the member of an object, if it is there. One that is null is there.
func (v Value) Optional(name string) (Value, bool) {
	child := v.child(name)
	if !v.isA('{') {
		return child, false
	}
	child.node = v.node.members[name]
	return child, child.node != nil
}

func (v Value) child(name string) Value { return Value{v.doc, nil, member(v.path, name)} }

// Items returns the values of a list.
func (v Value) Items() []Value {
	if !v.isA('[') {
		return nil
	}
	items := make([]Value, len(v.node.items))
	for i, n := range v.node.items {
		items[i] = Value{v.doc, n, item(v.path, i)}
	}
	return items
}

// Null reports whether the value is null. If not, it is still to be read.
func (v Value) Null() bool {
	token, ok := v.token()
	if !ok || token != nil {
		return false
	}
	v.node.read = true
	return true
}

// Text returns a string, which may be empty.
func (v Value) Text() string { return scalar[string](v, "a string") }

// Bool returns true or false.
func (v Value) Bool() bool { return scalar[bool](v, "true or false") }

// Uint returns a whole number from 0 to 2^64-1, written without fraction and exponent.
func (v Value) Uint() uint64 {
	number := scalar[json.Number](v, "a number")
	if v.doc.err != nil {
		return 0
	}
	u, err := strconv.ParseUint(number.String(), 10, 64)
	switch {
	case err == nil:
		return u
	case errors.Is(err, strconv.ErrRange):
		v.Refuse("it is "+quote(number.String())+", which is out of range", "send at most 18446744073709551615")
	default:
		v.Refuse("it is "+quote(number.String()), "send a whole number that is not negative, in digits only")
	}
	return 0
}

// Time returns the instant of a string in RFC 3339, in UTC. The years are 1 to 9999, and
// there are at most nine decimals of a second.
func (v Value) Time() time.Time {
	text := v.Text()
	if v.doc.err != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	t = t.UTC()
	if err != nil || !rfc3339.MatchString(text) || t.Year() < 1 || t.Year() > 9999 {
		v.Refuse("it is "+quote(text), `send a time such as "2026-10-01T12:00:00Z"`)
		return time.Time{}
	}
	return t
}

// rfc3339 is what time.Parse should be as strict as: it also takes commas, hours of one
// digit and any zone, and drops decimals.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// OneOf returns what a string stands for in a table. The strings are matched exactly.
func OneOf[T any](v Value, table map[string]T) T {
	text := v.Text()
	meaning, known := table[text]
	if v.doc.err == nil && !known {
		v.Refuse("it is "+quote(text), "use one of: "+strings.Join(slices.Sorted(maps.Keys(table)), ", "))
	}
	return meaning
}

// Ignore accepts whatever is there, unread, with all that it contains. It is meant for a
// worker's own words.
func (v Value) Ignore() {
	if v.node != nil {
		v.node.ignore()
	}
}

func (n *node) ignore() {
	n.read = true
	for _, child := range n.members {
		child.ignore()
	}
	for _, child := range n.items {
		child.ignore()
	}
}

// Refuse refuses the payload for an adapter's own reason: what is wrong at this place, and
// the remedy, each as a clause. Only the first refusal counts.
func (v Value) Refuse(problem, remedy string) {
	if v.doc.err == nil {
		v.doc.err = fmt.Errorf("%s: %s; %s", v.path, problem, remedy)
	}
}

// token returns what is there, unless the payload is refused already.
func (v Value) token() (json.Token, bool) {
	if v.doc.err != nil || v.node == nil {
		return nil, false
	}
	return v.node.token, true
}

// isA reports whether an object ('{') or a list ('[') is there, and refuses anything else.
func (v Value) isA(delimiter json.Delim) bool {
	token, ok := v.token()
	if !ok {
		return false
	}
	if token != delimiter {
		v.Refuse("it is "+kind(token), "send "+kind(delimiter))
		return false
	}
	v.node.read = true
	return true
}

// scalar returns what is there if it is a T, and refuses anything else.
func scalar[T any](v Value, want string) (zero T) {
	token, ok := v.token()
	if !ok {
		return zero
	}
	value, is := token.(T)
	if !is {
		v.Refuse("it is "+kind(token), "send "+want)
		return zero
	}
	v.node.read = true
	return value
}

// kind returns in words what a token begins.
func kind(token json.Token) string {
	switch token := token.(type) {
	case nil:
		return "null"
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "a list"}[token]
	case json.Number:
		return "a number"
	case string:
		return "a string"
	}
	return "a boolean"
}

// unread returns an error for the first value, in the order of the payload, that the
// adapter has not asked for.
func unread(n *node, path string) error {
	if !n.read {
		return fmt.Errorf("%s: the adapter does not know it; leave it out", path)
	}
	for _, name := range n.names {
		if err := unread(n.members[name], member(path, name)); err != nil {
			return err
		}
	}
	for i, child := range n.items {
		if err := unread(child, item(path, i)); err != nil {
			return err
		}
	}
	return nil
}
