package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What is larger is refused unread, and what is nested deeper, unvalidated.
const (
	maxBytes = 1 << 20
	maxDepth = 32
)

// whole is what a number looks like. An exponent could make a short text a number that
// takes all memory to compare.
var whole = regexp.MustCompile(`^-?\d{1,16}$`)

// read returns the value of a document.
func read(document []byte) (any, error) {
	if len(document) > maxBytes {
		return nil, fmt.Errorf("the document has %d bytes; send at most %d", len(document), maxBytes)
	}
	if !utf8.Valid(document) {
		return nil, errors.New("the document has ill-formed UTF-8; encode it as UTF-8")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, fmt.Errorf("the document is not one JSON text: %w; send a JSON object and nothing else", err)
	}
	// The text is known to be valid JSON now, so that the tokens are all that can go wrong.
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	if err := check(d, "", 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return value, nil
}

// check reads the next value again, for what its decoded form does not show: names that
// come twice, of which only the last would be seen.
func check(d *json.Decoder, path string, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	number, is := token.(json.Number)
	switch {
	case is && !whole.MatchString(number.String()):
		return Violations{{path, fmt.Sprintf("it is %.40q; send a whole number of at most 16 digits, without exponent", number)}}
	case depth > maxDepth:
		return Violations{{path, fmt.Sprintf("it is nested more than %d deep; flatten it", maxDepth)}}
	}
	switch token {
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			if err := check(d, path+"/"+strconv.Itoa(i), depth+1); err != nil {
				return err
			}
		}
	case json.Delim('{'):
		return checkObject(d, path, depth)
	default:
		return nil
	}
	_, err = d.Token() // the closing bracket
	return err
}

// checkObject reads the rest of an object.
func checkObject(d *json.Decoder, path string, depth int) error {
	names := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name := token.(string) // in valid JSON nothing else can stand here
		at := path + "/" + escape(name)
		if names[name] {
			return Violations{{at, "there are two of it; send one"}}
		}
		names[name] = true
		if err := check(d, at, depth+1); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
