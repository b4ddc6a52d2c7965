package recordings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A tree is a JSON document whose values know where they are, so that an error can name
// its line and field. encoding/json does not tell, matches names in any case, and lets a
// name come twice.
//
// Values lie one behind the other in the order of the text, the members of an object as
// its name and then its value: a trial takes one slice, and the next trial the same.
type tree struct {
	data  []byte
	nodes []node
}

// A node is a value, or the name of a member.
type node struct {
	kind    byte  // the first byte of the text; '0' for any number
	at, end int32 // of the text
	next    int32 // the node after it and all that is in it
}

// none is the node that is not there.
const none = -1

// A fault is what is wrong at a place in the text.
type fault struct {
	at  int
	why string
}

// parse reads a document into the tree, in place of what was there.
func (t *tree) parse(data []byte) *fault {
	t.data, t.nodes = data, t.nodes[:0]
	if !utf8.Valid(data) {
		at := 0
		for r, size := utf8.DecodeRune(data); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRune(data[at:]) {
			at += size
		}
		return &fault{at, "this is not UTF-8: write the trial in that encoding"}
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(ignored)); errors.As(err, &syntax) {
		return noJSON(data, syntax)
	} else if err != nil {
		return &fault{0, fmt.Sprintf("this is no JSON: %v", err)}
	}
	t.value(0)
	return nil
}

// ignored takes any document that is JSON.
type ignored struct{}

func (*ignored) UnmarshalJSON([]byte) error { return nil }

// noJSON says what is wrong in the two ways that happen to recordings: they are cut off,
// or written by a program that writes numbers which JSON does not have.
func noJSON(data []byte, err *json.SyntaxError) *fault {
	at := max(0, int(err.Offset)-1)
	// In the middle of a number, the end is an error about a space that is not there.
	atEnd := int(err.Offset) >= len(data) && !bytes.HasSuffix(data, []byte(" "))
	if err.Error() == "unexpected end of JSON input" || atEnd && strings.HasPrefix(err.Error(), "invalid character ' '") {
		return &fault{len(bytes.TrimRight(data, " \t\r\n")), "the trial ends in the middle: it was cut off, record or copy it again"}
	}
	for _, name := range []string{"NaN", "Infinity"} {
		if bytes.HasPrefix(data[at:], []byte(name)) {
			return &fault{at, name + " is no number: write one, or null where there is none"}
		}
	}
	return &fault{at, fmt.Sprintf("this is no JSON (%v): write one object a trial", err)}
}

// value appends the value at a place, which is known to be well formed, and what is in it.
// It returns where the text goes on.
func (t *tree) value(at int) int {
	at = t.skip(at)
	n := len(t.nodes)
	kind := t.data[at]
	if kind == '-' || kind >= '0' && kind <= '9' {
		kind = '0'
	}
	t.nodes = append(t.nodes, node{kind: kind, at: int32(at)})
	switch kind {
	case '{', '[':
		for at = t.skip(at + 1); t.data[at] != '}' && t.data[at] != ']'; at = t.skip(at) {
			if c := t.data[at]; c == ',' || c == ':' {
				at++
				continue
			}
			at = t.value(at) // a name, too
		}
		at++
	case '"':
		for at++; t.data[at] != '"'; at++ {
			if t.data[at] == '\\' {
				at++
			}
		}
		at++
	default:
		for at < len(t.data) && strings.IndexByte(",]}: \t\r\n", t.data[at]) < 0 {
			at++
		}
	}
	t.nodes[n].end, t.nodes[n].next = int32(at), int32(len(t.nodes))
	return at
}

func (t *tree) skip(at int) int {
	for at < len(t.data) && (t.data[at] == ' ' || t.data[at] == '\t' || t.data[at] == '\r' || t.data[at] == '\n') {
		at++
	}
	return at
}

func (t *tree) raw(n int) []byte { return t.data[t.nodes[n].at:t.nodes[n].end] }

// string returns the text of a string.
func (t *tree) string(n int) string {
	raw := t.raw(n)
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		panic(err) // parse has seen to it
	}
	return s
}

// is reports whether a string is the given one, which has no quotes in it.
func (t *tree) is(n int, name string) bool {
	raw := t.raw(n)
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1:len(raw)-1]) == name
	}
	return t.string(n) == name
}

// members calls f for each member of an object, until that returns false.
func (t *tree) members(object int, f func(name, value int) bool) {
	for n := object + 1; n < int(t.nodes[object].next); n = int(t.nodes[n+1].next) {
		if !f(n, n+1) {
			return
		}
	}
}

// elements calls f for each element of an array, until that returns false.
func (t *tree) elements(array int, f func(i, n int) bool) {
	i := 0
	for n := array + 1; n < int(t.nodes[array].next); n = int(t.nodes[n].next) {
		if !f(i, n) {
			return
		}
		i++
	}
}

// path returns how to reach the value at a place in the text, as in calls[2].t.
func (t *tree) path(at int) string {
	path := ""
	for n := 0; n != none && len(t.nodes) > 0; {
		in := none
		within := func(child int) bool { return int(t.nodes[child].at) <= at && at < int(t.nodes[child].end) }
		switch t.nodes[n].kind {
		case '{':
			t.members(n, func(name, value int) bool {
				if within(value) {
					if in = value; path != "" {
						path += "."
					}
					path += quoted(t.string(name))
				}
				return in == none
			})
		case '[':
			t.elements(n, func(i, child int) bool {
				if within(child) {
					in, path = child, path+"["+strconv.Itoa(i)+"]"
				}
				return in == none
			})
		}
		n = in
	}
	return path
}

// quoted returns a name as it is if it is a plain one, and otherwise quoted and cut short.
func quoted(name string) string {
	for _, r := range name {
		if r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return fmt.Sprintf("%.40q", name)
		}
	}
	if len(name) > 40 || name == "" {
		return fmt.Sprintf("%.40q", name)
	}
	return name
}
