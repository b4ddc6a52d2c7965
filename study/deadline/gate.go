package deadline

import (
	"slices"
	"time"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/deadline"
	model "example.com/commitpoint/model/deadline"
)

// A Strategy is a way to recover from a report that can't be released.
type Strategy struct {
	Name    string
	Meaning string // in a clause
	route   mechanisms.Routing
}

// Strategies returns the routed recovery, and two that do always the same.
func Strategies() []Strategy {
	return []Strategy{
		{"routed", "by whom the attribution blames", mechanisms.Route},
		{"always-wait", "the deadline is extended", func(model.Verdict, mechanisms.Party) []mechanisms.Remedy {
			return []mechanisms.Remedy{mechanisms.Wait}
		}},
		{"always-re-invoke", "the agent tries again", func(model.Verdict, mechanisms.Party) []mechanisms.Remedy {
			return []mechanisms.Remedy{mechanisms.Reinvoke}
		}},
	}
}

// window is how long one cycle of the gate takes.
const window = 30 * time.Second

// A gated state is that of a gate over several cycles: of each there is a probe and a
// deadline, and the report is verified at that.
type gated struct {
	attempt     model.State // as the verifier sees it: its window, calls and report
	gate        mechanisms.Gate
	invocations uint8
	invoked     bool // the agent is at work again, in this cycle
	cycles      uint8

	right        bool // an operation that can take effect was accepted, at some time
	contradicted bool // a later observation does not satisfy the predicate, after the release
	broken       bool // the first verdict was rewritten
	unverified   bool // it was released, and its verification did not say Fulfilled
}

// A gateMachine is a gate with a strategy.
type gateMachine struct{ strategy Strategy }

func (gateMachine) Init() gated { return gated{invocations: 1} }

func (m gateMachine) Next(s gated, e model.Event) gated {
	m.Step(&s, e)
	return s
}

func (m gateMachine) Step(s *gated, e model.Event) {
	switch {
	case e.Kind == model.Close:
		m.verify(s)
	case e.Kind == model.Operate && e.N > 1:
		if s.invoked && s.attempt.Operation == 0 {
			s.attempt.Step(model.Event{Kind: model.Operate})
			s.attempt.Step(model.Event{Kind: model.ReportDone})
		}
	default:
		s.attempt.Step(e)
	}
	s.right = s.right || s.attempt.Accepted
	if e.Kind.Samples() && s.gate.Released() && s.attempt.Samples[s.attempt.Probes-1] == model.Fails {
		s.contradicted = true
	}
}

// verify lets the gate decide at the end of a cycle, and takes the remedies.
func (m gateMachine) verify(s *gated) {
	s.cycles++
	s.attempt.Step(model.Event{Kind: model.Close})
	t := s.attempt.Trial()
	verdict, _ := mechanisms.Verify(&t)
	before := s.gate
	var remedies []mechanisms.Remedy
	s.gate, remedies = before.NextBy(m.strategy.route, verdict, mechanisms.Attribute(&t).Party(), time.Duration(s.cycles)*window)
	s.broken = s.broken || before.Cycles > 0 && s.gate.First != before.First
	if before.Outcome == mechanisms.Open && s.gate.Released() {
		s.unverified = verdict != model.Fulfilled
	}
	if before.Outcome != mechanisms.Open || s.gate.Outcome != mechanisms.Open {
		s.invoked = false
		return
	}
	s.invoked = slices.Contains(remedies, mechanisms.Reinvoke)
	if s.invoked {
		s.invocations++
		s.attempt = afresh(s.attempt)
		return
	}
	s.attempt.Closed, s.attempt.OnProbe, s.attempt.InTime = false, false, 0
}

// afresh returns the state of a new attempt: what the service is stays, and what was
// recorded goes.
func afresh(s model.State) model.State {
	return model.State{Accepted: s.Accepted, Holds: s.Holds, Undone: s.Undone}
}

// gateFree are the events that each happen once or not.
var gateFree = []model.Event{
	{Kind: model.ReportDone}, {Kind: model.Converge}, {Kind: model.Converge, N: 2}, {Kind: model.Undo},
	{Kind: model.Operate, N: 2}, {Kind: model.Operate, N: 3},
}

// GateScenarios returns the scenarios of the gate: three cycles, each with a probe that
// succeeds or fails; any operation at first, or none; the free events or not.
func GateScenarios() []enumerate.Order[model.Event] {
	b := enumerate.NewOrder[model.Event]()
	for _, k := range operations {
		b.Free("", model.Event{Kind: k})
	}
	b.Free("", gateFree...)
	closing := func(n uint8) model.Event { return numbered(model.Close, n) }
	end := model.Event{Kind: model.End}
	for n := uint8(1); n <= mechanisms.MaxCycles; n++ {
		b.Free("", probe(n), miss(n), closing(n))
		b.Before(probe(n), closing(n)).Before(miss(n), closing(n))
		if n > 1 {
			b.Before(closing(n-1), probe(n)).Before(closing(n-1), miss(n))
			again := model.Event{Kind: model.Operate, N: n} // while its cycle lasts
			b.Before(closing(n-1), again).Before(again, closing(n))
		}
	}
	b.Free("", end).Before(closing(mechanisms.MaxCycles), end)
	b.Before(gateFree[1], gateFree[2])
	for _, e := range gateFree {
		b.Before(e, end)
	}
	for _, k := range operations {
		b.Before(model.Event{Kind: k}, closing(1)) // what is not done in the first cycle is missing
	}
	b.Before(gateFree[0], closing(1))
	all, err := b.Build()
	if err != nil {
		panic(err) // the events are declared wrongly
	}
	var orders []enumerate.Order[model.Event]
	for _, clock := range choices([][]model.Event{{probe(1), miss(1)}, {probe(2), miss(2)}, {probe(3), miss(3)}}) {
		for op := range len(operations) + 1 {
			for chosen := range 1 << len(gateFree) {
				orders = append(orders, all.Restrict(func(e model.Event) bool {
					if i := slices.Index(gateFree, e); i >= 0 {
						return chosen>>i&1 != 0
					}
					if i := slices.Index(operations, e.Kind); i >= 0 {
						return i == op-1
					}
					return e.Kind == model.End || e.Kind == model.Close || slices.Contains(clock, e)
				}))
			}
		}
	}
	return orders
}
