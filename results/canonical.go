package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Encode returns the canonical JSON of v: keys in the order of the struct's
// fields, those of maps sorted, two spaces of indentation, LF line ends, one at
// the end of the file, and no escaping for HTML.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode results: %w", err)
	}
	return b.Bytes(), nil
}

// Validate returns nil when data is one JSON document with the given schema,
// and otherwise an error that says in what way it is not. It does not look at
// the figures.
func Validate(data []byte, schema string) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return errors.New("is empty")
	}
	var head struct {
		Schema *string `json:"schema"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&head); err != nil {
		return describe(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("has more after its first JSON document, at byte %d", d.InputOffset())
	}
	switch {
	case head.Schema == nil:
		return fmt.Errorf("has no schema, where %q is expected", schema)
	case *head.Schema != schema:
		return fmt.Errorf("has schema %.60q, and this version reads %q only: use the version that wrote it", *head.Schema, schema)
	}
	return nil
}

// describe says what is wrong with a JSON text, without Go's type names.
func describe(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("is truncated: its JSON ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON at byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("holds a JSON %s, where an object with a schema is expected", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("has a %s as its %s, where a string is expected", kind.Value, kind.Field)
	}
	return err
}
