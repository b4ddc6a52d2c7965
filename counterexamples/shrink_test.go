package counterexamples_test

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// slots are the places in the chain where an environment event can fall, by the
// number of chain events before it: directly before the commit first, since
// shrinking moves towards the first and histories are least there.
var slots = []int{4, 3, 2, 1, 0, 5}

// drawSchedule draws environment events, up to ten of all kinds, and a slot for
// each. The edits can come again and again; the lease expires before the task is
// reassigned, if both happen.
func drawSchedule(t *rapid.T) []model.Event {
	inSlot := map[model.Kind][]int{}
	for _, e := range rapid.SliceOfN(rapid.SampledFrom(model.Environment()), 0, 10).Draw(t, "events") {
		slot := rapid.SampledFrom(slots).Draw(t, "slot")
		if repeats := e.Kind == model.InputEdit || e.Kind == model.ArtifactEdit; repeats || inSlot[e.Kind] == nil {
			inSlot[e.Kind] = append(inSlot[e.Kind], slot)
		}
	}
	if e, r := inSlot[model.LeaseExpire], inSlot[model.Reassign]; e != nil && r != nil && r[0] < e[0] {
		e[0], r[0] = r[0], e[0]
	}
	var schedule []model.Event
	happened := map[model.Kind]uint8{}
	chain := model.Chain()
	for slot := range len(chain) + 1 {
		for _, e := range model.Environment() {
			for _, s := range inSlot[e.Kind] {
				if s != slot {
					continue
				}
				if happened[e.Kind]++; happened[e.Kind] > 1 {
					e.N = happened[e.Kind]
				}
				schedule = append(schedule, e)
			}
		}
		if slot < len(chain) {
			schedule = append(schedule, chain[slot])
		}
	}
	return schedule
}

// A recorder is a testing.TB for rapid that takes a failure without failing.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Failed() bool          { return r.failed }
func (r *recorder) Fail()                 { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; runtime.Goexit() }
func (r *recorder) Error(...any)          { r.failed = true }
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Fatal(...any)          { r.FailNow() }
func (r *recorder) Fatalf(string, ...any) { r.FailNow() }
func (r *recorder) Log(...any)            {}
func (r *recorder) Logf(string, ...any)   {}

// shrunk lets rapid look for a schedule in which m makes an error of the given
// kind and returns what it shrinks to, nil if it finds none.
func shrunk(t *testing.T, m mechanisms.Mechanism, kind study.Kind) (last []model.Event) {
	done := make(chan struct{})
	go func() { // FailNow ends the goroutine
		defer close(done)
		rapid.Check(&recorder{TB: t}, func(r *rapid.T) {
			schedule := drawSchedule(r)
			d, err := study.Decide(m, schedule)
			if err != nil {
				t.Errorf("drew an impossible schedule: %v", err)
				return
			}
			eligible := d.Verdict.Eligible()
			if kind == study.UnsafeAccept && d.Accepted && !eligible || kind == study.EligibleReject && !d.Accepted && eligible {
				last = schedule
				r.Fatal(kind)
			}
		})
	}()
	<-done
	return last
}

// setFlag sets a flag of rapid's until the end of the test.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set(name, old) })
}

// Schedules beyond the study's bounds show no error that it does not show, and
// each error shrinks to exactly the history that exhaustive search calls the
// shortest.
func TestErrorsShrinkToTheShortestHistory(t *testing.T) {
	setFlag(t, "rapid.nofailfile", "true") // the failures are wanted
	setFlag(t, "rapid.checks", "2000")     // about one schedule in a hundred shows the rarest
	report, err := study.Compute(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	shrank := 0
	for _, m := range mechanisms.All() {
		for _, kind := range study.Kinds() {
			var want []model.Event
			for _, c := range report.Counterexamples {
				if c.Mechanism == m.Name && c.Kind == kind {
					want = c.Schedule
					shrank++
				}
			}
			t.Run(m.Name+"/"+string(kind), func(t *testing.T) {
				if got := shrunk(t, m, kind); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("shrank to %v, want %v", got, want)
				}
			})
		}
	}
	if shrank != 9 {
		t.Errorf("%d errors to shrink, want nine", shrank)
	}
}

func TestDrawsGoBeyondTheStudy(t *testing.T) {
	generator := rapid.Custom(drawSchedule)
	var all, many, repeated int
	for seed := range 1000 {
		schedule := generator.Example(seed)
		kinds := map[model.Kind]bool{}
		for _, e := range schedule {
			kinds[e.Kind] = true
			if e.N > 1 {
				repeated++
			}
		}
		if len(kinds) == 11 {
			all++
		}
		if len(schedule) > len(model.Chain())+study.MaxEnvironment {
			many++
		}
	}
	if all == 0 || many < 100 || repeated < 100 {
		t.Errorf("of 1,000 schedules %d have all environment events, %d more than three; %d events are repetitions", all, many, repeated)
	}
}
