package results_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contract"
	"example.com/commitpoint/study/deadline"
	"example.com/commitpoint/study/episode"
	"example.com/commitpoint/study/harness"
)

func computed(t testing.TB) results.Document {
	t.Helper()
	r, err := study.Compute(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return results.New(r, commitpoint.SourceDigest())
}

// The whole contract's figures, too.
func TestContractIsReproduced(t *testing.T) {
	r, err := contract.Compute(t.Context(), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	computed, err := results.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(results.PublishedContract()), string(computed)); diff != "" {
		t.Errorf("contract.json differs from what is computed; 'go run ./cmd/explore contract --write' makes a new one (-published +computed):\n%s", diff)
	}
}

// Those of contracts with a deadline, too.
func TestDeadlineDocument(t *testing.T) {
	r, err := deadline.Compute(t.Context(), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	computed, err := results.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(results.PublishedDeadline()), string(computed)); diff != "" {
		t.Errorf("deadline.json differs from what is computed; 'go run ./cmd/explore deadline --write' makes a new one (-published +computed):\n%s", diff)
	}
}

// Those of harness operations, too.
func TestHarnessDocument(t *testing.T) {
	r, err := harness.Compute(t.Context(), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	computed, err := results.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(results.PublishedHarness()), string(computed)); diff != "" {
		t.Errorf("harness.json differs from what is computed; 'go run ./cmd/explore harness --write' makes a new one (-published +computed):\n%s", diff)
	}
}

// Those of service episodes, too.
func TestEpisodeDocument(t *testing.T) {
	r, err := episode.Compute(t.Context(), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	computed, err := results.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(results.PublishedEpisode()), string(computed)); diff != "" {
		t.Errorf("episode.json differs from what is computed; 'go run ./cmd/explore episode --write' makes a new one (-published +computed):\n%s", diff)
	}
}

func TestPublishedIsReproduced(t *testing.T) {
	got, err := results.Encode(computed(t))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(results.Published()), string(got)); d != "" {
		t.Errorf("results.json differs from what is computed; 'go run ./cmd/explore --write' makes a new one (-published +computed):\n%s", d)
	}
}

// Other tools rely on these keys, and on the figures below them.
func TestDocument(t *testing.T) {
	data, err := results.Encode(computed(t))
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]json.RawMessage
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	compact := func(key string) string {
		var v any
		if err := json.Unmarshal(d[key], &v); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	whole := map[string]string{
		"schema": `"commitpoint/results/v1"`,
		"bounds": `{"chain":["read","candidate","trusted-verify","preflight","commit"],` +
			`"environment":["input-edit","artifact-edit","lease-expire","reassign","revoke","publish-behavior-v2"],` +
			`"max_environment_events":3,"order":[["lease-expire","reassign"]]}`,
		"totals":  `{"control_executions":91,"eligible":470,"executions":87022,"ineligible":6224,"scenarios":42,"schedules":6694}`,
		"replays": `{"changed_digest":16888,"changed_digest_rejected":16888,"identical":16888,"identical_same_receipt":16888}`,
	}
	for key, want := range whole {
		if got := compact(key); got != want {
			t.Errorf("%s = %s, want %s", key, got, want)
		}
	}
	parts := []struct{ key, want string }{
		{"source_digest", `"sha256:`},
		{"mechanisms", `{"checks":[],"eligible_reject":0,"evaluated_at":"commit","name":"self-report","safe_accept":470,"unsafe_accept":6224,"unsafe_reject":0}`},
		{"mechanisms", `"evaluated_at":"preflight","name":"preflight-cached","safe_accept":470,"unsafe_accept":718,"unsafe_reject":5506}`},
		{"scenarios", `[{"eligible":1,"eligible_reject":{},"events":[],"schedules":1,"unsafe_accept":{}},`},
		{"scenarios", `{"eligible":1,"eligible_reject":{},"events":["lease-expire","reassign"],"schedules":21,` +
			`"unsafe_accept":{"preflight-cached":2,"self-report":20,"without-attempt":15,"without-lease":5}}`},
		{"controls", `{"accepted_by":["self-report","attempt-lease","without-evidence"],"name":"forged-receipt"}`},
		{"counterexamples", `{"failed_checks":["attempt","fence"],"kind":"unsafe-accept","mechanism":"without-attempt","reasons":["attempt"],` +
			`"schedule":["read","candidate","trusted-verify","preflight","reassign","commit"]}`},
		{"counterexamples", `{"failed_checks":["latest-policy"],"kind":"eligible-reject","mechanism":"latest-policy","reasons":[],`},
	}
	for _, p := range parts {
		if got := compact(p.key); !strings.Contains(got, p.want) {
			t.Errorf("%s lacks %s", p.key, p.want)
		}
	}
}

