package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// The schemas are valid ones of draft 2020-12, and say so; none of their objects takes
// fields that it does not know.
func TestSchemas(t *testing.T) {
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]int{}
	for _, name := range append(Names(), "types") {
		text, err := Text(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := meta.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		root := doc.(map[string]any)
		short := strings.TrimSuffix(strings.TrimPrefix(name, "commitpoint/episode/"), "/v1")
		if root["$schema"] != "https://json-schema.org/draft/2020-12/schema" || root["$id"] != base+short+".schema.json" {
			t.Errorf("%s: it is of %v, with the ID %v", name, root["$schema"], root["$id"])
		}
		objects[short] = closed(t, name, doc)
	}
	want := map[string]int{"case": 11, "evidence-record": 2, "participant-realization": 2, "reality-binding": 2, "run-manifest": 6, "semantic-delta": 4, "types": 9}
	if !maps.Equal(objects, want) {
		t.Errorf("the objects are %v, want %v", objects, want)
	}
}

// closed counts the objects in a schema, and checks that each is closed and says what it
// requires only of what it has.
func closed(t *testing.T, path string, node any) (n int) {
	switch node := node.(type) {
	case map[string]any:
		if node["type"] == "object" {
			n++
			if node["additionalProperties"] != false {
				t.Errorf("%s takes what it does not know", path)
			}
			properties, _ := node["properties"].(map[string]any)
			required, _ := node["required"].([]any)
			for _, r := range required {
				if _, found := properties[r.(string)]; !found {
					t.Errorf("%s requires %v, which it does not know", path, r)
				}
			}
		}
		for name, child := range node {
			n += closed(t, path+"/"+name, child)
		}
	case []any:
		for i, child := range node {
			n += closed(t, fmt.Sprintf("%s/%d", path, i), child)
		}
	}
	return n
}

// least has the smallest document of each schema.
var least = map[string]string{
	RunManifest: `{"schema":"commitpoint/episode/run-manifest/v1","run":"r","study":"s","release":"1","scenario":{"name":"n","version":"1","seed":0},
		"world":{"snapshot":"w","time_model":"t"},"system":{"artifact":"https://example.com/a","version":"1","members":["m"]},
		"participants":[],"policies":[],"contracts":[],"requirements":[],"bindings":[],"evaluator":{"name":"e","version":"1"}}`,
	ParticipantRealization: `{"schema":"commitpoint/episode/participant-realization/v1","role":"r","realization":"human","inside":false,"version":"1","rights":[]}`,
	RealityBinding: `{"schema":"commitpoint/episode/reality-binding/v1","object":"o","substrate":"physical","adapter":"a","version":"1","capabilities":["observe"],
		"semantics":{"time":"t","observation":"o","failure":"f","constraints":"c","rollback":"r","evidence":"e"}}`,
	SemanticDelta: `{"schema":"commitpoint/episode/semantic-delta/v1","object":"o","from":"` + zeros + `","to":"` + zeros + `",
		"hypothesis":{"name":"h","stances":{}},"changes":[],"class":"comparison-preserving","reporting":"r"}`,
	EvidenceRecord: `{"schema":"commitpoint/episode/evidence-record/v1","run":"r","episode":"e","entries":[{"seq":1,"kind":"timeout","version":1}]}`,
	Case: `{"schema":"commitpoint/episode/case/v1","id":"i","rule":"R1","section":"2.4","title":"t",
		"terms":{"reconciliation":{"sources":["s"]},"policy":"p","outcome":[{"fact":"f"}]},"steps":[{"do":"observe","by":"b"}],
		"expect":{"closure":{"ending":"open","blocks":[]}}}`,
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

// What can be left out of the smallest documents: nothing.
func TestLeast(t *testing.T) {
	if got := slices.Sorted(maps.Keys(least)); !slices.Equal(got, Names()) || len(got) != 6 {
		t.Fatalf("there are documents of %q, want %q", got, Names())
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			for _, by := range []string{"", name} {
				if err := Validate(by, []byte(least[name])); err != nil {
					t.Error(err)
				}
			}
			var doc map[string]any
			if err := json.Unmarshal([]byte(least[name]), &doc); err != nil {
				t.Fatal(err)
			}
			without(t, name, doc, doc, "")
		})
	}
}

