package ownership

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
)

func named(t *testing.T, name string) mechanisms.Mechanism {
	t.Helper()
	m, err := mechanisms.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func found(t *testing.T, traces []counterexamples.Trace, err error) (list []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range traces {
		list = append(list, x.Kind+" "+x.Reason+": "+strings.Join(x.Schedule, " "))
	}
	return list
}

// The shortest history of each error of each mechanism. The reference has none.
func TestTraces(t *testing.T) {
	want := map[string][]string{
		"by-port": {
			"unsafe-accept generation: first:ask first:look a:advance first:remove",
			"unsafe-accept owner: first:ask first:look a:exit b:reuse first:remove",
			"unsafe-accept run: first:ask first:look a:exit other:reuse first:remove",
		},
		"any-run": {
			"unsafe-accept run: first:ask first:look a:exit other:reuse first:remove",
		},
		"any-owner": {
			"unsafe-accept owner: a:advance first:ask first:look a:exit b:reuse first:remove",
		},
		"any-generation": {
			"unsafe-accept generation: first:ask first:look a:advance first:remove",
		},
		"checked-early": {
			"unsafe-accept generation: first:ask first:look a:advance first:remove",
			"unsafe-accept owner: first:ask first:look a:exit b:reuse first:remove",
			"unsafe-accept run: first:ask first:look a:exit other:reuse first:remove",
		},
		"blind-retry": {
			"unsafe-accept generation: first:ask first:look first:remove retry:ask retry:look a:advance retry:remove",
			"unsafe-accept owner: first:ask first:look first:remove retry:ask retry:look b:reuse retry:remove",
			"unsafe-accept run: first:ask first:look first:remove retry:ask retry:look other:reuse retry:remove",
		},
		"whole-run": {
			"unsafe-accept bystander: first:ask first:look first:remove",
		},
		"ignores-lease": {
			"unsafe-accept retained: first:ask first:look approve first:remove",
		},
		"misses-renewal": {
			"unsafe-accept retained: first:ask first:look approve prior-expiry renew final-expiry first:remove",
		},
		"late-approval": {
			"eligible-reject unretained: first:ask first:look prior-expiry approve first:remove",
		},
		"sticky-lease": {
			"eligible-reject unretained: first:ask first:look approve prior-expiry final-expiry first:remove",
		},
		"stale-lease": {
			"eligible-reject unretained: approve a:advance first:ask first:look first:remove",
		},
		"late-renewal": {
			"eligible-reject unretained: first:ask first:look approve prior-expiry final-expiry renew first:remove",
		},
		"silence-is-removed": {
			"unsafe-accept unanswered: first:ask first:look first:remove first:report",
			"unsafe-accept no-inventory: first:ask first:look first:remove first:report",
			"unsafe-accept running: first:ask first:look approve first:remove first:report",
			"unsafe-accept listed: first:ask first:look approve first:remove first:list first:report",
			"unsafe-accept outage: first:ask first:look first:remove inventory-down first:list first:report",
		},
		"any-answer": {
			"unsafe-accept not-removed: first:ask first:look a:advance first:remove first:acked first:report",
			"unsafe-accept no-inventory: first:ask first:look a:advance first:remove first:acked first:report",
			"unsafe-accept running: first:ask first:look approve first:remove first:acked first:report",
			"unsafe-accept listed: first:ask first:look approve first:remove first:acked first:list first:report",
			"unsafe-accept outage: first:ask first:look a:advance first:remove first:acked inventory-down first:list first:report",
		},
		"outage-is-absence": {
			"unsafe-accept unanswered: first:ask first:look first:remove inventory-down first:list first:report",
			"unsafe-accept outage: first:ask first:look first:remove inventory-down first:list first:report",
			"unsafe-accept running: first:ask first:look approve first:remove inventory-down first:list first:report",
			"unsafe-accept not-removed: first:ask first:look a:advance first:remove first:acked inventory-down first:list first:report",
		},
		"never-removes": {
			"eligible-reject unexplained: first:ask first:look first:remove",
		},
		"never-sure": {
			"eligible-reject unexplained: first:ask first:look first:remove first:acked first:report",
		},
	}
	for _, m := range mechanisms.All() {
		traces, err := Traces(t.Context(), m, enumerate.Options{})
		if d := cmp.Diff(want[m.Name], found(t, traces, err)); d != "" {
			t.Errorf("%s (-want +got):\n%s", m.Name, d)
		}
		for _, x := range traces {
			again, err := Explain(m, x.Schedule...)
			if err != nil {
				t.Fatal(err)
			}
			if again.Reason = x.Reason; !reflect.DeepEqual(again, x) || x.Mechanism != "ownership/"+m.Name {
				t.Errorf("explained again\n%+v\nis\n%+v", x, again)
			}
		}
	}
}

// The whole order, which takes longer to search, has no shorter histories and no other
// errors.
func TestTracesOfTheWholeOrder(t *testing.T) {
	for _, name := range []string{"by-port", "any-answer"} {
		m := named(t, name)
		few, err := Traces(t.Context(), m, enumerate.Options{})
		want := found(t, few, err)
		all, err := traces(t.Context(), []enumerate.Order[model.Event]{Order()}, m, enumerate.Options{})
		if d := cmp.Diff(want, found(t, all, err)); d != "" {
			t.Errorf("%s (-restricted +whole):\n%s", name, d)
		}
	}
}

// What a person reads.
func TestTracesRead(t *testing.T) {
	for _, tt := range []struct{ file, mechanism, history string }{
		{"blind-retry.txt", "blind-retry", "first:ask first:look first:remove retry:ask retry:look b:reuse retry:remove"},
		{"outage.txt", "outage-is-absence", "first:ask first:look approve first:remove first:acked inventory-down first:list first:report"},
		{"every-event.txt", "exact", "a:exit other:reuse b:reuse a:advance prior-expiry approve final-expiry renew first:ask first:look first:remove " +
			"first:acked inventory-down inventory-up first:list first:report retry:ask retry:look retry:remove retry:list retry:report"},
		{"every-event-again.txt", "whole-run", "approve renew prior-expiry final-expiry a:advance first:ask retry:ask first:look a:exit retry:look b:reuse other:reuse " +
			"inventory-down first:remove first:list first:report inventory-up retry:remove retry:list retry:acked retry:report"},
		{"swept.txt", "whole-run", "first:ask first:look first:remove first:acked retry:ask retry:look retry:remove first:list first:report"},
		{"still-there.txt", "exact", "approve first:ask first:look first:remove first:list first:report"},
		{"by-port.txt", "by-port", "first:ask first:look first:remove b:reuse a:exit retry:ask retry:look retry:remove"},
		{"nothing-there.txt", "checked-early", "first:ask first:look a:exit first:remove"},
	} {
		x, err := Explain(named(t, tt.mechanism), strings.Fields(tt.history)...)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := counterexamples.WriteText(&b, x); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", tt.file)
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), b.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.file, d)
		}
	}
}

