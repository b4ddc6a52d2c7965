package episode

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
	mechanisms "example.com/commitpoint/mechanisms/episode"
	model "example.com/commitpoint/model/episode"
	oracle "example.com/commitpoint/oracle/episode"
	"example.com/commitpoint/study/counts"
)

// computed is the result, which several tests look at.
var computed = sync.OnceValues(func() (Result, error) { return Compute(context.Background(), enumerate.Options{Workers: 2}) })

var byCount = cmp.Comparer(func(a, b enumerate.Count) bool { return a == b })

// A row is what is pinned of a mechanism: how many schedules end as fulfilled, in how many
// it breaks each property, and how often it answers wrongly.
func row(s Service) (words []string) {
	for _, c := range s.Closures {
		if c.What == fulfilled {
			words = append(words, fmt.Sprintf("%s: %v", c.What, c.Count))
		}
	}
	for _, b := range s.Broken {
		words = append(words, fmt.Sprintf("%s: %v", b.What, b.Count))
	}
	for _, e := range s.Errors {
		words = append(words, fmt.Sprintf("%s %s: %v", e.Kind, e.Reason, e.Count))
	}
	return words
}

func TestCounts(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, s := range r.Services {
		got[s.Mechanism] = row(s)
	}
	if d := cmp.Diff(pinned, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What the order is, and what the reference meets in it.
func TestReference(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	got := []string{fmt.Sprintf("%s: %d events, %v down-sets, %v schedules", r.Schema, r.Events, r.DownSets, r.Schedules)}
	for _, f := range r.Faced {
		got = append(got, fmt.Sprintf("%s %v", f.What, f.Count))
	}
	for _, c := range r.Services[0].Closures {
		got = append(got, fmt.Sprintf("%s %v", c.What, c.Count))
	}
	got = append(got, fmt.Sprintf("%s: %v nodes, %v edges", r.Services[0].Mechanism, r.Services[0].Nodes, r.Services[0].Edges))
	want := []string{
		"commitpoint/episode/v1: 28 events, 67585 down-sets, 309388604124600000 schedules",
		"revoked 292200348339900000",
		"replaced 893260101333600000",
		"no-fresh-authority 539220138617160000",
		"not-approved 1263582346686660000",
		"no-evidence 1263582346686660000",
		"stale-view 322259049904869000",
		"no-decision 1218295158676596000",
		"reserved-by-another 290957304274837200",
		"no-reservation 616071440317132800",
		"unknown-effect 927553253093577872",
		"known-effect 313666115217120",
		"contested 757705800292260",
		"no-accepted-evidence 618698370820291824",
		"open-obligation 309243550827373344",
		"fulfilled 37973346491632",
		"not fulfilled 309350630778108368",
		"complete: 315118 nodes, 1807571 edges",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The number of schedules has a closed form: without the end the order is a forest. The
// hook length formula, by hand: 28! over the number of events that each has behind it, with
// itself.
func TestNumberOfSchedules(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	closed, ok := told().Extensions()
	if !ok || closed.Cmp(r.Schedules.Big()) != 0 {
		t.Errorf("there are %v schedules, and %v by the closed form", r.Schedules, closed)
	}
	behind := []int64{17, 16, 15, 14, 13, 12, 8, 4, 3, 2, 2, 2, 6, 4, 3, 2} // those that are not 1
	n := new(big.Int).MulRange(1, 28)
	for _, b := range behind {
		n.Div(n, big.NewInt(b))
	}
	if n.Cmp(closed) != 0 || n.String() != "309388604124600000" {
		t.Errorf("by hand there are %v", n)
	}
}

// The parts that are searched for histories have all that precedes their events.
func TestPartsAreClosed(t *testing.T) {
	for i, part := range traced() {
		events := part.Events()
		for _, p := range precedence {
			if slices.Contains(events, declared(p[1])) && !slices.Contains(events, declared(p[0])) {
				t.Errorf("part %d has %s without %s", i, p[1], p[0])
			}
		}
	}
}

// parts are small orders, in which each flaw shows.
func parts(t *testing.T) []enumerate.Order[event] {
	t.Helper()
	const dispatch = "approve evidence first:observe first:admit first:reserve first:dispatch "
	return []enumerate.Order[event]{
		part(t, "approve evidence first:observe first:admit first:reserve first:dispatch", "second:reserve revoke expire"),
		part(t, "first:observe first:admit first:observe#2 first:admit#2 first:reserve first:dispatch", "approve evidence"),
		part(t, "approve evidence replace successor:observe successor:admit successor:reserve successor:dispatch", "authorize revoke"),
		part(t, dispatch+"effect", "repeat confirm contradict review accept close"),
		part(t, dispatch+"effect accept close transfer close#2", "ack repeat confirm discharge revoke"),
		part(t, dispatch+"effect confirm", "contradict review discharge accept close"),
	}
}

// part returns the order of some events, of which some happen one after the other; and the
// end.
func part(t *testing.T, chain, others string) enumerate.Order[event] {
	t.Helper()
	var events, all []event
	for name := range strings.FieldsSeq(chain) {
		events = append(events, declared(name))
	}
	all = slices.Clone(events)
	b := enumerate.NewOrder[event]().Chain("", events...)
	for name := range strings.FieldsSeq(others) {
		all = append(all, declared(name))
		b.Free("", declared(name))
	}
	b.Free("", event{Kind: model.End})
	for _, e := range all {
		b.Before(e, event{Kind: model.End})
	}
	for _, p := range precedence {
		if slices.Contains(all, declared(p[0])) && slices.Contains(all, declared(p[1])) {
			b.Before(declared(p[0]), declared(p[1]))
		}
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return o
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

// properties are the oracle's, checked as such.
func properties() (list enumerate.Properties[state]) {
	for i, name := range oracle.PropertyNames {
		list = append(list, enumerate.Always(name, func(s state) bool { return s.history.Broken>>i&1 == 0 }))
	}
	return list
}

// Properties, checked as such, fail in as many schedules as end broken.
func TestAgreesWithCheck(t *testing.T) {
	for _, m := range mechanisms.All() {
		for _, o := range parts(t) {
			checked, err := enumerate.Check(t.Context(), o, machine{m}, properties(), enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := []counts.Tally{}
			for _, v := range checked.Violations {
				got = append(got, counts.Tally{What: v.Property, Count: v.Schedules})
			}
			s, _, err := serve(t.Context(), o, m, enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(s.Broken, got, byCount); d != "" {
				t.Errorf("%s in %v (-tally +check):\n%s", m.Name, o, d)
			}
		}
	}
}

// What the reference has in its record is what the oracle makes of the history: it accepts
// and closes only what is so in the world, and has one reservation and one dispatch.
func TestRecordIsTrue(t *testing.T) {
	holds := func(name string, always func(s *model.State) bool) enumerate.Properties[state] {
		return enumerate.Properties[state]{enumerate.Always(name, func(s state) bool { return always(&s.model) })}
	}
	all := slices.Concat(
		holds("the resource is one's", func(s *model.State) bool { return !s.Is(model.Held | model.Taken) }),
		holds("a dispatch is of what is reserved", func(s *model.State) bool { return !s.Is(model.Sent) || s.Is(model.Held|model.Approved|model.Evidenced) }),
		holds("nothing is dispatched again", func(s *model.State) bool { return !s.Is(model.Twice) }),
		holds("what is accepted happened", func(s *model.State) bool { return !s.Is(model.Accepted) || s.Is(model.Happened) }),
		holds("what is fulfilled is accepted and settled", func(s *model.State) bool { return !s.Is(model.Fulfilled) || s.Is(model.Accepted|model.Settled) }),
		holds("nothing is rewritten", func(s *model.State) bool { return s.Facts&(model.Erased|model.Overridden|model.Retracted) == 0 }),
		enumerate.Properties[state]{enumerate.Reachable("fulfilled", func(s state) bool { return s.model.Is(model.Fulfilled) })},
	)
	checked, err := enumerate.Check(t.Context(), order(), machine{mechanisms.Complete}, all, enumerate.Options{})
	if err != nil || checked.Verdict != enumerate.Holds {
		t.Errorf("%v: %v, %v", checked.Verdict, checked.Violations, err)
	}
}

func TestWorkers(t *testing.T) {
	for i, o := range append(parts(t), traced()[0]) {
		var first []byte
		for _, workers := range []int{1, 2, 5} {
			r, err := compute(t.Context(), o, enumerate.Options{Workers: workers})
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
	if r, err := Compute(t.Context(), enumerate.Options{MaxNodes: 1000}); !errors.As(err, &incomplete) || len(r.Services) > 0 {
		t.Errorf("a thousand nodes: %v, with %d services", err, len(r.Services))
	}
}

// What readers of the JSON rely on: the keys, and counts as text.
func TestJSON(t *testing.T) {
	r, err := compute(t.Context(), part(t, "first:observe first:admit first:reserve", "approve"), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Services = slices.DeleteFunc(r.Services, func(s Service) bool { return s.Mechanism != "approval-rewrites" })
	r.Faced = r.Faced[:1]
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"schema":"commitpoint/episode/v1","events":4,"down_sets":"9","schedules":"4","faced":[{"what":"not-approved","count":"3"}],` +
		`"services":[{"mechanism":"approval-rewrites","nodes":"18","edges":"17","closures":[{"what":"not fulfilled","count":"4"}],` +
		`"broken":[{"what":"a reservation takes a current ALLOW","count":"1"},{"what":"an approval rewrites no decision","count":"2"}],` +
		`"errors":[{"kind":"unsafe-accept","reason":"no-evidence","count":"1"},{"kind":"unsafe-accept","reason":"no-decision","count":"1"}]}]}`
	if string(got) != want {
		t.Errorf("the result is %s,\nwant %s", got, want)
	}
}

// An order that shows too little does not pass for a result.
func TestTooLittle(t *testing.T) {
	if _, err := sound(t.Context(), parts(t)[0], enumerate.Options{}); !errors.Is(err, ErrUnsound) {
		t.Errorf("a part comes to %v, want %v", err, ErrUnsound)
	}
}

// A result in which the reference errs, or was not put to the test, is an error.
func TestUnsound(t *testing.T) {
	r, err := computed()
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(r *Result){
		"the episode's complete is wrong":    func(r *Result) { r.Services[0].Errors = r.Services[1].Errors },
		"complete is wrong":                  func(r *Result) { r.Services[0].Broken = r.Services[1].Broken },
		"never closes it as fulfilled":       func(r *Result) { r.Services[0].Closures = r.Services[0].Closures[1:] },
		"reference never meets open-oblig":   func(r *Result) { r.Faced = r.Faced[:13] },
		"reference never meets revoked":      func(r *Result) { r.Faced = r.Faced[1:] },
		`no service breaks "an approval rew`: func(r *Result) { r.Services = slices.Delete(r.Services, 6, 7) },
		`no service breaks "a reservation t`: func(r *Result) {
			for i := range r.Services {
				r.Services[i].Broken = slices.DeleteFunc(r.Services[i].Broken, func(b counts.Tally) bool { return b.What == oracle.PropertyNames[1] })
			}
		},
		`no service breaks "what is due is`: func(r *Result) { r.Services = r.Services[:18] },
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
		spoil(&other)
		if err := other.validate(); !errors.Is(err, ErrUnsound) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
