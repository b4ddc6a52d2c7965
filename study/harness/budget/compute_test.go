package budget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
	oracle "example.com/commitpoint/oracle/harness/budget"
)

// computed is the result, which several tests look at.
var computed = sync.OnceValues(func() (Result, error) { return Compute(context.Background(), enumerate.Options{Workers: 2}) })

var counts = cmp.Comparer(func(a, b enumerate.Count) bool { return a == b })

// A row is what is pinned of a mechanism: in how many schedules it breaks each property,
// and how often it answers wrongly.
func row(l Ledger) string {
	var words []string
	for _, b := range l.Broken {
		words = append(words, fmt.Sprintf("%s: %v", b.What, b.Count))
	}
	for _, e := range l.Errors {
		words = append(words, fmt.Sprintf("%s %s: %v", e.Kind, e.Reason, e.Count))
	}
	return strings.Join(words, "\n")
}

func TestCounts(t *testing.T) {
	const (
		cap     = "settled plus pending never exceeds the cap: "
		unheard = "an unknown outcome keeps its reservation: "
		wasted  = "capacity that was provably freed is usable again: "
		once    = "a charge settles once: "
	)
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]string{
		"race": {
			"check-then-act":       cap + "369383137643520000\nunsafe-accept over-cap: 1736136892385280000",
			"idempotent-by-amount": cap + "369398958888960000\nunsafe-accept over-cap: 1846994794444800000",
			"settled-only":         cap + "369398958888960000\nunsafe-accept over-cap: 1846994794444800000",
		},
		"life": {
			"check-then-act": cap + "3693415139198569350\n" + wasted + "1479277365943219560\n" +
				"unsafe-accept over-cap: 3746521702472348250\neligible-reject admission: 1740356095334771520",
			"release-on-unknown": cap + "1320336059584580400\n" + unheard + "3233813538804076800\n" +
				"unsafe-accept over-cap: 1322262125883626160\nunsafe-accept unknown-outcome: 3233813538804076800",
			"release-on-timeout": cap + "2200363889228816220\n" + unheard + "4556651460263874090\n" +
				"unsafe-accept over-cap: 2204023106541758580\nunsafe-accept unknown-outcome: 4556651460263874090",
			"idempotent-by-amount": cap + "2409475645653648480\n" + once + "1627097723079955650\n" +
				"unsafe-accept over-cap: 2595366999051911460\neligible-reject charge: 1691478580365630360",
			"settled-only":     cap + "7353094776088111020\nunsafe-accept over-cap: 10316418941459688480",
			"per-route-caps":   cap + "6452624600316734580\nunsafe-accept over-cap: 7825799624749194060",
			"unpriced-is-free": "nothing unpriced is dispatched: 6422256077196960000\nunsafe-accept unpriced: 8563008102929280000",
			"fail-open":        "nothing is admitted while accounting is away: 4293670961606112000\nunsafe-accept unavailable: 4293670961606112000",
			"settle-again": once + "3009431799192733200\n" + wasted + "670527075102989760\n" +
				"unsafe-accept settled-before: 4631856089963422320\neligible-reject admission: 889577585596653120",
			"trusts-charges": unheard + "1080845409101412240\n" + wasted + "318116504429302800\n" +
				"unsafe-accept above-bound: 1080845409101412240\neligible-reject admission: 406315974274845360",
			"never-gives-back": wasted + "3299956396383951720\n" +
				"eligible-reject admission: 4427814950077670280\neligible-reject release: 6847729593349293000",
		},
	}
	for _, s := range r.Scenarios {
		got := map[string]string{}
		for _, l := range s.Ledgers {
			if text := row(l); text != "" {
				got[l.Mechanism] = text
			}
		}
		if d := cmp.Diff(want[s.Name], got); d != "" {
			t.Errorf("%s (-want +got):\n%s", s.Name, d)
		}
	}
}

