package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"example.com/commitpoint/study/harness/checks"
)

// One check that failed makes the exit code 1, one that was not run 3, and neither hides
// the other from the reader.
func TestChecksThatDoNotPass(t *testing.T) {
	pass := checks.Case{ID: "RC-01", Result: checks.Pass, Observation: "advance"}
	fail := checks.Case{ID: "RC-02", Result: checks.Fail, Observation: "reconcile"}
	notRun := checks.Case{ID: "LC-01", Result: checks.NotRun, Observation: "no namespaces here"}
	for name, tt := range map[string]struct {
		cases  []checks.Case
		code   int
		counts string
	}{
		"all pass":  {[]checks.Case{pass, pass}, exitHolds, "2 checks (full): 2 passed, 0 failed, 0 not run."},
		"one fails": {[]checks.Case{pass, fail}, exitDifferent, "1 passed, 1 failed, 0 not run."},
		"not run":   {[]checks.Case{pass, notRun}, exitIncomplete, "1 passed, 0 failed, 1 not run."},
		"both":      {[]checks.Case{notRun, fail, pass}, exitDifferent, "1 passed, 1 failed, 1 not run."},
	} {
		s := checks.Summarize(checks.Full, tt.cases)
		if code := exitCode(outcomeOf(s), io.Discard); code != tt.code {
			t.Errorf("%s: exit code %d, want %d", name, code, tt.code)
		}
		var out bytes.Buffer
		if err := printChecks(&out, s, false); err != nil {
			t.Fatal(err)
		}
		for _, c := range tt.cases {
			if line := c.ID + "  " + string(c.Result); !strings.Contains(out.String(), line) {
				t.Errorf("%s: no line %q in\n%s", name, line, &out)
			}
		}
		if !strings.HasSuffix(out.String(), tt.counts+"\n") {
			t.Errorf("%s: the last line is not %q:\n%s", name, tt.counts, &out)
		}
	}
}

// Interrupted, the checks are not run, and say so.
func TestChecksInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"harness"}, &stdout, &stderr)
	if code != exitIncomplete || strings.Count(stdout.String(), "  NOT RUN  ") != 40 || !strings.Contains(stdout.String(), "0 passed, 0 failed, 40 not run.") {
		t.Errorf("exit code %d, standard error %q:\n%s", code, &stderr, &stdout)
	}
	for _, args := range [][]string{{"harness", "--check"}, {"harness", "budget"}, {"harness", "ownership", "--json"}} {
		stdout.Reset()
		stderr.Reset()
		if code := run(ctx, args, &stdout, &stderr); code != exitIncomplete || stdout.Len() > 0 || !strings.Contains(stderr.String(), "interrupted") {
			t.Errorf("explore %q: exit code %d, %d bytes of output, standard error %q", args, code, stdout.Len(), &stderr)
		}
	}
}