// The ways in which a decision and the judgement can meet.
func TestExplain(t *testing.T) {
	const ask = "first:ask first:look "
	for _, tt := range []struct{ name, mechanism, history, kind, decision, failed, eligible, reasons, summary string }{
		{"right to remove", "exact", ask + "first:remove", "", "removed", "", "eligible", "",
			"removed what was in the slot, A's generation 1, when asked to remove A's generation 1, which was eligible"},
		{"wrong to remove", "any-generation", ask + "a:advance first:remove", "unsafe-accept", "removed", "generation", "not eligible", "generation",
			"removed what was in the slot, A's generation 2, when asked to remove A's generation 1, which was not eligible"},
		{"right to refuse", "exact", ask + "a:advance approve first:remove", "", "refused", "generation unretained", "not eligible", "generation retained",
			"refused to remove A's generation 1, with A's generation 2 in the slot, which was not eligible"},
		{"wrong to refuse", "late-approval", ask + "prior-expiry approve first:remove", "eligible-reject", "refused", "unretained", "eligible", "",
			"refused to remove A's generation 1, with A's generation 1 in the slot, which was eligible"},
		{"no check refuses", "never-removes", ask + "first:remove", "eligible-reject", "refused", "", "eligible", "",
			"refused to remove A's generation 1, with A's generation 1 in the slot, which was eligible"},
		{"nothing to remove", "exact", ask + "a:exit first:remove", "", "refused", "present", "eligible", "",
			"refused to remove A's generation 1, with nothing in the slot, which was eligible"},
		{"nothing is removed", "checked-early", ask + "a:exit first:remove", "", "removed", "present", "eligible", "",
			"found nothing in the slot when asked to remove A's generation 1, which was eligible"},
		{"more is removed", "whole-run", ask + "first:remove", "unsafe-accept", "removed all of the run's", "", "not eligible", "bystander",
			"removed what was in the slot, A's generation 1, when asked to remove A's generation 1, which was not eligible"},
		{"right to report", "exact", ask + "first:remove first:list first:report", "", "reported removed", "", "eligible", "",
			"reported A's generation 1 as removed, which was eligible"},
		{"wrong to report", "silence-is-removed", ask + "first:remove first:report", "unsafe-accept", "reported removed", "evidence", "not eligible",
			"unanswered no-inventory", "reported A's generation 1 as removed, which was not eligible"},
		{"right not to", "exact", ask + "first:remove first:report", "", "reported unknown", "evidence", "not eligible", "unanswered no-inventory",
			"reported A's generation 1 as unknown, which was not eligible"},
		{"wrong not to", "never-sure", ask + "first:remove first:acked first:report", "eligible-reject", "reported unknown", "", "eligible", "",
			"reported A's generation 1 as unknown, which was eligible"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, err := Explain(named(t, tt.mechanism), strings.Fields(tt.history)...)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{x.Kind, x.Decision, strings.Join(x.FailedChecks, " "), strings.Join(x.Oracle.Reasons, " "), x.Summary}
			want := []string{tt.kind, tt.decision, tt.failed, tt.reasons, `"ownership/` + tt.mechanism + `" ` + tt.summary}
			if !slices.Equal(got, want) || x.Oracle.Eligible != (tt.eligible == "eligible") || x.Reason != "" {
				t.Errorf("%q, eligible %v\nwant %q, %s", got, x.Oracle.Eligible, want, tt.eligible)
			}
		})
	}
}

