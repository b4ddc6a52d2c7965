package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// An object is the text of a JSON object's fields. Package json alone is too forgiving
// for what is to be judged: it ignores case and repeated names, takes null for any
// type, and replaces what is not Unicode.
type object map[string]json.RawMessage

// parseObject reads text, which has to be one JSON object and nothing else.
func parseObject(text []byte) (object, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("it is not UTF-8, expected one JSON object in UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, fmt.Errorf("it is not JSON (%w), expected one JSON object on the line", err)
	}
	if hasLoneSurrogate(text) {
		return nil, errors.New(`it has half of a surrogate pair (\ud800 to \udfff), expected text that UTF-8 can express`)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, errors.New("it is no object, expected one JSON object on the line")
	}
	o := object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := name.(string) // of valid JSON, nothing else can be here
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if _, twice := o[key]; twice {
			return nil, fmt.Errorf("%q occurs twice, expected each name once", key)
		}
		o[key] = value
	}
	return o, nil
}

// hasLoneSurrogate reports whether valid JSON escapes half of a surrogate pair, which is
// no character and would be replaced by one.
func hasLoneSurrogate(text []byte) bool {
	for i := bytes.IndexByte(text, '\\'); i >= 0 && i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		r := escaped(text[i:])
		if utf16.IsSurrogate(r) {
			if utf16.DecodeRune(r, escaped(text[i+6:])) == utf8.RuneError {
				return true
			}
			i += 6 // the other half
		}
		i++ // what is escaped, be it a backslash
	}
	return false
}

// escaped returns the code unit if text begins with \u and its four digits, and 0 if not.
func escaped(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

// A field is a name that an object may have, and where its value goes.
type field struct {
	name     string
	into     any // *bool, *string, *uint64, *[]string or *map[string]int
	required bool
}

// fill reads the object's fields, which have to be among those given and of their types.
func (o object) fill(fields ...field) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s is not a field of it, expected %s", shown([]byte(name)), strings.Join(names, ", "))
		}
	}
	for _, f := range fields {
		value, given := o[f.name]
		switch {
		case !given && f.required:
			return fmt.Errorf("%s is missing, expected %s", f.name, expected(f.into))
		case given && !decode(value, f.into):
			return fmt.Errorf("%s is %s, expected %s", f.name, shown(value), expected(f.into))
		}
	}
	return nil
}

func (o object) has(name string) bool {
	_, ok := o[name]
	return ok
}

// decode reads a value and reports whether it is of the type that it goes to.
func decode(value json.RawMessage, into any) bool {
	if string(value) == "null" {
		return false
	}
	switch into := into.(type) {
	case *[]string:
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) != nil {
			return false
		}
		*into = make([]string, len(elements))
		for i, element := range elements {
			if !decode(element, &(*into)[i]) {
				return false
			}
		}
		return true
	case *map[string]int:
		o, err := parseObject(value)
		*into = make(map[string]int, len(o))
		for name, element := range o {
			var n int
			if !decode(element, &n) || n < 0 {
				return false
			}
			(*into)[name] = n
		}
		return err == nil
	default:
		return json.Unmarshal(value, into) == nil
	}
}

// expected says what decode takes for into.
func expected(into any) string {
	switch into.(type) {
	case *bool:
		return "true or false"
	case *string:
		return "a text"
	case *[]string:
		return "a list of texts"
	case *map[string]int:
		return "an object with a whole number, 0 or more, for each name"
	default:
		return "a whole number"
	}
}
