package enumerate

import "fmt"

// A Canonical machine erases from a state what can't matter any more, given the
// events that are done, so that a Tally merges more: Canonical must return the
// same state when it is applied to its own result, and must not change what is
// observed, enabled, done, or said by a property, from there on. A Tally checks
// that on a sample of states, and reports a *Fault.
type Canonical[S, E comparable] interface {
	Machine[S, E]
	Canonical(done Events[E], s S) S
}

// Merged says how many different states there were before they were made
// canonical, and how many after, in a sample of about one down-set in eight. The states
// that led there were canonical, so that the whole saving is larger.
type Merged struct{ Raw, Kept uint64 }

// isSampled picks one down-set in about eight, the same in every order.
func isSampled(d set) bool { return uint64(d)*0x9e3779b97f4a7c15>>61 == 0 }

// Events is a set of events of an order.
type Events[E comparable] struct {
	order *Order[E]
	set   set
}

// Has reports whether e is in the set.
func (x Events[E]) Has(e E) bool {
	i := x.order.Index(e)
	return i >= 0 && x.set.has(i)
}

// Len returns the number of events in the set.
func (x Events[E]) Len() int { return x.set.size() }

// checkCanonical looks, for the state after the worker's edge, at whether the
// canonical form is stable and makes no difference: it follows one completion
// from both.
func (w *worker[S, E, O]) checkCanonical(next S) error {
	fault := func(format string, args ...any) error {
		return &edgeFault[S]{w.at, "has a canonical form that " + fmt.Sprintf(format, args...)}
	}
	done := w.at.done | only(w.at.event)
	plain, short := next, w.canonical(done, next)
	if again := w.canonical(done, short); again != short {
		return fault("is not stable: %v becomes %v, and that %v", next, short, again)
	}
	if w.same != nil && !w.same(plain, short) {
		return fault("changes what a property says: of %v and of %v", plain, short)
	}
	for pick := w.polled ^ uint64(done); done != w.order.live; pick = pick*6364136223846793005 + 1 {
		enabled := w.above(done)
		var open []int
		for rest := enabled; rest != 0; rest &= rest - 1 {
			i := rest.least()
			if w.guard == nil {
				open = append(open, i)
				continue
			}
			a, b := w.guard(plain, w.order.events[i]), w.guard(short, w.order.events[i])
			if a != b {
				return fault("changes whether %s is enabled: %v in %v, %v in %v", w.order.names[i], a, plain, b, short)
			}
			if a {
				open = append(open, i)
			}
		}
		if len(open) == 0 {
			if w.ends != nil && w.ends(plain) != w.ends(short) {
				return fault("changes whether it is done: %v in %v, %v in %v", w.ends(plain), plain, w.ends(short), short)
			}
			return nil
		}
		i := open[int(pick>>33)%len(open)]
		e := w.order.events[i]
		plainNext, shortNext := w.machine.Next(plain, e), w.machine.Next(short, e)
		if see := w.see[i]; see != nil {
			a, seenA := see(plain, e, plainNext)
			b, seenB := see(short, e, shortNext)
			if seenA != seenB || seenA && a != b {
				return fault("changes what is observed at %s: %v from %v, %v from %v", w.order.names[i], a, plain, b, short)
			}
		}
		done |= only(i)
		plain, short = plainNext, w.canonical(done, shortNext)
		if w.same != nil && !w.same(plain, short) {
			return fault("changes what a property says after %s: of %v and of %v", w.order.names[i], plain, short)
		}
	}
	return nil
}