func TestExplainRefuses(t *testing.T) {
	for _, tt := range []struct{ name, history, want string }{
		{"nothing", "", `history "" does not end with a removal or a report, as in first:remove: there is nothing to judge`},
		{"no decision at the end", "first:ask first:look first:remove first:acked",
			`history "first:ask first:look first:remove first:acked" does not end with a removal or a report, as in first:remove: there is nothing to judge`},
		{"an impossible order", "first:look first:ask first:remove", "history has first:look before first:ask, which must precede it"},
		{"a retry before the first request", "retry:ask retry:look retry:remove", "history has retry:ask before first:ask, which must precede it"},
		{"a renewal of nothing", "renew first:ask first:look first:remove", "history has renew before approve, which must precede it"},
		{"an expiry before the one before", "final-expiry", "history has final-expiry before prior-expiry, which must precede it"},
		{"an outage that ends first", "inventory-up", "history has inventory-up before inventory-down, which must precede it"},
		{"an early answer", "first:ask first:acked", "history has first:acked before first:look, which must precede it"},
		{"an early inventory", "first:ask first:list", "history has first:list before first:look, which must precede it"},
		{"an early report", "first:ask first:look first:report", "history has first:report before first:remove, which must precede it"},
		{"an early end", "end", "history has end before first:ask, which must precede it"},
		{"twice", "a:exit a:exit", "history has a:exit twice"},
		{"an unknown event", "first:ask first:kill", `unknown event "first:kill": the events are first:ask, first:look, first:remove, `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, err := Explain(mechanisms.Exact(), strings.Fields(tt.history)...)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || !reflect.DeepEqual(x, counterexamples.Trace{}) {
				t.Errorf("%+v, %v\nwant %s", x, err, tt.want)
			}
		})
	}
}

// TestTraceChild is run by TestRunHistory, in a process of its own.
func TestTraceChild(t *testing.T) {
	if words := strings.Fields(os.Getenv("COMMITPOINT_OWNERSHIP")); len(words) > 0 {
		RunHistory(t, named(t, words[0]), words[1:]...)
	}
}

func TestRunHistory(t *testing.T) {
	for _, tt := range []struct {
		what   string
		passes bool
		prints string
	}{
		{"exact first:ask first:look a:advance first:remove", true, "--- PASS: TestTraceChild "},
		{"by-port first:ask first:look a:advance first:remove", false, `"ownership/by-port" removed what was in the slot`},
		{"never-sure first:ask first:look first:remove first:acked first:report", false, "as unknown, which was eligible"},
		{"exact first:ask", false, "there is nothing to judge"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTraceChild$", "-test.v")
		cmd.Env = append(os.Environ(), "COMMITPOINT_OWNERSHIP="+tt.what)
		out, err := cmd.CombinedOutput()
		if (err == nil) != tt.passes || !strings.Contains(string(out), tt.prints) {
			t.Errorf("%s: %v, want a pass %v and %q in\n%s", tt.what, err, tt.passes, tt.prints, out)
		}
	}
}
