package episode

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn returns a call that means something in the episode of begin, or may.
func drawn(t *rapid.T) call {
	carrier := rapid.SampledFrom([]string{"bot", "bob", "next"}).Draw(t, "carrier")
	id := rapid.SampledFrom([]string{"buy", "rival"}).Draw(t, "action")
	source := rapid.SampledFrom([]string{"shop", "bank", "bot"}).Draw(t, "source")
	fact := rapid.SampledFrom([]string{"buy", "rival", "ticket", "receipt", "refund-done", "gift-done"}).Draw(t, "fact")
	value := rapid.SampledFrom([]string{"yes", "yes", None}).Draw(t, "value")
	promise := rapid.SampledFrom([]string{"refund", "gift"}).Draw(t, "commitment")
	in := Intent{ID: id, Carrier: carrier, Action: "buy", Cost: 30, Resource: "seat"}
	calls := []call{
		observe(carrier), observe(carrier), admits(in), admits(in), admits(in), reserve(id), reserve(id), reserve(id), dispatch(id), dispatch(id), release(id),
		// The whole way at once, so that long histories get somewhere.
		func(e *Episode) error { return firstError(e, until(3, in)...) },
		func(e *Episode) error { return firstError(e, until(4, in)...) },
		func(e *Episode) error { return firstError(e, append(until(3, in), release(id))...) },
		func(e *Episode) error { return firstError(e, done()...) },
		func(e *Episode) error { return firstError(e, append(done(), closes(Fulfilled))...) },
		report(source, fact, value), report(source, fact, value), report(source, fact, value),
		func(e *Episode) error { return e.Timeout(fact) }, func(e *Episode) error { return e.Review("judge", fact, value) },
		func(e *Episode) error { return e.Bypass(in) }, func(e *Episode) error { return e.Acknowledge(id) },
		delegate(to(carrier)), revoke("ann", carrier), approve("ann", id), replace(carrier, "next"),
		func(e *Episode) error { return e.Agree("gift", "ann") }, func(e *Episode) error { return e.Agree("gift", "shop") },
		func(e *Episode) error { return e.Discharge(promise) }, func(e *Episode) error { return e.Transfer("ann", promise, "bank") },
		govern("p2"), rebound, closes(Fulfilled),
	}
	return rapid.SampledFrom(calls).Draw(t, "call")
}

func firstError(e *Episode, calls ...call) error {
	for _, c := range calls {
		if err := c(e); err != nil {
			return err
		}
	}
	return nil
}

// A referee judges a record by itself: it knows neither the episode nor how it decides.
type referee struct {
	record     []Entry
	delegated  map[string]uint64 // by carrier: the number of what stands; 0 if nothing does
	replaced   map[string]bool
	admitted   map[string]Entry // by action: the latest
	reserved   map[string]Entry // by action: if it was not used or released
	holders    []string         // of the seat
	dispatched map[string]int   // by action: where in the record, the last time
	agreed     map[string][]string
	gone       map[string]bool // commitments that are discharged or transferred
	discharged []string        // those that are discharged
	world      uint64          // the version since which policy and bindings are what they are
}

// status judges a fact by what was said of it from a place on.
func (r *referee) status(fact string, from int) (Status, string) {
	var history []word
	for _, e := range r.record[from:] {
		if e.Subject != fact {
			continue
		}
		switch e.Kind {
		case "report", "review":
			who := e.Actor
			if who == "bot" {
				who = "gossip"
			}
			history = append(history, word{who, e.Value})
		case "timeout":
			history = append(history, word{})
		}
	}
	return judged(1, history)
}

// next checks an entry against those before it.
func (r *referee) next(e Entry) error {
	at := len(r.record)
	switch e.Kind {
	case "delegation":
		r.delegated[e.Subject] = e.Seq
	case "revocation":
		r.delegated[e.Subject] = 0
	case "replacement":
		r.replaced[e.Subject] = true
	case "admission":
		r.admitted[e.Subject] = e
	case "reservation":
		if err := r.reservation(e); err != nil {
			return err
		}
		r.reserved[e.Subject], r.holders = e, []string{e.Subject}
	case "release":
		delete(r.reserved, e.Subject)
		r.holders = nil
	case "dispatch":
		if err := r.dispatch(e); err != nil {
			return err
		}
		fallthrough
	case "bypass":
		delete(r.reserved, e.Subject)
		r.dispatched[e.Subject] = at
	case "agreement":
		r.agreed[e.Subject] = append(r.agreed[e.Subject], e.Actor)
	case "discharge":
		r.discharged = append(r.discharged, e.Subject)
		r.gone[e.Subject] = true
	case "transfer":
		r.gone[e.Subject] = true
	case "policy", "rebinding":
		r.world = e.Version
	case "ending":
		if err := r.ending(e); err != nil {
			return err
		}
	}
	r.record = append(r.record, e)
	return nil
}

