package episode

import (
	"fmt"
	"slices"
	"sync"
)

// An Episode is one service episode. It is safe for concurrent use: each call is one atomic
// step, and guards run within it. The version of its state moves with everything that a
// guard can look at. The zero Episode is not usable; see Begin.
//
// Every call that returns nil, or an error that matches ErrRefused, adds to the record.
type Episode struct {
	mu     sync.Mutex
	terms  Terms
	guards []Guard

	record    Record
	version   uint64
	policy    string
	forbidden []string
	governed  uint64              // the version since which the policy is in force; 0 since the beginning
	rebound   uint64              // the version since the last rebinding; 0 if there was none
	views     map[string]observed // the last, by carrier
	authority map[string]grant    // the last, by carrier
	replaced  map[string]string   // the successor, by carrier
	closure   Closure

	// The order of each is that of the first mention, so that no result depends on a map's.
	actionOrder, factOrder, commitmentOrder []string
	actions                                 map[string]action
	standings                               map[string]standing
	commitments                             map[string]Commitment
}

// An observed view is one that is on the record.
type observed struct {
	view View
	seq  uint64
}

// A grant is a delegation, with its number on the record, which tells it from others to the
// same carrier, and the actions approved under it.
type grant struct {
	delegation Delegation
	seq        uint64
	approved   []string
}

// An action is how far an intent has got.
type action struct {
	intent     Intent
	decision   Decision // the latest
	decided    uint64   // its number on the record
	grant      uint64   // the one that it was decided under
	hold       Reservation
	held       bool
	under      uint64 // the number of the decision that the reservation rests on
	reserved   uint64 // the number of the reservation
	dispatched uint64 // the number of the last dispatch; 0 if there is none
	spent      bool   // the reservation has been used for a dispatch
}

// Observe gives a carrier a view of the state as it is now: the one that its intents are
// judged by until it observes again. On the record it is an "observation".
func (e *Episode) Observe(carrier string) (View, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if carrier == "" {
		return View{}, fmt.Errorf("observe: the carrier has no name; give it one")
	}
	v := e.view(carrier)
	seq := e.append(Entry{Kind: "observation", Actor: carrier})
	e.views[carrier] = observed{v, seq}
	return v.clone(), nil
}

// view returns what a carrier would observe now.
func (e *Episode) view(carrier string) View {
	g := e.authority[carrier]
	v := View{
		Version: e.version, Latest: e.version,
		Carrier: carrier, Successor: e.replaced[carrier], Delegation: g.delegation, Approved: g.approved,
		Policy: e.policy, Forbidden: e.forbidden, Resources: e.terms.Resources,
		Facts: e.facts(),
	}
	for _, id := range e.actionOrder {
		a := e.actions[id]
		if a.held {
			v.Holds = append(v.Holds, a.hold)
		}
		if a.dispatched > 0 {
			v.Dispatched = append(v.Dispatched, id)
		}
		if f := e.standings[id].fact; a.dispatched > 0 && f.Is("") {
			v.Met = append(v.Met, id)
		}
	}
	for _, id := range e.commitmentOrder {
		if e.commitments[id].Effective() {
			v.Met = append(v.Met, id)
		}
	}
	return v.clone()
}

// action returns an action that was admitted, or went past.
func (e *Episode) action(verb, id string) (action, error) {
	a, found := e.actions[id]
	if !found {
		return action{}, fmt.Errorf("%s %q: there is no such action; admit it first", verb, id)
	}
	return a, nil
}

// setAction keeps an action, in the order in which the actions were first mentioned.
func (e *Episode) setAction(a action) {
	if _, found := e.actions[a.intent.ID]; !found {
		e.actionOrder = append(e.actionOrder, a.intent.ID)
	}
	e.actions[a.intent.ID] = a
}

// append records an entry. One without a version of its own has that of the state.
func (e *Episode) append(entry Entry) (seq uint64) {
	if entry.Version == 0 {
		entry.Version = e.version
	}
	return e.record.Append(entry)
}

// refuse records a refusal as "refusal", and returns it.
func (e *Episode) refuse(verb, actor, subject, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	e.append(Entry{Kind: "refusal", Actor: actor, Subject: subject, Value: verb + ": " + text})
	return fmt.Errorf("%s %q: %w: %s", verb, subject, ErrRefused, text)
}

// ended is the refusal of everything that could still change the world.
func (e *Episode) ended(verb, actor, subject string) error {
	return e.refuse(verb, actor, subject, "the episode has ended (%v); begin another one", e.closure.Ending)
}

// Record returns all evidence so far. It is a copy.
func (e *Episode) Record() []Entry {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.record.Entries()
}

// Facts returns what was reported, dispatched or waited for so far, in the order in which it
// was first mentioned.
func (e *Episode) Facts() []Fact {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cloneAll(e.facts(), Fact.clone)
}

// Commitments returns all commitments, in the order in which they were proposed.
func (e *Episode) Commitments() []Commitment {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := make([]Commitment, 0, len(e.commitmentOrder))
	for _, id := range e.commitmentOrder {
		all = append(all, e.commitments[id].clone())
	}
	return all
}

// Closure returns how the episode has ended, as it was then; while it is open, what would
// block fulfillment now.
func (e *Episode) Closure() Closure {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closure.Ending == Open {
		return Closure{Blocks: e.ends().blocks()}
	}
	return e.closure.clone()
}

// Terms returns a copy of what the episode began with.
func (e *Episode) Terms() Terms { return e.terms.clone() }

func (c Closure) clone() Closure {
	c.Blocks = slices.Clone(c.Blocks)
	return c
}
