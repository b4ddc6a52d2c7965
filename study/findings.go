package study

import (
	"context"
	"errors"
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

// findings is all that is wrong with a mechanism.
type findings struct {
	byKey     map[errorKey]finding
	schedules uint64          // judged
	wrong     map[Kind]uint64 // schedules in which it goes wrong, for whatever reason
}

// find judges m in every scenario and control. The error is about the run, or
// about a rule that can't be judged.
func find(ctx context.Context, m mechanisms.Mechanism, opt Options) (f findings, err error) {
	machine := solo{mechanism: m}
	f = findings{byKey: make(map[errorKey]finding), wrong: make(map[Kind]uint64)}
	outcomes, err := enumerate.Outcomes(ctx, opt.Scenarios, machine, enumerate.Options{Workers: opt.Workers})
	if err != nil {
		return f, atFault(m, err)
	}
	for _, scenario := range outcomes {
		for _, o := range scenario {
			if o.Final.fault != "" {
				return f, fmt.Errorf("rule %q %s; the schedule was %v", m.Name, o.Final.fault, o.First)
			}
			f.count(o.Final, o.Schedules)
		}
	}
	shortest, err := counterexamples.Find(ctx, opt.Scenarios, machine,
		func(keys []errorKey, history []model.Event, s soloState) ([]errorKey, bool) {
			if !decided(history) {
				return keys, true
			}
			return s.keys(keys), false
		})
	if err != nil {
		return f, atFault(m, err)
	}
	for key, found := range f.byKey {
		found.history = shortest[key]
		f.byKey[key] = found
	}
	return f, f.addControls(m)
}

// atFault returns the error of a run that err ended. A fault can only be a rule
// that answers differently from one call to the next: all else that the engine
// asks is ours, and pure.
func atFault(m mechanisms.Mechanism, err error) error {
	fault := (*enumerate.Fault)(nil)
	switch {
	case !errors.As(err, &fault):
		return fmt.Errorf("judge %q: %w", m.Name, err)
	case !fault.Known:
		return fmt.Errorf("rule %q %s", m.Name, impure)
	}
	return fmt.Errorf("rule %q %s; the history was %v", m.Name, impure, fault.History)
}

// count adds n schedules that end in final.
func (f *findings) count(final soloState, n uint64) {
	f.schedules += n
	if kind, wrong := final.wrong(); wrong {
		f.wrong[kind] += n
	}
	for _, key := range final.keys(nil) {
		f.byKey[key] = finding{errorKey: key, count: f.byKey[key].count + n}
	}
}

// addControls adds what shows in the controls and in no schedule.
func (f *findings) addControls(m mechanisms.Mechanism) error {
	for _, c := range controls {
		final := runControl(m, c)
		if final.fault != "" {
			return fmt.Errorf("rule %q %s; it was in the directed control %s", m.Name, final.fault, c.Name)
		}
		for _, key := range final.keys(nil) {
			found, ok := f.byKey[key]
			switch {
			case !ok:
				f.byKey[key] = finding{errorKey: key, count: 1, history: model.Chain(), control: c}
			case found.control.Name != "":
				found.count++
				f.byKey[key] = found
			}
		}
	}
	return nil
}

// decided reports whether the last event of a history is the commit: from then
// on nothing changes the decision.
func decided(history []model.Event) bool {
	return len(history) > 0 && history[len(history)-1].Kind == model.Commit
}
