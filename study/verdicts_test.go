package study_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contention"
)

// A wheel is a machine with few states.
type wheel struct{}

func (wheel) Init() uint16                { return 0 }
func (wheel) Next(s uint16, e int) uint16 { return (s*5 + uint16(e) + 1) % 97 }

func (wheel) see(_ uint16, _ int, after uint16) (uint16, bool) { return after % 11, true }

// wheels are seven events in any order, without one of them, and without two.
func wheels(t testing.TB) []enumerate.Order[int] {
	t.Helper()
	o, err := enumerate.NewOrder[int]().Free("", 0, 1, 2, 3, 4, 5, 6).Build()
	if err != nil {
		t.Fatal(err)
	}
	return []enumerate.Order[int]{o, o.Restrict(func(e int) bool { return e > 0 }), o.Restrict(func(e int) bool { return e%3 != 1 })}
}

// An entry is a way into the engine, with what can end a run before it is through.
// What it returns is nil or a zero value whenever there is an error.
type entry struct {
	name   string
	limits bool   // whether it takes limits beside a context
	nodes  uint64 // that it visits, if it takes limits and the down-sets are fewer
	run    func(ctx context.Context, opt enumerate.Options) (result any, err error)
}

func entries(t *testing.T) []entry {
	orders, m := wheels(t), wheel{}
	all, observe := enumerate.Properties[uint16]{enumerate.Always("small", func(s uint16) bool { return s < 90 })}, enumerate.Observe(m.see)
	whole := func(opt enumerate.Options) study.Options { return study.Options{Workers: opt.Workers} }
	weak := named(t, "preflight-cached")
	return []entry{
		{"enumerate.Walk", false, 0, func(ctx context.Context, _ enumerate.Options) (any, error) {
			return nil, enumerate.Walk(ctx, orders, m, func(int, []int, *uint16) bool { return true })
		}},
		{"enumerate.Outcomes", false, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return enumerate.Outcomes(ctx, orders, m, opt)
		}},
		{"enumerate.Tally", true, 3329, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return enumerate.Tally(ctx, orders[0], m, observe, opt)
		}},
		{"enumerate.TallyAll", true, 3329, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return enumerate.TallyAll(ctx, orders, m, observe, opt)
		}},
		{"enumerate.Check", true, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return enumerate.Check(ctx, orders[0], m, all, opt)
		}},
		{"enumerate.Witnesses", true, 3329, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return enumerate.Witnesses(ctx, orders, m, observe, opt)
		}},
		{"enumerate.Sample", true, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return enumerate.Sample(ctx, orders[0], m, observe, 50, 1, opt)
		}},
		{"counterexamples.Find", true, 3329, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return counterexamples.Find(ctx, orders, m, observe, func(o uint16) []uint16 { return []uint16{o} }, opt)
		}},
		{"counterexamples.FindViolations", true, 3329, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return counterexamples.FindViolations(ctx, orders, m, all, opt)
		}},
		{"study.Evaluate", false, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return study.Evaluate(ctx, whole(opt))
		}},
		{"study.Compute", false, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			_, err := study.Compute(ctx, opt.Workers)
			return nil, err
		}},
		{"study.ComputeHoist", false, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return study.ComputeHoist(ctx, whole(opt))
		}},
		{"study.ComputeCoverage", false, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return study.ComputeCoverage(ctx, whole(opt))
		}},
		{"study.Options.Traces", false, 0, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return whole(opt).Traces(ctx, weak)
		}},
		{"contention.Compute", true, 22488, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return contention.Compute(ctx, 2, opt)
		}},
		{"contention.Traces", true, 22488, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return contention.Traces(ctx, weak, opt)
		}},
		{"contention.ComputeHoist", true, 145932, func(ctx context.Context, opt enumerate.Options) (any, error) {
			return contention.ComputeHoist(ctx, opt)
		}},
	}
}

// checkIncomplete wants a run that says that it was cut short, and by what.
func checkIncomplete(t *testing.T, how string, result any, err, cause error) {
	t.Helper()
	var incomplete *enumerate.IncompleteError
	if !errors.As(err, &incomplete) || !errors.Is(err, cause) || !errors.Is(incomplete.Cause, cause) {
		t.Errorf("%s: error %v, want an incomplete run because of %v", how, err, cause)
	}
	if result != nil && !reflect.ValueOf(result).IsZero() {
		t.Errorf("%s: an incomplete run comes with the result %+v", how, result)
	}
}

