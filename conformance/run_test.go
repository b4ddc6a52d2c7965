package conformance_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/internal/wrapped"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// golden compares text with a file in testdata.
func golden(t *testing.T, file, text string) {
	t.Helper()
	path := "testdata/" + file
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), text); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// What a person reads.
func TestErrorsExplain(t *testing.T) {
	for _, tt := range []struct {
		file, mechanism string
		events          []string
	}{
		{"preflight-cached.txt", "preflight-cached", without(wrapped.StudyEvents(), "artifact-edit", "other-task")},
		{"latest-policy.txt", "latest-policy", wrapped.StudyEvents()},
	} {
		t.Run(tt.file, func(t *testing.T) {
			err := conformance.Test(wrapped.Study(named(t, tt.mechanism), tt.events...), conformance.Options{})
			if !errors.Is(err, conformance.ErrWrong) {
				t.Fatal(err)
			}
			golden(t, tt.file, err.Error()+"\n")
		})
	}
	if err := conformance.Test(wrapped.Study(named(t, "atomic")), conformance.Options{}); err != nil {
		t.Error(err)
	}
	var text strings.Builder
	r := check(t, wrapped.Study(named(t, "atomic")), conformance.Options{Mode: conformance.Sample, Samples: 10})
	if err := r.WriteText(&text); err != nil {
		t.Error(err)
	}
	golden(t, "atomic.txt", text.String())
}

const childEnv = "COMMITPOINT_CONFORMANCE_CHILD"

// TestRunChild is what TestRun runs: it fails, as tests of services that are wrong do.
func TestRunChild(t *testing.T) {
	switch os.Getenv(childEnv) {
	case "":
		t.Skip("this test fails; TestRun runs it, in a process of its own")
	case "run":
		events := without(wrapped.StudyEvents(), "artifact-edit", "inadequate-checker")
		conformance.Run(t, wrapped.Study(named(t, "without-lease"), events...), conformance.Options{})
	case "fault":
		conformance.Run(t, hook(func(h *hooked) { h.apply = failsOn("revoke", func() error { return errBroken }) }), conformance.Options{})
	case "usage":
		conformance.Run(t, wrapped.Study(named(t, "atomic")), conformance.Options{Workers: -1})
	case "history":
		conformance.RunHistory(t, wrapped.Study(named(t, "without-lease")), "read", "candidate", "trusted-verify", "preflight", "lease-expire", "commit")
	case "right history":
		conformance.RunHistory(t, wrapped.Study(named(t, "atomic")), "read", "candidate", "trusted-verify", "preflight", "lease-expire", "commit", "retry")
	case "no history":
		conformance.RunHistory(t, wrapped.Study(named(t, "atomic")), "read", "commit", "candidate")
	}
}

// Run has a subtest for each reason: failed ones explain, passed ones say how often they
// could have failed, and what nothing exercised is skipped.
func TestRun(t *testing.T) {
	for _, tt := range []struct {
		child string
		fails bool
		want  []string
	}{
		{"run", true, []string{
			"--- FAIL: TestRunChild/study/unsafe-accept/lease ",
			`"without-lease" accepted a completion that was not eligible (`,
			"replay: go test -run '^TestRunChild$/^study$/^unsafe-accept$/^lease$'",
			"--- PASS: TestRunChild/study/unsafe-accept/grant ",
			"--- PASS: TestRunChild/study/eligible-reject/any ",
			"--- PASS: TestRunChild/study/wrong-record/other-receipt ",
			"requests could have shown it",
			"--- SKIP: TestRunChild/study/unsafe-accept/artifact ",
			"not exercised: the system lacks some of artifact-edit, inadequate-checker",
		}},
		{"fault", true, []string{"revoke: the connection is gone; the schedule of study was [", "--- FAIL: TestRunChild "}},
		{"usage", true, []string{"-1 workers: use 1 or more"}},
		{"history", true, []string{"lease-expire", "ACCEPTED", "replay: go test -run '^TestRunChild$'"}},
		{"right history", false, []string{"--- PASS: TestRunChild "}},
		{"no history", true, []string{"commit before candidate, which must precede it"}},
	} {
		t.Run(tt.child, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestRunChild$", "-test.v")
			cmd.Env = append(os.Environ(), childEnv+"="+tt.child)
			out, err := cmd.CombinedOutput()
			if (err != nil) != tt.fails {
				t.Errorf("%v\n%s", err, out)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}

// One history is told up to where it goes wrong.
func TestExplain(t *testing.T) {
	history := strings.Fields("read candidate trusted-verify preflight lease-expire commit")
	trace, err := conformance.Explain(t.Context(), wrapped.Study(named(t, "without-lease")), conformance.Options{}, append(history, "retry", "retry-other")...)
	if err != nil || trace.Kind != "unsafe-accept" || trace.Reason != "lease" || len(trace.Steps) != 6 || trace.Decision != "accepted" || trace.Nearest == nil {
		t.Errorf("%+v, %v", trace, err)
	}
	trace, err = conformance.Explain(t.Context(), wrapped.Study(named(t, "atomic")), conformance.Options{}, append(history, "retry")...)
	if err != nil || trace.Kind != "" || len(trace.Steps) != 7 || trace.Decision != "refused" || trace.Summary != `"atomic" is right in this schedule` {
		t.Errorf("%+v, %v", trace, err)
	}
	for _, tt := range []struct {
		name   string
		change func(*hooked)
		events string
		want   string
	}{
		{"an unknown event", func(*hooked) {}, "read rewoke", `unknown event "rewoke": the events of study are read, candidate,`},
		{"an event of another set", func(*hooked) {}, "a:read a:candidate", "the system is driven through no scenario of contract/"},
		{"a fault", func(h *hooked) { h.apply = failsOn("candidate", func() error { return errBroken }) }, "read candidate", "the connection is gone"},
		{"a system that can't be opened", func(*hooked) { panic("no") }, "read", "open: panics: no"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := conformance.Explain(t.Context(), hook(tt.change), conformance.Options{}, strings.Fields(tt.events)...)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}
