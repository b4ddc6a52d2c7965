package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An interrupted run says so, and prints nothing as if it were the result.
func TestInterruptedRecordings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trials.jsonl")
	if err := os.WriteFile(file, []byte("{}\n{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"deadline", "--recordings", file}, &stdout, &stderr)
	want := "explore: interrupted after 0 trials, nothing is said of the rest; run it again\n"
	if code != exitIncomplete || stderr.String() != want || stdout.Len() > 0 {
		t.Errorf("exit code %d, standard error %q, %d bytes of output; want 3, %q and none", code, &stderr, stdout.Len(), want)
	}
}

// The published figures, as the command prints them, where the recordings are.
func TestPublishedTables(t *testing.T) {
	dir := os.Getenv("COMMITPOINT_RECORDINGS")
	if dir == "" {
		t.Skip("COMMITPOINT_RECORDINGS is not set: set it to the folder that has placement-trials and deletion-trials")
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"deadline", "--recordings", dir}, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit code %d, %s", code, &stderr)
	}
	out := strings.Join(strings.Fields(strings.ReplaceAll(stdout.String(), "|", " ")), " ")
	for _, want := range []string{
		"placement-healthy: 56 trials, 0 excluded. At the contract's deadline: 33 fulfilled, 23 violated, 0 not determined.",
		"self-report 45 11 21 91.3 (73.2–97.6) 9 27.3 (15.1–44.2)", "call-and-health 46 0 14 60.9 (40.8–77.8) 1",
		"transcript-judge 13 10 0 0.0 (0.0–14.3) 20", "report-time 34 7 1 4.3 (0.8–21.0) 0", "10 s 37 66.1", "20 s 22", "25 s 13", "30 s 4", "35 s 2", "40 s 1",
		"placement-fault: 56 trials, 0 excluded. At the contract's deadline: 0 fulfilled, 56 violated, 0 not determined.",
		"self-report 37 19 37", "call-and-health 47 0 47", "ground-truthable 55 of 56", "shadowed 18 of 55", "observable 37 of 55 67.3 (54.1–78.2)",
		"agree 37 of 37 100.0 (90.6–100.0)", "neither 1 of 56",
		"deletion-healthy: 56 trials, 0 excluded. At the contract's deadline: 40 fulfilled, 16 violated, 0 not determined.",
		"self-report 47 0 12", "call-and-health 51 0 11", "report-time 44 5 9",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, &stdout)
		}
	}
}