func (r *referee) reservation(e Entry) error {
	a := r.admitted[e.Subject]
	switch {
	case a.Value != "ALLOW" || a.Decision.Answer != Pass || e.Follows != a.Seq || e.Actor != a.Actor:
		return fmt.Errorf("it rests on %+v", a)
	case e.Version != a.Version+1:
		return fmt.Errorf("the state has changed since the view of version %d", a.Version)
	case len(r.holders) > 0 && r.holders[0] != e.Subject:
		return fmt.Errorf("%s holds the seat", r.holders[0])
	}
	return nil
}

func (r *referee) dispatch(e Entry) error {
	a, s := r.admitted[e.Subject], r.reserved[e.Subject]
	switch {
	case s.Seq == 0 || e.Follows != s.Seq || s.Follows != a.Seq || e.Actor != a.Actor:
		return fmt.Errorf("it rests on %+v and %+v", s, a)
	case r.replaced[e.Actor]:
		return fmt.Errorf("%s was replaced", e.Actor)
	case a.Version < r.world:
		return fmt.Errorf("it was admitted at version %d, and the policy or a binding is of %d", a.Version, r.world)
	case r.delegated[e.Actor] == 0 || r.delegated[e.Actor] > a.Seq:
		return fmt.Errorf("%s has no authority, or another one than when it was admitted", e.Actor)
	}
	if last, before := r.dispatched[e.Subject]; before {
		if status, value := r.status(e.Subject, last); status != Accepted || value != None {
			return fmt.Errorf("it was dispatched before, and its effect is %v %q", status, value)
		}
	}
	return nil
}

func (r *referee) ending(e Entry) error {
	facts := map[string]int{"ticket": 0, "receipt": 0}
	for id, at := range r.dispatched {
		facts[id] = at
	}
	for name, from := range facts {
		if status, value := r.status(name, from); status != Accepted || name == "ticket" && value == None {
			return fmt.Errorf("%s is %v %q", name, status, value)
		}
	}
	for _, id := range r.discharged {
		if status, value := r.status(id+"-done", 0); status != Accepted || value == None {
			return fmt.Errorf("%s was discharged, and that is %v %q", id, status, value)
		}
	}
	for id, agreed := range r.agreed {
		if slices.Contains(agreed, "ann") && slices.Contains(agreed, "shop") && !r.gone[id] {
			return fmt.Errorf("%s is owed", id)
		}
	}
	return nil
}

// Whatever is called in whatever order, the record tells a story that keeps the rules, and
// what was on it stays.
func TestEveryRecordKeepsTheRules(t *testing.T) {
	seen := map[string]int{}
	histories := func(t *rapid.T) {
		e := begin(&testing.T{})
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			before, version := e.Record(), e.version
			_ = drawn(t)(e) // what is refused is on the record
			after := e.Record()
			if len(after) < len(before) || !reflect.DeepEqual(after[:len(before)], before) {
				t.Fatalf("history has changed from %v to %v", before, after)
			}
			if e.version < version {
				t.Fatalf("the version went from %d to %d", version, e.version)
			}
		}
		r := referee{delegated: map[string]uint64{}, replaced: map[string]bool{}, admitted: map[string]Entry{}, reserved: map[string]Entry{},
			dispatched: map[string]int{}, agreed: map[string][]string{}, gone: map[string]bool{}}
		for _, entry := range e.Record() {
			if err := r.next(entry); err != nil {
				t.Fatalf("%+v: %v", entry, err)
			}
			seen[entry.Kind]++
		}
		if e.Closure().Ending == Fulfilled {
			seen["fulfilled"]++
		}
	}
	missing := func() string {
		for _, kind := range []string{"dispatch", "bypass", "refusal", "ending", "reservation", "replacement"} {
			if seen[kind] == 0 {
				return kind
			}
		}
		return ""
	}
	// What a rule is about can be missing in a hundred draws, but hardly in two thousand.
	for round := 0; round == 0 || round < 20 && missing() != "" && !t.Failed(); round++ {
		rapid.Check(t, histories)
	}
	if kind := missing(); kind != "" {
		t.Errorf("there was no %s in any history", kind)
	}
	t.Logf("seen: %v", seen)
}
