package episode

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/commitpoint/model/episode"
)

// The fold agrees with a second judgement, which looks at the whole history each time: for
// events in any order and services that do anything.
func TestFoldAgreesWithWholeHistory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	asked, due, faced, broken := map[Question]int{}, map[Question]int{}, map[Reasons]int{}, map[Properties]int{}
	for range 20_000 {
		var h History
		var steps past
		for _, e := range nearly(t, random) {
			q, against := h.Ask(e)
			wholeQ, wholeAgainst := steps.ask(e)
			if q != wholeQ || against != wholeAgainst {
				t.Fatalf("after %v, %v asks %v against %q; by the whole history %v against %q", steps, e, q, against, wholeQ, wholeAgainst)
			}
			if asked[q]++; against == 0 {
				due[q]++
			}
			for i := range NumReasons {
				faced[against&(1<<i)]++
			}
			act := anyAct(random, q, against, e)
			steps = append(steps, step{e, act})
			h.Step(e, act)
		}
		if want := steps.broken(); h.Broken != want {
			t.Fatalf("%v breaks %q; by the whole history %q", steps, h.Broken.Names(), want.Names())
		}
		for i := range PropertyNames {
			broken[h.Broken&(1<<i)]++
		}
	}
	for q := Admission; q <= Closure; q++ {
		if asked[q] < 1000 || due[q] < 200 {
			t.Errorf("%v was asked %d times, and due %d times: too little", q, asked[q], due[q])
		}
	}
	for i := range NumReasons {
		if r := Reasons(1 << i); faced[r] < 300 {
			t.Errorf("%v was faced %d times: too little", r, faced[r])
		}
	}
	for i, name := range PropertyNames {
		if n := broken[1<<i]; n < 300 || n > 19_700 {
			t.Errorf("%q was broken in %d histories: too little, or too often", name, n)
		}
	}
}

// order is one in which nearly everything makes sense.
const order = "approve evidence first:observe first:admit second:reserve first:reserve revoke expire first:observe#2 first:admit#2 first:dispatch " +
	"replace successor:observe authorize successor:observe#2 successor:admit successor:reserve successor:dispatch " +
	"effect repeat ack confirm contradict accept discharge close review accept#2 transfer close#2 end"

// nearly returns most of the events, not far from their order.
func nearly(t *testing.T, random *rand.Rand) []episode.Event {
	when := map[episode.Event]float64{}
	var chosen []episode.Event
	for i, s := range history(t, order) {
		if random.IntN(8) > 0 {
			chosen = append(chosen, s.event)
			when[s.event] = float64(i) + 9*random.Float64()
		}
	}
	slices.SortStableFunc(chosen, func(a, b episode.Event) int { return cmp.Compare(when[a], when[b]) })
	return chosen
}

// anyAct is what some service might do: mostly what is due, and now and then anything that
// makes sense.
func anyAct(random *rand.Rand, q Question, against Reasons, e episode.Event) episode.Act {
	yes, no := episode.Agree, episode.Refuse
	switch {
	case q == Admission:
		yes, no = episode.Allow, episode.Escalate
	case q == None && rewritten[e.Kind] != 0 && random.IntN(3) == 0:
		return episode.Rewrite
	case q == None:
		return episode.Nothing
	}
	if (against == 0) == (random.IntN(4) > 0) {
		return yes
	}
	return no
}

// A past is a history as a list.
type past []step

// last returns the position of the last event of an agent that is of a kind and at which the
// service acted in a way (Nothing for any); -1 if there is none.
func (p past) last(a episode.Agent, k episode.Kind, act episode.Act) int {
	for i := len(p) - 1; i >= 0; i-- {
		if s := p[i]; s.event.Agent == a && s.event.Kind == k && (act == episode.Nothing || s.act == act) {
			return i
		}
	}
	return -1
}

func (p past) did(k episode.Kind) bool { return p.last(episode.Nobody, k, episode.Nothing) >= 0 }