// No limit makes a success of a run that it ends, whichever way one enters.
func TestLimitsAreNeverSuccess(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	interrupted := errors.New("interrupted")
	because, stop := context.WithCancelCause(t.Context())
	stop(interrupted)
	for _, e := range entries(t) {
		t.Run(e.name, func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				for cause, ctx := range map[error]context.Context{context.Canceled: cancelled, context.DeadlineExceeded: late, interrupted: because} {
					result, err := e.run(ctx, enumerate.Options{Workers: workers})
					checkIncomplete(t, cause.Error(), result, err, cause)
				}
				for how, opt := range map[string]enumerate.Options{
					"a node": {MaxNodes: 1}, "a byte": {MaxBytes: 1}, "a nanosecond": {MaxTime: 1},
				} {
					if opt.Workers = workers; e.limits {
						result, err := e.run(t.Context(), opt)
						checkIncomplete(t, how, result, err, enumerate.ErrLimit)
					}
				}
			}
			if e.nodes > 0 {
				result, err := e.run(t.Context(), enumerate.Options{MaxNodes: e.nodes - 1})
				checkIncomplete(t, "a node too few", result, err, enumerate.ErrLimit)
			}
			result, err := e.run(t.Context(), enumerate.Options{MaxNodes: e.nodes, MaxBytes: 1 << 40, MaxTime: time.Hour})
			if err != nil || result != nil && reflect.ValueOf(result).IsZero() {
				t.Errorf("with limits that are not reached: %v, %v", result, err)
			}
		})
	}
}

// A glanced context ends when it is looked at for the last time, and not before.
type glanced struct {
	looks, last atomic.Int64
	done        chan struct{}
}

func glances(last int64) *glanced {
	c := &glanced{done: make(chan struct{})}
	c.last.Store(last)
	return c
}

func (c *glanced) Deadline() (time.Time, bool) { return time.Time{}, false }
func (c *glanced) Done() <-chan struct{}       { return c.done }
func (c *glanced) Value(any) any               { return nil }

func (c *glanced) Err() error {
	n, last := c.looks.Add(1), c.last.Load()
	if n == last {
		close(c.done)
	}
	if n >= last {
		return context.Canceled
	}
	return nil
}

// However late a context ends, as long as the run looks at it, the run is incomplete.
func TestCancelledAtAnyMoment(t *testing.T) {
	one := enumerate.Options{Workers: 1}
	for _, e := range entries(t) {
		t.Run(e.name, func(t *testing.T) {
			whole := glances(1 << 60)
			if _, err := e.run(whole, one); err != nil {
				t.Fatal(err)
			}
			total := whole.looks.Load()
			parts := int64(6)
			if total > 10_000 {
				parts = 1 // it takes its time
			}
			for last := total; last > 0; last -= 1 + total/parts {
				ctx := glances(last)
				result, err := e.run(ctx, one)
				checkIncomplete(t, fmt.Sprintf("ended at look %d of %d", last, total), result, err, context.Canceled)
			}
		})
	}
}

// TestVerdictsChild is run by the tests below, in a process of its own: what to test
// stands in the environment.
func TestVerdictsChild(t *testing.T) {
	words := strings.Fields(os.Getenv("COMMITPOINT_VERDICTS"))
	switch {
	case len(words) == 0:
	case words[0] == "history":
		study.RunHistory(t, named(t, words[1]), words[2:]...)
	case words[0] == "whole":
		study.Run(t, named(t, words[1]))
	case words[0] == "no-expiry":
		study.Options{Scenarios: without(model.LeaseExpire)}.Run(t, named(t, words[1]))
	}
}

// runChild runs TestVerdictsChild and returns what it prints, and whether it passes.
func runChild(what string) (out string, passes bool) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestVerdictsChild$", "-test.v")
	cmd.Env = append(os.Environ(), "COMMITPOINT_VERDICTS="+what)
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

