package contention

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"sync"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
	"example.com/commitpoint/oracle"
	"example.com/commitpoint/study"
)

// A plainOrder is the events of an order and, of each, the set of those before it.
type plainOrder struct {
	events []contention.Event
	before []uint32
}

func plain(o enumerate.Order[contention.Event]) (p plainOrder) {
	p.events = o.Events()
	for _, e := range p.events {
		before := uint32(0)
		for i, f := range p.events {
			if o.Precedes(f, e) {
				before |= 1 << i
			}
		}
		p.before = append(p.before, before)
	}
	return p
}

func (p plainOrder) ready(done uint32, i int) bool { return done>>i&1 == 0 && p.before[i]&^done == 0 }

// completions counts the ways to do the rest.
func (p plainOrder) completions(done uint32, known map[uint32]uint64) (n uint64) {
	if bits.OnesCount32(done) == len(p.events) {
		return 1
	}
	if n, ok := known[done]; ok {
		return n
	}
	for i := range p.events {
		if p.ready(done, i) {
			n += p.completions(done|1<<i, known)
		}
	}
	known[done] = n
	return n
}

// A point is what two submitters have come to, with what failed at each one's
// preflight.
type point struct {
	state contention.State
	early [2]model.Checks
}

// A sight is what there is to see at a commit.
type sight struct {
	early, late model.Checks // that fail at preflight and now
	reasons     oracle.Reasons
}

func (s sight) looked() study.Looked {
	return study.Looked{Early: s.early & model.All, Late: s.late & model.All, Eligible: s.reasons == 0}
}

// step takes an event and returns what there is to see if it is a commit.
func (p point) step(e contention.Event) (next point, seen sight) {
	switch e.Kind {
	case model.Preflight:
		p.early[e.Submitter-1] = failed(p.state, e.Submitter)
	case model.Commit:
		seen = sight{p.early[e.Submitter-1], failed(p.state, e.Submitter), reasonsIn(p.state, e.Submitter)}
	}
	p.state = contention.Next(p.state, e)
	return p, seen
}

// reasonsIn reads off the state why a commit of w is not eligible: of a submitter that
// has been through its chain. Only the first owner's lease can run out, and it has
// once the task is another's.
func reasonsIn(s contention.State, w uint8) (reasons oracle.Reasons) {
	for reason, holds := range map[oracle.Reasons]bool{
		oracle.Reassigned:      s.Owner != w,
		oracle.LeaseExpired:    w == 1 && (s.Owner > 1 || !s.LeaseLive),
		oracle.Revoked:         !s.Granted,
		oracle.InputChanged:    s.Of(w).Read < s.Input,
		oracle.ArtifactChanged: s.Artifact.Writer != w,
	} {
		if holds {
			reasons |= reason
		}
	}
	return reasons
}

// counted is what all schedules of two submitters show, for several tests.
var counted = sync.OnceValues(func() (map[sight]uint64, error) {
	order, err := Order(2)
	return countSights(plain(order)), err
})

// hoisted is what is tested, once for all tests.
var hoisted = sync.OnceValues(func() (study.Hoist, error) { return ComputeHoist(context.Background(), enumerate.Options{}) })

// lookedOf forgets which reasons there are.
func lookedOf(counts map[sight]uint64) map[study.Looked]uint64 {
	looked := map[study.Looked]uint64{}
	for seen, n := range counts {
		looked[seen.looked()] += n
	}
	return looked
}

// countSights counts what all schedules show, point after point, without the engine.
func countSights(p plainOrder) map[sight]uint64 {
	counts, known := map[sight]uint64{}, map[uint32]uint64{}
	layer := map[uint32]map[point]uint64{0: {{state: contention.Initial()}: 1}}
	for range p.events {
		next := map[uint32]map[point]uint64{}
		for done, points := range layer {
			for i, e := range p.events {
				if !p.ready(done, i) {
					continue
				}
				to := done | 1<<i
				if next[to] == nil {
					next[to] = map[point]uint64{}
				}
				for at, histories := range points {
					after, seen := at.step(e)
					next[to][after] += histories
					if isCommit(e) {
						counts[seen] += histories * p.completions(to, known)
					}
				}
			}
		}
		layer = next
	}
	return counts
}