// authority reports whether an agent may act at the end.
func (p past) authority(a episode.Agent) bool {
	if a == episode.First {
		return !p.did(episode.Revoke) && !p.did(episode.Replace)
	}
	granted := p.last(episode.Nobody, episode.Authorize, episode.Nothing)
	return granted >= 0 && granted > p.last(episode.Nobody, episode.Revoke, episode.Nothing)
}

// sight is what an agent sees at the end.
func (p past) sight(a episode.Agent) [4]bool {
	return [4]bool{p.authority(a), p.did(episode.Approve), p.did(episode.Evidence), p.did(episode.Expire)}
}

// current reports whether what an agent observed last is there, and still what it sees.
func (p past) current(a episode.Agent) bool {
	looked := p.last(a, episode.Observe, episode.Nothing)
	if looked < 0 || looked < p.last(a, episode.Dispatch, episode.Nothing) {
		return false
	}
	for _, s := range p[looked:] {
		if s.event.Agent == a && s.event.Kind == episode.Admit && s.act != episode.Allow {
			return false
		}
	}
	return p[:looked].sight(a) == p.sight(a)
}

// decided reports whether the latest decision is ALLOW, and nothing was done after it that
// leaves it behind.
func (p past) decided(a episode.Agent) bool {
	at := p.last(a, episode.Admit, episode.Nothing)
	return at >= 0 && p[at].act == episode.Allow &&
		at > p.last(a, episode.Observe, episode.Nothing) && at > p.last(a, episode.Dispatch, episode.Nothing)
}

// dispatched returns when the purchase was dispatched first; -1 if it wasn't.
func (p past) dispatched() int {
	return slices.IndexFunc(p, func(s step) bool {
		return s.act == episode.Agree && (s.event.Kind == episode.Dispatch || s.event.Kind == episode.Repeat)
	})
}

// after returns the position of the first event of a kind after another; -1 if there is
// none, or not the other.
func (p past) after(k episode.Kind, other int) int {
	if other < 0 {
		return -1
	}
	for i := other; i < len(p); i++ {
		if p[i].event.Kind == k {
			return i
		}
	}
	return -1
}

// reserver returns who has the resource by the first reservation that was granted; Nobody if
// it is free.
func (p past) reserver() episode.Agent {
	for _, s := range p {
		if s.event.Kind == episode.Reserve && s.act == episode.Agree {
			return s.event.Agent
		}
	}
	return episode.Nobody
}

// effect returns what stands against taking the purchase for done.
func (p past) effect() Reasons {
	effect := p.after(episode.Effect, p.dispatched())
	switch {
	case p.after(episode.Review, effect) >= 0:
		return 0
	case p.after(episode.Contradict, p.dispatched()) >= 0:
		return Contested
	case p.after(episode.Confirm, effect) >= 0:
		return 0
	}
	return UnknownEffect
}

// guards returns the guards that fail for an agent.
func (p past) guards(a episode.Agent) (r Reasons) {
	for reason, fails := range map[Reasons]bool{
		Revoked:          a == episode.First && p.did(episode.Revoke),
		Replaced:         a == episode.First && p.did(episode.Replace),
		NoFreshAuthority: a == episode.Successor && !p.authority(a),
		NotApproved:      !p.did(episode.Approve),
		NoEvidence:       !p.did(episode.Evidence),
	} {
		if fails {
			r |= reason
		}
	}
	return r
}

// acting returns what stands against an agent's acting for the purchase.
func (p past) acting(a episode.Agent) Reasons {
	switch {
	case !p.decided(a):
		return p.guards(a) | NoDecision
	case !p.current(a):
		return p.guards(a) | StaleView
	}
	return p.guards(a)
}

// repeating returns what stands against one more dispatch.
func (p past) repeating() Reasons {
	switch {
	case p.dispatched() < 0:
		return 0
	case p.effect() == 0:
		return KnownEffect
	}
	return p.effect()
}

