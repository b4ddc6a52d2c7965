package study_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
	"example.com/commitpoint/study"
)

// movable are the checks that can move, by name, in the order of the subsets' bits.
var movable = []struct {
	name   string
	checks []model.Checks
}{
	{"ownership", []model.Checks{model.Attempt, model.Fence}},
	{"lease", []model.Checks{model.Lease}},
	{"grant", []model.Checks{model.Grant}},
	{"inputs", []model.Checks{model.Inputs}},
	{"artifact", []model.Checks{model.Artifact}},
	{"evidence", []model.Checks{model.Evidence}},
	{"contract", []model.Checks{model.Contract}},
}

// A replayed is what one schedule shows, up to its commit.
type replayed struct {
	history     []model.Event // that ends with the commit
	early, late model.Checks  // that fail at preflight and at the commit, by mechanisms.Failed
	reasons     oracle.Reasons
}

// replayAll replays every schedule of the study's scenarios from the start.
func replayAll() []replayed {
	var all []replayed
	for _, o := range study.Scenarios(study.MaxEnvironment) {
		for schedule := range o.Schedules() {
			all = append(all, replayToCommit(schedule))
		}
	}
	return all
}

func replayToCommit(schedule []model.Event) (r replayed) {
	s, facts := model.Initial(), oracle.Begin()
	for i, e := range schedule {
		switch e.Kind {
		case model.Preflight:
			r.early = mechanisms.Failed(s, s.Request())
		case model.Commit:
			r.late = mechanisms.Failed(s, s.Request())
			r.reasons = facts.Judge(s.Request()).Reasons
			r.history = schedule[:i+1]
			return r
		}
		s = model.Next(s, e)
		if facts = facts.Observe(e); e.Kind == model.TrustedVerify {
			facts = facts.Record(s.Evidence)
		}
	}
	return r
}

// acceptedIf asks one check after the other, at preflight or at the commit.
func (r replayed) acceptedIf(early func(unit string) bool) bool {
	for _, unit := range movable {
		for _, check := range unit.checks {
			if early(unit.name) && r.early.Has(check) || !early(unit.name) && r.late.Has(check) {
				return false
			}
		}
	}
	return true
}

// declared is where events have their place in the order of histories.
var declared = study.Universe()

// shorter compares histories of the study's events.
func shorter(a, b []model.Event) bool {
	positions := func(history []model.Event) (list []int) {
		for _, e := range history {
			list = append(list, declared.Index(e))
		}
		return list
	}
	return b == nil || enumerate.CompareHistories(positions(a), positions(b)) < 0
}

