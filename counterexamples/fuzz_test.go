package counterexamples_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/commitpoint/counterexamples"
)

// inOneSentence fails unless an error can be shown to people as it is: a short line of
// text, whatever the input was.
func inOneSentence(t *testing.T, err error) {
	t.Helper()
	if text := err.Error(); text == "" || len(text) > 1000 || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		t.Errorf("the error is no sentence: %.2000q", text)
	}
}

// ParseSchedule takes any text, and what it makes of some is the same again when it is
// written with any separator.
func FuzzParseSchedule(f *testing.F) {
	f.Add("read candidate trusted-verify preflight input-edit commit")
	f.Add("w1:read → w2:read, revoke#2\r\n\tcommit")
	f.Add("read,,→ commit \x00")
	f.Add("größer \xe2\x86 \xff\uFFFD")
	f.Add(strings.Repeat("a ", 65))
	f.Add(strings.Repeat("a", 201))
	f.Fuzz(func(t *testing.T, text string) {
		names, err := counterexamples.ParseSchedule(text)
		if err != nil {
			if names != nil {
				t.Errorf("%q and an error", names)
			}
			inOneSentence(t, err)
			return
		}
		if len(names) == 0 || len(names) > 64 || slices.ContainsFunc(names, func(name string) bool { return name == "" || len(name) > 200 }) {
			t.Errorf("%d names: %q", len(names), names)
		}
		for _, separator := range []string{" ", ",", " → ", "\n"} {
			if again, err := counterexamples.ParseSchedule(strings.Join(names, separator)); err != nil || !slices.Equal(again, names) {
				t.Errorf("joined by %q: %q, %v; want %q", separator, again, err, names)
			}
		}
	})
}

// ReadJSON takes any bytes, and what it makes of some is the same again when it is
// written and read.
func FuzzReadJSON(f *testing.F) {
	// Seeds are short: what is interesting gets minimized, which takes time by the byte.
	f.Add([]byte(`{"schema": "commitpoint/trace/v1", "counterexamples": [{"mechanism": "m", "schedule": ["e"], "decision": "d"}]}`))
	f.Add([]byte(`{"schema":"commitpoint/trace/v1","counterexamples":[{"mechanism":"m","kind":"k","reason":"r","summary":"s",` +
		`"schedule":["e","f#2"],"decision":"d","relied_on":["a"],"failed_checks":[],"oracle":{"eligible":true,"reasons":["o"]},` +
		`"initial":{"x":"1"},"steps":[{"actor":"A","event":"e","object":"o","effect":"<>&","marked":true,` +
		`"changed":[{"field":"x","from":"1","to":"2"}],"state":{"x":"2"},"holds":["a"],"fails":[]}],"notes":["n"],` +
		`"nearest":{"schedule":["f#2","e"],"later":"f#2","earlier":"e","decision":"d","eligible":false}}]}`))
	f.Add([]byte(`{"schema": "commitpoint/trace/v2"}`))
	f.Add([]byte(`{"schema": "commitpoint/trace/v1", "counterexamples": [`))
	f.Fuzz(func(t *testing.T, data []byte) {
		traces, err := counterexamples.ReadJSON(bytes.NewReader(data))
		if err != nil {
			if traces != nil {
				t.Errorf("%d traces and an error", len(traces))
			}
			inOneSentence(t, err)
			return
		}
		var first, second strings.Builder
		if err := counterexamples.WriteJSON(&first, traces); err != nil {
			t.Fatal(err)
		}
		again, err := counterexamples.ReadJSON(strings.NewReader(first.String()))
		if err != nil || !reflect.DeepEqual(again, traces) && len(traces) > 0 {
			t.Errorf("%v: read %#v, then %#v from\n%s", err, traces, again, &first)
		}
		if err := counterexamples.WriteJSON(&second, again); err != nil || first.String() != second.String() {
			t.Errorf("written %s, then %s, %v", &first, &second, err)
		}
		for _, x := range traces {
			if same, difference := x.SameOutcome(x); !same {
				t.Errorf("it differs from itself: %s", difference)
			}
		}
	})
}
