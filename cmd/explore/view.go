package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// A view says what of a report to print; the zero view is all of it.
type view struct {
	mechanisms []string      // these rows only; nil means all
	inScenario bool          // the scores of one scenario only
	events     []model.Event // its environment events
}

// noEvents names the scenario of the bare chain.
const noEvents = "none"

// newView returns the view of the mechanisms with the given names, all if there
// are none, in the scenario with the given events, all scenarios if there are
// none.
func newView(names, scenario []string) (view, error) {
	var v view
	for _, name := range names {
		m, err := mechanisms.Named(strings.TrimSpace(name))
		if err != nil {
			return v, err
		}
		v.mechanisms = append(v.mechanisms, m.Name)
	}
	v.inScenario = len(scenario) > 0
	if len(scenario) == 1 && scenario[0] == noEvents {
		return v, nil
	}
	for _, name := range scenario {
		e, err := model.ParseEvent(strings.TrimSpace(name))
		if err != nil {
			return v, fmt.Errorf("unknown event %q: a scenario is %s, or some of %s", name, noEvents, list(model.Environment()))
		}
		v.events = append(v.events, e)
	}
	return v, v.validate()
}

// validate reports a scenario that the study does not have.
func (v view) validate() error {
	environment := model.Environment()
	for i, e := range v.events {
		switch {
		case !slices.Contains(environment, e):
			return fmt.Errorf("%v is not an environment event of the study: those are %s", e, list(environment))
		case slices.Contains(v.events[:i], e):
			return fmt.Errorf("%v is named twice: an environment event happens once at most", e)
		}
	}
	if n := len(v.events); n > study.MaxEnvironment {
		return fmt.Errorf("the scenario has %d environment events: the study's have at most %d", n, study.MaxEnvironment)
	}
	return nil
}

func (v view) shows(mechanism string) bool {
	return v.mechanisms == nil || slices.Contains(v.mechanisms, mechanism)
}

// score returns the report's scores for the view's scenario.
func (v view) score(r study.Report) study.ScenarioScore {
	i := slices.IndexFunc(r.Scenarios, func(s study.ScenarioScore) bool {
		return len(s.Events) == len(v.events) && !slices.ContainsFunc(s.Events, func(e model.Event) bool {
			return !slices.Contains(v.events, e)
		})
	})
	return r.Scenarios[i] // validate has seen to it that there is one
}
