package contract

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	oracle "example.com/commitpoint/oracle/contract"
)

// computed is the result, which takes seconds, once.
var computed = sync.OnceValues(func() (Result, error) { return Compute(context.Background(), enumerate.Options{}) })

func compute(t testing.TB) Result {
	t.Helper()
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mechanism(t testing.TB, name string) contract.Mechanism {
	t.Helper()
	m, err := contract.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// scenariosOf returns the scenarios of the families with the given names.
func scenariosOf(t testing.TB, names ...string) []scenarios {
	t.Helper()
	all, err := allScenarios()
	if err != nil {
		t.Fatal(err)
	}
	in := slices.DeleteFunc(all, func(s scenarios) bool { return !slices.Contains(names, s.family.Name) })
	if len(in) != len(names) {
		t.Fatalf("%d families are called one of %v", len(in), names)
	}
	return in
}

// The complete mechanism decides every request in every schedule as the oracle does.
func TestCompleteIsRight(t *testing.T) {
	want := []string{
		"ownership: 12 events, 64 scenarios, 624807 schedules",
		"lost-fences: 11 events, 32 scenarios, 50212 schedules",
		"lost-attempts: 11 events, 32 scenarios, 50212 schedules",
		"restored: 11 events, 32 scenarios, 50212 schedules",
		"authority: 12 events, 64 scenarios, 1084483 schedules",
		"objects: 11 events, 32 scenarios, 86276 schedules",
		"evidence: 11 events, 128 scenarios, 1811796 schedules",
		"unclean-path: 8 events, 4 scenarios, 71 schedules",
		"other-spelling: 8 events, 4 scenarios, 71 schedules",
		"identity: 12 events, 64 scenarios, 62785 schedules",
		"resent: 10 events, 32 scenarios, 17125 schedules",
		"race: 13 events, 8 scenarios, 70014 schedules",
		"writers: 12 events, 64 scenarios, 132297 schedules",
	}
	r := compute(t)
	var got []string
	var sum uint64
	for _, f := range r.Families {
		got = append(got, fmt.Sprintf("%s: %d events, %d scenarios, %d schedules", f.Name, f.Events, f.Scenarios, f.Schedules))
		sum += f.Schedules
		if f.About == "" {
			t.Errorf("family %s is about nothing", f.Name)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the families (-want +got)\n%s", d)
	}
	if r.Schedules != 4_040_361 || sum != r.Schedules {
		t.Errorf("%d schedules, %d in all families; want 4,040,361", r.Schedules, sum)
	}
	if want := (Score{SafeAccept: 222_049, UnsafeReject: 4_180_913}); r.Complete != want || !r.Complete.Right() {
		t.Errorf("the complete mechanism scores %+v, want %+v", r.Complete, want)
	}
}

// Nothing is right for want of being exercised: every kind of event is in some family,
// and the oracle has every one of its reasons somewhere.
func TestFamiliesExerciseEverything(t *testing.T) {
	all, err := allScenarios()
	if err != nil {
		t.Fatal(err)
	}
	happens, reasons := map[model.Kind]bool{}, oracle.Reasons(0)
	for _, f := range all {
		for _, e := range f.orders[len(f.orders)-1].Events() {
			happens[e.Kind] = true
		}
		walked := machine{mechanism: contract.Complete}
		tallied, err := enumerate.TallyAll(t.Context(), f.orders, walked, walked.observe(), enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range tallied {
			for _, o := range scenario.Observed {
				reasons |= o.Value.reasons
			}
		}
	}
	for k := model.Claim; k <= model.SweepWrite; k++ {
		if !happens[k] {
			t.Errorf("%v happens in no family", model.Event{Kind: k})
		}
	}
	for _, r := range oracle.AllReasons() {
		if reasons&r == 0 {
			t.Errorf("no request is ineligible for %v", r)
		}
	}
}

// What every history that is the shortest begins with, but for a few.
const (
	start     = "a:read a:candidate a:verify-tests a:verify-review a:preflight "
	startPair = "a:read a:candidate-pair a:verify-tests a:verify-review a:preflight "
	startLink = "a:read a:candidate-alias a:verify-tests a:verify-review a:preflight "
	startRace = "a:read a:candidate a:verify a:preflight "
	unseen    = "a:read a:candidate a:preflight a:commit"
	unclean   = "a:read a:candidate-unclean a:verify-tests a:verify-review a:preflight a:commit"
	other     = "a:read a:candidate a:verify-tests a:verify-review a:impersonate"
)

// row is a line of a table: a name, how many unsafe accepts and eligible rejects, and the
// family and the events of the shortest history.
func row(name string, unsafeAccept, eligibleReject uint64, family string, shortest []string) string {
	return fmt.Sprintf("%s %d %d %s: %s", name, unsafeAccept, eligibleReject, family, strings.Join(shortest, " "))
}

// Without any of the predicates something goes wrong.
func TestObligations(t *testing.T) {
	want := []string{
		"active 103261 0 ownership: " + start + "cancel a:commit",
		"caller 3850 0 identity: " + other,
		"attempt 2261 0 lost-fences: " + start + "restart-fences reclaim a:commit",
		"fence 2261 0 lost-attempts: " + start + "restart-attempts reclaim a:commit",
		"incarnation 2537 0 restored: " + start + "restore a:commit",
		"lease 33875 0 race: " + startRace + "lease-expire a:commit",
		"scope 2593 0 unclean-path: " + unclean,
		"grant 374430 0 resent: a:read a:candidate a:preflight a:verify revoke a:commit",
		"contract 33557 0 authority: " + startPair + "migrate a:commit",
		"dependencies 5042 0 objects: " + startLink + "input-edit a:commit",
		"bases 898 0 objects: " + startLink + "foreign-publish a:commit",
		"binding 94476 0 resent: a:read a:candidate a:preflight a:verify a:replace a:commit",
		"criteria 824059 0 evidence: " + unseen,
		"identity 0 18836 resent: a:read a:candidate a:preflight a:verify a:commit a:retry",
	}
	var got []string
	for _, o := range compute(t).Obligations {
		got = append(got, row(o.Predicate, o.UnsafeAccept, o.EligibleReject, o.Family, o.Shortest))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("without each predicate (-want +got)\n%s", d)
	}
}

func TestHybrids(t *testing.T) {
	want := []string{
		"id-alone 4828 0 identity: " + start + "a:commit a:retry-other",
		"any-caller 1631 0 identity: " + start + "a:commit a:impersonate",
		"preflight 108368 98211 resent: a:read a:candidate a:preflight a:verify a:commit",
		"fence-for-attempt 4798 0 restored: " + start + "restore a:commit",
		"attempt-for-fence 4798 0 restored: " + start + "restore a:commit",
		"outer-attempt 194256 0 identity: " + other,
		"inner-attempt 48906 0 identity: " + other,
		"own-receipts 824059 0 evidence: " + unseen,
		"first-grant 63709 0 authority: " + startPair + "revoke-second a:commit",
		"declared-paths 2593 9 unclean-path: " + unclean,
		"cached-grant 374430 0 resent: a:read a:candidate a:preflight a:verify revoke a:commit",
		"unguarded-sweeper 0 1701 writers: " + start + "sweep-read sweep-write a:commit",
		"unguarded-failure 0 0 : ",
		"fail-on-refusal 0 20841 resent: a:read a:candidate a:preflight a:commit a:verify a:retry",
		"torn-publication 0 0 : ",
	}
	var got []string
	for _, h := range compute(t).Hybrids {
		got = append(got, row(h.Name, h.UnsafeAccept, h.EligibleReject, h.Family, h.Shortest))
		if h.Meaning != mechanism(t, h.Name).Meaning || h.Shortest == nil {
			t.Errorf("%s: %q, %v", h.Name, h.Meaning, h.Shortest)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("what people build instead (-want +got)\n%s", d)
	}
}

func TestHoist(t *testing.T) {
	want := []string{
		"active 5347 26749 ownership: " + start + "cancel a:commit",
		"caller 0 26749 : ",
		"attempt 441 26749 lost-fences: " + start + "restart-fences reclaim a:commit",
		"fence 441 26749 lost-attempts: " + start + "restart-attempts reclaim a:commit",
		"incarnation 242 26749 restored: " + start + "restore a:commit",
		"lease 6440 26749 race: " + startRace + "lease-expire a:commit",
		"scope 0 26749 : ",
		"grant 25616 29123 resent: " + startRace + "revoke a:commit",
		"contract 23181 26749 authority: " + startPair + "migrate a:commit",
		"dependencies 646 26749 objects: " + startLink + "input-edit a:commit",
		"bases 217 26749 objects: " + startLink + "foreign-publish a:commit",
		"binding 343 28436 resent: " + startRace + "revoke a:commit a:replace a:verify#2 regrant a:retry",
		"criteria 7678 96789 authority: " + startPair + "withdraw-checker a:commit",
	}
	h := compute(t).Hoist
	var got []string
	for _, s := range h.Singles {
		got = append(got, row(s.Predicate, s.UnsafeAccept, s.EligibleReject, s.Family, s.Shortest))
		if s.Why == "" {
			t.Errorf("%s: no reason why it may move or has to stay", s.Predicate)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("each predicate at preflight (-want +got)\n%s", d)
	}
	if d := cmp.Diff([][]string{{"caller", "scope"}}, h.MaximalSafe); d != "" {
		t.Errorf("what may leave the transaction together (-want +got)\n%s", d)
	}
	alone := [][]string{{"active"}, {"attempt"}, {"fence"}, {"incarnation"}, {"lease"}, {"grant"}, {"contract"}, {"dependencies"}, {"bases"}, {"binding"}, {"criteria"}}
	if d := cmp.Diff(alone, h.MinimalUnsafe); d != "" {
		t.Errorf("what has to stay (-want +got)\n%s", d)
	}
	if want := (Score{SafeAccept: 195_279, UnsafeReject: 4_180_934, EligibleReject: 26_749}); h.Together != want {
		t.Errorf("the maximal safe set scores %+v, want %+v", h.Together, want)
	}
	if want := (Score{SafeAccept: 135_885, UnsafeAccept: 108_368, UnsafeReject: 4_060_498, EligibleReject: 98_211}); h.All != want {
		t.Errorf("everything at preflight scores %+v, want %+v", h.All, want)
	}
}

func TestInvariants(t *testing.T) {
	want := []string{
		"a terminal status is never overwritten: unguarded-sweeper, writers: sweep-read a:report-failure sweep-write",
		"a task has one terminal write: preflight, race: " + startRace + "b:read b:candidate b:claim b:verify b:preflight a:commit b:commit",
		"a publication changes all of its targets or none: torn-publication, authority: " + startPair + "a:commit",
		"an identical retry is never refused: without-identity, resent: a:read a:candidate a:preflight a:verify a:commit a:retry",
		"whoever has lost the task changes nothing: unguarded-failure, writers: b:claim a:report-failure",
		"a refused request changes nothing: fail-on-refusal, identity: a:impersonate",
	}
	var got []string
	for _, x := range compute(t).Invariants {
		got = append(got, fmt.Sprintf("%s: %s, %s: %s", x.Property, x.Mechanism, x.Family, strings.Join(x.Shortest, " ")))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the invariants (-want +got)\n%s", d)
	}
}

// A dumb scores a mechanism the plain way: each schedule is run from the start, with the
// model, the mechanism and the oracle taken one by one, and each decision counted.
func dumb(t testing.TB, orders []enumerate.Order[model.Event], m contract.Mechanism) (score Score) {
	t.Helper()
	for _, o := range orders {
		for schedule := range o.Schedules() {
			s, h := model.Initial(model.Setup{}), oracle.Begin(model.Setup{})
			looked, failed := [3]model.Request{}, [3]model.Checks{}
			for _, e := range schedule {
				if e.Kind == model.Preflight {
					r := s.Request(model.Event{Worker: e.Worker, Kind: model.Commit})
					looked[e.Worker], failed[e.Worker] = r, m.Look(&s, &r)
				}
				if e.Kind.Decides() {
					r, early := s.Request(e), model.All
					if looked[e.Worker] == r {
						early = failed[e.Worker]
					}
					d, eligible := m.Decide(&s, &r, early), h.Judge(e, r).Eligible()
					switch {
					case d.Accepted && eligible:
						score.SafeAccept++
					case d.Accepted:
						score.UnsafeAccept++
					case eligible:
						score.EligibleReject++
					default:
						score.UnsafeReject++
					}
					if d.Accepted && !d.Replayed {
						s.Complete(r, false)
						h.Record(r)
					}
				}
				s.Step(e)
				h.Step(e)
			}
		}
	}
	return score
}

// Four ways to count agree: merging equal states, each distinct state once, and each
// schedule on its own, by the engine and without it.
func TestCountsAgreeWithDumbReplay(t *testing.T) {
	for _, f := range scenariosOf(t, "lost-fences", "unclean-path", "other-spelling", "race") {
		for _, name := range []string{"complete", "preflight", "inner-attempt"} {
			m := mechanism(t, name)
			j, err := judge(t.Context(), []scenarios{f}, m, anyWrong, enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := dumb(t, f.orders, m); got != j.score || got == (Score{}) {
				t.Errorf("%s in family %s: %+v, by replaying every schedule %+v", name, f.family.Name, j.score, got)
			}
		}
	}
}

// The schedules end in the same states whichever way they are walked, and the tally has
// as many of them.
func TestWalksAgree(t *testing.T) {
	m := machine{mechanism: contract.Complete}
	for _, f := range scenariosOf(t, "lost-attempts", "unclean-path", "other-spelling") {
		outcomes, err := enumerate.Outcomes(t.Context(), f.orders, m, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tallied, err := enumerate.TallyAll(t.Context(), f.orders, m, m.observe(), enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ends := make([]map[state]uint64, len(f.orders))
		accepted := make([]uint64, len(f.orders))
		for i := range ends {
			ends[i] = map[state]uint64{}
		}
		err = enumerate.Walk(t.Context(), f.orders, m, func(i int, prefix []model.Event, s *state) bool {
			if len(prefix) == f.orders[i].Len() {
				ends[i][*s]++
				accepted[i] += uint64(s.model.Ledger.Writes)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.orders {
			var all uint64
			for _, o := range outcomes[i] {
				if all += o.Schedules; ends[i][o.Final] != o.Schedules {
					t.Errorf("family %s, scenario %v: %d schedules end alike, walking %d", f.family.Name, f.orders[i], o.Schedules, ends[i][o.Final])
				}
			}
			var seen Score
			for _, o := range tallied[i].Observed {
				seen.add(o.Value, o.Count.Big().Uint64())
			}
			if len(outcomes[i]) != len(ends[i]) || tallied[i].Schedules.Big().Uint64() != all || seen.SafeAccept != accepted[i] {
				t.Errorf("family %s, scenario %v: %d ends of %d schedules, %d accepted; walking %d, the tally %v, %+v",
					f.family.Name, f.orders[i], len(outcomes[i]), all, accepted[i], len(ends[i]), tallied[i].Schedules, seen)
			}
		}
	}
}

// The result does not depend on how many work on it.
func TestWorkersChangeNothing(t *testing.T) {
	in := scenariosOf(t, "lost-fences", "restored", "identity")
	for _, name := range []string{"complete", "preflight", "id-alone", "without-attempt"} {
		var want judged
		for _, workers := range []int{1, 3} {
			got, err := judge(t.Context(), in, mechanism(t, name), anyWrong, enumerate.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if workers == 1 {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v with one worker, %+v with %d", name, want, got, workers)
			}
		}
	}
}

// A run that meets a limit, or is cancelled, says nothing but that.
func TestLimits(t *testing.T) {
	in := scenariosOf(t, "unclean-path")
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]func(context.Context, enumerate.Options) (any, error){
		"Compute": func(ctx context.Context, opt enumerate.Options) (any, error) { return Compute(ctx, opt) },
		"Traces": func(ctx context.Context, opt enumerate.Options) (any, error) {
			return Traces(ctx, contract.Complete, opt)
		},
		"Run": func(ctx context.Context, opt enumerate.Options) (any, error) { return cases[0].Run(ctx, opt) },
		"judge": func(ctx context.Context, opt enumerate.Options) (any, error) {
			return judge(ctx, in, contract.Complete, anyWrong, opt)
		},
		"hoist":  func(ctx context.Context, opt enumerate.Options) (any, error) { return hoist(ctx, in, opt) },
		"breaks": func(ctx context.Context, opt enumerate.Options) (any, error) { return breaks(ctx, in, opt) },
		"obligations": func(ctx context.Context, opt enumerate.Options) (any, error) {
			return nil, new(Result).obligations(ctx, in, opt)
		},
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, run := range runs {
		var incomplete *enumerate.IncompleteError
		if _, err := run(t.Context(), enumerate.Options{MaxNodes: 5}); !errors.As(err, &incomplete) || !errors.Is(err, enumerate.ErrLimit) {
			t.Errorf("%s with at most 5 nodes: %v, want an incomplete run", name, err)
		}
		incomplete = nil
		if _, err := run(cancelled, enumerate.Options{}); !errors.As(err, &incomplete) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v, want an incomplete run", name, err)
		}
	}
}

// An error of a limit says what was being counted, in which family.
func TestLimitsAreNamed(t *testing.T) {
	in := scenariosOf(t, "unclean-path")
	few := enumerate.Options{MaxNodes: 5}
	_, compute := Compute(t.Context(), few)
	_, judge := judge(t.Context(), in, contract.Complete, anyWrong, few)
	_, traces := Traces(t.Context(), contract.Complete, few)
	_, breaks := breaks(t.Context(), in, few)
	for err, want := range map[error]string{
		compute: "count the schedules of family ownership: ",
		judge:   "count the decisions of complete in family unclean-path: ",
		traces:  "find the counterexamples of complete in family ownership: ",
		breaks:  "check the invariants of complete in family unclean-path: ",
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s…", err, want)
		}
	}
}
