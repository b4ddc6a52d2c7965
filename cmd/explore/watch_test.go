package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/commitpoint/study/deadline/watch"
)

// lateAndFlaky is a service of which a probe fails at 3 s, takes 4 s at 6 s, and which
// converges at 11 s.
func lateAndFlaky() watch.Options {
	start := time.Now()
	return watch.Options{
		Deadline: 10 * time.Second, Grid: 3 * time.Second, ProbeTimeout: 5 * time.Second,
		Probe: func(context.Context) (bool, error) {
			switch at := time.Since(start); at {
			case 3 * time.Second:
				return false, errors.New("<refused>")
			case 6 * time.Second:
				time.Sleep(4 * time.Second)
			}
			return time.Since(start) >= 11*time.Second, nil
		},
	}
}

func TestWatchOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		if err := runWatch(t.Context(), lateAndFlaky(), &out); err != errDifferent {
			t.Errorf("error %v, want the one of exit code 1", err)
		}
		const want = `{"at_s":0,"readable":true,"holds":false}
{"at_s":3,"readable":false,"holds":false,"error":"<refused>"}
{"at_s":10,"readable":true,"holds":false,"skipped":1}
{"at_s":10,"readable":true,"holds":false}
{"at_s":12,"readable":true,"holds":true,"late":true}
{"schema":"commitpoint/watch/v1","verdict":"violated","mode":"late","deadline_s":10,"observations":5,"unreadable":1,"skipped":1,"first_s":12}
`
		if out.String() != want {
			t.Errorf("output\n%swant\n%s", &out, want)
		}
	})
}

// A satisfaction at the start is at 0, which is not the same as none.
func TestWatchFirstAtZero(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		opt := watch.Options{Deadline: time.Second, Probe: func(context.Context) (bool, error) { return true, nil }}
		if err := runWatch(t.Context(), opt, &out); err != nil || !strings.HasSuffix(out.String(), `"first_s":0}`+"\n") {
			t.Errorf("error %v, output %s", err, &out)
		}
	})
}

// Whoever reads the output sees an observation as soon as it is there.
func TestWatchIsFlushed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		start := time.Now()
		seen := make(chan string)
		go func() {
			var times []string
			for lines := bufio.NewScanner(r); lines.Scan(); {
				times = append(times, fmt.Sprint(time.Since(start)))
			}
			seen <- strings.Join(times, " ")
		}()
		_ = runWatch(t.Context(), lateAndFlaky(), bufio.NewWriter(w))
		w.Close()
		if got, want := <-seen, "0s 3s 10s 10s 12s 12s"; got != want {
			t.Errorf("lines were seen at %s, want %s", got, want)
		}
	})
}

func TestWatchThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := runWatch(t.Context(), lateAndFlaky(), bufio.NewWriter(failing{syscall.EPIPE}))
		var stderr bytes.Buffer
		if code := exitCode(err, &stderr); code != exitUsage || stderr.Len() > 0 {
			t.Errorf("exit code %d, standard error %q, want 2 and silence", code, &stderr)
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("it went on for %v", took)
		}
	})
}

func TestWatchInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, after := range []time.Duration{0, 4 * time.Second, 11 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			var out, stderr bytes.Buffer
			code := exitCode(runWatch(ctx, lateAndFlaky(), &out), &stderr)
			if code != exitIncomplete || stderr.String() != "explore: interrupted: there is no verdict; run it again\n" || strings.Contains(out.String(), "verdict") {
				t.Errorf("after %v: exit code %d, standard error %q, output\n%s", after, code, &stderr, &out)
			}
			cancel()
		}
	})
}

func TestWatchNotDetermined(t *testing.T) {
	tests := []struct {
		name, reason string
		probe        watch.Probe
		want         string
	}{
		{"fails", "the last failure is told", func(context.Context) (bool, error) { return false, errors.New("refused") },
			"explore: not determined: no probe could be read by the deadline; the last that failed: refused\n"},
		{"too slow", "there is no failure to tell", func(context.Context) (bool, error) { time.Sleep(20 * time.Second); return true, nil },
			"explore: not determined: no probe was answered by the deadline\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var stderr bytes.Buffer
				opt := watch.Options{Probe: tt.probe, Deadline: 10 * time.Second, ProbeTimeout: time.Minute}
				if code := exitCode(runWatch(t.Context(), opt, io.Discard), &stderr); code != exitIncomplete || stderr.String() != tt.want {
					t.Errorf("%s: exit code %d, standard error %q, want 3 and %q", tt.reason, code, &stderr, tt.want)
				}
			})
		})
	}
}
