package study

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// A brief machine forgets, once the request is decided, everything but that: the
// tally observes nothing later.
type brief struct{ *machine }

var commit = model.Event{Kind: model.Commit}

func (brief) Canonical(done enumerate.Events[model.Event], s state) state {
	if !done.Has(commit) {
		return s
	}
	return state{}
}

// For all 64 subsets of the environment events, replaying every schedule,
// walking, counting outcomes and the tally come to the same decisions.
func TestAllSubsetsEveryWay(t *testing.T) {
	m := newMachine(mechanisms.All())
	scenarios := Scenarios(len(model.Environment()))
	outcomes, err := enumerate.Outcomes(context.Background(), scenarios, m, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	visited := uint64(0)
	together, err := enumerate.TallyAll(context.Background(), scenarios, m, atCommit(state.outcome),
		enumerate.Options{Progress: func(p enumerate.Progress) { visited = p.Nodes }})
	if err != nil {
		t.Fatal(err)
	}
	total, nodes := uint64(0), uint64(0)
	for i, o := range scenarios {
		byReplay, byWalk, byOutcomes, byTally := map[outcome]uint64{}, map[outcome]uint64{}, map[outcome]uint64{}, map[outcome]uint64{}
		for schedule := range o.Schedules() {
			states := counterexamples.Replay(m, schedule)
			final := states[len(states)-1]
			byReplay[outcome{final.accepted, final.verdict.Eligible()}]++
			total++
		}
		err := enumerate.Walk(t.Context(), []enumerate.Order[model.Event]{o}, m, func(_ int, prefix []model.Event, s *state) bool {
			if len(prefix) == o.Len() {
				byWalk[outcome{s.accepted, s.verdict.Eligible()}]++
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, oc := range outcomes[i] {
			byOutcomes[outcome{oc.Final.accepted, oc.Final.verdict.Eligible()}] += oc.Schedules
		}
		tally, err := enumerate.Tally(context.Background(), o, m, atCommit(state.outcome), enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, seen := range tally.Observed {
			byTally[seen.Value] = seen.Count.Big().Uint64()
		}
		if fmt.Sprint(together[i]) != fmt.Sprint(tally) {
			t.Errorf("scenario %v: %v when all are tallied together, %v alone", o, together[i], tally)
		}
		nodes += tally.Nodes
		short, err := enumerate.Tally(context.Background(), o, brief{m}, atCommit(state.outcome), enumerate.Options{})
		if err != nil || !slices.Equal(short.Observed, tally.Observed) || short.Nodes > tally.Nodes {
			t.Errorf("scenario %v: %v with %d nodes when what is decided is forgotten, %v", o, short.Observed, short.Nodes, err)
		}
		if !maps.Equal(byReplay, byWalk) || !maps.Equal(byReplay, byOutcomes) || !maps.Equal(byReplay, byTally) {
			t.Errorf("scenario %v: by replay %v, by walk %v, by outcomes %v, by tally %v", o, byReplay, byWalk, byOutcomes, byTally)
		}
	}
	if nodes != 14292 || visited != 2480 {
		t.Errorf("%d nodes, %d different ones; want 14,292 and 2,480", nodes, visited)
	}
	if len(scenarios) != 64 || total != 330262 {
		t.Errorf("%d scenarios with %d schedules, want 64 with 330,262", len(scenarios), total)
	}
}
