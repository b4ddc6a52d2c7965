package contention

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
)

// The sizes of the graphs, as other programs and checkers count them too.
func TestSizes(t *testing.T) {
	want := []string{
		"1 submitters, 10 events: 192 down-sets, 568 nodes, 1612 edges, 30240 schedules",
		"2 submitters, 16 events: 1728 down-sets, 22488 nodes, 79292 edges, 726485760 schedules",
		"3 submitters, 22 events: 13824 down-sets, 1169892 nodes, 4904220 edges, 108410564021760 schedules",
	}
	for i, w := range want {
		r, err := Compute(t.Context(), i+1, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%d submitters, %d events: %v down-sets, %v nodes, %v edges, %v schedules",
			r.Submitters, r.Events, r.DownSets, r.Nodes, r.Edges, r.Schedules); got != w {
			t.Errorf("%s\nwant %s", got, w)
		}
		checkSums(t, r)
	}
}

// checkSums looks at what holds of every result: rows sum to the schedules, and
// atomic accepts exactly what is eligible.
func checkSums(t *testing.T, r Result) {
	t.Helper()
	for _, d := range r.Decisions {
		for _, s := range d.Mechanisms {
			var sum enumerate.Count
			for _, n := range []enumerate.Count{s.SafeAccept, s.UnsafeAccept, s.UnsafeReject, s.EligibleReject} {
				if err := add(&sum, n); err != nil {
					t.Fatal(err)
				}
			}
			if sum != r.Schedules {
				t.Errorf("submitter %d of %d, %s sums to %v", d.Submitter, r.Submitters, s.Name, sum)
			}
			if s.Name == "atomic" && (s.SafeAccept != d.Eligible || s.UnsafeAccept != (enumerate.Count{})) {
				t.Errorf("submitter %d of %d: atomic accepts %v of %v eligible, %v unsafely", d.Submitter, r.Submitters, s.SafeAccept, d.Eligible, s.UnsafeAccept)
			}
		}
	}
}

func TestTwoSubmitters(t *testing.T) {
	want := []struct{ eligible, unsafeEarly, rejectEarly string }{
		{"2849760", "16182432", "0"},
		{"8683200", "13986336", "2180064"}, // it looked before it owned the task
	}
	for workers := 1; workers <= 3; workers++ {
		r, err := Compute(t.Context(), 2, enumerate.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			d := r.Decisions[i]
			j := slices.IndexFunc(d.Mechanisms, func(s Score) bool { return s.Name == "preflight-cached" })
			early := d.Mechanisms[j]
			if d.Eligible.String() != w.eligible || early.UnsafeAccept.String() != w.unsafeEarly || early.EligibleReject.String() != w.rejectEarly {
				t.Errorf("submitter %d: eligible in %v, preflight-cached accepts %v unsafely and refuses %v unnecessarily; want %+v",
					i+1, d.Eligible, early.UnsafeAccept, early.EligibleReject, w)
			}
		}
	}
}

