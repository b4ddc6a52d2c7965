package counterexamples

import (
	"bytes"
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

// WriteJSON writes traces as a document that ReadJSON reads. The same traces are the
// same bytes.
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
// document behind the first or a trace without events is an error.
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
		if t.Mechanism == "" || len(t.Schedule) == 0 {
			return nil, fmt.Errorf("counterexample %d has no mechanism or no schedule", i+1)
		}
	}
	return doc.Counterexamples, nil
}

// inWords says what is wrong with JSON in one sentence.
func inWords(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return errors.New("the JSON ends in the middle")
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON, at byte %d: %w", syntax.Offset, syntax)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
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

// UnmarshalJSON reads an object of strings and keeps the order of its fields.
func (s *State) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return errors.New("a state is an object of strings")
	}
	*s = State{}
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