// leastLooked walks every history of up to limit events and returns the least that
// ends with each thing there is to see, by the events' positions.
func leastLooked(p plainOrder, limit int) map[study.Looked][]int {
	least := map[study.Looked][]int{}
	var extend func(history []int, done uint32, at point)
	extend = func(history []int, done uint32, at point) {
		for i, e := range p.events {
			if !p.ready(done, i) {
				continue
			}
			next, seen := at.step(e)
			longer := append(history, i)
			if old, known := least[seen.looked()]; isCommit(e) && (!known || enumerate.CompareHistories(longer, old) < 0) {
				least[seen.looked()] = slices.Clone(longer)
			}
			if len(longer) < limit {
				extend(longer, done|1<<i, next)
			}
		}
	}
	extend(make([]int, 0, limit), 0, point{state: contention.Initial()})
	return least
}

// unitsOf are the checks that can move, in the order of the subsets' bits.
var unitsOf = []struct {
	name   string
	checks model.Checks
}{
	{"ownership", model.Attempt | model.Fence}, {"lease", model.Lease}, {"grant", model.Grant}, {"inputs", model.Inputs},
	{"artifact", model.Artifact}, {"evidence", model.Evidence}, {"contract", model.Contract},
}

// compareHoist holds every subset against counts and least histories of one's own.
func compareHoist(t *testing.T, h study.Hoist, p plainOrder, counts map[study.Looked]uint64, least map[study.Looked][]int) {
	t.Helper()
	for i, s := range h.Subsets {
		names, early := []string{}, model.Checks(0)
		for j, unit := range unitsOf {
			if i>>j&1 == 1 {
				names, early = append(names, unit.name), early|unit.checks
			}
		}
		unsafeAccept, eligibleReject, shortest := uint64(0), uint64(0), []int(nil)
		for seen, n := range counts {
			fails := seen.Early&early | seen.Late&^early
			if fails == 0 && !seen.Eligible {
				unsafeAccept += n
				if history, ok := least[seen]; ok && (shortest == nil || enumerate.CompareHistories(history, shortest) < 0) {
					shortest = history
				}
			}
			if fails != 0 && seen.Eligible {
				eligibleReject += n
			}
		}
		var history []string
		for _, i := range shortest {
			history = append(history, p.events[i].String())
		}
		want := fmt.Sprintf("%q: %d %d %q", names, unsafeAccept, eligibleReject, history)
		if got := fmt.Sprintf("%q: %v %v %q", s.Early, s.UnsafeAccept, s.EligibleReject, s.Shortest); got != want {
			t.Errorf("subset %d %s\nwant %s", i, got, want)
		}
	}
}

// Every subset, against a count of one's own over the same points and a walk through
// all histories of up to seven events, which is enough for the shortest of each.
func TestHoistAgreesWithDumbCount(t *testing.T) {
	order, err := Order(2)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hoisted()
	if err != nil {
		t.Fatal(err)
	}
	p := plain(order)
	if n := p.completions(0, map[uint32]uint64{}); n != 726485760 || h.Decisions.String() != fmt.Sprint(2*n) || len(h.Subsets) != 128 {
		t.Errorf("%d schedules, %v decisions in %d subsets; want 726,485,760 with two each in 128", n, h.Decisions, len(h.Subsets))
	}
	counts, err := counted()
	if err != nil {
		t.Fatal(err)
	}
	compareHoist(t, h, p, lookedOf(counts), leastLooked(p, 7))
}

// The same by replaying every schedule, where the order is small enough.
func TestHoistAgreesWithDumbReplay(t *testing.T) {
	whole, err := Order(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason    string
		keep      func(contention.Event) bool
		schedules int
	}{
		{"both chains, and the task changes hands", func(e contention.Event) bool {
			return e.Submitter > 0 || e.Kind == model.LeaseExpire || e.Kind == model.Reassign
		}, 16632},
		{"the second owner's chain, with all that can get in its way", func(e contention.Event) bool {
			return e.Submitter != 1 && e.Kind != model.PublishV2
		}, 15120},
	} {
		order := whole.Restrict(tt.keep)
		p := plain(order)
		counts, least, schedules := map[study.Looked]uint64{}, map[study.Looked][]int{}, 0
		for schedule := range order.Schedules() {
			schedules++
			at, history := point{state: contention.Initial()}, []int{}
			for i, e := range schedule {
				next, sight := at.step(e)
				history = append(history, slices.Index(p.events, e))
				if isCommit(e) {
					seen := sight.looked()
					seen.Eligible = eligible(schedule[:i], e.Submitter) // a third oracle: of the history
					counts[seen]++
					if old, known := least[seen]; !known || enumerate.CompareHistories(history, old) < 0 {
						least[seen] = slices.Clone(history)
					}
				}
				at = next
			}
		}
		if schedules != tt.schedules {
			t.Errorf("%d schedules, want %d: %s", schedules, tt.schedules, tt.reason)
		}
		compareHoist(t, hoistOf(t, order), p, counts, least)
	}
}

