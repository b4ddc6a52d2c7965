package counterexamples_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
)

// sample is a trace with everything in it that formats can stumble over.
func sample() counterexamples.Trace {
	initial := counterexamples.State{{Name: "read", Value: "none"}, {Name: "a b", Value: "x"}}
	return counterexamples.Trace{
		Mechanism: "family/odd", Kind: "unsafe-accept", Reason: "lease", Summary: `"odd" went wrong; 50 % of it`,
		Schedule: []string{"w1:read", "größer#2", "commit"},
		Decision: "accepted", ReliedOn: []string{"lease"}, FailedChecks: []string{"lease"},
		Oracle:  counterexamples.Oracle{Eligible: false, Reasons: []string{"lease"}},
		Initial: initial,
		Steps: []counterexamples.Step{
			{
				Actor: "A", Event: "w1:read", Object: "input", Effect: "reads <1>",
				Changed: []counterexamples.Change{{Field: "read", From: "none", To: "1"}},
				State:   counterexamples.State{{Name: "read", Value: "1"}, {Name: "a b", Value: "x"}},
				Holds:   []string{"lease"}, Fails: []string{"evidence"},
			},
			{
				Actor: "clock", Event: "größer#2", Object: "task", Effect: "is marked, " + strings.Repeat("long ", 30), Marked: true,
				Changed: []counterexamples.Change{},
				State:   counterexamples.State{{Name: "read", Value: "1"}, {Name: "a b", Value: "x"}},
				Holds:   []string{"evidence"}, Fails: []string{"lease"},
			},
			{
				Actor: "service", Event: "commit", Object: "task", Effect: "ACCEPTED   relied on: lease",
				Changed: []counterexamples.Change{},
				State:   counterexamples.State{{Name: "read", Value: "1"}, {Name: "a b", Value: "x"}},
				Holds:   []string{"evidence"}, Fails: []string{"lease"},
			},
		},
		Notes:   []string{"not eligible: why"},
		Nearest: &counterexamples.Nearest{Schedule: []string{"w1:read", "commit", "größer#2"}, Later: "commit", Earlier: "größer#2", Decision: "accepted", Eligible: true},
		Replay:  "do it again",
	}
}

