package watch

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/commitpoint/model/deadline"
)

const (
	s  = time.Second
	ms = time.Millisecond
)

// Unless said otherwise the deadline is 10 s, the grid 3 s, the end 15 s and the time limit
// of a probe 2 s.
var watches = []struct {
	name, reason string
	service      service
	change       func(*Options)
	want         string // samples, as log writes them
	verdict      deadline.Verdict
	mode         deadline.Mode
}{
	{"at once", "the first probe is at 0 and suffices",
		from(0), nil, "0s+", deadline.Fulfilled, deadline.NoMode},
	{"early", "it stops at the first satisfaction",
		from(4 * s), nil, "0s- 3s- 6s+", deadline.Fulfilled, deadline.NoMode},
	{"at the deadline", "no later than the deadline is in time, and there is a probe although the grid has none",
		from(10 * s), nil, "0s- 3s- 6s- 9s- 10s+", deadline.Fulfilled, deadline.NoMode},
	{"at the deadline on the grid", "there is one probe, not two",
		never(), func(o *Options) { o.Grid = 5 * s }, "0s- 5s- 10s- 15s-", deadline.Violated, deadline.Never},
	{"at the deadline, answered later", "who begins at the deadline and answers after it is late",
		from(10 * s).slow(1 * ms), nil, "1ms- 3.001s- 6.001s- 9.001s- 10.001s+", deadline.Violated, deadline.Late},
	{"across the deadline", "when it was looked at before the answer is not known",
		from(9 * s).slow(1500 * ms), nil, "1.5s- 4.5s- 7.5s- 10.5s+~1", deadline.Violated, deadline.Late},
	{"answered at the deadline", "it is the answer's time that counts, and it is in time",
		from(9 * s).slow(1 * s), nil, "1s- 4s- 7s- 10s+", deadline.Fulfilled, deadline.NoMode},
	{"late", "after the deadline, before the end, and it stops there",
		from(11 * s), nil, "0s- 3s- 6s- 9s- 10s- 12s+", deadline.Violated, deadline.Late},
	{"late, at the end", "the end belongs to it",
		from(15 * s), nil, "0s- 3s- 6s- 9s- 10s- 12s- 15s+", deadline.Violated, deadline.Late},
	{"never", "it goes on to the end",
		never(), nil, "0s- 3s- 6s- 9s- 10s- 12s- 15s-", deadline.Violated, deadline.Never},
	{"after the end", "nobody looks any more",
		from(16 * s), nil, "0s- 3s- 6s- 9s- 10s- 12s- 15s-", deadline.Violated, deadline.Never},
	{"ends at the deadline", "late and never are not told apart if nobody looks",
		from(11 * s), func(o *Options) { o.Until = 10 * s }, "0s- 3s- 6s- 9s- 10s-", deadline.Violated, deadline.Never},
	{"ends between two points", "there is no probe at an end that is not on the grid",
		never(), func(o *Options) { o.Until = 14 * s }, "0s- 3s- 6s- 9s- 10s- 12s-", deadline.Violated, deadline.Never},
	{"between two probes", "a satisfaction that nobody observed is none",
		between(4*s, 5*s), nil, "0s- 3s- 6s- 9s- 10s- 12s- 15s-", deadline.Violated, deadline.Never},
	{"for a while", "what is observed later revises nothing",
		between(3*s, 8*s), func(o *Options) { o.KeepGoing = true }, "0s- 3s+ 6s+ 9s- 10s- 12s- 15s-", deadline.Fulfilled, deadline.NoMode},
	{"late, for a while", "nor then",
		between(11*s, 13*s), func(o *Options) { o.KeepGoing = true }, "0s- 3s- 6s- 9s- 10s- 12s+ 15s-", deadline.Violated, deadline.Late},
	{"fails and recovers", "a failed probe hides nothing that comes after it",
		status(503).then(5*s, from(0)), nil, "0s! 3s! 6s+", deadline.Fulfilled, deadline.NoMode},
	{"fails at the end", "one readable observation is enough for a violation",
		never().then(1*s, status(500)), nil, "0s- 3s! 6s! 9s! 10s! 12s! 15s!", deadline.Violated, deadline.Never},
	{"fails when it holds", "a failed probe is no satisfaction",
		never().then(4*s, status(500)).then(11*s, never()), nil, "0s- 3s- 6s! 9s! 10s! 12s- 15s-", deadline.Violated, deadline.Never},
	{"all fail", "nothing is known",
		status(500), nil, "0s! 3s! 6s! 9s! 10s! 12s! 15s!", deadline.NotDetermined, deadline.NoMode},
	{"dropped", "a closed connection is no answer",
		service(drops).then(4*s, from(0)), nil, "0s! 3s! 6s+", deadline.Fulfilled, deadline.NoMode},
	{"hangs", "a probe ends at its time limit, and the grid stays",
		service(hangs).then(4*s, never()), nil, "2s! 5s! 6s- 9s- 10s- 12s- 15s-", deadline.Violated, deadline.Never},
	{"hangs across the deadline", "the point at the deadline is skipped",
		service(hangs), nil, "2s! 5s! 8s! 11s!~1 14s! 17s!", deadline.NotDetermined, deadline.NoMode},
	{"readable after the deadline only", "the window has nothing that can be read, and it stays so",
		status(500).then(11*s, from(0)), nil, "0s! 3s! 6s! 9s! 10s! 12s+", deadline.NotDetermined, deadline.NoMode},
	{"answers after the deadline only", "a success that comes late is not in time, although it was asked for at 0",
		from(0).slow(11 * s), func(o *Options) { o.ProbeTimeout = 20 * s }, "11s+~4", deadline.NotDetermined, deadline.NoMode},
	{"denies after the deadline only", "nor is that an observation in the window",
		never().slow(11 * s), func(o *Options) { o.ProbeTimeout = 20 * s }, "11s-~4 23s-~1", deadline.NotDetermined, deadline.NoMode},
	{"slower than the grid", "points that pass are skipped, and the others are where they were",
		from(7 * s).slow(4 * s), func(o *Options) { o.ProbeTimeout = 5 * s; o.KeepGoing = true }, "4s-~1 10s-~1 14s+~1 19s+", deadline.Violated, deadline.Late},
	{"as slow as the grid", "a probe that ends at a point does not skip it",
		never().slow(3 * s), func(o *Options) { o.ProbeTimeout = 5 * s }, "3s- 6s- 9s- 12s-~1 15s- 18s-", deadline.Violated, deadline.Never},
	{"coarse", "the grid may be the deadline itself",
		never(), func(o *Options) { o.Grid = 10 * s; o.Until = 25 * s }, "0s- 10s- 20s-", deadline.Violated, deadline.Never},
	{"by default", "ten points to the deadline, five after it, and two thirds between them for a probe",
		service(hangs), func(o *Options) { *o = Options{Probe: o.Probe, Observe: o.Observe, Deadline: 30 * s} },
		"2s! 5s! 8s! 11s! 14s! 17s! 20s! 23s! 26s! 29s! 32s! 35s! 38s! 41s! 44s! 47s!", deadline.NotDetermined, deadline.NoMode},
}

