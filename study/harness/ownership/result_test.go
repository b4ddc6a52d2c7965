package ownership

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/ownership"
	model "example.com/commitpoint/model/harness/ownership"
	"example.com/commitpoint/study"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// whole is the result of the whole model, which is computed once for all tests.
var whole = sync.OnceValues(func() (Result, error) { return Compute(context.Background(), enumerate.Options{}) })

func computed(t *testing.T) Result {
	t.Helper()
	r, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// restricted returns the order of some events, with their precedence.
func restricted(events string) enumerate.Order[model.Event] {
	names := strings.Fields(events)
	return Order().Restrict(func(e model.Event) bool { return slices.Contains(names, e.String()) })
}

// Every count there is. What they mean is tested below.
func TestResult(t *testing.T) {
	got, err := json.MarshalIndent(computed(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile("testdata/result.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/result.json")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// The number of schedules by the closed form: all is a forest but for the end.
func TestNumberOfSchedules(t *testing.T) {
	forest := Order().Restrict(func(e model.Event) bool { return e.Kind != model.End })
	n, ok := forest.Extensions()
	r := computed(t)
	if !ok || n.String() != r.Schedules.String() || r.Schedules.String() != "4878475380979200" || r.Events != 22 {
		t.Errorf("%v schedules of %d events, want %v", r.Schedules, r.Events, n)
	}
	if r.DownSets.String() != "47953" {
		t.Errorf("%v down-sets", r.DownSets)
	}
}

// In how many schedules each mechanism breaks each property: those that its meaning says,
// and no other.
func TestBroken(t *testing.T) {
	const generations, owners, runs, unknown, b, retained, due, known = 0, 1, 2, 3, 4, 5, 6, 7
	want := map[string]map[int]string{
		"exact":              {},
		"by-port":            {generations: "1326558807161280", owners: "852287226381360", runs: "852287226381360", b: "852287226381360"},
		"any-run":            {runs: "625516473692880"},
		"any-owner":          {owners: "104640115734000", b: "104640115734000"},
		"any-generation":     {generations: "1261990527446880"},
		"checked-early":      {generations: "586290943022400", owners: "168991806874968", runs: "168991806874968", b: "168991806874968"},
		"blind-retry":        {generations: "220852413825120", owners: "296756535841920", runs: "296756535841920", b: "296756535841920"},
		"whole-run":          {b: "2061432837525600"},
		"ignores-lease":      {retained: "878229187799040"},
		"misses-renewal":     {retained: "34269696457920"},
		"late-approval":      {due: "280272189415680"},
		"sticky-lease":       {due: "76772493372960"},
		"stale-lease":        {due: "111439996002720"},
		"late-renewal":       {due: "13333727040480"},
		"silence-is-removed": {unknown: "3178955486637840"},
		"any-answer":         {unknown: "2070589311022020"},
		"outage-is-absence":  {unknown: "1457169039743776"},
		"never-removes":      {due: "2061432837525600"},
		"never-sure":         {known: "2691815098604864"},
	}
	for _, s := range computed(t).Mechanisms {
		if got := broken(s.Broken); !cmp.Equal(got, want[s.Name]) {
			t.Errorf("%s breaks %v, want %v", s.Name, got, want[s.Name])
		}
	}
}

// broken returns the counts that are not zero, by the property's position.
func broken(list []Property) map[int]string {
	counts := map[int]string{}
	for i, p := range list {
		if n := p.Schedules.String(); n != "0" {
			counts[i] = n
		}
	}
	return counts
}

// Where each property could have been broken, and was not. B and the other run are alike
// but for their names; B, which exact never touches, is at stake at every removal; and who never does what is due breaks that wherever it is due.
func TestSituations(t *testing.T) {
	r := computed(t)
	want := map[int]string{
		0: "1371947401440000", 1: "716307437704320", 2: "716307437704320", 3: "4220000274036416",
		4: "4878475380979200", 5: "967614764608800", 6: "2061432837525600", 7: "2691815098604864",
	}
	got := broken(r.Situations)
	if !cmp.Equal(got, want) {
		t.Errorf("situations %v, want %v", got, want)
	}
	if got[4] != r.Schedules.String() {
		t.Errorf("B's survival is at stake in %s schedules of %v", got[4], r.Schedules)
	}
	for name, property := range map[string]int{"never-removes": 6, "never-sure": 7} {
		i := slices.IndexFunc(r.Mechanisms, func(s Score) bool { return s.Name == name })
		if n := broken(r.Mechanisms[i].Broken)[property]; n != got[property] {
			t.Errorf("%s breaks it in %s schedules of %s", name, n, got[property])
		}
	}
}

// What the counts of decisions have to add up to.
func TestDecisions(t *testing.T) {
	r := computed(t)
	for _, s := range r.Mechanisms {
		var events []string
		for _, d := range s.Decisions {
			events = append(events, d.Event)
			sum := enumerate.Count{}
			for _, n := range []enumerate.Count{d.SafeAccept, d.UnsafeAccept, d.UnsafeReject, d.EligibleReject, d.Idle} {
				if err := add(&sum, n); err != nil {
					t.Fatal(err)
				}
			}
			if sum != r.Schedules {
				t.Errorf("%s, %s: %v decisions of %v", s.Name, d.Event, sum, r.Schedules)
			}
			if strings.HasSuffix(d.Event, ":report") && d.Idle != (enumerate.Count{}) {
				t.Errorf("%s, %s: a report that does not matter", s.Name, d.Event)
			}
		}
		if got := strings.Join(events, " "); got != "first:remove first:report retry:remove retry:report" {
			t.Errorf("%s decides at %s", s.Name, got)
		}
	}
}

// The result of a restriction that has every kind of event does not depend on the workers.
func TestAnyNumberOfWorkers(t *testing.T) {
	order := restricted("first:ask first:look first:remove first:report first:acked first:list retry:ask retry:look retry:remove retry:report " +
		"a:advance a:exit b:reuse approve prior-expiry inventory-down end")
	one, err := compute(t.Context(), order, enumerate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	two, err := compute(t.Context(), order, enumerate.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, two) {
		t.Errorf("one worker\n%+v\ntwo\n%+v", one, two)
	}
	if one.Events != 16 || one.Schedules.String() != "4358914560" {
		t.Errorf("%v schedules of %d events", one.Schedules, one.Events)
	}
}

// A reference that is wrong, or that never comes to where it could be, is no result.
func TestUnsound(t *testing.T) {
	good := computed(t)
	one := enumerate.NewCount(1)
	for _, tt := range []struct {
		name   string
		change func(*Result)
		want   string
	}{
		{"an unsafe accept", func(r *Result) { r.Mechanisms[0].Decisions[2].UnsafeAccept = one }, "exact is wrong at retry:remove"},
		{"an eligible reject", func(r *Result) { r.Mechanisms[0].Decisions[1].EligibleReject = one }, "exact is wrong at first:report"},
		{"a property", func(r *Result) { r.Mechanisms[0].Broken[4].Schedules = one }, "with exact it is not so that B survives the cleanup of A"},
		{"nothing arises", func(r *Result) { r.Situations[5].Schedules = enumerate.Count{} },
			"no schedule shows whether a workload whose retention counts is not removed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := good
			r.Situations = slices.Clone(r.Situations)
			r.Mechanisms = slices.Clone(r.Mechanisms)
			r.Mechanisms[0].Decisions = slices.Clone(r.Mechanisms[0].Decisions)
			r.Mechanisms[0].Broken = slices.Clone(r.Mechanisms[0].Broken)
			tt.change(&r)
			if err := r.check(); !errors.Is(err, study.ErrUnsound) || !strings.HasSuffix(err.Error(), ": "+tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	if err := good.check(); err != nil {
		t.Error(err)
	}
}

func TestComputeIsCutShort(t *testing.T) {
	incomplete := (*enumerate.IncompleteError)(nil)
	if r, err := Compute(t.Context(), enumerate.Options{MaxNodes: 100}); !errors.As(err, &incomplete) ||
		!strings.HasPrefix(err.Error(), "count the schedules of exact: ") || r.Schedules != (enumerate.Count{}) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ended, enumerate.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Traces(ended, mechanisms.Exact(), enumerate.Options{}); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "find the shortest histories in which exact is wrong: ") {
		t.Error(err)
	}
}

// All mechanisms over all schedules.
func BenchmarkCompute(b *testing.B) {
	for b.Loop() {
		if _, err := Compute(b.Context(), enumerate.Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
