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

func inArray(list []Difference, path string, want, got []any) []Difference {
	for i := range max(len(want), len(got)) {
		w, g := nothing, nothing
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		list = differences(list, fmt.Sprintf("%s[%s]", path, label(i, w, g)), w, g)
	}
	return list
}

// label names an element of an array by what it calls itself, if both
// documents agree on that, or by its position.
func label(i int, want, got any) string {
	w, _ := want.(map[string]any)
	g, _ := got.(map[string]any)
	for _, key := range []string{"name", "mechanism"} {
		if name, ok := w[key].(string); ok && g[key] == any(name) {
			return name
		}
	}
	return fmt.Sprint(i)
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