// hoistOf is ComputeHoist for one order.
func hoistOf(t *testing.T, order enumerate.Order[contention.Event]) study.Hoist {
	t.Helper()
	looked := enumerate.ObserveOn(isCommit, look)
	tallied, err := enumerate.Tally(t.Context(), order, looker{}, looked, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	witnesses, err := enumerate.Witnesses(t.Context(), []enumerate.Order[contention.Event]{order}, looker{}, looked, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := study.NewHoist(tallied.Observed, witnesses)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Ownership and the lease can come between preflight and commit, so that looking early
// also refuses: a submitter that looked before it owned the task.
func TestHoistSingles(t *testing.T) {
	const before = "[w1:read w1:candidate w1:trusted-verify w1:preflight "
	want := []string{
		"[ownership] 2180064 2180064 " + before + "lease-expire reassign w1:commit]",
		"[lease] 1103616 1866624 " + before + "lease-expire w1:commit]",
		"[grant] 7243776 0 " + before + "revoke w1:commit]",
		"[inputs] 2690112 0 " + before + "input-edit w1:commit]",
		"[artifact] 4520352 0 " + before + "artifact-edit w1:commit]",
		"[evidence] 0 0 []",
		"[contract] 0 0 []",
	}
	h, err := hoisted()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range h.Singles() {
		if got := fmt.Sprint(s.Early, s.UnsafeAccept, s.EligibleReject, s.Shortest); got != want[i] {
			t.Errorf("single %d: %s, want %s", i+1, got, want[i])
		}
	}
	if safe, broken := h.MaximalSafe(), h.MinimalUnsafe(); len(h.Singles()) != len(want) || len(safe) != 1 ||
		fmt.Sprint(safe[0].Early) != "[evidence contract]" || len(broken) != 5 {
		t.Errorf("%d singles, maximal safe %v, minimal unsafe %v; want evidence and contract safe, and the other five not", len(h.Singles()), safe, broken)
	}
	again, err := ComputeHoist(t.Context(), enumerate.Options{Workers: 1})
	if err != nil || !reflect.DeepEqual(again, h) {
		t.Errorf("hoisting differs with one worker; %v", err)
	}
}

// With nothing at preflight it is the mechanism atomic, with everything preflight-cached.
func TestHoistExtremes(t *testing.T) {
	h, err := hoisted()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Compute(t.Context(), TracedSubmitters, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]study.Subset{"atomic": h.Subsets[0], "preflight-cached": h.Subsets[127]} {
		var unsafeAccept, eligibleReject enumerate.Count
		for _, d := range r.Decisions {
			for _, score := range d.Mechanisms {
				if score.Name == name {
					unsafeAccept, eligibleReject = plus(unsafeAccept, score.UnsafeAccept), plus(eligibleReject, score.EligibleReject)
				}
			}
		}
		if s.UnsafeAccept != unsafeAccept || s.EligibleReject != eligibleReject {
			t.Errorf("%v at preflight: %v and %v, all decisions of %s %v and %v", s.Early, s.UnsafeAccept, s.EligibleReject, name, unsafeAccept, eligibleReject)
		}
	}
	if got := fmt.Sprint(h.Subsets[127].UnsafeAccept, h.Subsets[127].EligibleReject); got != "30168768 2180064" {
		t.Errorf("preflight-cached: %s, want 30,168,768 unsafe accepts and 2,180,064 eligible rejects", got)
	}
}

func TestHoistIncomplete(t *testing.T) {
	h, err := ComputeHoist(t.Context(), enumerate.Options{MaxNodes: 20_000})
	var incomplete *enumerate.IncompleteError
	if !errors.As(err, &incomplete) || !errors.Is(err, enumerate.ErrLimit) || h.Subsets != nil {
		t.Errorf("%v, %v; want an incomplete run and nothing else", h.Subsets, err)
	}
}