func TestWatch(t *testing.T) {
	for _, tt := range watches {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var samples []Sample
				probe, err := HTTP(serve(t, tt.service), "http://service.test/", Expect{})
				if err != nil {
					t.Fatal(err)
				}
				o := Options{Probe: probe, Deadline: 10 * s, Grid: 3 * s, Until: 15 * s, ProbeTimeout: 2 * s,
					Observe: func(s Sample) { samples = append(samples, s) }}
				if tt.change != nil {
					tt.change(&o)
				}
				r, err := Watch(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if got := log(samples); got != tt.want {
					t.Errorf("%s: samples\n%s, want\n%s", tt.reason, got, tt.want)
				}
				if r.Verdict != tt.verdict || r.Mode != tt.mode {
					t.Errorf("%s: %v %v, want %v %v", tt.reason, r.Verdict, r.Mode, tt.verdict, tt.mode)
				}
				checkResult(t, r, samples, o.Deadline)
			})
		})
	}
}

// Whoever stops a watch gets no verdict, even where one is certain.
func TestCancelled(t *testing.T) {
	tests := []struct {
		name, reason string
		service      service
		after        time.Duration
		keepGoing    bool
		want         string // samples
	}{
		{"before the start", "there is no probe", never(), 0, false, ""},
		{"between probes", "it does not wait for the next", never(), 4 * s, false, "0s- 3s-"},
		{"in a probe", "what the probe says is not the service's", never().then(2*s, hangs), 4 * s, false, "0s-"},
		{"after the deadline", "never is not said of what was not observed", never(), 13 * s, false, "0s- 3s- 6s- 9s- 10s- 12s-"},
		{"fulfilled", "nor anything else", from(0), 4 * s, true, "0s+ 3s+"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				why := errors.New("enough")
				ctx, cancel := context.WithCancelCause(t.Context())
				if tt.after == 0 {
					cancel(why)
				}
				start := time.Now()
				time.AfterFunc(tt.after, func() { cancel(why) })
				var samples []Sample
				probe, _ := HTTP(serve(t, tt.service), "http://service.test/", Expect{})
				probed := 0
				counted := func(ctx context.Context) (bool, error) { probed++; return probe(ctx) }
				r, err := Watch(ctx, Options{Probe: counted, Deadline: 10 * s, Grid: 3 * s, KeepGoing: tt.keepGoing,
					Observe: func(s Sample) { samples = append(samples, s) }})
				if !errors.Is(err, why) || r != (Result{}) {
					t.Errorf("%s: %+v, error %v", tt.reason, r, err)
				}
				if got := log(samples); got != tt.want {
					t.Errorf("%s: samples %s, want %s", tt.reason, got, tt.want)
				}
				if unseen := probed - len(samples); unseen != 0 && tt.name != "in a probe" || unseen > 1 {
					t.Errorf("%s: %d probes, %d samples", tt.reason, probed, len(samples))
				}
				if took := time.Since(start); took != tt.after {
					t.Errorf("it took %v, want %v", took, tt.after)
				}
			})
		})
	}
}