// The scenarios add up to the totals.
func TestScenariosAddUp(t *testing.T) {
	d := computed(t)
	unsafe, reject := map[string]uint64{}, map[string]uint64{}
	var schedules, eligible uint64
	for _, s := range d.Scenarios {
		schedules += s.Schedules
		eligible += s.Eligible
		for name, n := range s.UnsafeAccept {
			unsafe[name] += n
			if n == 0 {
				t.Errorf("scenario %v has a zero for %s", s.Events, name)
			}
		}
		for name, n := range s.EligibleReject {
			reject[name] += n
		}
	}
	if schedules != d.Totals.Schedules || eligible != d.Totals.Eligible {
		t.Errorf("scenarios have %d schedules, %d eligible; totals say %+v", schedules, eligible, d.Totals)
	}
	for _, m := range d.Mechanisms {
		if unsafe[m.Name] != m.UnsafeAccept || reject[m.Name] != m.EligibleReject {
			t.Errorf("%s: %d unsafe accepts and %d eligible rejects by scenario, %+v in all", m.Name, unsafe[m.Name], reject[m.Name], m)
		}
	}
}

func TestEncodeIsCanonical(t *testing.T) {
	got, err := results.Encode(map[string]any{"b": []string{}, "a": "<→>"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"a\": \"<→>\",\n  \"b\": []\n}\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.Contains(string(results.Published()), "\r") {
		t.Error("results.json has a carriage return")
	}
	if _, err := results.Encode(func() {}); err == nil {
		t.Error("what has no JSON is encoded")
	}
}

func TestPublishedIsACopy(t *testing.T) {
	results.Published()[0] = 'x'
	if results.Published()[0] != '{' {
		t.Error("the published results can be changed")
	}
}

func TestValidate(t *testing.T) {
	const schema = "s/v1"
	tests := []struct{ name, data, want string }{
		{"right", `{"schema": "s/v1", "more": 1}` + "\n", ""},
		{"empty", " \n", "is empty"},
		{"truncated", `{"schema": "s/v1", "more": [1, `, "is truncated: its JSON ends too early"},
		{"not JSON", `schema: s/v1`, "is not JSON at byte 1: invalid character 's' looking for beginning of value"},
		{"two documents", `{"schema": "s/v1"} {}`, "has more after its first JSON document, at byte 20"},
		{"no schema", `{"totals": {}}`, `has no schema, where "s/v1" is expected`},
		{"future", `{"schema": "s/v2"}`, `has schema "s/v2", and this version reads "s/v1" only: use the version that wrote it`},
		{"array", `[1]`, "holds a JSON array, where an object with a schema is expected"},
		{"schema is a number", `{"schema": 1}`, "has a number as its schema, where a string is expected"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := results.Validate([]byte(tt.data), schema); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Validate = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	tests := []struct{ name, want, got, differences string }{
		{"equal but for layout", `{"a": [1, 2], "b": null}`, `{"b":null,"a":[1,2]}`, ""},
		{"a figure", `{"a": {"b": 1}}`, `{"a": {"b": 2}}`, "a.b: 1, 2"},
		{"large counts", `{"a": 61263893834336793600}`, `{"a": 61263893834336793601}`, "a: 61263893834336793600, 61263893834336793601"},
		{"by position", `{"a": [1, 2]}`, `{"a": [1, 3, 4]}`, "a[1]: 2, 3; a[2]: nothing, 4"},
		{"by name", `{"m": [{"name": "x", "n": 1}]}`, `{"m": [{"name": "x", "n": 2}]}`, "m[x].n: 1, 2"},
		{"by predicate, by property", `{"m": [{"predicate": "x", "n": 1}], "p": [{"property": "y", "n": 1}]}`, `{"m": [{"predicate": "x", "n": 2}], "p": [{"property": "y", "n": 2}]}`,
			"m[x].n: 1, 2; p[y].n: 1, 2"},
		{"a name changed", `{"m": [{"name": "x"}]}`, `{"m": [{"name": "y"}]}`, `m[x]: {"name":"x"}, nothing; m[y]: nothing, {"name":"y"}`},
		{"one gone from the middle", `{"m": [{"name": "x"}, {"name": "y"}, {"name": "z"}]}`, `{"m": [{"name": "x"}, {"name": "z"}]}`,
			`m[y]: {"name":"y"}, nothing`},
		{"names that are not unique", `{"m": [{"name": "x"}, {"name": "x", "n": 1}]}`, `{"m": [{"name": "x"}, {"name": "x", "n": 2}]}`, "m[1].n: 1, 2"},
		{"a key gone and one new", `{"a": 1, "c": 3}`, `{"b": 2, "c": 3}`, "a: 1, nothing; b: nothing, 2"},
		{"other types", `{"a": {"b": 1}, "c": [1]}`, `{"a": [1], "c": "1"}`, `a: {"b":1}, [1]; c: [1], "1"`},
		{"number and text", `{"a": 1}`, `{"a": "1"}`, `a: 1, "1"`},
		{"null and absent", `{"a": null}`, `{}`, "a: null, nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := results.Compare([]byte(tt.want), []byte(tt.got))
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, d := range found {
				list = append(list, d.Path+": "+d.Want+", "+d.Got)
			}
			if got := strings.Join(list, "; "); got != tt.differences {
				t.Errorf("differences = %s\nwant %s", got, tt.differences)
			}
		})
	}
	if _, err := results.Compare([]byte("{"), []byte("{}")); err == nil {
		t.Error("a truncated document is compared")
	}
}
