package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"example.com/commitpoint/conformance"
)

// protocol is the name of the protocol and its version.
const protocol = "commitpoint/conformance/v1"

// The requests.
const (
	doHello    = "hello"
	doReset    = "reset"
	doApply    = "apply"
	doSubmit   = "submit"
	doRecorded = "recorded"
)

// A request is what the kit asks of an adapter.
type request struct {
	ID       uint64 `json:"id"`
	Do       string `json:"do"`
	Event    string `json:"event,omitempty"`
	Protocol string `json:"protocol,omitempty"`
}

// String returns what is asked, for errors: "submit commit".
func (r request) String() string {
	if r.Event == "" {
		return r.Do
	}
	return r.Do + " " + r.Event
}

// An answer is what an adapter answers. What it says beside the first three is in the
// one part that its request asks for; a plain acknowledgement has none.
type answer struct {
	ID       uint64 `json:"id"`
	Error    string `json:"error,omitempty"` // the adapter can't go on
	Protocol string `json:"protocol,omitempty"`
	*conformance.About
	*conformance.Decision
	*conformance.Record
}

// encode returns the message as a line.
func encode(message any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false) // for people who read along
	if err := e.Encode(message); err != nil {
		return nil, err
	}
	if size := line.Len() - 1; size > maxLine {
		return nil, fmt.Errorf("a message of %d bytes is longer than the protocol's %d: send less, a hash for instance", size, maxLine)
	}
	return line.Bytes(), nil
}

// complete returns a with the lists that the protocol requires, which may be nil in Go.
func (a answer) complete() answer {
	if a.About != nil && a.Events == nil {
		about := *a.About
		about.Events = []string{}
		a.About = &about
	}
	if a.Record != nil && a.Receipts == nil {
		record := *a.Record
		record.Receipts = []string{}
		a.Record = &record
	}
	return a
}

// checkText refuses text that JSON can't carry. The encoder would replace what is not
// UTF-8, and two states that differ might become the same.
func (a answer) checkText() error {
	var texts []string
	if a.About != nil {
		texts = append(slices.Clone(a.Events), a.Name)
	}
	if a.Decision != nil {
		texts = append(texts, a.Receipt, a.Refusal)
	}
	if a.Record != nil {
		texts = append(texts, a.State, a.Status)
		texts = append(texts, a.Receipts...)
		for target := range a.Published {
			texts = append(texts, target)
		}
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%s is not UTF-8: encode it, as hexadecimal digits for instance", shown([]byte(text)))
		}
	}
	return nil
}