func computeHoist(t testing.TB, opt study.Options) study.Hoist {
	t.Helper()
	h, err := study.ComputeHoist(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHoistAgreesWithDumbReplay(t *testing.T) {
	h, all := computeHoist(t, study.Options{}), replayAll()
	if h.Decisions.String() != "6694" || len(all) != 6694 || len(h.Subsets) != 128 {
		t.Errorf("%v decisions in %d subsets, %d by replay; want 6,694 in 128", h.Decisions, len(h.Subsets), len(all))
	}
	for i, s := range h.Subsets {
		names := []string{}
		for j, unit := range movable {
			if i>>j&1 == 1 {
				names = append(names, unit.name)
			}
		}
		unsafeAccept, eligibleReject, shortest := 0, 0, []model.Event(nil)
		for _, r := range all {
			switch accepted := r.acceptedIf(func(unit string) bool { return slices.Contains(names, unit) }); {
			case accepted && r.reasons != 0:
				unsafeAccept++
				if shorter(r.history, shortest) {
					shortest = r.history
				}
			case !accepted && r.reasons == 0:
				eligibleReject++
			}
		}
		want := fmt.Sprintf("%q: %d %d %q", names, unsafeAccept, eligibleReject, model.Names(shortest))
		if got := fmt.Sprintf("%q: %v %v %q", s.Early, s.UnsafeAccept, s.EligibleReject, s.Shortest); got != want {
			t.Errorf("subset %d %s\nby replay %s", i, got, want)
		}
		if s.Safe() != (unsafeAccept == 0) || (s.Shortest == nil) != s.Safe() {
			t.Errorf("%v: safe %v with %d unsafe accepts, the shortest %v", s.Early, s.Safe(), unsafeAccept, s.Shortest)
		}
	}
}

// The study's answer to what may leave the transaction, check by check.
func TestHoistSingles(t *testing.T) {
	const before = "[read candidate trusted-verify preflight "
	want := []string{
		"[ownership] 155 0 " + before + "reassign commit]",
		"[lease] 95 0 " + before + "lease-expire commit]",
		"[grant] 94 0 " + before + "revoke commit]",
		"[inputs] 79 0 " + before + "input-edit commit]",
		"[artifact] 67 0 " + before + "artifact-edit commit]",
		"[evidence] 0 0 []",
		"[contract] 0 0 []",
	}
	h := computeHoist(t, study.Options{})
	for i, s := range h.Singles() {
		if got := fmt.Sprint(s.Early, s.UnsafeAccept, s.EligibleReject, s.Shortest); got != want[i] {
			t.Errorf("single %d: %s, want %s", i+1, got, want[i])
		}
	}
	if len(h.Singles()) != len(want) {
		t.Errorf("%d singles, want %d", len(h.Singles()), len(want))
	}
	if got := fmt.Sprint(earlyOf(h.MaximalSafe())); got != "[[evidence contract]]" {
		t.Errorf("maximal safe: %s, want evidence and contract together", got)
	}
	if got := fmt.Sprint(earlyOf(h.MinimalUnsafe())); got != "[[ownership] [lease] [grant] [inputs] [artifact]]" {
		t.Errorf("minimal unsafe: %s, want the five singles", got)
	}
}

func earlyOf(list []study.Subset) (names [][]string) {
	for _, s := range list {
		names = append(names, s.Early)
	}
	return names
}

// The extremes are mechanisms of the study: with nothing at preflight it is atomic,
// with everything preflight-cached.
func TestHoistExtremes(t *testing.T) {
	h, r := computeHoist(t, study.Options{}), compute(t, 0)
	for name, s := range map[string]study.Subset{"atomic": h.Subsets[0], "preflight-cached": h.Subsets[127]} {
		i := slices.IndexFunc(r.Mechanisms, func(m mechanisms.Mechanism) bool { return m.Name == name })
		if got, want := fmt.Sprint(s.UnsafeAccept, s.EligibleReject), fmt.Sprint(r.Scores[i].UnsafeAccept, r.Scores[i].EligibleReject); got != want {
			t.Errorf("%v at preflight: %s, the published scores of %s are %s", s.Early, got, name, want)
		}
		c := slices.IndexFunc(r.Counterexamples, func(c study.Counterexample) bool { return c.Mechanism == name })
		if c < 0 != (s.Shortest == nil) || c >= 0 && !slices.Equal(s.Shortest, model.Names(r.Counterexamples[c].Schedule)) {
			t.Errorf("%v at preflight: the shortest is %v, which is not that of %s", s.Early, s.Shortest, name)
		}
	}
}

// In the bare chain nothing goes wrong wherever it is looked at.
func TestHoistOfTheBareChain(t *testing.T) {
	h := computeHoist(t, study.Options{Scenarios: study.Scenarios(0), Mechanisms: make([]mechanisms.Mechanism, 65)})
	if maximal := h.MaximalSafe(); h.Decisions.String() != "1" || len(maximal) != 1 || len(maximal[0].Early) != 7 {
		t.Errorf("%v decisions, maximal safe %v; want one with all seven", h.Decisions, earlyOf(maximal))
	}
	if minimal := h.MinimalUnsafe(); minimal == nil || len(minimal) != 0 {
		t.Errorf("minimal unsafe = %#v, want an empty list", minimal)
	}
}

// MaximalSafe and MinimalUnsafe by their definitions, for subsets that need not be
// anything like those of checks: a larger one can be safe where a smaller is not.
func TestHoistExtremesByDefinition(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	odd := 0
	rapid.Check(t, func(t *rapid.T) {
		var h study.Hoist
		safe := map[string]bool{}
		for i := range 1 << len(names) {
			s := study.Subset{Early: []string{}}
			for j, name := range names {
				if i>>j&1 == 1 {
					s.Early = append(s.Early, name)
				}
			}
			s.UnsafeAccept = enumerate.NewCount(rapid.Uint64Range(0, 1).Draw(t, "unsafe accepts"))
			safe[strings.Join(s.Early, "")] = s.UnsafeAccept.String() == "0"
			h.Subsets = append(h.Subsets, s)
		}
		maximal, minimal := []string{}, []string{}
		for _, a := range slices.Sorted(maps.Keys(safe)) {
			alone := true // in what it is, among those that have more, or less
			for b := range safe {
				larger, smaller := a, b
				if safe[a] {
					larger, smaller = b, a
				}
				if a != b && within(smaller, larger) && safe[b] == safe[a] {
					alone = false
				}
				if a != b && within(a, b) && !safe[a] && safe[b] {
					odd++
				}
			}
			switch {
			case alone && safe[a]:
				maximal = append(maximal, a)
			case alone:
				minimal = append(minimal, a)
			}
		}
		for what, list := range map[string][2][]string{
			"maximal safe": {joined(h.MaximalSafe()), maximal}, "minimal unsafe": {joined(h.MinimalUnsafe()), minimal},
		} {
			if slices.Sort(list[0]); !slices.Equal(list[0], list[1]) {
				t.Fatalf("safe %v: %s are %q, want %q", safe, what, list[0], list[1])
			}
		}
	})
	if odd == 0 {
		t.Error("no larger subset was safe where a smaller one was not")
	}
}

// within reports whether every name in a is in b.
func within(a, b string) bool {
	return !strings.ContainsFunc(a, func(r rune) bool { return !strings.ContainsRune(b, r) })
}

func joined(list []study.Subset) (names []string) {
	for _, s := range list {
		names = append(names, strings.Join(s.Early, ""))
	}
	return names
}

func TestHoistWorkersChangeNothing(t *testing.T) {
	want := computeHoist(t, study.Options{Workers: 1})
	for _, workers := range []int{2, 3, 8} {
		if got := computeHoist(t, study.Options{Workers: workers}); !reflect.DeepEqual(got, want) {
			t.Errorf("hoisting differs between 1 and %d workers", workers)
		}
	}
}

func TestHoistRefuses(t *testing.T) {
	other, err := study.Order(model.Event{Kind: model.Revoke})
	if err != nil {
		t.Fatal(err)
	}
	unchained := study.Universe().Restrict(func(e model.Event) bool { return e.Kind != model.Preflight })
	tests := []struct {
		name string
		opt  study.Options
		want string
	}{
		{"no chain", study.Options{Scenarios: []enumerate.Order[model.Event]{unchained}}, "lacks trusted-verify before preflight"},
		{"no scenarios", study.Options{Scenarios: []enumerate.Order[model.Event]{}}, "nothing to judge"},
		{"two declarations", study.Options{Scenarios: []enumerate.Order[model.Event]{study.Universe(), other}}, "not restrictions of one order"},
		{"workers", study.Options{Workers: -1}, "count the decisions of every subset of checks: -1 workers"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, err := study.ComputeHoist(t.Context(), tt.opt)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !reflect.DeepEqual(h, study.Hoist{}) {
				t.Errorf("%v, error %v\nwant one about %s", h.Subsets, err, tt.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var incomplete *enumerate.IncompleteError
	if h, err := study.ComputeHoist(ctx, study.Options{}); !errors.As(err, &incomplete) || !errors.Is(err, context.Canceled) || h.Subsets != nil {
		t.Errorf("cancelled: %v, %v; want an incomplete run and nothing else", h.Subsets, err)
	}
}

// What is observed decides every subset: a made-up observation of each kind.
func TestNewHoist(t *testing.T) {
	n := func(n uint64) enumerate.Count { return enumerate.NewCount(n) }
	stale := study.Looked{Late: model.Lease | model.Evidence}                 // it held at preflight, and is not eligible
	late := study.Looked{Early: model.Fence | model.Contract, Eligible: true} // it holds at the commit only
	refused := study.Looked{Early: model.Artifact, Late: model.Artifact}      // whatever moves
	accepted := study.Looked{Eligible: true}                                  // whatever moves
	careless := study.Looked{Early: model.Inputs}                             // by atomic, too
	observed := []enumerate.Observed[study.Looked]{{Value: stale, Count: n(3)}, {Value: late, Count: n(10)},
		{Value: refused, Count: n(200)}, {Value: accepted, Count: n(7000)}, {Value: careless, Count: n(40)}, {Value: stale, Count: n(2)}}
	e := func(k model.Kind) model.Event { return model.Event{Kind: k} }
	witnesses := []enumerate.Witness[model.Event, study.Looked]{
		{Value: accepted, History: []model.Event{e(model.Commit)}},
		{Value: careless, History: []model.Event{e(model.Revoke), e(model.Commit)}},
		{Value: stale, History: []model.Event{e(model.Read), e(model.LeaseExpire), e(model.Commit)}},
	}
	h, err := study.NewHoist(observed, witnesses)
	if err != nil || h.Decisions != n(7255) {
		t.Fatalf("%v decisions, %v; want 7,255", h.Decisions, err)
	}
	tests := []struct {
		early, want, reason string
	}{
		{"", "40 0 [revoke commit]", "atomic looks late"},
		{"lease", "40 0 [revoke commit]", "the evidence is still missing at the commit"},
		{"lease evidence", "45 0 [revoke commit]", "the stale answer is trusted"},
		{"lease inputs evidence", "5 0 [read lease-expire commit]", "what was careless is refused early"},
		{"ownership", "40 10 [revoke commit]", "the fence fails early"},
		{"inputs", "0 0 []", "nothing else goes wrong"},
		{"inputs contract", "0 10 []", "the contract fails early"},
	}
	for _, tt := range tests {
		i := slices.IndexFunc(h.Subsets, func(s study.Subset) bool { return strings.Join(s.Early, " ") == tt.early })
		if got := fmt.Sprint(h.Subsets[i].UnsafeAccept, h.Subsets[i].EligibleReject, h.Subsets[i].Shortest); got != tt.want {
			t.Errorf("%q early: %s, want %s: %s", tt.early, got, tt.want, tt.reason)
		}
	}
}

// Counts that leave 128 bits are an error, and nothing comes with it.
func TestNewHoistOverflows(t *testing.T) {
	half, err := enumerate.NewCount(1 << 63).Times(enumerate.NewCount(1 << 63))
	if err != nil {
		t.Fatal(err)
	}
	observe := func(times int) (study.Hoist, error) { // a quarter of 2^128 each
		list := slices.Repeat([]enumerate.Observed[study.Looked]{{Value: study.Looked{Eligible: true}, Count: half}}, times)
		return study.NewHoist[model.Event](list, nil)
	}
	if h, err := observe(3); err != nil || len(h.Subsets) != 128 || h.Decisions.String() != "255211775190703847597530955573826158592" {
		t.Errorf("three quarters of 2^128: %v decisions, %v", h.Decisions, err)
	}
	h, err := observe(4)
	if !errors.Is(err, enumerate.ErrOverflow) || err.Error() != "count decisions: the count does not fit in 128 bits" || h.Subsets != nil {
		t.Errorf("2^128: %v decisions, %v; want an overflow", h.Decisions, err)
	}
}
