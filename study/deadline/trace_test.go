package deadline

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/deadline"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// The shortest history of each error of each policy.
func TestTraces(t *testing.T) {
	const end = "probe probe#2 deadline probe#3 end"
	want := map[string][]string{
		"self-report": {
			"unsafe-accept never: report " + end,
			"unsafe-accept late: operate report probe probe#2 deadline converge probe#3 end",
			"eligible-reject not determined: operate converge " + end,
			"eligible-reject violated: observe report operate converge " + end,
		},
		"call-and-health": {
			"unsafe-accept never: " + end,
			"unsafe-accept late: operate probe probe#2 deadline converge probe#3 end",
			"eligible-reject violated: operate converge health-bad " + end,
		},
		"transcript-judge": {
			"unsafe-accept never: operate report " + end,
			"unsafe-accept late: operate probe probe#2 deadline converge observe probe#3 end",
			"eligible-reject not determined: operate converge " + end,
			"eligible-reject violated: operate observe converge " + end,
		},
		"report-time": {
			"unsafe-accept late: operate probe probe#2 report deadline converge probe#3 end",
			"eligible-reject not determined: operate converge " + end,
			"eligible-reject violated: operate report probe converge probe#2 deadline probe#3 end",
		},
		"until-deadline": {
			"eligible-reject after the last probe: operate probe probe#2 converge deadline probe#3 end",
			"eligible-reject its probe failed: operate probe converge miss#2 deadline probe#3 end",
			"eligible-reject between two probes: operate converge undo " + end,
		},
	}
	for _, p := range mechanisms.Policies() {
		traces, err := Traces(t.Context(), p, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range traces {
			got = append(got, x.Kind+" "+x.Reason+": "+strings.Join(x.Schedule, " "))
			again, err := Explain(p, x.Schedule...)
			if same, difference := x.SameOutcome(again); err != nil || !same {
				t.Errorf("%s: %v, %s", p.Name, err, difference)
			}
		}
		if d := cmp.Diff(want[p.Name], got); d != "" {
			t.Errorf("%s (-want +got):\n%s", p.Name, d)
		}
	}
}

// What a person reads.
func TestTraceReads(t *testing.T) {
	p, err := mechanisms.Named("until-deadline")
	if err != nil {
		t.Fatal(err)
	}
	x, err := Explain(p, strings.Fields("operate probe probe#2 converge deadline probe#3 end")...)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := counterexamples.WriteText(&b, x); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/after-the-last-probe.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/after-the-last-probe.txt")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}

func TestExplainRefuses(t *testing.T) {
	p, err := mechanisms.Named("self-report")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, history, want string }{
		{"nothing", "", "does not end with end"},
		{"no end", "operate probe", "does not end with end"},
		{"an unknown event", "operate done end", `unknown event "done"`},
		{"two operations", "operate operate-elsewhere probe probe#2 deadline probe#3 end", "is of no scenario"},
		{"a probe too few", "operate probe deadline probe#3 end", "is of no scenario"},
		{"no deadline", "operate probe probe#2 probe#3 end", "is of no scenario"},
		{"an event twice", "operate probe probe probe#2 deadline probe#3 end", "history has probe twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Explain(p, strings.Fields(tt.history)...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
	RunHistory(t, p, strings.Fields("operate converge report probe probe#2 deadline probe#3 end")...)
}
