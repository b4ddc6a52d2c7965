package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
)

// explore runs the command and returns what it prints, which nothing is said about.
func explore(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, &stdout, &stderr); code != exitHolds || stderr.Len() > 0 {
		t.Fatalf("explore %q: exit code %d, standard error %q", args, code, &stderr)
	}
	return stdout.String()
}

// known has the traces of mechanisms, by family and name: each is searched for once.
var known = map[string][]counterexamples.Trace{}

// remember lets the families of the command remember their traces until the end of a
// test; that any number of workers finds the same is for other tests.
func remember(t *testing.T) {
	saved, first := families, theStudy
	t.Cleanup(func() { families, theStudy = saved, first })
	families = slices.Clone(families)
	for i, f := range families {
		families[i].traces = func(ctx context.Context, m string, workers int) (traces []counterexamples.Trace, err error) {
			key := f.name + "/" + m
			if _, ok := known[key]; !ok {
				known[key], err = f.traces(ctx, m, workers)
			}
			return known[key], err
		}
	}
	theStudy = families[0]
}

// eachThatErrs calls do for every mechanism of every family that errs, with one trace
// for each kind and distinct reason, as explore trace writes them.
func eachThatErrs(t *testing.T, do func(t *testing.T, mechanism string, traces []counterexamples.Trace)) {
	remember(t)
	for _, name := range mechanismNames() {
		traces, err := counterexamples.ReadJSON(strings.NewReader(explore(t, "trace", name, "--distinct", "99", "--format", "json")))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(traces) > 0 {
			t.Run(name, func(t *testing.T) { do(t, name, traces) })
		}
	}
}

// save writes text to a new file and returns its name.
func save(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "saved")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What trace writes as JSON, replay reproduces, every step of it. It leaves out the
// reason that the trace was found for, and how often the error was counted, which it
// does not know but for directed controls: those it finds again.
func TestEveryDocumentReproduces(t *testing.T) {
	total := map[string]int{} // by family, and of controls
	eachThatErrs(t, func(t *testing.T, name string, traces []counterexamples.Trace) {
		file := save(t, explore(t, "trace", name, "--distinct", "99", "--format", "json"))
		if got, want := explore(t, "replay", file), fmt.Sprintf("\nreproduces: %d of %[1]d.\n", len(traces)); !strings.HasSuffix(got, want) {
			t.Errorf("replay ends %q, want %q", got[max(0, len(got)-40):], want)
		}
		again, err := counterexamples.ReadJSON(strings.NewReader(explore(t, "replay", file, "--format", "json")))
		if err != nil {
			t.Fatal(err)
		}
		for i := range traces {
			family, _, err := mechanismNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			if controlOf(traces[i]) != "" {
				total["controls"]++
				continue
			}
			total[family.name]++
			traces[i].Reason, traces[i].Summary = "", withoutCounts(traces[i].Summary)
		}
		if diff := cmp.Diff(traces, again); diff != "" {
			t.Errorf("-traced +replayed:\n%s", diff)
		}
	})
	if total["study"] != 22 || total["controls"] != 7 || total["contention"] != 21 || len(total) != len(families)+1 {
		t.Errorf("counterexamples of each family: %v; want 22 of the study, 7 in its controls, 21 of contention, and some of each other", total)
	}
}

// withoutCounts cuts off how many schedules were counted.
func withoutCounts(summary string) string {
	before, _, _ := strings.Cut(summary, " (")
	return before
}

// explained splits an explanation in text: its first paragraph is the summary, which is
// wrapped at another place without counts, and its last line is to be pasted.
func explained(t *testing.T, text string) (summary, rest, paste string) {
	t.Helper()
	summary, rest, _ = strings.Cut(text, "\n\n")
	rest, paste, ok := strings.Cut(rest, "\n\nreplay: ")
	if !ok {
		t.Fatalf("no line to paste in\n%s", text)
	}
	return withoutCounts(strings.Join(strings.Fields(summary), " ")), rest, strings.TrimSuffix(paste, "\n")
}

// texts returns the explanations that a run of explore trace prints.
func texts(t *testing.T, args ...string) []string {
	t.Helper()
	text := explore(t, args...)
	list := regexp.MustCompile(`(?s)".*?\nreplay: [^\n]*\n`).FindAllString(text, -1)
	if strings.Join(list, "\n") != text {
		t.Fatalf("explore %q prints more than explanations:\n%s", args, text)
	}
	return list
}

