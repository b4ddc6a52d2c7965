package episode

import (
	"fmt"
	"strings"
)

// Admit decides on an intent, by the six guards and those of the terms, from what its
// carrier last observed. On the record it is an "admission", with the decision. An earlier
// decision stays there as it was, and counts no longer.
//
// It is refused if the carrier has observed nothing, or if the action is another carrier's
// whose successor it is not. An intent with the ID of an action that differs is an error,
// and so is one that a guard does not answer, or whose resource there is not.
func (e *Episode) Admit(in Intent) (Decision, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	in = in.clone()
	known, err := e.checkIntent(in)
	if err != nil {
		return Decision{}, fmt.Errorf("admit %q: %w", in.ID, err)
	}
	was, seen := known.intent.Carrier, e.views[in.Carrier]
	switch {
	case e.closure.Ending != Open:
		return Decision{}, e.ended("admit", in.Carrier, in.ID)
	case seen.seq == 0:
		return Decision{}, e.refuse("admit", in.Carrier, in.ID, "%s has observed nothing; observe first", in.Carrier)
	case was != "" && !e.follows(was, in.Carrier):
		return Decision{}, e.refuse("admit", in.Carrier, in.ID, "it is the action of %s; use another ID, or replace that carrier first", was)
	}
	// The view is the one that was observed; only how old it is, is of now.
	v := seen.view
	v.Latest = e.version
	d, err := Admit(v, in, e.guards...)
	if err != nil {
		return Decision{}, err
	}
	known.intent, known.decision = in, d
	known.grant = e.authority[in.Carrier].seq
	known.decided = e.append(Entry{Kind: "admission", Version: v.Version, Actor: in.Carrier, Subject: in.ID,
		Value: d.String(), Follows: seen.seq, Decision: d})
	e.setAction(known)
	return d.clone(), nil
}

// checkIntent returns what is known of an intent's action.
func (e *Episode) checkIntent(in Intent) (action, error) {
	known, found := e.actions[in.ID]
	switch {
	case in.ID == "" || in.Carrier == "" || in.Action == "":
		return action{}, fmt.Errorf("the intent has no ID, carrier or action; give all three")
	case found && !known.intent.sameAction(in):
		return action{}, fmt.Errorf("there is another action with that ID, which differs; give this one an ID of its own")
	}
	return known, nil
}

// follows reports whether a carrier is another one, or has come after it.
func (e *Episode) follows(before, carrier string) bool {
	for before != "" && before != carrier {
		before = e.replaced[before]
	}
	return before == carrier
}

// Reserve takes what the action needs: its resource, and its cost of the budget. Of several
// who want the same resource one gets it. On the record it is a "reservation".
//
// It is refused if the latest decision on the action is not ALLOW, or if the state has
// changed since the view that it was made from. Then it takes an observation and another
// admission.
func (e *Episode) Reserve(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.action("reserve", id)
	if err != nil {
		return err
	}
	by := a.intent.Carrier
	switch holder := e.holder(a.intent); {
	case e.closure.Ending != Open:
		return e.ended("reserve", by, id)
	case a.decision.Answer != Pass:
		return e.refuse("reserve", by, id, "the decision is %s; observe and admit again when that has changed", explain(a.decision))
	case holder != "":
		return e.refuse("reserve", by, id, "%s is reserved for %s; observe and admit again", a.intent.Resource, holder)
	case a.decision.Version != e.version:
		return e.refuse("reserve", by, id, "it was admitted at version %d, and there is %d; observe and admit again", a.decision.Version, e.version)
	}
	e.version++
	a.hold = Reservation{Action: id, Carrier: by, Resource: a.intent.Resource, Cost: a.intent.Cost}
	a.held, a.spent, a.under = true, false, a.decided
	a.reserved = e.append(Entry{Kind: "reservation", Actor: by, Subject: id, Value: a.intent.Resource, Follows: a.decided})
	e.setAction(a)
	return nil
}

// holder returns which other action holds the resource that an intent needs, if one does.
func (e *Episode) holder(in Intent) string {
	for _, id := range e.actionOrder {
		if a := e.actions[id]; a.held && in.Resource != "" && a.hold.Resource == in.Resource && id != in.ID {
			return id
		}
	}
	return ""
}