// without takes each field away, and adds one to each object.
func without(t *testing.T, name string, doc, at map[string]any, path string) {
	t.Helper()
	check := func(want string) {
		t.Helper()
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := Validate(name, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	shown := path
	if path == "" {
		shown = "the document"
	}
	at["zzz"] = true
	check(shown + `: it has "zzz", which its schema does not know; leave it out`)
	delete(at, "zzz")
	for _, field := range slices.Sorted(maps.Keys(at)) {
		value := at[field]
		delete(at, field)
		if path == "/expect" {
			check(`/expect: it has none of "closure", "decisions"; add one`)
		} else {
			check(fmt.Sprintf("%s: it lacks %q; add it", shown, field))
		}
		at[field] = nil
		check(path + "/" + field + ": it is ")
		at[field] = value
		switch value := value.(type) {
		case map[string]any:
			without(t, name, doc, value, path+"/"+field)
		case []any:
			for i, item := range value {
				if object, is := item.(map[string]any); is {
					without(t, name, doc, object, fmt.Sprintf("%s/%s/%d", path, field, i))
				}
			}
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	swap := func(name, old, new string) string {
		if strings.Count(least[name], old) != 1 {
			t.Fatalf("%s is not once in the document", old)
		}
		return strings.Replace(least[name], old, new, 1)
	}
	step := func(json string) string { return swap(Case, `{"do":"observe","by":"b"}`, json) }
	names := strings.Join(Names(), ", ")
	tests := []struct{ name, schema, document, want string }{
		{"unknown schema", "commitpoint/episode/story/v1", least[Case], `schema "commitpoint/episode/story/v1" is unknown; use one of ` + names},
		{"unknown schema of the document", "", `{"schema":"x"}`, `schema "x" is unknown; use one of ` + names},
		{"types", "types", least[Case], `schema "types" is unknown; use one of ` + names},
		{"another schema", RunManifest, least[Case], `/schema: it is "commitpoint/episode/case/v1"; use "commitpoint/episode/run-manifest/v1"`},
		{"no schema", "", `{}`, "/schema: there is no such text; name the schema, one of " + names},
		{"schema that is no text", "", `{"schema":1}`, "/schema: there is no such text; name the schema, one of " + names},
		{"list", "", `[]`, `the document: it is not an object; send one with the field "schema"`},
		{"list as a case", Case, `[]`, "the document: it is array; send object"},
		{"nothing", "", ``, "the document is not one JSON text: EOF; send a JSON object and nothing else"},
		{"cut off", "", `{"schema":`, "the document is not one JSON text: unexpected EOF; send a JSON object and nothing else"},
		{"two documents", "", least[Case] + "{}", "the document is not one JSON text: invalid character after top-level value; send a JSON object and nothing else"},
		{"ill-formed UTF-8", "", "{\"schema\":\"\xff\"}", "the document has ill-formed UTF-8; encode it as UTF-8"},
		{"too large", "", strings.Repeat(" ", 1<<20+1), "the document has 1048577 bytes; send at most 1048576"},
		{"too deep", "", strings.Repeat("[", 34) + strings.Repeat("]", 34), strings.Repeat("/0", 33) + ": it is nested more than 32 deep; flatten it"},
		{"just not too deep", "", strings.Repeat("[", 33) + strings.Repeat("]", 33), `the document: it is not an object; send one with the field "schema"`},
		{"two of one name", "", swap(Case, `"id":"i"`, `"id":"i","id":"i"`), "/id: there are two of it; send one"},
		{"two of one name inside", "", step(`{"do":"observe","by":"b","by":"c"}`), "/steps/0/by: there are two of it; send one"},
		{"two of an odd name", "", `{"a/b~c":1,"a/b~c":1}`, "/a~1b~0c: there are two of it; send one"},
		{"fraction", "", swap(RunManifest, `"seed":0`, `"seed":1.0`), `/scenario/seed: it is "1.0"; send a whole number of at most 16 digits, without exponent`},
		{"exponent", "", swap(RunManifest, `"seed":0`, `"seed":1e999999999`), `/scenario/seed: it is "1e999999999"; send a whole number of at most 16 digits, without exponent`},
		{"long number", "", swap(RunManifest, `"seed":0`, `"seed":12345678901234567`), `/scenario/seed: it is "12345678901234567"; send a whole number of at most 16 digits, without exponent`},
		{"number too large", "", swap(RunManifest, `"seed":0`, `"seed":9007199254740992`), "/scenario/seed: it is 9007199254740992; send at most 9007199254740991"},
		{"number below", "", swap(RunManifest, `"seed":0`, `"seed":-1`), "/scenario/seed: it is -1; send at least 0"},
		{"no URI", "", swap(RunManifest, `"https://example.com/a"`, `"a b"`), `/system/artifact: "a b" is no uri; correct it`},
		{"no time", "", swap(RunManifest, `"run":"r"`, `"run":"r","frozen_at":"2026-13-01T00:00:00Z"`), `/frozen_at: "2026-13-01T00:00:00Z" is no date-time; correct it`},
		{"no date", "", swap(ParticipantRealization, `"rights":[]`, `"rights":[],"calibration":{"population":"p","procedure":"q","permitted_use":"u","valid_until":"June"}`), `/calibration/valid_until: "June" is no date; correct it`},
		{"empty text", "", swap(Case, `"title":"t"`, `"title":""`), "/title: it is empty; fill it in"},
		{"long text", "", swap(Case, `"title":"t"`, `"title":"`+strings.Repeat("x", 1001)+`"`), "/title: it has 1001 characters; send at most 1000"},
		{"nobody in the system", "", swap(RunManifest, `["m"]`, `[]`), "/system/members: it has 0 items; send at least 1"},
		{"twice in the system", "", swap(RunManifest, `["m"]`, `["m","n","m"]`), "/system/members: its items 0 and 2 are equal; leave one out"},
		{"no fingerprint", "", strings.Replace(least[SemanticDelta], zeros, zeros[1:]+"g", 1), `/from: "` + zeros[:59] + ` does not match ^[0-9a-f]{64}$; correct it`},
		{"tested agent outside", "", swap(ParticipantRealization, `"human"`, `"agent-under-test"`), "/inside: it is false; use true"},
		{"human inside", "", swap(ParticipantRealization, `false`, `true`), "/inside: it is true; use false"},
		{"physical rollback", "", swap(RealityBinding, `["observe"]`, `["observe","rollback"]`), `/capabilities/1: it is "rollback"; use one of "observe", "act", "synchronize", "snapshot"`},
		{"physical reset", "", swap(RealityBinding, `["observe"]`, `["reset"]`), `/capabilities/0: it is "reset"; use one of "observe", "act", "synchronize", "snapshot"`},
		{"acting shadow", "", strings.Replace(swap(RealityBinding, `"physical"`, `"shadow"`), `["observe"]`, `["act"]`, 1), `/capabilities/0: it is "act"; use one of "observe", "synchronize", "snapshot", "reset", "rollback"`},
		{"admission without a decision", "", swap(EvidenceRecord, `"timeout"`, `"admission"`), `/entries/0: it lacks "decision", "follows"; add it`},
		{"unknown kind of entry", "", swap(EvidenceRecord, `"timeout"`, `"deletion"`), `/entries/0/kind: it is "deletion"; use one of "observation",`},
		{"unknown step", "", step(`{"do":"erase"}`), `/steps/0/do: it is "erase"; use one of "observe",`},
		{"step without what it needs", "", step(`{"do":"report","by":"b"}`), `/steps/0: it lacks "on", "value"; add it`},
		{"step with more than it needs", "", step(`{"do":"observe","by":"b","on":"x"}`), "/steps/0/on: it does not belong here; leave it out"},
		{"ending as open", "", step(`{"do":"close","value":"open"}`), `/steps/0/value: it is "open"; use one of "fulfilled",`},
		{"forbidden by others than policies", "", step(`{"do":"close","value":"failed","forbidden":[]}`), "/steps/0/forbidden: it does not belong here; leave it out"},
		{"revoked delegation", "", step(`{"do":"delegate","delegation":{"principal":"p","carrier":"c","actions":[],"budget":1,"threshold":1,"revoked":true}}`),
			`/steps/0/delegation: it has "revoked", which its schema does not know; leave it out`},
		{"no expectation", "", swap(Case, `"closure":{"ending":"open","blocks":[]}`, ``), `/expect: it has none of "closure", "decisions"; add one`},
		{"only facts expected", "", swap(Case, `"closure":{"ending":"open","blocks":[]}`, `"facts":[{"name":"f","status":"unknown"}]`), `/expect: it has none of "closure", "decisions"; add one`},
		{"decisions of which one is none", "", swap(Case, `"closure":{"ending":"open","blocks":[]}`, `"decisions":[{"action":"a"}]`), `/expect/decisions/0: it lacks "decision"; add it`},
		{"no dispatches", "", swap(Case, `"closure":`, `"dispatched":[],"closure":`), "/expect/dispatched: it has 0 items; send at least 1"},
		{"a dispatch without a name", "", swap(Case, `"closure":`, `"dispatched":[""],"closure":`), "/expect/dispatched/0: it is empty; fill it in"},
		{"owed twice", "", swap(Case, `"closure":`, `"owed":["a","a"],"closure":`), "/expect/owed: its items 0 and 1 are equal; leave one out"},
		{"unknown judgment", "", swap(Case, `"closure":`, `"judgments":{"score":"met"},"closure":`), `/expect/judgments: it has "score", which its schema does not know; leave it out`},
		{"no judgment", "", swap(Case, `"closure":`, `"judgments":{},"closure":`), `/expect/judgments: it does not keep "minProperties" of its schema; correct it`},
		{"several", "", step(`{"do":"observe","zz":1,"aa":2}`), "/steps/0: it has \"aa\", \"zz\", which its schema does not know; leave it out\n/steps/0: it lacks \"by\"; add it"},
		{"many", "", swap(EvidenceRecord, `[{"seq":1,"kind":"timeout","version":1}]`, "["+strings.Repeat("1,", 9)+"1]"), "/entries/7: it is number; send object\nand 2 more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Validate(tt.schema, []byte(tt.document))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) && !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
		})
	}
}

// Each kind of step takes what it needs and nothing else.
func TestStepsNeeds(t *testing.T) {
	fields := map[string]string{
		"by": `"b"`, "on": `"o"`, "value": `"failed"`, "forbidden": `["x"]`, "intent": `{"id":"i","carrier":"c","action":"a"}`,
		"delegation": `{"principal":"p","carrier":"c","actions":[],"budget":1,"threshold":1}`,
		"commitment": `{"id":"i","debtor":"d","creditor":"c","parties":["p"],"due":"f"}`,
	}
	needs := map[string]string{
		"observe": "by", "admit": "intent", "reserve": "on", "dispatch": "on", "acknowledge": "on", "release": "on", "bypass": "intent",
		"report": "by on value", "timeout": "on", "review": "by on value", "delegate": "delegation", "revoke": "by on", "approve": "by on",
		"replace": "on value", "govern": "value", "propose": "commitment", "agree": "by on", "discharge": "on", "transfer": "by on value", "close": "value",
	}
	for do, list := range needs {
		valid := func(fieldsOf []string) bool {
			text := `{"do":"` + do + `"`
			for _, f := range fieldsOf {
				text += `,"` + f + `":` + fields[f]
			}
			return Validate(Case, []byte(strings.Replace(least[Case], `{"do":"observe","by":"b"}`, text+"}", 1))) == nil
		}
		need := strings.Fields(list)
		if !valid(need) {
			t.Errorf("%s is not valid with %q", do, need)
		}
		for i := range need {
			if less := slices.Delete(slices.Clone(need), i, i+1); valid(less) {
				t.Errorf("%s is valid with %q", do, less)
			}
		}
		for f := range fields {
			if more := append(slices.Clone(need), f); !slices.Contains(need, f) && valid(more) != (do == "govern" && f == "forbidden") {
				t.Errorf("%s is valid with %q: %v", do, more, valid(more))
			}
		}
	}
}

// What can be mended in two ways is one violation: whoever adds both adds one too many.
func TestAlternativesAreOneViolation(t *testing.T) {
	err := Validate(Case, []byte(strings.Replace(least[Case], `"closure":{"ending":"open","blocks":[]}`, ``, 1)))
	if want := `/expect: it has none of "closure", "decisions"; add one`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	lacks := func(fields ...string) *jsonschema.ValidationError {
		return &jsonschema.ValidationError{ErrorKind: &kind.Required{Missing: fields}}
	}
	for _, tt := range []struct {
		name string
		e    *jsonschema.ValidationError
		want string
	}{
		{"one field each", &jsonschema.ValidationError{ErrorKind: &kind.AnyOf{}, Causes: []*jsonschema.ValidationError{lacks("a"), lacks("b")}}, "[a b]"},
		{"two fields in one", &jsonschema.ValidationError{ErrorKind: &kind.AnyOf{}, Causes: []*jsonschema.ValidationError{lacks("a", "c"), lacks("b")}}, "[]"},
		{"not only fields", &jsonschema.ValidationError{ErrorKind: &kind.AnyOf{}, Causes: []*jsonschema.ValidationError{lacks("a"), {ErrorKind: &kind.FalseSchema{}}}}, "[]"},
		{"all of them", &jsonschema.ValidationError{ErrorKind: &kind.AllOf{}, Causes: []*jsonschema.ValidationError{lacks("a"), lacks("b")}}, "[]"},
	} {
		if got := fmt.Sprint(alternatives(tt.e)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestText(t *testing.T) {
	if _, err := Text("story"); err == nil || !strings.HasPrefix(err.Error(), `schema "story" is unknown; use one of commitpoint/episode/case/v1, `) {
		t.Errorf("got %v", err)
	}
}

func FuzzValidate(f *testing.F) {
	for _, document := range least {
		f.Add([]byte(document))
	}
	f.Add([]byte(`{"schema":"commitpoint/episode/case/v1","steps":[{"do":1e9}]}`))
	f.Add([]byte(`{"schema":"commitpoint/episode/semantic-delta/v1","changes":[[],[],{}]}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		err := Validate("", document)
		again := Validate("", document)
		if fmt.Sprint(err) != fmt.Sprint(again) {
			t.Errorf("first %v, then %v", err, again)
		}
		if err == nil && !json.Valid(document) {
			t.Error("it is valid, and no JSON")
		}
	})
}