// The line to paste shows the same explanation.
func TestEveryPastedLineExplainsTheSame(t *testing.T) {
	replaying := regexp.MustCompile(`^echo '(.*)' \| explore replay --mechanism (\S+) -$`)
	eachThatErrs(t, func(t *testing.T, name string, traces []counterexamples.Trace) {
		list := texts(t, "trace", name, "--distinct", "99")
		if len(list) != len(traces) {
			t.Fatalf("%d explanations of %d traces", len(list), len(traces))
		}
		for i, text := range list {
			summary, rest, paste := explained(t, text)
			if controlOf(traces[i]) != "" {
				command := strings.Fields(paste)
				if again := texts(t, command[1:]...); command[0] != "explore" || !slices.Contains(again, text) {
					t.Errorf("%s does not show again\n%s", paste, text)
				}
				continue
			}
			m := replaying.FindStringSubmatch(paste)
			if want := strings.Join(traces[i].Schedule, " "); m == nil || m[1] != want || m[2] != name {
				t.Fatalf("the line to paste is %q; want %s, %s", paste, want, name)
			}
			summaryAgain, restAgain, pasteAgain := explained(t, explore(t, "replay", "--mechanism", m[2], save(t, m[1]+"\n")))
			if diff := cmp.Diff([]string{summary, rest, paste}, []string{summaryAgain, restAgain, pasteAgain}); diff != "" {
				t.Errorf("-traced +replayed:\n%s", diff)
			}
		}
	})
}

// as writes one trace in a format that shows only one; what the command shows, which
// is the first of each kind, is the same.
func as(t *testing.T, format string, traces []counterexamples.Trace, i int) string {
	t.Helper()
	f, err := formatNamed(format, "trace")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.write(&b, theStudy, traces[i:i+1]); err != nil {
		t.Fatal(err)
	}
	if x := traces[i]; i == 0 || traces[i-1].Kind != x.Kind {
		if diff := cmp.Diff(b.String(), explore(t, "trace", x.Mechanism, "--kind", x.Kind, "--format", format)); diff != "" {
			t.Errorf("-written +shown:\n%s", diff)
		}
	}
	return b.String()
}

func TestEveryITFIsValid(t *testing.T) {
	eachThatErrs(t, func(t *testing.T, name string, traces []counterexamples.Trace) {
		for i, x := range traces {
			if err := checkITF(as(t, "itf", traces, i), x); err != nil {
				t.Errorf("%s: %v", x.Reason, err)
			}
		}
	})
}

