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

// Every count, pinned: what the reference meets, what each ledger breaks, and how often it
// answers wrongly.
func TestCounts(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range r.Scenarios {
		fmt.Fprintf(&b, "%s: %d events, %v down-sets, %v schedules, %v reused\n", s.Name, s.Events, s.DownSets, s.Schedules, s.Reused)
		writeTallies(&b, "meets", s.Faced)
		for _, l := range s.Ledgers {
			fmt.Fprintf(&b, "%s: %v nodes, %v edges\n", l.Mechanism, l.Nodes, l.Edges)
			writeTallies(&b, "admitted", l.Admitted)
			writeTallies(&b, "breaks", l.Broken)
			for _, e := range l.Errors {
				fmt.Fprintf(&b, "  %s %s: %v\n", e.Kind, e.Reason, e.Count)
			}
		}
	}
	golden(t, "counts.golden", b.String())
}

func writeTallies(b *strings.Builder, verb string, list []counts.Tally) {
	for _, x := range list {
		fmt.Fprintf(b, "  %s %s: %v\n", verb, x.What, x.Count)
	}
}

// Which ledger breaks which properties, in a life: exactly those that its flaw is about.
func TestFlawsBreakWhatTheyAreAbout(t *testing.T) {
	const (
		books     = "settled plus pending never exceeds the cap"
		costs     = "what was admitted can never cost more than the cap"
		unpriced  = "nothing unpriced is dispatched"
		away      = "nothing is admitted or dispatched while accounting is away"
		unheardOf = "nothing is dispatched that was denied or given back"
		once      = "a charge settles once"
		unknown   = "an unknown outcome keeps its reservation"
		wasted    = "capacity that was provably freed is usable again"
	)
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"atomic":               nil,
		"check-then-act":       {books, costs, wasted},
		"release-on-unknown":   {books, costs, unknown},
		"release-on-timeout":   {books, costs, unknown},
		"idempotent-by-amount": {costs, once},
		"settled-only":         {books, costs},
		"per-route-caps":       {books, costs},
		"unpriced-is-free":     {unpriced},
		"fail-open":            {books, costs, unpriced, away},
		"settle-again":         {books, once, wasted},
		"trusts-charges":       {unknown, wasted},
		"never-gives-back":     {wasted},
		"dispatches-freed":     {books, costs, unheardOf},
	}
	got := map[string][]string{}
	for _, l := range r.Scenarios[1].Ledgers {
		got[l.Mechanism] = counts.Whats(l.Broken)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
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
	var always enumerate.Properties[state]
	for i, name := range properties {
		always = append(always, enumerate.Always(name, func(s state) bool { return s.broken()>>i&1 == 0 }))
	}
	for _, m := range mechanisms.All() {
		for _, o := range parts(t) {
			checked, err := enumerate.Check(t.Context(), o, machine{m}, always, enumerate.Options{})
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
		"budget's atomic is wrong":              func(s []ScenarioResult) { s[0].Ledgers[0].Broken = s[1].Ledgers[1].Broken },
		"the flaw of the budget's settle-again": func(s []ScenarioResult) { s[1].Ledgers[9].Errors = nil; s[1].Ledgers[9].Broken = nil },
		"reference never meets above-bound":     func(s []ScenarioResult) { s[1].Faced = slices.Delete(s[1].Faced, 6, 7) },
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
