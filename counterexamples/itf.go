package counterexamples

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteITF writes a trace in the Informal Trace Format of the TLA+ and Quint tools
// (Apalache's ADR-015, revision of 2023-09-14), for their viewers. The variables are
// the fields of the state, with underscores for what is no letter or digit, and the
// actor, the event, its effect and the checks that fail. The first state has
// no event, and its set of failing checks says nothing.
func WriteITF(w io.Writer, t Trace) error {
	vars := []string{"actor", "event", "effect", "failing_checks"}
	names := make(map[string]string) // of variables, by field
	for _, f := range t.Initial {
		names[f.Name] = variable(f.Name, vars)
		vars = append(vars, names[f.Name])
	}
	state := func(i int, s Step, fields State) map[string]any {
		values := map[string]any{
			"#meta":          map[string]any{"index": i},
			"actor":          s.Actor,
			"event":          s.Event,
			"effect":         s.Effect,
			"failing_checks": map[string]any{"#set": notNil(s.Fails)},
		}
		for _, f := range fields {
			values[names[f.Name]] = f.Value
		}
		return values
	}
	states := []map[string]any{state(0, Step{}, t.Initial)}
	for i, s := range t.Steps {
		states = append(states, state(i+1, s, s.State))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{
		"#meta": map[string]any{
			"format":             "ITF",
			"format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
			"description":        t.Summary,
			"source":             t.Mechanism,
		},
		"params": []string{},
		"vars":   vars,
		"states": states,
	})
}

// variable makes the name of a variable of a field's, unlike those that are taken.
func variable(field string, taken []string) string {
	name := strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			return r
		}
		return '_'
	}, field)
	for _, other := range taken {
		if other == name {
			return variable(fmt.Sprintf("%s_%d", name, len(taken)), taken)
		}
	}
	return name
}

func notNil(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