// Each subtest of Run says how often it could have failed, and is skipped if it could
// not: by the coverage, which counts the same by a tally.
func TestRunSaysWhatItExercised(t *testing.T) {
	sentences := map[string]string{
		"unsafe-accept/attempt": "the task was another", "unsafe-accept/lease": "the lease expired", "unsafe-accept/grant": "the grant was revoked",
		"unsafe-accept/inputs": "the input was edited", "unsafe-accept/artifact": "the artifact was overwritten",
		"unsafe-accept/evidence": "no admitted receipt", "unsafe-accept/task": "-", "unsafe-accept/contract": "-",
	}
	for check := range strings.FieldsSeq("attempt fence lease grant inputs artifact evidence contract latest-policy unexplained") {
		sentences["eligible-reject/"+check] = "the request is eligible"
	}
	pinned := map[string]map[string]string{
		"whole": {"unsafe-accept/lease": "2,485 schedules", "eligible-reject/unexplained": "470 schedules and 1 of 7 directed controls",
			"unsafe-accept/evidence": "568 schedules and 4 of 7 directed controls", "unsafe-accept/task": "0 schedules and 1 of 7 directed controls"},
		"no-expiry": {"unsafe-accept/attempt": "25,200 schedules"},
	}
	for what, opt := range map[string]study.Options{"whole": {}, "no-expiry": {Scenarios: without(model.LeaseExpire)}} {
		c := cover(t, opt)
		for _, mechanism := range []string{"atomic", "without-fence"} {
			out, passes := runChild(what + " " + mechanism)
			if !passes {
				t.Errorf("%s fails in %s:\n%s", mechanism, what, out)
			}
			for name, sentence := range sentences {
				result, want := "PASS", exercised(c, sentence)
				switch controls := map[string]int{"unsafe-accept/evidence": 4, "unsafe-accept/task": 1, "unsafe-accept/contract": 1}[name]; {
				case strings.HasPrefix(name, "eligible"):
					want += " and 1 of 7 directed controls" // the inadequate checker
				case controls > 0:
					want += fmt.Sprintf(" and %d of 7 directed controls", controls)
				}
				if pin := pinned[what][name]; pin != "" && pin != want {
					t.Errorf("%s, %s: %s, want %s", what, name, want, pin)
				}
				want = "could have failed in " + want
				if what == "no-expiry" && name == "unsafe-accept/lease" {
					result, want = "SKIP", "not exercised: it can't fail in any of these schedules or the directed controls"
				}
				line := regexp.MustCompile(`=== RUN   TestVerdictsChild/` + name + `\n +(verdicts_test.go:\d+): (.*)\n`).FindStringSubmatch(out)
				if line == nil || line[2] != want || !strings.Contains(out, "--- "+result+": TestVerdictsChild/"+name+" ") {
					t.Errorf("%s, %s of %s: %q, want %s and %q in\n%s", what, name, mechanism, line, result, want, out)
				}
			}
		}
	}
}

// exercised says in how many schedules that is reached which begins so.
func exercised(c study.Coverage, sentence string) string {
	n := uint64(0)
	for _, r := range c.Reachable {
		if strings.HasPrefix(r.Name, sentence) {
			n = r.Schedules
		}
	}
	text := fmt.Sprintf("%d,%03d", n/1000, n%1000)
	if n < 1000 {
		text = fmt.Sprint(n)
	}
	return text + " schedules"
}

// A history is a test of its own, which fails with an explanation.
func TestRunHistory(t *testing.T) {
	tests := []struct {
		what, reason string
		passes       bool
		prints       string
	}{
		{"atomic read candidate trusted-verify preflight commit", "accepted and eligible", true, "--- PASS: TestVerdictsChild "},
		{"atomic read candidate trusted-verify preflight revoke commit", "refused and not eligible", true, "--- PASS: TestVerdictsChild "},
		{"without-grant read candidate trusted-verify preflight revoke commit", "accepted and not eligible", false,
			`"without-grant" accepted a completion that was not eligible`},
		{"without-grant read candidate trusted-verify preflight revoke commit", "the line to paste is this test's", false,
			"replay: go test -run '^TestVerdictsChild$'\n"},
		{"latest-policy publish-behavior-v2 read candidate trusted-verify preflight commit input-edit#2", "refused and eligible", false,
			`"latest-policy" refused a completion that was eligible`},
		{"atomic read candidate", "nothing to decide", false, "history [read candidate] has no commit: there is nothing to decide"},
		{"atomic read revoked commit", "no such event", false, `unknown event "revoked": the events are read, `},
		{"atomic commit read candidate trusted-verify preflight", "an impossible order", false, "history has commit before read, which must precede it"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			out, passes := runChild("history " + tt.what)
			if passes != tt.passes || !strings.Contains(out, tt.prints) || strings.Contains(out, "verdicts_test.go:") == tt.passes {
				t.Errorf("%s: passes %v, want %v and %q in\n%s", tt.what, passes, tt.passes, tt.prints, out)
			}
		})
	}
}
