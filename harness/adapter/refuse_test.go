package adapter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/harness"
)

// refused checks that a payload is, with an error that starts with the adapter and has all
// of the parts.
func refused(t *testing.T, adapter string, payload []byte, parts ...string) {
	t.Helper()
	got, err := Fixtures().Normalize(adapter, payload)
	if err == nil {
		t.Errorf("%.200s is not refused", payload)
		return
	}
	if got != (harness.Receipt{}) {
		t.Errorf("refused, but with the receipt %+v", got)
	}
	if start := fmt.Sprintf("adapter %q: ", adapter); !strings.HasPrefix(err.Error(), start) {
		t.Errorf("%q does not start with %q", err, start)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

// AD-02 has the first six.
func TestRefuses(t *testing.T) {
	a, b := string(encode(t, payloadA(kept))), string(encode(t, payloadB(kept)))
	swap := func(payload, old, new string) string {
		if strings.Count(payload, old) != 1 {
			t.Fatalf("%s is not once in %s", old, payload)
		}
		return strings.Replace(payload, old, new, 1)
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	withMessage := func(json string) string { return swap(a, `"all done!"`, json) }
	tests := []struct{ name, adapter, payload, want string }{
		{"unknown adapter", "fixture-c", a, `unknown; register it, or use one of ["fixture-a" "fixture-b"]`},
		{"malformed nested shape", FixtureB, swap(b, `{"gaps":0}`, `0`), "$.evidence.capture: it is a number; send an object"},
		{"absent receipt", FixtureA, "", "there is no receipt: the payload is empty; send a JSON object"},
		{"null payload", FixtureA, "null", "$: it is null; send an object"},
		{"list payload", FixtureA, "[" + a + "]", "$: it is a list; send an object"},
		{"list outcome", FixtureA, `{"outcome": []}`, "$.outcome: it is a list; send an object"},

		{"no adapter", "", a, "unknown"},
		{"adapter in capitals", "Fixture-A", a, "unknown"},
		{"the other shape", FixtureB, a, "$.result: it is missing; send it"},
		{"the other shape, too", FixtureA, b, "$.outcome: it is missing; send it"},
		{"blank", FixtureA, " \n\t", "there is no receipt"},
		{"empty object", FixtureA, "{}", "$.outcome: it is missing; send it"},
		{"string payload", FixtureA, `"done"`, "$: it is a string; send an object"},
		{"boolean payload", FixtureA, `true`, "$: it is a boolean; send an object"},
		{"not JSON", FixtureA, "done", "not one JSON text, at byte 1: "},
		{"cut off", FixtureA, a[:len(a)-1], fmt.Sprintf("at byte %d: ", len(a)-1)},
		{"trailing data", FixtureA, a + "{}", fmt.Sprintf("at byte %d: ", len(a)+1)},
		{"trailing comma", FixtureA, swap(a, `"all done!",`, `"all done!",,`), "not one JSON text, at byte"},
		{"comment", FixtureA, a + "// done", "not one JSON text, at byte"},
		{"single quotes", FixtureA, strings.ReplaceAll(a, `"`, "'"), "at byte 2"},
		{"ill-formed UTF-8", FixtureA, withMessage("\"\xff\""), fmt.Sprintf("ill-formed UTF-8 at byte %d ", strings.Index(a, "all"))},
		{"cut-off character", FixtureA, "{\"é\":\"é\xc3\"}", "ill-formed UTF-8 at byte 9 "},
		{"ill-formed behind U+FFFD", FixtureA, "\"\ufffd\xff\"", "ill-formed UTF-8 at byte 4 "},
		{"unpaired surrogate", FixtureA, withMessage(`"\ud800"`), "$.outcome.message: it has an unpaired surrogate or U+FFFD; send"},
		{"replacement character", FixtureA, withMessage(`"a\ufffd"`), "$.outcome.message: it has"},
		{"unpaired surrogate in a name", FixtureA, swap(a, `"message"`, `"\udc00"`), `$.outcome["` + "\ufffd" + `"]: it has`},
		{"too deep", FixtureA, withMessage(deep(31)), "$.outcome.message" + strings.Repeat("[0]", 30) + ": it is nested more than 32 deep; flatten it"},
		{"much too deep", FixtureA, deep(1 << 16), "not one JSON text"},
		{"just not too deep", FixtureA, withMessage(deep(30)), "$.outcome.message: it is a list; send a string"},
		{"too large", FixtureA, strings.Repeat(" ", 256<<10) + "1", "has 262145 bytes; send at most 262144"},
		{"just not too large", FixtureA, strings.Repeat(" ", 256<<10-1) + "1", "$: it is a number"},

		{"unknown word", FixtureA, swap(a, `"effect":"full"`, `"effect":"most"`), `$.outcome.effect: it is "most"; use one of: full, none, partial, unknown`},
		{"word in capitals", FixtureA, swap(a, `"effect":"full"`, `"effect":"FULL"`), `$.outcome.effect: it is "FULL"`},
		{"empty word", FixtureA, swap(a, `"effect":"full"`, `"effect":""`), `$.outcome.effect: it is ""`},
		{"a word of the other shape", FixtureB, swap(b, `"state":"ok"`, `"state":"completed"`), `$.result.state: it is "completed"; use one of: aborted, denied, error, ok`},
		{"no claim", FixtureA, swap(a, `"status":"completed"`, `"status":"none"`), `$.outcome.status: it is "none"; use one of: blocked, cancelled, completed, failed`},
		{"a name in capitals", FixtureA, swap(a, `"outcome"`, `"Outcome"`), "$.outcome: it is missing"},
		{"boolean as a string", FixtureA, swap(a, `"verified":true`, `"verified":"true"`), "$.outcome.verified: it is a string; send true or false"},
		{"boolean as a number", FixtureA, swap(a, `"captured":true`, `"captured":1`), "$.outcome.captured: it is a number; send true or false"},
		{"null lease", FixtureA, swap(a, `"lease":`, `"lease":null,"x":`), "$.lease: it is null; send an object"},
		{"empty lease", FixtureA, swap(a, `"lease":`, `"lease":{},"x":`), "$.lease.run: it is missing; send it"},
		{"empty retention", FixtureB, swap(b, `"retention":`, `"retention":{},"x":`), "$.retention.window: it is missing; send it"},
		{"long unknown word", FixtureA, swap(a, `"effect":"full"`, `"effect":"`+strings.Repeat("é", 50)+`"`), `it is "` + strings.Repeat("é", 40) + `"; use`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { refused(t, tt.adapter, []byte(tt.payload), tt.want) })
	}
}

// A place is a member of one of the objects of a payload.
type place struct {
	parent     object
	name, path string
}

// places returns all of them, in the order of their paths; they share the payload.
func places(parent object, path string) (all []place) {
	for _, name := range slices.Sorted(maps.Keys(parent)) {
		all = append(all, place{parent, name, path + "." + name})
		if nested, is := parent[name].(object); is {
			all = append(all, places(nested, path+"."+name)...)
		}
	}
	return all
}

// TestRefusesAtEveryPlace spoils a payload at one place at a time.
func TestRefusesAtEveryPlace(t *testing.T) {
	scalar := func(value any) bool { _, is := value.(object); return !is }
	tests := []struct {
		name, why string
		spoilt    func(place) (value any, want string) // without a text the place is left alone
		total     int
	}{
		{"list", "a list of the right thing is another thing", func(p place) (any, string) {
			return []any{p.parent[p.name]}, "it is a list; send "
		}, 52},
		{"null", "it is not absent", func(p place) (any, string) {
			if p.name == "retention" {
				return nil, ""
			}
			return nil, "it is null; send "
		}, 51},
		{"object", "no member is looked for in what is none", func(p place) (any, string) {
			if scalar(p.parent[p.name]) {
				return object{}, "it is an object; send "
			}
			return nil, ""
		}, 36},
		{"string", "nor in a string", func(p place) (any, string) {
			if scalar(p.parent[p.name]) {
				return nil, ""
			}
			return "{}", "it is a string; send an object"
		}, 16},
		{"number", "nothing else is a number", func(p place) (any, string) { return -1, "it is " }, 52},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			total := 0
			for _, f := range fixtures {
				payload := f.write(kept)
				for _, p := range places(payload, "$") {
					value, want := tt.spoilt(p)
					if want == "" {
						continue
					}
					total++
					was := p.parent[p.name]
					p.parent[p.name] = value
					refused(t, f.name, encode(t, payload), p.path+": "+want)
					p.parent[p.name] = was
				}
			}
			if total != tt.total {
				t.Errorf("%d places, want %d", total, tt.total)
			}
		})
	}
}

func TestRefusesMissingMembers(t *testing.T) {
	var optional []string
	for _, f := range fixtures {
		payload := f.write(kept)
		for _, p := range places(payload, "$") {
			was := p.parent[p.name]
			delete(p.parent, p.name)
			if _, err := Fixtures().Normalize(f.name, encode(t, payload)); err == nil {
				optional = append(optional, p.path)
			} else {
				refused(t, f.name, encode(t, payload), p.path+": it is missing; send it")
			}
			p.parent[p.name] = was
		}
	}
	if want := []string{"$.lease", "$.outcome.message", "$.result.note"}; !slices.Equal(optional, want) {
		t.Errorf("%q can be absent, want %q", optional, want)
	}
}

func TestRefusesDuplicates(t *testing.T) {
	for _, f := range fixtures {
		payload := f.write(kept)
		for _, p := range places(payload, "$") {
			was := p.parent[p.name]
			for _, second := range []any{was, nil} { // equal ones are no better
				p.parent[p.name] = "here"
				two := fmt.Sprintf("%s,%q:%s", encode(t, was), p.name, encode(t, second))
				text := strings.Replace(string(encode(t, payload)), `"here"`, two, 1)
				refused(t, f.name, []byte(text), p.path+": there are two of it; send one")
			}
			p.parent[p.name] = was
		}
	}
}

// Every object refuses a member that nobody knows, whatever it is.
func TestRefusesUnknownMembers(t *testing.T) {
	shown := map[string]string{
		"zzz": ".zzz", "": `[""]`, "a b": `["a b"]`, "$": `["$"]`, "ä": `["ä"]`, "a\n": `["a\n"]`,
		strings.Repeat("z", 40): "." + strings.Repeat("z", 40),
		strings.Repeat("z", 41): `["` + strings.Repeat("z", 40) + `"]`,
	}
	for _, f := range fixtures {
		payload := f.write(kept)
		objects := []place{{parent: object{"": payload}, path: "$"}}
		for _, p := range places(payload, "$") {
			if _, is := p.parent[p.name].(object); is {
				objects = append(objects, p)
			}
		}
		for _, p := range objects {
			at := p.parent[p.name].(object)
			for _, name := range slices.Sorted(maps.Keys(shown)) {
				for _, value := range []any{nil, 1, "x", object{}, []int{1}} {
					at[name] = value
					refused(t, f.name, encode(t, payload), p.path+shown[name]+": the adapter does not know it; leave it out")
				}
				delete(at, name)
			}
		}
	}
}