// What the scenarios are, and what the reference meets in them.
func TestScenarios(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Scenarios {
		got = append(got, fmt.Sprintf("%s: %d events, %v down-sets, %v schedules, %v reused", s.Name, s.Events, s.DownSets, s.Schedules, s.Reused))
		for _, f := range s.Faced {
			got = append(got, fmt.Sprintf("  %s %v", f.What, f.Count))
		}
		for _, a := range s.Ledgers[0].Admitted {
			got = append(got, fmt.Sprintf("  %s admitted %v", a.What, a.Count))
		}
		got = append(got, fmt.Sprintf("  %v nodes, %v edges", s.Ledgers[0].Nodes, s.Ledgers[0].Edges))
	}
	want := []string{
		"race: 24 events, 9842 down-sets, 369398958888960000 schedules, 0 reused",
		"  over-cap 1846994794444800000",
		"  3 admitted 369398958888960000",
		"  22261 nodes, 89921 edges",
		"life: 30 events, 85618 down-sets, 12844512154393920000 schedules, 4424523289930792800 reused",
		"  over-cap 22784336042150332890",
		"  unpriced 12844512154393920000",
		"  unavailable 35953920948661604280",
		"  duplicate 9330074272344672000",
		"  unknown-outcome 12946481290446261930",
		"  settled-before 8309672588941804080",
		"  above-bound 4560277822752366000",
		"  0 admitted 960079877821152000",
		"  1 admitted 7459908986641975200",
		"  2 admitted 4413809197896288660",
		"  3 admitted 10714092034504140",
		"  809662 nodes, 4863576 edges",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The numbers of schedules have closed forms: without the end both orders are forests.
func TestNumberOfSchedules(t *testing.T) {
	notEnd := func(e model.Event) bool { return !isEnd(e) }
	race, ok := order(racers(model.Racers), precedes).Restrict(notEnd).Extensions()
	multinomial := new(big.Int).MulRange(1, 24) // 24! / (3!)⁸
	for range model.Racers {
		multinomial.Div(multinomial, big.NewInt(6))
	}
	if !ok || race.Cmp(multinomial) != 0 || race.String() != "369398958888960000" {
		t.Errorf("the race has %v schedules, and by the multinomial %v", race, multinomial)
	}
	if whole, ok := order(life(), precedes).Restrict(notEnd).Extensions(); !ok || whole.String() != "12844512154393920000" {
		t.Errorf("a life has %v schedules", whole)
	}
}

// To number the racers loses nothing: with few of them, every count is that of the race in
// which they read in any order.
func TestRacersAreAlike(t *testing.T) {
	for _, m := range mechanisms.All() {
		few := scenario{name: "few", order: order(racers(5), numbered), alike: factorial(5)}
		free := scenario{name: "few", order: order(racers(5), precedes), alike: 1}
		a, b := ledgerOf(t, few, m), ledgerOf(t, free, m)
		a.Nodes, a.Edges, b.Nodes, b.Edges = enumerate.Count{}, enumerate.Count{}, enumerate.Count{}, enumerate.Count{}
		if d := cmp.Diff(b, a, counts); d != "" {
			t.Errorf("%s (-in any order +numbered):\n%s", m.Name, d)
		}
	}
}

func ledgerOf(t *testing.T, s scenario, m mechanisms.Mechanism) Ledger {
	t.Helper()
	tallied, err := enumerate.Tally(t.Context(), s.order, machine{m}, machine{m}.observer(), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := counter{alike: enumerate.NewCount(s.alike)}
	for _, o := range tallied.Observed {
		c.add(o.Value, o.Count)
	}
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.ledger(m, tallied)
}

// parts are small orders, in which each flaw shows.
func parts(t *testing.T) []enumerate.Order[model.Event] {
	t.Helper()
	all := order(life(), precedes)
	var orders []enumerate.Order[model.Event]
	for _, text := range []string{
		"original:write original:dispatch original:run original:cancel original:confirm original:charge original:charge#2 fallback:write original:timeout end",
		"original:read original:decide original:write fallback:read fallback:decide fallback:write original:cancel original:dispatch end",
		"original:write original:dispatch original:run original:overcharge original:charge original:timeout retry:write retry:dispatch retry:run retry:charge fallback:write end",
		"original:write original:dispatch original:reconcile unpriced:write unpriced:dispatch down up original:write#2 end",
	} {
		orders = append(orders, all.Restrict(func(e model.Event) bool { return slices.Contains(strings.Fields(text), e.String()) }))
	}
	return orders
}

// Every schedule of small orders, run alone with nothing shared, comes to what the tally
// says; and each flaw shows.
func TestAgreesWithDumbReplay(t *testing.T) {
	for _, m := range mechanisms.All() {
		wrong := false
		for _, o := range parts(t) {
			want := map[seen]uint64{}
			for schedule := range o.Schedules() {
				s := state{}
				for _, e := range schedule {
					if a := (machine{m}).answered(&s, e); a.question != oracle.None {
						want[seen{answer: a}]++
						wrong = wrong || len(a.keys()) > 0
					}
					if isEnd(e) {
						want[seen{ended: true, ending: endingOf(s)}]++
					}
					s = machine{m}.Next(s, e)
				}
			}
			tallied, err := enumerate.Tally(t.Context(), o, machine{m}, machine{m}.observer(), enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[seen]uint64{}
			for _, x := range tallied.Observed {
				got[x.Value] = x.Count.Big().Uint64()
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s: the tally and the replay of %v differ", m.Name, o)
			}
		}
		if wrong != (m.Flaws != 0) {
			t.Errorf("%s is wrong somewhere: %t", m.Name, wrong)
		}
	}
}

// Properties, checked as such, fail in as many schedules as end broken.
func TestAgreesWithCheck(t *testing.T) {
	var properties enumerate.Properties[state]
	for i, name := range oracle.PropertyNames {
		properties = append(properties, enumerate.Always(name, func(s state) bool { return s.history.Broken>>i&1 == 0 }))
	}
	for _, m := range mechanisms.All() {
		for _, o := range parts(t) {
			checked, err := enumerate.Check(t.Context(), o, machine{m}, properties, enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := []Tally{}
			for _, v := range checked.Violations {
				got = append(got, Tally{v.Property, v.Schedules})
			}
			if d := cmp.Diff(ledgerOf(t, scenario{order: o, alike: 1}, m).Broken, got, counts); d != "" {
				t.Errorf("%s in %v (-tally +check):\n%s", m.Name, o, d)
			}
		}
	}
}

// The books of a ledger without flaws are what the oracle makes of the history.
func TestBooksAreWithinTheCap(t *testing.T) {
	for _, o := range parts(t) {
		checked, err := enumerate.Check(t.Context(), o, machine{mechanisms.Atomic}, enumerate.Properties[state]{
			enumerate.Always("the books never exceed the cap", func(s state) bool {
				sum := 0
				for _, e := range s.model.Entries {
					sum += int(e.Held) + int(e.Settled)
				}
				return sum <= model.Cap
			}),
		}, enumerate.Options{})
		if err != nil || checked.Verdict != enumerate.Holds {
			t.Errorf("%v: %v, %v", o, checked.Verdict, err)
		}
	}
}

func TestWorkers(t *testing.T) {
	for i, o := range append(parts(t), order(racers(6), numbered)) {
		var first []byte
		for _, workers := range []int{1, 2, 5} {
			r, err := scenario{order: o, alike: 1}.compute(t.Context(), enumerate.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
			}
			if string(data) != string(first) {
				t.Errorf("order %d: %d workers come to another result than one", i, workers)
			}
		}
	}
}

func TestIncomplete(t *testing.T) {
	var incomplete *enumerate.IncompleteError
	if r, err := Compute(t.Context(), enumerate.Options{MaxNodes: 1000}); !errors.As(err, &incomplete) || len(r.Scenarios) > 0 {
		t.Errorf("a thousand nodes: %v, with %d scenarios", err, len(r.Scenarios))
	}
}

// A result in which the reference errs, or was not put to the test, is an error.
func TestUnsound(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(s []ScenarioResult){
		"the budget's atomic is wrong":          func(s []ScenarioResult) { s[1].Ledgers[0].Errors = s[1].Ledgers[1].Errors },
		"the budget's atomic is wrong in":       func(s []ScenarioResult) { s[0].Ledgers[0].Broken = s[1].Ledgers[1].Broken },
		"reference never meets above-bound":     func(s []ScenarioResult) { s[1].Faced = s[1].Faced[:6] },
		`no budget breaks "nothing unpriced`:    func(s []ScenarioResult) { s[1].Ledgers = s[1].Ledgers[:4] },
		"reference never admits what was freed": func(s []ScenarioResult) { s[1].Reused = enumerate.Count{} },
	} {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var other Result
		if err := json.Unmarshal(data, &other); err != nil {
			t.Fatal(err)
		}
		if err := other.validate(); err != nil {
			t.Fatal(err)
		}
		spoil(other.Scenarios)
		if err := other.validate(); !errors.Is(err, ErrUnsound) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