// closing returns what stands against closing the episode as fulfilled.
func (p past) closing() Reasons {
	r := p.effect() | NotAccepted | OpenObligation
	for i, s := range p {
		if s.event.Kind == episode.Accept && s.act == episode.Agree && p[:i].effect() == 0 {
			r &^= NotAccepted
		}
	}
	if p.did(episode.Transfer) || p.after(episode.Discharge, p.after(episode.Effect, p.dispatched())) >= 0 {
		r &^= OpenObligation
	}
	return r
}

// ask judges an event after a history, from the list of its steps.
func (p past) ask(e episode.Event) (Question, Reasons) {
	if e.Agent == episode.Second {
		if who := p.reserver(); who == episode.First || who == episode.Successor {
			return Reservation, ByAnother
		}
		return Reservation, 0
	}
	switch e.Kind {
	case episode.Admit:
		if !p.current(e.Agent) {
			return Admission, p.guards(e.Agent) | StaleView
		}
		return Admission, p.guards(e.Agent)
	case episode.Reserve:
		if p.reserver() == episode.Second {
			return Reservation, p.acting(e.Agent) | ByAnother
		}
		return Reservation, p.acting(e.Agent)
	case episode.Dispatch:
		if who := p.reserver(); who == episode.Nobody || who == episode.Second {
			return Dispatch, p.acting(e.Agent) | NoReservation | p.repeating()
		}
		return Dispatch, p.acting(e.Agent) | p.repeating()
	case episode.Repeat:
		if p.dispatched() >= 0 {
			return Dispatch, p.repeating()
		}
	case episode.Accept:
		return Acceptance, p.effect()
	case episode.Close:
		if p.last(episode.Nobody, episode.Close, episode.Agree) < 0 {
			return Closure, p.closing()
		}
	}
	return None, 0
}

// broken returns the properties that some step breaks, each by what it says.
func (p past) broken() (b Properties) {
	for i, s := range p {
		before, yes := p[:i], s.act == episode.Agree
		a, mine := s.event.Agent, s.event.Agent != episode.Second
		purchase := before.reserver() == episode.First || before.reserver() == episode.Successor
		for property, broken := range map[Properties]bool{
			AllowsUnguarded:        s.act == episode.Allow && !(before.current(a) && before.guards(a) == 0),
			ReservesUncovered:      s.event.Kind == episode.Reserve && yes && mine && !before.allowed(a),
			DispatchesUncovered:    s.event.Kind == episode.Dispatch && yes && !(before.allowed(a) && purchase),
			RewritesDecision:       s.event.Kind == episode.Approve && s.act == episode.Rewrite,
			ErasesObligation:       s.event.Kind == episode.Revoke && s.act == episode.Rewrite,
			DispatchesUnauthorized: s.event.Kind == episode.Dispatch && yes && a == episode.Successor && !before.authority(a),
			ReservesTwice:          s.event.Kind == episode.Reserve && yes && before.reserver() != episode.Nobody && purchase != mine,
			FulfillsFalsely:        s.event.Kind == episode.Close && yes && before.closing() != 0,
			DispatchesAgain:        (s.event.Kind == episode.Dispatch || s.event.Kind == episode.Repeat) && yes && before.dispatched() >= 0,
			RewritesHistory:        (s.event.Kind == episode.Confirm || s.event.Kind == episode.Contradict) && s.act == episode.Rewrite,
			RefusesDue:             before.refuses(s),
		} {
			if broken {
				b |= property
			}
		}
	}
	return b
}

// allowed reports whether an agent has a current ALLOW: its latest decision, from what it
// still sees, with every guard passing.
func (p past) allowed(a episode.Agent) bool { return p.decided(a) && p.current(a) && p.guards(a) == 0 }

// refuses reports whether a step says no to what is due.
func (p past) refuses(s step) bool {
	q, against := p.ask(s.event)
	return q != None && against == 0 && !q.Accepts(s.act)
}
