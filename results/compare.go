package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A Difference is a value that two documents don't share.
type Difference struct {
	Path      string // where it is, as in mechanisms[atomic].unsafe_accept
	Want, Got string // JSON, or "nothing"
}

// Compare returns the values in which two JSON documents differ, in the order
// of their keys; none if they differ in layout at most.
func Compare(want, got []byte) ([]Difference, error) {
	var w, g any
	for _, d := range []struct {
		text []byte
		into *any
	}{{want, &w}, {got, &g}} {
		decoder := json.NewDecoder(bytes.NewReader(d.text))
		decoder.UseNumber() // a float64 would lose digits of large counts
		if err := decoder.Decode(d.into); err != nil {
			return nil, describe(err)
		}
	}
	return differences(nil, "", w, g), nil
}

// nothing stands for a value that one document lacks.
var nothing any = struct{}{}

func differences(list []Difference, path string, want, got any) []Difference {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return inObject(list, path, w, g)
		}
	case []any:
		if g, ok := got.([]any); ok {
			return inArray(list, path, w, g)
		}
	default:
		if want == got {
			return list
		}
	}
	return append(list, Difference{path, show(want), show(got)})
}

func inObject(list []Difference, path string, want, got map[string]any) []Difference {
	keys := slices.Sorted(maps.Keys(want))
	for key := range got {
		if _, ok := want[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		at := key
		if path != "" {
			at = path + "." + key
		}
		list = differences(list, at, member(want, key), member(got, key))
	}
	return list
}

func member(object map[string]any, key string) any {
	if v, ok := object[key]; ok {
		return v
	}
	return nothing
}

// inArray compares element by element: those that call themselves the same, if
// all of them have names of their own, and otherwise those at the same position.
func inArray(list []Difference, path string, want, got []any) []Difference {
	w, wantNamed := byName(want)
	g, gotNamed := byName(got)
	if wantNamed && gotNamed {
		for _, element := range slices.Concat(want, got) {
			name := nameOf(element)
			if _, known := w[name]; known || g[name] != nil {
				list = differences(list, path+"["+name+"]", member(w, name), member(g, name))
			}
			delete(w, name)
			delete(g, name)
		}
		return list
	}
	for i := range max(len(want), len(got)) {
		w, g := nothing, nothing
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		list = differences(list, fmt.Sprintf("%s[%d]", path, i), w, g)
	}
	return list
}

// byName returns the elements by what they call themselves, and whether each
// has a name of its own.
func byName(elements []any) (named map[string]any, all bool) {
	named = make(map[string]any, len(elements))
	for _, e := range elements {
		named[nameOf(e)] = e
	}
	_, nameless := named[""]
	return named, !nameless && len(named) == len(elements)
}

// nameOf returns what an element of an array calls itself, or nothing.
func nameOf(element any) string {
	object, _ := element.(map[string]any)
	for _, key := range []string{"name", "predicate", "property"} {
		if name, ok := object[key].(string); ok {
			return name
		}
	}
	return ""
}

// show returns the JSON of a decoded value, shortened.
func show(v any) string {
	if v == nothing {
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(text) > 60 {
		return string(text[:57]) + "..."
	}
	return string(text)
}