// checkITF checks a document against the shape that Apalache's ADR-015 publishes, as
// far as we use it, and against the trace that it shows: a state has the variables,
// each a string or a set of strings, and nothing else but metadata.
func checkITF(text string, x counterexamples.Trace) error {
	var doc struct {
		Meta   map[string]string            `json:"#meta"`
		Params []string                     `json:"params"`
		Vars   []string                     `json:"vars"`
		States []map[string]json.RawMessage `json:"states"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows the document: %v", err)
	}
	if doc.Meta["format"] != "ITF" || doc.Params == nil || len(doc.States) != len(x.Steps)+1 {
		return fmt.Errorf("metadata %v, parameters %v, %d states", doc.Meta, doc.Params, len(doc.States))
	}
	for i, s := range doc.States {
		if got, want := slices.Sorted(maps.Keys(s)), slices.Sorted(slices.Values(append([]string{"#meta"}, doc.Vars...))); !slices.Equal(got, want) {
			return fmt.Errorf("state %d has %q, want %q", i, got, want)
		}
		var event string
		for _, v := range doc.Vars {
			var one string
			var set map[string][]string
			if json.Unmarshal(s[v], &one) != nil && (json.Unmarshal(s[v], &set) != nil || len(set) != 1 || set["#set"] == nil) {
				return fmt.Errorf("state %d has %s = %s, which is no string and no set of strings", i, v, s[v])
			}
			if v == "event" {
				event = one
			}
		}
		want, fields := "", x.Initial
		if i > 0 {
			want, fields = x.Steps[i-1].Event, x.Steps[i-1].State
		}
		if event != want || len(fields)+4 != len(doc.Vars) {
			return fmt.Errorf("state %d has event %q and %d variables; want %q and %d", i, event, len(doc.Vars), want, len(fields)+4)
		}
	}
	return nil
}

func TestEveryDiagramIsWellFormed(t *testing.T) {
	eachThatErrs(t, func(t *testing.T, name string, traces []counterexamples.Trace) {
		for i, x := range traces {
			if err := checkMermaid(as(t, "mermaid", traces, i), x); err != nil {
				t.Errorf("%s: %v", x.Reason, err)
			}
		}
	})
}

// mermaid is every kind of line that our diagrams have, in the syntax of Mermaid 11.
// Free text has no semicolon, which ends a statement, and no number sign, which begins
// an entity, but for entities.
var (
	mermaid = regexp.MustCompile(`^(?:accTitle: TEXT|participant (?P<new>p\d+) as TEXT|(?P<from>p\d+)->>(?P<to>p\d+): TEXT|` +
		`Note over (?P<left>p\d+),(?P<right>p\d+): TEXT|(?P<rect>rect) rgb\(\d+, \d+, \d+\)|(?P<end>end))$`)
	freeText = regexp.MustCompile(`^(?:[^;#%<>]|#(?:\d+|lt|gt);)+$`)
)

func checkMermaid(text string, x counterexamples.Trace) error {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "sequenceDiagram" {
		return fmt.Errorf("it begins with %q", lines[0])
	}
	declared, framed, messages, frames := map[string]bool{}, false, 0, 0
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		head, label, _ := strings.Cut(line, ": ")
		if before, name, ok := strings.Cut(line, " as "); ok && strings.HasPrefix(line, "participant ") {
			head, label = before+" as ", name
		} else if label != "" {
			head += ": "
		}
		if label != "" {
			if !freeText.MatchString(label) {
				return fmt.Errorf("%q is taken for syntax", label)
			}
			head += "TEXT"
		}
		m := mermaid.FindStringSubmatch(head)
		if m == nil {
			return fmt.Errorf("no line of a diagram: %q", line)
		}
		group := func(name string) string { return m[mermaid.SubexpIndex(name)] }
		for _, used := range []string{"from", "to", "left", "right"} {
			if name := group(used); name != "" && !declared[name] {
				return fmt.Errorf("%s is used and not declared", name)
			}
		}
		switch {
		case group("new") != "":
			declared[group("new")] = true
		case group("from") != "":
			messages++
		case group("rect") != "" && !framed:
			framed = true
			frames++
		case group("end") != "" && framed:
			framed = false
		case group("rect") != "" || group("end") != "":
			return errors.New("frames and their ends do not match")
		}
	}
	marked := 0
	for _, s := range x.Steps {
		if s.Marked {
			marked++
		}
	}
	if framed || messages != len(x.Steps) || frames != marked {
		return fmt.Errorf("%d messages and %d frames, want %d and %d; a frame is left open: %v", messages, frames, len(x.Steps), marked, framed)
	}
	return nil
}

// Every Go test that is written compiles, in somebody's module, and fails with the
// explanation. There is none of a directed control.
func TestEveryGoTestFails(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{} // explanation, by the name of the test
	eachThatErrs(t, func(t *testing.T, name string, traces []counterexamples.Trace) {
		traces = slices.DeleteFunc(traces, func(x counterexamples.Trace) bool { return controlOf(x) != "" })
		if len(traces) == 0 {
			return
		}
		distinct := strconv.Itoa(len(traces)) // controls are the last
		source := explore(t, "trace", name, "--distinct", distinct, "--format", "go")
		file := filepath.Join(dir, "study", filepath.FromSlash(name)+"_test.go")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(source), 0o600)); err != nil {
			t.Fatal(err)
		}
		functions := regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(source, -1)
		if len(functions) != len(traces) {
			t.Fatalf("%d tests for %d traces", len(functions), len(traces))
		}
		for i, text := range texts(t, "trace", name, "--distinct", distinct) {
			test := functions[i][1]
			if want[test] != "" {
				t.Errorf("two tests are called %s", test)
			}
			summary, rest, _ := explained(t, text)
			want[test] = strings.Join(strings.Fields(summary+" "+rest), " ")
		}
	})
	got := runGoTests(t, dir)
	for test, explanation := range want {
		if g := got[test]; g.outcome != "fail" || !strings.Contains(strings.Join(strings.Fields(g.output), " "), explanation) {
			t.Errorf("%s: %q, want a failure with\n%s\nit says\n%s", test, g.outcome, explanation, g.output)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d tests ran, want all %d", len(got), len(want))
	}
}

// A tested is how a Go test ended, and what it said.
type tested struct{ outcome, output string }

// runGoTests makes a module of dir, which imports this one, and runs all its tests
// once.
func runGoTests(t *testing.T, dir string) map[string]tested {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	module := "module pasted.example\n\ngo 1.26\n\nrequire example.com/commitpoint v0.0.0\n\nreplace example.com/commitpoint => " + root + "\n"
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600), os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-json", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output() // fails, as its tests do
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("go test: %v\n%s", err, out)
	}
	results := map[string]tested{}
	for line := range bytes.Lines(out) {
		var e struct{ Action, Test, Output string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		r := results[e.Test]
		r.output += e.Output
		if e.Action == "pass" || e.Action == "fail" {
			r.outcome = e.Action
		}
		results[e.Test] = r
	}
	delete(results, "") // what is said of a package
	return results
}

// Whatever is interrupted prints nothing, and is incomplete.
func TestInterruptedCommandsAreIncomplete(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{
		{"trace", "atomic"}, {"trace", "contention/atomic"}, {"hoist"}, {"hoist", "contention", "--json"}, {"coverage"}, {"coverage", "--json"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(ctx, args, &stdout, &stderr)
		if said := stderr.String(); code != exitIncomplete || !strings.HasPrefix(said, "explore: incomplete after 0 ") ||
			!strings.HasSuffix(said, ": interrupted, nothing is said of the rest; run it again\n") || strings.Count(said, "\n") > 1 || stdout.Len() > 0 {
			t.Errorf("explore %q, interrupted: exit code %d, standard error %q, %d bytes of output", args, code, said, stdout.Len())
		}
	}
}
