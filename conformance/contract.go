package conformance

import (
	"fmt"
	"iter"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	model "example.com/commitpoint/model/contract"
	study "example.com/commitpoint/study/contract"
)

// Contract returns the scenarios of the whole contract, one Set for each of its thirteen
// families. They have 4,040,361 schedules: drive a service with a database through them in
// mode Covering.
func Contract() []Set {
	var sets []Set
	for _, f := range study.Families() {
		sets = append(sets, Of(contractProtocol(f)))
	}
	return sets
}

// ofContract reports whether the contract has an event, be it that no family has.
func ofContract(event string) bool {
	_, err := model.ParseEvent(event)
	return err == nil
}

func contractProtocol(f study.Family) Protocol[study.Point, model.Event] {
	scenarios, err := f.Scenarios()
	if err != nil {
		panic(fmt.Sprintf("conformance: the contract's families are declared wrongly: %v", err))
	}
	return Protocol[study.Point, model.Event]{
		Name:      "contract/" + f.Name,
		Orders:    scenarios,
		Machine:   study.Reference{},
		Expect:    expectRequest,
		World:     contractWorld,
		Essential: func(e model.Event) bool { return !f.Optional(e) && e.Kind != model.Preflight },
		Needs:     neededIn(scenarios[len(scenarios)-1]),
		Narrator: counterexamples.Narrator[study.Point, model.Event]{
			Event:  func(e model.Event) (actor, name, object string) { return e.Actor(), e.String(), e.Object() },
			Fields: func(p study.Point) iter.Seq2[string, string] { return p.Model().Fields() },
			Effect: func(after study.Point, e model.Event) string {
				if e.Kind == model.Preflight {
					return "the service looks at the request that would be made now"
				}
				return study.Effect(after.Model(), e)
			},
			Marked: func(e model.Event) bool { return !e.Kind.ByWorker() || e.Kind >= model.Refresh },
			Checks: func(p study.Point) (holds, fails []string) {
				_, failed := p.Judge(model.Event{Worker: model.A, Kind: model.Retry})
				return (model.All &^ failed).Names(), failed.Names()
			},
		},
		Explain: func(p study.Point, e model.Event, accepted bool) (failed, notes []string) {
			verdict, checks := p.Judge(e)
			return checks.Names(), study.Notes(verdict, checks, accepted)
		},
	}
}

// neededIn returns which of an order's events say nothing without others: the second of a
// kind without the first.
func neededIn(o enumerate.Order[model.Event]) map[model.Event][]model.Event {
	needs := make(map[model.Event][]model.Event)
	for _, e := range o.Events() {
		if e.N > 1 {
			needs[e] = []model.Event{{Worker: e.Worker, Kind: e.Kind}}
		}
	}
	return needs
}

func expectRequest(p study.Point, e model.Event) (x Expected, submits bool) {
	if !e.Kind.Decides() {
		return x, false
	}
	verdict, _ := p.Judge(e)
	x.Replay = verdict.Replay
	if !verdict.Eligible() {
		x.Reasons = verdict.Reasons.Names()
	}
	return x, true
}

func contractWorld(p study.Point) World {
	s := p.Model()
	w := World{Writes: int(s.Ledger.Writes), Status: s.Status.String(), Published: make(map[string]int)}
	for i, revision := range s.Revisions {
		w.Published[model.Target(i).String()] = int(revision) - 1
	}
	return w
}
