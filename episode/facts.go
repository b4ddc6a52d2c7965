package episode

import (
	"fmt"
	"slices"
)

// Report says what a source says of a fact. What that makes of the fact is up to the
// reconciliation policy. On the record it is a "report". It may come after the ending.
func (e *Episode) Report(source, fact, value string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if source == "" || fact == "" || value == "" {
		return fmt.Errorf("report %q: the source, the fact or the value is empty; give all three", fact)
	}
	e.say(fact, e.standings[fact].report(e.terms.Reconciliation, source, value))
	e.append(Entry{Kind: "report", Actor: source, Subject: fact, Value: value})
	return nil
}

// Timeout says that nobody waits for reports on a fact any longer: unless it is accepted or
// contested it is unknown, until an admissible source reports after all. On the record it
// is a "timeout".
func (e *Episode) Timeout(fact string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if fact == "" {
		return fmt.Errorf("timeout: the fact has no name; give it one")
	}
	e.say(fact, e.standings[fact].timeout(e.terms.Reconciliation))
	e.append(Entry{Kind: "timeout", Subject: fact})
	return nil
}

// Review settles a fact with a value. It is refused to all but the policy's reviewer. On
// the record it is a "review"; the reports stay there, too.
func (e *Episode) Review(reviewer, fact, value string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.terms.Reconciliation
	switch {
	case fact == "" || value == "":
		return fmt.Errorf("review %q: the fact or the value is empty; give both", fact)
	case r.Reviewer == "" || reviewer != r.Reviewer:
		return e.refuse("review", reviewer, fact, "%q is not the reviewer; the reconciliation policy names %q", reviewer, r.Reviewer)
	}
	e.say(fact, e.standings[fact].review(r, value))
	e.append(Entry{Kind: "review", Actor: reviewer, Subject: fact, Value: value})
	return nil
}

// Rebound puts on the record that an object of the world was bound to something else: the
// entry is that of substrate.Run.Rebind, a "rebinding". Every view is stale from then on,
// and what was admitted before can't be dispatched: that was about another reality. It may come after the ending. No other entry can be put on the record from outside.
func (e *Episode) Rebound(entry Entry) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry.Kind != "rebinding" || entry.Subject == "" || entry.Value == "" {
		return fmt.Errorf("rebound: the entry is a %q of %q; pass the one that Rebind has returned", entry.Kind, entry.Subject)
	}
	e.version++
	e.rebound = e.version
	e.append(Entry{Kind: entry.Kind, Subject: entry.Subject, Value: entry.Value})
	return nil
}

// restart makes the effect of an action that was dispatched just now unknown: what was said
// of it before, such as that an earlier dispatch had none, is not about this one.
func (e *Episode) restart(id string) {
	e.say(id, standing{fact: Fact{Sources: e.standings[id].fact.Sources}})
}

// say sets what is known of a fact. The version moves if that is something else than before.
func (e *Episode) say(name string, s standing) {
	was, found := e.standings[name]
	if !found {
		e.factOrder = append(e.factOrder, name)
	}
	s.fact.Name = name
	if !found || was.fact.Status != s.fact.Status || was.fact.Value != s.fact.Value || !slices.Equal(was.fact.Sources, s.fact.Sources) {
		e.version++
	}
	e.standings[name] = s
}

func (e *Episode) facts() []Fact {
	all := make([]Fact, 0, len(e.factOrder))
	for _, name := range e.factOrder {
		all = append(all, e.standings[name].fact)
	}
	return all
}

// fact returns what is known of a fact, also if that is nothing.
func (e *Episode) fact(name string) Fact {
	f := e.standings[name].fact
	f.Name = name
	return f
}
