package study

import (
	"context"
	"fmt"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// An errorKey tells the errors of one mechanism apart: two histories with the
// same key go wrong for the same reason.
type errorKey struct {
	kind   Kind
	reason string
}

// unexplained is the reason of an eligible reject by a rule that names no
// failed check.
const unexplained = "unexplained"

// errorKeys returns every key there can be, in the order in which they are
// reported.
func errorKeys() []errorKey {
	var keys []errorKey
	for _, r := range oracle.AllReasons() {
		keys = append(keys, errorKey{UnsafeAccept, r.String()})
	}
	for _, name := range (model.All | model.LatestPolicy).Names() {
		keys = append(keys, errorKey{EligibleReject, name})
	}
	return append(keys, errorKey{EligibleReject, unexplained})
}

// keys returns what is wrong with the decision in s: for an unsafe accept each
// of the oracle's reasons, for an eligible reject each check that refused.
func (s soloState) keys(list []errorKey) []errorKey {
	kind, wrong := s.wrong()
	if !wrong {
		return list
	}
	names := s.verdict.Reasons.Names()
	if kind == EligibleReject {
		names = s.decision.Failed.Names()
		if len(names) == 0 {
			names = []string{unexplained}
		}
	}
	for _, name := range names {
		list = append(list, errorKey{kind, name})
	}
	return list
}

// A finding is one way in which a mechanism goes wrong.
type finding struct {
	errorKey
	count   uint64        // schedules, or controls, in which it does
	history []model.Event // the shortest
	control Control       // in which, if it shows in a control alone
}

// findings judges m in every scenario and control and returns what is wrong, by
// key, with the number of schedules.
func findings(ctx context.Context, m mechanisms.Mechanism, opt Options) (found map[errorKey]finding, schedules uint64, err error) {
	machine := solo{mechanism: m}
	outcomes, err := enumerate.Outcomes(ctx, opt.Scenarios, machine, enumerate.Options{Workers: opt.Workers})
	if err != nil {
		return nil, 0, fmt.Errorf("judge %q: %w", m.Name, err)
	}
	found = make(map[errorKey]finding)
	for _, scenario := range outcomes {
		for _, o := range scenario {
			schedules += o.Schedules
			for _, key := range o.Final.keys(nil) {
				f := found[key]
				found[key] = finding{errorKey: key, count: f.count + o.Schedules}
			}
		}
	}
	shortest := counterexamples.Find(opt.Scenarios, machine,
		func(keys []errorKey, history []model.Event, s soloState) ([]errorKey, bool) {
			if !decided(history) {
				return keys, true
			}
			return s.keys(keys), false
		})
	for key, f := range found {
		f.history = shortest[key]
		found[key] = f
	}
	addControls(found, m)
	return found, schedules, nil
}

// addControls adds what shows in the controls and in no schedule.
func addControls(found map[errorKey]finding, m mechanisms.Mechanism) {
	for _, c := range controls {
		for _, key := range runControl(m, c).keys(nil) {
			f, ok := found[key]
			switch {
			case !ok:
				found[key] = finding{errorKey: key, count: 1, history: model.Chain(), control: c}
			case f.control.Name != "":
				f.count++
				found[key] = f
			}
		}
	}
}

// decided reports whether the last event of a history is the commit: from then
// on nothing changes the decision.
func decided(history []model.Event) bool {
	return len(history) > 0 && history[len(history)-1].Kind == model.Commit
}