// No terminal write is modelled, so that atomic can accept both commits of one
// schedule.
func TestBothCommitsAccepted(t *testing.T) {
	order, err := Order(2)
	if err != nil {
		t.Fatal(err)
	}
	r, err := enumerate.Tally(t.Context(), order, both{}, enumerate.Observe(func(_ accepted, _ contention.Event, after accepted) (bool, bool) {
		return after.left == 0 && after.commits == 2, after.left == 0
	}), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Count(true).String(); got != "24864" {
		t.Errorf("atomic accepts both commits in %s schedules, want 24,864", got)
	}
}

// both counts what atomic has accepted, and the events that are left.
type both struct{}

type accepted struct {
	state   state
	commits int
	left    int
}

func (both) Init() accepted { return accepted{state: machine{}.Init(), left: 16} }

func (both) Next(a accepted, e contention.Event) accepted {
	if isCommit(e) && failed(a.state.model, e.Submitter)&model.All == 0 {
		a.commits++
	}
	a.state = machine{}.Next(a.state, e)
	a.left--
	return a
}

// eligible is a second oracle, which looks at the whole history before the
// commit of w.
func eligible(history []contention.Event, w uint8) bool {
	last := func(is func(contention.Event) bool) int {
		for i := len(history) - 1; i >= 0; i-- {
			if is(history[i]) {
				return i
			}
		}
		return -1
	}
	kind := func(k model.Kind) int { return last(func(e contention.Event) bool { return e.Kind == k }) }
	mine := func(k model.Kind) int {
		return last(func(e contention.Event) bool { return e.Kind == k && e.Submitter == w })
	}
	written := last(func(e contention.Event) bool {
		return e.Kind == model.ArtifactEdit || e.Kind == model.Snapshot && e.Submitter != w
	})
	owner := 1
	for _, e := range history {
		if e.Kind == model.Reassign {
			owner++
		}
	}
	return owner == int(w) && kind(model.Revoke) < 0 && (w > 1 || kind(model.LeaseExpire) < 0) &&
		kind(model.InputEdit) < mine(model.Read) && written < mine(model.Snapshot)
}

// The tally agrees with replaying every schedule from the start, for two
// submitters and the three environment events that leave 216,216 schedules.
func TestTallyAgreesWithDumbReplay(t *testing.T) {
	whole, err := Order(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, third := range []model.Kind{model.InputEdit, model.ArtifactEdit, model.Revoke, model.PublishV2} {
		order := whole.Restrict(func(e contention.Event) bool {
			return e.Submitter > 0 || e.Kind == model.LeaseExpire || e.Kind == model.Reassign || e.Kind == third
		})
		want := map[decision]uint64{}
		schedules := uint64(0)
		for schedule := range order.Schedules() {
			schedules++
			s := contention.Initial()
			early := map[uint8]bool{}
			for i, e := range schedule {
				switch e.Kind {
				case model.Preflight:
					early[e.Submitter] = failed(s, e.Submitter)&model.All == 0
				case model.Commit:
					want[decision{e.Submitter, eligible(schedule[:i], e.Submitter), failed(s, e.Submitter), early[e.Submitter]}]++
				}
				s = contention.Next(s, e)
			}
		}
		got, err := enumerate.Tally(t.Context(), order, machine{}, enumerate.ObserveOn(isCommit, decide), enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if schedules != 216216 || got.Schedules.String() != "216216" || len(got.Observed) != len(want) {
			t.Errorf("%v: %d schedules, %v by the tally; %d different decisions, %d by the tally", third, schedules, got.Schedules, len(want), len(got.Observed))
		}
		for _, o := range got.Observed {
			if o.Count.String() != fmt.Sprint(want[o.Value]) {
				t.Errorf("%v: decision %+v in %v schedules, %d by replay", third, o.Value, o.Count, want[o.Value])
			}
		}
	}
}

// failed is the meaning of the checks once more, from the model's page.
func failed(s contention.State, w uint8) model.Checks {
	own := s.Of(w)
	candidate := contention.Blob{Writer: w, Inputs: own.Read}
	checks := map[model.Checks]bool{
		model.Attempt:      s.Owner == w,
		model.Fence:        s.Owner == w,
		model.Lease:        s.LeaseLive,
		model.Grant:        s.Granted,
		model.Inputs:       s.Input == own.Read,
		model.Artifact:     s.Artifact == candidate,
		model.Evidence:     own.Observed == candidate,
		model.Contract:     true,
		model.LatestPolicy: !s.NewPolicy,
	}
	var out model.Checks
	for c, holds := range checks {
		if !holds {
			out |= c
		}
	}
	return out
}

func TestLimits(t *testing.T) {
	_, err := Compute(t.Context(), 3, enumerate.Options{MaxNodes: 100_000})
	var incomplete *enumerate.IncompleteError
	if !errors.As(err, &incomplete) || !errors.Is(err, enumerate.ErrLimit) || incomplete.Layer == 0 || incomplete.Layers != 22 {
		t.Errorf("error = %v, want an incomplete run that says how far it got", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ctx, 2, enumerate.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, n := range []int{-1, 0, 7} {
		if _, err := Compute(t.Context(), n, enumerate.Options{}); err == nil || err.Error() != fmt.Sprintf("%d submitters: use 1 to 6", n) {
			t.Errorf("%d submitters: %v", n, err)
		}
	}
}

// Stepping in place is Next, on every edge of two submitters.
func TestStepIsNext(t *testing.T) {
	order, err := Order(2)
	if err != nil {
		t.Fatal(err)
	}
	_, err = enumerate.Tally(t.Context(), order, nextOnly{}, enumerate.Observe(func(before state, e contention.Event, after state) (bool, bool) {
		machine{}.Step(&before, e)
		if before != after {
			t.Fatalf("%v: Step leaves %+v, Next returns %+v", e, before, after)
		}
		return false, false
	}), enumerate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
}

type nextOnly struct{}

func (nextOnly) Init() state                            { return machine{}.Init() }
func (nextOnly) Next(s state, e contention.Event) state { return machine{}.Next(s, e) }

func TestMechanismsAreTheStudys(t *testing.T) {
	r, err := Compute(t.Context(), 1, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range mechanisms.All() {
		if r.Decisions[0].Mechanisms[i].Name != m.Name {
			t.Errorf("mechanism %d is %s, want %s", i, r.Decisions[0].Mechanisms[i].Name, m.Name)
		}
		if m.At == mechanisms.Preflight && m.Requires != model.All {
			t.Errorf("%s looks early at %v, and the model remembers the answer of all eight checks only", m.Name, m.Requires)
		}
	}
}
