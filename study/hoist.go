package study

import (
	"context"
	"fmt"
	"math/bits"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// What may leave the transaction? Hoist answers the study's question (the report's
// section 6.1) for every subset of the contract's checks: those in the subset are
// evaluated at preflight, where their answer is remembered, and the rest at the commit.

// hoistable are the checks that can move, in declaration order. Ownership, that is
// attempt and fence, moves as one.
var hoistable = [...]struct {
	name   string
	checks model.Checks
}{
	{"ownership", model.Attempt | model.Fence},
	{"lease", model.Lease},
	{"grant", model.Grant},
	{"inputs", model.Inputs},
	{"artifact", model.Artifact},
	{"evidence", model.Evidence},
	{"contract", model.Contract},
}

// A Looked is what the eight checks say of a request at preflight and at its commit.
type Looked struct {
	Early, Late model.Checks // that fail
	Eligible    bool         // by the oracle, at the commit
}

// accepted reports whether the request is accepted when some checks are evaluated at
// preflight.
func (l Looked) accepted(early model.Checks) bool {
	return l.Early&early == 0 && l.Late&(model.All&^early) == 0
}

// A Hoist has the decisions for every subset of the checks that can move: the subset
// with bit i set in its index evaluates the i-th of them at preflight.
type Hoist struct {
	Decisions enumerate.Count // made in each
	Subsets   []Subset
}

// A Subset is the mechanism that evaluates some of the contract's checks at preflight
// and the rest at the commit.
type Subset struct {
	Early          []string // what is evaluated at preflight
	UnsafeAccept   enumerate.Count
	EligibleReject enumerate.Count
	Shortest       []string // history that ends with an unsafe accept; nil if there is none
}

// ComputeHoist decides every schedule of the study's scenarios, or those of opt, for
// each of the 128 subsets. It does not look at opt.Mechanisms.
func ComputeHoist(ctx context.Context, opt Options) (Hoist, error) {
	opt, err := opt.forOne()
	if err != nil {
		return Hoist{}, err
	}
	engine := enumerate.Options{Workers: opt.Workers}
	tallied, err := enumerate.TallyAll(ctx, opt.Scenarios, looker{}, atCommit(lookedState.looked), engine)
	if err != nil {
		return Hoist{}, fmt.Errorf("count the decisions of every subset of checks: %w", err)
	}
	witnesses, err := enumerate.Witnesses(ctx, opt.Scenarios, looker{}, atCommit(lookedState.looked), engine)
	if err != nil {
		return Hoist{}, fmt.Errorf("find the shortest history of every subset of checks: %w", err)
	}
	var observed []enumerate.Observed[Looked]
	for _, t := range tallied {
		observed = append(observed, t.Observed...)
	}
	return NewHoist(observed, witnesses)
}

// NewHoist works out every subset from what was observed at commits, and how often,
// and from a witness of each observation, the shortest first. The error is a count that
// leaves 128 bits.
func NewHoist[E interface {
	comparable
	fmt.Stringer
}](observed []enumerate.Observed[Looked], witnesses []enumerate.Witness[E, Looked]) (Hoist, error) {
	h := Hoist{Subsets: make([]Subset, 1<<len(hoistable))}
	add := func(sum *enumerate.Count, n enumerate.Count) (err error) {
		if *sum, err = sum.Plus(n); err != nil {
			return fmt.Errorf("count decisions: %w", err)
		}
		return nil
	}
	for _, o := range observed {
		if err := add(&h.Decisions, o.Count); err != nil {
			return Hoist{}, err
		}
	}
	for i := range h.Subsets {
		s := &h.Subsets[i]
		early := s.pick(i)
		for _, o := range observed {
			var err error
			switch accepted := o.Value.accepted(early); {
			case accepted && !o.Value.Eligible:
				err = add(&s.UnsafeAccept, o.Count)
			case !accepted && o.Value.Eligible:
				err = add(&s.EligibleReject, o.Count)
			}
			if err != nil {
				return Hoist{}, err
			}
		}
		for _, w := range witnesses {
			if w.Value.accepted(early) && !w.Value.Eligible {
				for _, e := range w.History {
					s.Shortest = append(s.Shortest, e.String())
				}
				break
			}
		}
	}
	return h, nil
}

// pick names the checks of the i-th subset and returns them.
func (s *Subset) pick(i int) (early model.Checks) {
	s.Early = []string{}
	for j, unit := range hoistable {
		if i>>j&1 != 0 {
			early |= unit.checks
			s.Early = append(s.Early, unit.name)
		}
	}
	return early
}

// Safe reports whether no request is accepted that is not eligible.
func (s Subset) Safe() bool { return s.UnsafeAccept == enumerate.Count{} }

// Singles returns the subsets of one check.
func (h Hoist) Singles() []Subset {
	var singles []Subset
	for i, s := range h.Subsets {
		if bits.OnesCount(uint(i)) == 1 {
			singles = append(singles, s)
		}
	}
	return singles
}

// MaximalSafe returns the safe subsets to which no check can be added: with any
// further one evaluated at preflight, or any further ones, they are not safe.
func (h Hoist) MaximalSafe() []Subset {
	return h.extreme(true, func(i, j int) bool { return i&j == i })
}

// MinimalUnsafe returns the subsets that are not safe although all with fewer of their
// checks are.
func (h Hoist) MinimalUnsafe() []Subset {
	return h.extreme(false, func(i, j int) bool { return i&j == j })
}

// extreme returns the subsets that are safe, or are not, and beyond which none is.
func (h Hoist) extreme(safe bool, beyond func(i, j int) bool) []Subset {
	list := []Subset{}
next:
	for i, s := range h.Subsets {
		if s.Safe() != safe {
			continue
		}
		for j, other := range h.Subsets {
			if i != j && beyond(i, j) && other.Safe() == safe {
				continue next
			}
		}
		list = append(list, s)
	}
	return list
}

// A looker remembers what all checks say at preflight and at the commit.
type looker struct{}

type lookedState struct {
	model   model.State
	history oracle.History
	seen    Looked
}

func (s lookedState) looked() (Looked, bool) { return s.seen, true }

func (looker) Init() lookedState {
	return lookedState{model: model.Initial(), history: oracle.Begin()}
}

func (looker) Next(s lookedState, e model.Event) lookedState {
	switch e.Kind {
	case model.Preflight:
		s.seen.Early = mechanisms.Failed(s.model, s.model.Request()) & model.All
	case model.Commit:
		r := s.model.Request()
		s.seen.Late = mechanisms.Failed(s.model, r) & model.All
		s.seen.Eligible = s.history.Judge(r).Eligible()
	}
	s.model = model.Next(s.model, e)
	s.history = s.history.Observe(e)
	if e.Kind == model.TrustedVerify {
		s.history = s.history.Record(s.model.Evidence)
	}
	return s
}
