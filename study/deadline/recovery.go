package deadline

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/deadline"
	model "example.com/commitpoint/model/deadline"
)

// A Recovery is what a strategy comes to: what becomes of reports, and how often the agent
// is invoked for it, over all schedules of the gate's scenarios.
type Recovery struct {
	Strategy      string `json:"strategy"`
	Meaning       string `json:"meaning"`
	Schedules     uint64 `json:"schedules"`
	AtFirst       uint64 `json:"fulfilled_at_first"`
	AfterRecovery uint64 `json:"verified_after_recovery"`
	Terminated    uint64 `json:"terminated_unverified"`
	Invocations   uint64 `json:"invocations"` // of the agent, the first included
}

// A Property is one that the gate has in every schedule.
type Property struct {
	Property string `json:"property"`
	Reached  uint64 `json:"reached"` // schedules that come to where it could fail
}

// An ended is how a gate's history has ended.
type ended struct {
	outcome      mechanisms.Outcome
	cycles       int
	invocations  uint8
	contradicted bool
	undone       bool
	rewritten    bool
	unverified   bool
	right        bool // an operation that can take effect was accepted
}

func (s gated) ended() (ended, bool) {
	return ended{
		s.gate.Outcome, s.gate.Cycles, s.invocations, s.contradicted, s.attempt.Undone,
		s.broken, s.unverified, s.right,
	}, true
}

func (e ended) released() bool {
	return e.outcome == mechanisms.FulfilledAtFirst || e.outcome == mechanisms.VerifiedAfterRecovery
}

// gateProperties are what holds of every schedule: where reached says that it could fail,
// holds has to say that it does not.
var gateProperties = []struct {
	name    string
	reached func(ended) bool
	holds   func(ended) bool
}{
	{"nothing is released without Fulfilled", ended.released, func(e ended) bool { return !e.unverified }},
	{
		"the first verdict never changes",
		func(e ended) bool { return e.cycles > 1 },
		func(e ended) bool { return !e.rewritten },
	},
	{
		"recovery ends within three cycles",
		func(e ended) bool { return e.cycles == mechanisms.MaxCycles },
		func(e ended) bool { return e.outcome != mechanisms.Open && e.cycles <= mechanisms.MaxCycles },
	},
	{
		"a released completion is contradicted later only if somebody undid it",
		func(e ended) bool { return e.contradicted },
		func(e ended) bool { return e.undone },
	},
	{
		"nothing is verified without an operation that can take effect",
		func(e ended) bool { return !e.right },
		func(e ended) bool { return !e.released() },
	},
}

// walkGate returns how the schedules of the gate end with a strategy.
func walkGate(ctx context.Context, s Strategy, opt enumerate.Options) (map[ended]uint64, error) {
	observer := enumerate.ObserveOn(isEnd, func(_ gated, _ model.Event, after gated) (ended, bool) { return after.ended() })
	return sum(enumerate.TallyAll(ctx, GateScenarios(), gateMachine{s}, observer, opt))
}

func computeGate(ctx context.Context, opt enumerate.Options) (all []Recovery, properties []Property, err error) {
	for _, s := range Strategies() {
		ends, err := walkGate(ctx, s, opt)
		if err != nil {
			return nil, nil, err
		}
		r := Recovery{Strategy: s.Name, Meaning: s.Meaning}
		for e, n := range ends {
			r.add(e, n)
		}
		all = append(all, r)
		if properties, err = checkGate(s, ends, properties); err != nil {
			return nil, nil, err
		}
	}
	return all, properties, nil
}

// checkGate checks the properties with a strategy. It returns how often each was reached
// with the first, and what it is given with the others.
func checkGate(s Strategy, ends map[ended]uint64, known []Property) ([]Property, error) {
	var list []Property
	for _, p := range gateProperties {
		reached := uint64(0)
		for e, n := range ends {
			if !p.reached(e) {
				continue
			}
			if reached += n; !p.holds(e) {
				return nil, fmt.Errorf("%w: with recovery %s it is not so that %s", ErrUnsound, s.Name, p.name)
			}
		}
		if reached == 0 && known == nil {
			return nil, fmt.Errorf("%w: nothing comes to where it could fail that %s", ErrUnsound, p.name)
		}
		list = append(list, Property{p.name, reached})
	}
	if known != nil {
		return known, nil
	}
	return list, nil
}

func (r *Recovery) add(e ended, n uint64) {
	r.Schedules += n
	r.Invocations += n * uint64(e.invocations)
	switch e.outcome {
	case mechanisms.FulfilledAtFirst:
		r.AtFirst += n
	case mechanisms.VerifiedAfterRecovery:
		r.AfterRecovery += n
	default:
		r.Terminated += n
	}
}