func TestWriteText(t *testing.T) {
	var b strings.Builder
	if err := counterexamples.WriteText(&b, sample()); err != nil {
		t.Fatal(err)
	}
	want := `"odd" went wrong; 50 % of it

  A         w1:read    reads <1>
                         read: none → 1; fails: evidence
> clock     größer#2   is marked, long long long long long long long long long long long long
                       long long long long long long long long long long long long long long
                       long long long long
                         holds now: evidence; fails now: lease
  service   commit     ACCEPTED   relied on: lease

not eligible: why
one swap away: with commit before größer#2 it is eligible and accepted

replay: do it again
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for line := range strings.Lines(b.String()) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 96 {
			t.Errorf("%q is too long", line)
		}
	}
}

// Names that leave no room for text do not keep the writer from its end.
func TestWriteTextBeyondTheWidth(t *testing.T) {
	x := sample()
	x.Steps[1].Event = strings.Repeat("e", 120)
	var b strings.Builder
	if err := counterexamples.WriteText(&b, x); err != nil || !strings.Contains(b.String(), x.Steps[1].Event) || strings.Count(b.String(), "long") != 30 {
		t.Errorf("%v, %s", err, &b)
	}
}

// Every writer reports a writer that fails.
func TestWritersReportErrors(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"text":    func(w io.Writer) error { return counterexamples.WriteText(w, sample()) },
		"json":    func(w io.Writer) error { return counterexamples.WriteJSON(w, []counterexamples.Trace{sample()}) },
		"itf":     func(w io.Writer) error { return counterexamples.WriteITF(w, sample()) },
		"mermaid": func(w io.Writer) error { return counterexamples.WriteMermaid(w, sample()) },
		"go": func(w io.Writer) error {
			return counterexamples.WriteGo(w, "x/y", "x/mechanisms", []counterexamples.Trace{sample()})
		},
	} {
		if err := write(closed{}); !errors.Is(err, errClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errClosed = errors.New("closed")

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errClosed }

func TestJSONRoundTrip(t *testing.T) {
	want := []counterexamples.Trace{sample(), sample()}
	want[0].Replay, want[1].Replay, want[1].Nearest = "", "", nil
	var b bytes.Buffer
	if err := counterexamples.WriteJSON(&b, want); err != nil {
		t.Fatal(err)
	}
	first := b.String()
	got, err := counterexamples.ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	var again strings.Builder
	if err := counterexamples.WriteJSON(&again, got); err != nil || again.String() != first {
		t.Errorf("written again it differs: %v\n%s", err, cmp.Diff(first, again.String()))
	}
	var none strings.Builder
	if err := counterexamples.WriteJSON(&none, nil); err != nil || !strings.Contains(none.String(), `"counterexamples": []`) {
		t.Errorf("no traces are %s, %v", &none, err)
	}
}

func TestReadJSONRefuses(t *testing.T) {
	var b strings.Builder
	if err := counterexamples.WriteJSON(&b, []counterexamples.Trace{sample()}); err != nil {
		t.Fatal(err)
	}
	good := b.String()
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in the document", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, tt := range []struct{ reason, text, want string }{
		{"nothing", "", "no document of traces: the JSON ends in the middle"},
		{"cut short", good[:len(good)/2], "no document of traces: the JSON ends in the middle"},
		{"no JSON", "read candidate", "no document of traces: not JSON, at byte 1: "},
		{"two documents", good + good, "no document of traces: not JSON, at byte "},
		{"a list", "[]", "no document of traces: cannot unmarshal array"},
		{"no schema", "{}", `no document of traces: it has no schema, which would be "commitpoint/trace/v1"`},
		{"another version", replace("trace/v1", "trace/v2"), `the document is of another schema, "commitpoint/trace/v2": this version reads "commitpoint/trace/v1"`},
		{"a field too many", replace(`"kind"`, `"kind2"`), `no document of traces: unknown field "kind2"`},
		{"no mechanism", replace(`"mechanism": "family/odd"`, `"mechanism": ""`), "counterexample 1 has no mechanism or no schedule"},
		{"a state that is a number", replace(`"read": "none"`, `"read": 3`), `no document of traces: field "read" of a state is no string`},
		{"ten megabytes", strings.Repeat("garbage ", 10<<17), "more than 4194304 bytes: that is no document of traces"},
		{"a bomb of brackets", strings.Repeat("[", 100_000), "no document of traces: not JSON, at byte 10001: invalid character '[' exceeded max depth"},
	} {
		got, err := counterexamples.ReadJSON(strings.NewReader(tt.text))
		if got != nil || err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %d traces, %.200v\nwant %s", tt.reason, len(got), err, tt.want)
		}
	}
	if _, err := counterexamples.ReadJSON(strings.NewReader(replace("trace/v1", "trace/v2"))); !errors.Is(err, counterexamples.ErrOtherSchema) {
		t.Errorf("another version is %v", err)
	}
}

func TestParseSchedule(t *testing.T) {
	for _, text := range []string{"read candidate commit", " read,candidate,\n commit\n", "read → candidate → commit", "\tread candidate\r\ncommit"} {
		if got, err := counterexamples.ParseSchedule(text); err != nil || !slices.Equal(got, []string{"read", "candidate", "commit"}) {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                           "the schedule is empty: give the names of its events, in order",
		" ,\n→":                      "the schedule is empty: give the names of its events, in order",
		strings.Repeat("read ", 65):  "a schedule of 65 events: there can be at most 64",
		strings.Repeat("x", 10<<20):  "10485760 bytes are no schedule: give the names of its events, at most 64",
		"read \x00\x01":              `"\x00\x01" is not the name of an event: this is no text`,
		"read \xff\xfe":              `"\xff\xfe" is not the name of an event: this is no text`,
		"read \x1b[31mcommit\x1b[0m": `"\x1b[31mcommit\x1b[0m" is not the name of an event: this is no text`,
	} {
		if got, err := counterexamples.ParseSchedule(text); got != nil || err == nil || err.Error() != want {
			t.Errorf("%.40q is %q, %v; want %s", text, got, err, want)
		}
	}
}

func TestSameOutcome(t *testing.T) {
	if same, difference := sample().SameOutcome(sample()); !same || difference != "" {
		t.Errorf("a trace differs from itself: %s", difference)
	}
	for want, change := range map[string]func(*counterexamples.Trace){
		"the decision was accepted and is refused now":                       func(x *counterexamples.Trace) { x.Decision = "refused" },
		"the kind of error was unsafe-accept and is none now":                func(x *counterexamples.Trace) { x.Kind = "" },
		"the request was not eligible and is eligible now":                   func(x *counterexamples.Trace) { x.Oracle.Eligible = true },
		"the list of checks that fail was lease and is none now":             func(x *counterexamples.Trace) { x.FailedChecks = nil },
		"the list of the oracle's reasons was lease and is lease, grant now": func(x *counterexamples.Trace) { x.Oracle.Reasons = []string{"lease", "grant"} },
	} {
		changed := sample()
		change(&changed)
		if same, difference := sample().SameOutcome(changed); same || difference != want {
			t.Errorf("%v, %s; want %s", same, difference, want)
		}
	}
	changed := sample()
	changed.Steps, changed.Summary, changed.Notes = nil, "", nil
	if same, _ := sample().SameOutcome(changed); !same {
		t.Error("the way to an outcome is no part of it")
	}
}

func TestWriteMermaid(t *testing.T) {
	var b strings.Builder
	if err := counterexamples.WriteMermaid(&b, sample()); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"sequenceDiagram\n    accTitle: \"odd\" went wrong#59; 50 #37; of it\n    participant p1 as A\n    participant p2 as input\n",
		"    p1->>p2: w1:read\n    Note over p1,p2: reads #lt;1#gt;\n",
		"    rect rgb(255, 235, 205)\n        p3->>p4: größer#35;2\n",
		"    end\n    p5->>p4: commit\n",
		"    Note over p1,p5: not eligible: why\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the diagram lacks\n%s\nit is\n%s", want, got)
		}
	}
	if opened, ended := strings.Count(got, "rect "), strings.Count(got, "    end\n"); opened != ended {
		t.Errorf("%d frames, %d ends", opened, ended)
	}
}

// The Go test that is written compiles against a package with RunHistory.
func TestWriteGo(t *testing.T) {
	var b strings.Builder
	if err := counterexamples.WriteGo(&b, "example.com/commitpoint/study", "example.com/commitpoint/mechanisms", []counterexamples.Trace{sample(), sample()}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"func TestFamilyOddUnsafeAcceptLease(t *testing.T) {",
		"func TestFamilyOddUnsafeAcceptLease2(t *testing.T) {",
		`m, err := mechanisms.Named("odd")`,
		`study.RunHistory(t, m, "w1:read", "größer#2", "commit")`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the test lacks\n%s\nit is\n%s", want, &b)
		}
	}
	file := filepath.Join(t.TempDir(), "x_test.go")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gofmt", "-l", file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("gofmt: %v, %s", err, out)
	}
}

func TestWriteITF(t *testing.T) {
	var b bytes.Buffer
	if err := counterexamples.WriteITF(&b, sample()); err != nil {
		t.Fatal(err)
	}
	if err := checkITF(b.Bytes()); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	var doc struct {
		Vars   []string
		States []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if want := []string{"actor", "event", "effect", "failing_checks", "read", "a_b"}; !slices.Equal(doc.Vars, want) {
		t.Errorf("variables %q, want %q", doc.Vars, want)
	}
	if len(doc.States) != 4 || doc.States[0]["event"] != "" || doc.States[2]["event"] != "größer#2" || doc.States[1]["read"] != "1" {
		t.Errorf("states %v", doc.States)
	}
}

// checkITF checks a document against the published shape (Apalache's ADR-015): an
// object with the variables, which each state has, and nothing else but metadata; every
// value is a string, a boolean, a list, an integer as {"#bigint": …}, a tuple, set, map,
// or record.
func checkITF(data []byte) error {
	var doc struct {
		Meta   map[string]any   `json:"#meta"`
		Params []string         `json:"params"`
		Vars   []string         `json:"vars"`
		States []map[string]any `json:"states"`
		Loop   *int             `json:"loop"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return err
	}
	if doc.Meta["format"] != "ITF" || len(doc.Vars) == 0 || len(doc.States) == 0 || doc.Loop != nil {
		return fmt.Errorf("%v, %d variables, %d states", doc.Meta, len(doc.Vars), len(doc.States))
	}
	vars := slices.Sorted(slices.Values(doc.Vars))
	if len(slices.Compact(vars)) != len(doc.Vars) {
		return fmt.Errorf("a variable is there twice: %q", doc.Vars)
	}
	for i, s := range doc.States {
		if meta, ok := s["#meta"].(map[string]any); !ok || meta["index"] != float64(i) {
			return fmt.Errorf("state %d has metadata %v", i, s["#meta"])
		}
		if len(s) != len(doc.Vars)+1 {
			return fmt.Errorf("state %d has %d variables of %d", i, len(s)-1, len(doc.Vars))
		}
		for _, v := range doc.Vars {
			value, ok := s[v]
			if !ok {
				return fmt.Errorf("state %d lacks %s", i, v)
			}
			if err := checkITFValue(value); err != nil {
				return fmt.Errorf("state %d, %s: %w", i, v, err)
			}
		}
	}
	return nil
}

func checkITFValue(v any) error {
	var parts []any
	switch v := v.(type) {
	case string, bool:
	case []any:
		parts = v
	case map[string]any:
		for key, inner := range v {
			list, isList := inner.([]any)
			switch {
			case key == "#bigint":
				if text, ok := inner.(string); !ok || strings.Trim(text, "-0123456789") != "" || len(v) > 1 {
					return fmt.Errorf("%v is no integer", v)
				}
			case key == "#set" || key == "#tup" || key == "#map":
				if !isList || len(v) > 1 {
					return fmt.Errorf("%v is no list", v)
				}
				parts = list
			case strings.HasPrefix(key, "#"):
				return fmt.Errorf("%q has no meaning", key)
			default:
				parts = append(parts, inner)
			}
		}
	default:
		return fmt.Errorf("%T is not allowed", v)
	}
	for _, p := range parts {
		if err := checkITFValue(p); err != nil {
			return err
		}
	}
	return nil
}