// Probes of one's own: what an error comes with says nothing, and neither does what is
// returned after the time limit.
func TestFunctionAsProbe(t *testing.T) {
	tests := []struct {
		name   string
		probe  Probe
		reason string // of the sample, its error's
		want   string
	}{
		{"true with an error", func(context.Context) (bool, error) { return true, errors.New("perhaps") }, "perhaps", "0s!"},
		{"true after the time limit", func(context.Context) (bool, error) { time.Sleep(3 * s); return true, nil }, "no answer within 2s", "3s!"},
		{"true in time", func(context.Context) (bool, error) { time.Sleep(1 * s); return true, nil }, "", "1s+"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				var first []Sample
				_, _ = Watch(ctx, Options{Probe: tt.probe, Deadline: 30 * s, Observe: func(s Sample) { first = append(first, s); cancel() }})
				if got := log(first); got != tt.want {
					t.Fatalf("samples %s, want %s", got, tt.want)
				}
				if err := first[0].Err; err != nil && err.Error() != tt.reason || err == nil && tt.reason != "" {
					t.Errorf("error %v, want %q", err, tt.reason)
				}
				if first[0].Begun != 0 || first[0].Holds && !first[0].Readable {
					t.Errorf("%+v, want it begun at 0, and not to hold unless it is readable", first[0])
				}
			})
		})
	}
}

// Observing takes time, too, and does not shift the grid either.
func TestSlowObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var samples []Sample
		_, err := Watch(t.Context(), Options{Deadline: 10 * s, Grid: 2 * s, Until: 12 * s,
			Probe:   func(context.Context) (bool, error) { return false, nil },
			Observe: func(sample Sample) { samples = append(samples, sample); time.Sleep(1500 * ms) }})
		if got, want := log(samples), "0s- 2s- 4s- 6s- 8s- 10s- 12s-"; got != want || err != nil {
			t.Errorf("samples %s, error %v, want %s", got, err, want)
		}
	})
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	probe := func(context.Context) (bool, error) { panic("probed") }
	tests := []struct {
		name string
		o    Options
		want string
	}{
		{"no probe", Options{Deadline: s}, "there is no probe"},
		{"no deadline", Options{Probe: probe}, "a deadline of 0s"},
		{"a deadline before the start", Options{Probe: probe, Deadline: -s}, "a deadline of -1s"},
		{"a deadline in another life", Options{Probe: probe, Deadline: 1<<63 - 1}, "at most five years"},
		{"no grid", Options{Probe: probe, Deadline: s, Grid: -1}, "a grid of -1ns"},
		{"too coarse", Options{Probe: probe, Deadline: s, Grid: s + 1}, "no longer than the deadline, which is 1s"},
		{"an end before the deadline", Options{Probe: probe, Deadline: s, Until: s - 1}, "an end at 999.999999ms"},
		{"no end", Options{Probe: probe, Deadline: s, Until: 1<<63 - 1}, "nor after ten years"},
		{"no time for a probe", Options{Probe: probe, Deadline: s, ProbeTimeout: -1}, "time limit of -1ns"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Watch(t.Context(), tt.o)
			if err == nil || !strings.HasPrefix(err.Error(), "watch: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// In real time, over a real network: what a clock can't spoil.
func TestLoopback(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := asked.Add(1); r.URL.Path == "/third" && n < 3 || r.URL.Path == "/never" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	for path, want := range map[string]Result{
		"/third": {Verdict: deadline.Fulfilled, Observations: 3, Satisfied: true},
		"/never": {Verdict: deadline.Violated, Mode: deadline.Never},
	} {
		probe, err := HTTP(server.Client(), server.URL+path, Expect{})
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Probe: probe, Deadline: 1 * s, Grid: 20 * ms, Until: 1 * s, ProbeTimeout: 10 * s}
		if path == "/third" {
			o.Deadline, o.Until = 10*s, 0 // it stops before
		}
		asked.Store(0)
		var samples []Sample
		o.Observe = func(s Sample) { samples = append(samples, s) }
		r, err := Watch(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		checkResult(t, r, samples, o.Deadline)
		for i, s := range samples {
			if i > 0 && s.Begun < samples[i-1].At || s.At <= s.Begun {
				t.Errorf("%s: sample %d from %v to %v overlaps, or took no time", path, i, s.Begun, s.At)
			}
		}
		if r.Verdict != want.Verdict || r.Mode != want.Mode || r.Satisfied != want.Satisfied || want.Observations > 0 && r.Observations != want.Observations {
			t.Errorf("%s: %+v, want %+v", path, r, want)
		}
	}
}
