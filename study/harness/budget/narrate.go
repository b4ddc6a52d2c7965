package budget

import (
	"fmt"
	"iter"
	"slices"

	"example.com/commitpoint/counterexamples"
	mechanisms "example.com/commitpoint/mechanisms/harness/budget"
	model "example.com/commitpoint/model/harness/budget"
	oracle "example.com/commitpoint/oracle/harness/budget"
)

// decisions are what a ledger can answer, yes and no.
var decisions = map[oracle.Question][2]string{
	oracle.Admission: {"admitted", "denied"},
	oracle.Dispatch:  {"dispatched", "held back"},
	oracle.Release:   {"gave back", "kept"},
	oracle.Charge:    {"booked", "turned down"},
}

// decision says what the ledger answered.
func (a answer) decision() string {
	d := decisions[a.question]
	return either(a.yes, d[0], d[1])
}

// object says what was asked.
func (a answer) object(e model.Event) string {
	switch name := model.Of(e.Op).Name; a.question {
	case oracle.Admission, oracle.Dispatch:
		return "operation " + name
	case oracle.Release:
		return "the reservation of operation " + name
	default:
		return "a charge of operation " + name
	}
}

// because says what the reasons mean, in their order.
var because = [oracle.NumReasons]string{
	"the cap has no room for it, beside what is settled and can still be charged",
	"the route has no price: nobody knows what it may cost",
	"accounting is away: nothing is known, and nothing can be written",
	"the operation was admitted before",
	"it may have run, or still run; its reservation stays until that is reconciled",
	"its charge is booked already",
	"the charge is above the declared bound, a breach of contract; the reservation has to stay",
	"it was not admitted, or its reservation is given back",
}

// therefore says why yes is the right answer.
var therefore = map[oracle.Question]string{
	oracle.Admission: "the cap has room for it, beside what is settled and can still be charged",
	oracle.Dispatch:  "it is admitted, and has its reservation",
	oracle.Release:   "it has provably not run, and never will",
	oracle.Charge:    "it has run, and its charge is within the bound and not booked yet",
}

func notes(a answer) []string {
	if a.against == 0 {
		return []string{"eligible: " + therefore[a.question]}
	}
	var list []string
	for i, text := range because {
		if a.against>>i&1 != 0 {
			list = append(list, "not eligible: "+text)
		}
	}
	return list
}

// narrator tells a history of a mechanism.
func narrator(m mechanisms.Mechanism, states []state, history []model.Event) counterexamples.Narrator[state, model.Event] {
	var ops []model.Op
	for _, e := range history {
		if e.Op != model.Accounting && !slices.Contains(ops, e.Op) {
			ops = append(ops, e.Op)
		}
	}
	return counterexamples.Narrator[state, model.Event]{
		Event:  func(e model.Event) (actor, name, object string) { return e.Actor(), e.String(), e.Object() },
		Fields: func(s state) iter.Seq2[string, string] { return s.model.Fields(ops) },
		Effect: func(_ state, e model.Event) string {
			before := &states[slices.Index(history, e)]
			return effect(before, e, m.Act(&before.model, e))
		},
		Marked: func(e model.Event) bool { return slices.Contains(decisive, e.Kind) },
	}
}

// decisive are the kinds of event that others depend on.
var decisive = []model.Kind{model.Run, model.Cancel, model.Timeout, model.Down, model.Up}

// effect says what an event is, and what the ledger does at it.
func effect(before *state, e model.Event, a model.Act) string {
	entry := model.Entry{}
	if e.Op != model.Accounting {
		entry = *before.model.Entry(e.Op)
	}
	o := model.Of(e.Op)
	switch e.Kind {
	case model.Read:
		return "the figures are read"
	case model.Decide:
		return "and compared with the cap"
	case model.Write:
		return admission(o, a)
	case model.Dispatch:
		return either(a == model.Proceed, "goes to its provider", "stays")
	case model.Run:
		return either(entry.InFlight(), "the provider does it", "there is nothing to do")
	case model.Ack:
		return either(entry.Is(model.Dispatched), "the provider has it", "there is nothing to acknowledge")
	case model.Timeout:
		return either(entry.Is(model.Acked), "not waited for any more", "no acknowledgement came"+said(a))
	case model.Cancel:
		return "cancelled " + cancelled(entry, "before it was dispatched", "before it runs", "too late") + said(a)
	case model.Confirm:
		return "the provider says: " + confirmed(entry) + said(a)
	case model.Overcharge:
		return charge(entry, model.Over, a)
	case model.Charge:
		return charge(entry, o.Charge, a)
	case model.Reconcile:
		if entry.Is(model.Ran) {
			return "looked up: it has run, " + charge(entry, o.Charge, a)
		}
		return "looked up: " + either(entry.InFlight(), "it may still run", "it has not run, and will not") + said(a)
	case model.Down:
		return "accounting goes away"
	case model.Up:
		return "accounting is back"
	}
	return ""
}

// cancelled chooses by what a cancellation meets.
func cancelled(entry model.Entry, undispatched, stopped, ran string) string {
	if !entry.Is(model.Dispatched) {
		return undispatched
	}
	return either(entry.Is(model.Ran), ran, stopped)
}

// confirmed is the answer to a cancellation. One that reached the provider before the
// dispatch stopped nothing, even if the answer comes after it.
func confirmed(entry model.Entry) string {
	switch {
	case entry.Is(model.Ran):
		return "too late"
	case entry.Is(model.Stopped):
		return "cancelled in time"
	}
	return "never heard of it"
}

func charge(entry model.Entry, units uint8, a model.Act) string {
	if !entry.Is(model.Ran) {
		return "there is no charge"
	}
	if a == model.Refuse {
		return fmt.Sprintf("%d units are charged   TURNED DOWN", units)
	}
	return fmt.Sprintf("%d units are charged%s", units, said(a))
}

// said appends what the ledger did, if it was asked anything.
func said(a model.Act) string {
	switch a {
	case model.Free:
		return "   the reservation is GIVEN BACK"
	case model.Settle, model.Hoard:
		return "   BOOKED"
	case model.Refuse:
		return "   the reservation STAYS"
	}
	return ""
}

// admission says what becomes of a request.
func admission(o model.Operation, a model.Act) string {
	asked := fmt.Sprintf("%d units of route %s", o.Bound, o.Route)
	if o.Bound == 0 {
		asked = "route " + o.Route + ", which has no price"
	}
	switch a {
	case model.Admit:
		return "ADMITTED   " + asked
	case model.Share:
		return "ADMITTED   " + asked + "; nothing is reserved"
	}
	return "DENIED   " + asked
}

func either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}
