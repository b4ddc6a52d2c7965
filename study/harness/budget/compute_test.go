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
	"example.com/commitpoint/study/counts"
)

// computed is the result, which several tests look at.
var computed = sync.OnceValues(func() (Result, error) { return Compute(context.Background(), enumerate.Options{Workers: 2}) })

var byCount = cmp.Comparer(func(a, b enumerate.Count) bool { return a == b })

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
			"check-then-act": cap + "1034232876551468055\n" + wasted + "394889794334455200\n" +
				"unsafe-accept over-cap: 1048851351166618155\neligible-reject admission: 468209637231431190",
			"release-on-unknown": cap + "461190213702273330\n" + unheard + "1056663485400256140\n" +
				"unsafe-accept over-cap: 461863756663180020\nunsafe-accept unknown-outcome: 1056663485400256140",
			"release-on-timeout": cap + "776224814652597900\n" + unheard + "1465330348559758800\n" +
				"unsafe-accept over-cap: 777699331949716140\nunsafe-accept unknown-outcome: 1465330348559758800",
			"idempotent-by-amount": cap + "790158687715045200\n" + once + "513539328215063640\n" +
				"unsafe-accept over-cap: 849468891208411080\neligible-reject charge: 550968653519827110",
			"settled-only":     cap + "2064539337236811240\nunsafe-accept over-cap: 2986126636668398670",
			"per-route-caps":   cap + "1784686472798075160\nunsafe-accept over-cap: 2153352879417712290",
			"unpriced-is-free": "nothing unpriced is dispatched: 1739361020907510000\nunsafe-accept unpriced: 2319148027876680000",
			"fail-open":        "nothing is admitted while accounting is away: 1064613984393477840\nunsafe-accept unavailable: 1064613984393477840",
			"settle-again": once + "901992984682403460\n" + wasted + "128862741202593180\n" +
				"unsafe-accept settled-before: 1432669702317966750\neligible-reject admission: 158008145733460140",
			"trusts-charges": unheard + "709012024387719540\n" + wasted + "269163802273716690\n" +
				"unsafe-accept above-bound: 709012024387719540\neligible-reject admission: 345451345130242590",
			"never-gives-back": wasted + "760215024016936200\n" +
				"eligible-reject admission: 983057029290948870\neligible-reject release: 1757679181502760450",
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
		"life: 30 events, 57268 down-sets, 3478722041815020000 schedules, 1018822994826367620 reused",
		"  over-cap 6579306833726847780",
		"  unpriced 3478722041815020000",
		"  unavailable 10070389260505101780",
		"  duplicate 2526895115426682000",
		"  unknown-outcome 4062772311224461080",
		"  settled-before 1872851869964589510",
		"  above-bound 1328856746901383700",
		"  0 admitted 263418049047591900",
		"  1 admitted 2196480997941060480",
		"  2 admitted 1016231354707002000",
		"  3 admitted 2591640119365620",
		"  509872 nodes, 2852547 edges",
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
	if whole, ok := order(life(), precedes).Restrict(notEnd).Extensions(); !ok || whole.String() != "3478722041815020000" {
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
		if d := cmp.Diff(b, a, byCount); d != "" {
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
	if c.Err() != nil {
		t.Fatal(c.Err())
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
		"original:write original:dispatch original:timeout original:reconcile unpriced:write unpriced:dispatch down up original:write#2 end",
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
			got := []counts.Tally{}
			for _, v := range checked.Violations {
				got = append(got, counts.Tally{What: v.Property, Count: v.Schedules})
			}
			if d := cmp.Diff(ledgerOf(t, scenario{order: o, alike: 1}, m).Broken, got, byCount); d != "" {
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
