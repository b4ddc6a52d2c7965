package counterexamples

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Schema is the schema of a document of traces.
const Schema = "commitpoint/trace/v1"

// maxDocument is the largest document that is read: the longest history there can
// be, of 64 events, is a small part of that.
const maxDocument = 4 << 20

// A document is traces as JSON.
type document struct {
	Schema          string  `json:"schema"`
	Counterexamples []Trace `json:"counterexamples"`
}

// WriteJSON writes traces as a document, which ReadJSON reads if each has a mechanism, a
// schedule and a decision. The same traces are the same bytes.
func WriteJSON(w io.Writer, traces []Trace) error {
	if traces == nil {
		traces = []Trace{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document{Schema, traces})
}

// ErrOtherSchema is the error of a document that is not of this Schema, which a
// newer or older version may have written.
var ErrOtherSchema = errors.New("the document is of another schema")

// ReadJSON reads a document of traces. It is strict: a field that is unknown, a second
// document behind the first or a trace without events or a decision is an error.
func ReadJSON(r io.Reader) ([]Trace, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxDocument {
		return nil, fmt.Errorf("more than %d bytes: that is no document of traces", maxDocument)
	}
	var head struct {
		Schema *string `json:"schema"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err != nil:
		return nil, fmt.Errorf("no document of traces: %w", inWords(err))
	case head.Schema == nil:
		return nil, fmt.Errorf("no document of traces: it has no schema, which would be %q", Schema)
	case *head.Schema != Schema:
		return nil, fmt.Errorf("%w, %.60q: this version reads %q", ErrOtherSchema, *head.Schema, Schema)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var doc document
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("no document of traces: %w", inWords(err))
	}
	for i, t := range doc.Counterexamples {
		if err := t.validate(); err != nil {
			return nil, fmt.Errorf("counterexample %d %w", i+1, err)
		}
	}
	return doc.Counterexamples, nil
}

// validate reports a trace that can't be run again, or compared with what comes of that.
func (t Trace) validate() error {
	switch {
	case t.Mechanism == "" || len(t.Schedule) == 0:
		return errors.New("has no mechanism or no schedule")
	case t.Decision == "":
		return errors.New("has no decision")
	}
	for _, name := range append([]string{t.Mechanism}, t.Schedule...) {
		if len(name) > maxName {
			return fmt.Errorf("has a name of %d bytes, %.40q…, and names have at most %d", len(name), name, maxName)
		}
	}
	return nil
}

// inWords says what is wrong with JSON in one sentence, without types of Go's.
func inWords(err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return errors.New("the JSON ends in the middle")
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON, at byte %d: %w", syntax.Offset, syntax)
	case errors.As(err, &wrongType):
		return fmt.Errorf("cannot unmarshal %s into %s, at byte %d", wrongType.Value, cmp.Or(wrongType.Field, "a document"), wrongType.Offset)
	}
	return fmt.Errorf("%.200s", strings.TrimPrefix(err.Error(), "json: ")) // unknown fields have names of any length
}

// MarshalJSON writes the fields as an object, in their order.
func (s State) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := writeString(&b, f.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := writeString(&b, f.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func writeString(b *bytes.Buffer, text string) error {
	data, err := json.Marshal(text)
	b.Write(data)
	return err
}

// UnmarshalJSON reads an object of strings and keeps the order of its fields. A state
// without fields is nil, as it is when a document leaves it out.
func (s *State) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return errors.New("a state is an object of strings")
	}
	*s = nil
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		value, err := d.Token()
		if err != nil {
			return err
		}
		text, ok := value.(string)
		if !ok {
			return fmt.Errorf("field %q of a state is no string", name)
		}
		*s = append(*s, Field{name.(string), text})
	}
	return nil
}