// Dispatch says that the action is about to be sent. Only if it returns nil may it be. From
// then on its effect, the fact with its ID, is unknown until it is reported, whatever was
// reported before. On the record it is a "dispatch".
//
// It is refused without a reservation under the latest decision, if the guards do not all
// pass on the state as it is at this moment, if the delegation is not the one that the
// action was admitted under, or if the policy was changed or an object rebound since the
// view that it was admitted from. A reservation is good for one dispatch.
func (e *Episode) Dispatch(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.action("dispatch", id)
	if err != nil {
		return err
	}
	by := a.intent.Carrier
	switch {
	case e.closure.Ending != Open:
		return e.ended("dispatch", by, id)
	case a.dispatched > 0 && (!a.held || a.spent):
		f := e.standings[id].fact
		return e.refuse("dispatch", by, id, "it was dispatched before, and its effect is %s; find out, and admit again what had none", f.Status)
	case !a.held || a.under != a.decided:
		return e.refuse("dispatch", by, id, "it is not reserved under its latest decision, %v; reserve it", a.decision)
	}
	// An ALLOW is about the past. What counts at this moment is asked again, of the state as
	// it is; that does not replace an admission, which an earlier one still has to be.
	now, err := Admit(e.view(by), a.intent, e.guards...)
	switch {
	case err != nil:
		return fmt.Errorf("dispatch %q: %w", id, err)
	case now.Answer != Pass:
		return e.refuse("dispatch", by, id, "now the decision would be %s; observe and admit again when that has changed", explain(now))
	case e.outdates(a) != "":
		return e.refuse("dispatch", by, id, "%s; observe and admit again", e.outdates(a))
	}
	e.version++
	a.spent = true
	a.dispatched = e.append(Entry{Kind: "dispatch", Actor: by, Subject: id, Follows: a.reserved, Decision: now})
	e.setAction(a)
	e.restart(id)
	return nil
}

// outdates says what makes an admission one of the past, though the guards still pass: they
// look at what there is, not at what it was decided under. It is empty if nothing does.
func (e *Episode) outdates(a action) string {
	switch {
	case a.grant != e.authority[a.intent.Carrier].seq:
		return "it was admitted under an earlier delegation"
	case a.decision.Version < e.governed:
		return fmt.Sprintf("policy %s is in force since it was admitted", e.policy)
	case a.decision.Version < e.rebound:
		return "an object was rebound since it was admitted"
	}
	return ""
}

// explain says a decision and what decided.
func explain(d Decision) string {
	if d.Answer == NoAnswer {
		return "missing, since it was never admitted"
	}
	var reasons []string
	for _, f := range d.Because() {
		reasons = append(reasons, f.Guard+": "+f.Reason)
	}
	return fmt.Sprintf("%v (%s)", d, strings.Join(reasons, "; "))
}

// Acknowledge says that whoever received a dispatched action has said so. That is no
// evidence of an effect. On the record it is an "acknowledgement".
func (e *Episode) Acknowledge(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.action("acknowledge", id)
	switch {
	case err != nil:
		return err
	case a.dispatched == 0:
		return e.refuse("acknowledge", a.intent.Carrier, id, "it was not dispatched; find out what was acknowledged")
	}
	e.append(Entry{Kind: "acknowledgement", Subject: id, Follows: a.dispatched})
	return nil
}

// Release gives up an action's reservation. It is refused once the action has been
// dispatched, unless it is accepted that it had no effect. On the record it is a "release".
func (e *Episode) Release(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.action("release", id)
	if err != nil {
		return err
	}
	f := e.standings[id].fact
	switch {
	case !a.held:
		return e.refuse("release", a.intent.Carrier, id, "it is not reserved; reserve it first")
	case a.spent && (f.Status != Accepted || f.Value != None):
		return e.refuse("release", a.intent.Carrier, id, "it was dispatched, and its effect is %s; find out first", f.Status)
	}
	e.version++
	a.held = false
	e.append(Entry{Kind: "release", Actor: a.intent.Carrier, Subject: id, Follows: a.reserved})
	e.setAction(a)
	return nil
}

// Bypass says that somebody was seen to dispatch an action past the episode: without
// Dispatch, or after it refused. Its effect is unknown, as after Dispatch. An action
// that is known stays that of its carrier, whoever dispatched it. On the record it is a
// "bypass" by whoever did, with what the guards said, as far as they all answer. It takes
// neither the resource nor any budget: what it used up is not known here.
func (e *Episode) Bypass(in Intent) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	in = in.clone()
	a, err := e.checkIntent(in)
	if err != nil {
		return fmt.Errorf("bypass %q: %w", in.ID, err)
	}
	d, err := Admit(e.view(in.Carrier), in, e.guards...)
	if err != nil {
		d = Decision{} // the action has happened all the same
	}
	e.version++
	if a.intent.ID == "" {
		a.intent = in
	}
	a.spent = true
	a.dispatched = e.append(Entry{Kind: "bypass", Actor: in.Carrier, Subject: in.ID, Follows: a.decided, Decision: d})
	e.setAction(a)
	e.restart(in.ID)
	return nil
}
