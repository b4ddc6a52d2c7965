package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// A wrongly is how a decision goes wrong.
type wrongly struct {
	kind    Kind
	reasons oracle.Reasons // of an unsafe accept
	failed  model.Checks   // of an eligible reject: the checks that refused
}

// wrongly returns how the decision in s goes wrong, if it does.
func (s soloState) wrongly() (w wrongly, isWrong bool) {
	w.kind, isWrong = s.wrong()
	switch w.kind {
	case UnsafeAccept:
		w.reasons = s.verdict.Reasons
	case EligibleReject:
		w.failed = s.decision.Failed
	}
	return w, isWrong
}

// keys returns the keys of an error, none of a decision that is right.
func (w wrongly) keys() []errorKey {
	var names []string
	switch w.kind {
	case UnsafeAccept:
		names = w.reasons.Names()
	case EligibleReject:
		if names = w.failed.Names(); len(names) == 0 {
			names = []string{unexplained}
		}
	}
	keys := make([]errorKey, len(names))
	for i, name := range names {
		keys[i] = errorKey{w.kind, name}
	}
	return keys
}

// keys returns what is wrong with the decision in s.
func (s soloState) keys() []errorKey {
	w, _ := s.wrongly()
	return w.keys()
}

// A finding is one way in which a mechanism goes wrong.
type finding struct {
	errorKey
	count   uint64        // schedules, or controls, in which it does
	history []model.Event // the shortest
	rank    int           // of that among the shortest of all
	control Control       // in which, if it shows in a control alone
}

// findings is all that is wrong with a mechanism.
type findings struct {
	byKey     map[errorKey]finding
	schedules uint64          // judged
	wrong     map[Kind]uint64 // schedules in which it goes wrong, for whatever reason
	exercised map[errorKey]exercise
}

// An exercise is how often something could have gone wrong: an unsafe accept for a
// reason where the oracle has that reason, an eligible reject where it has none.
type exercise struct{ schedules, controls uint64 }

func (x exercise) String() string {
	text := thousands(x.schedules) + " schedules"
	if x.controls > 0 {
		text += fmt.Sprintf(" and %d of %d directed controls", x.controls, len(controls))
	}
	return text
}

// find judges m in every scenario and control. The error is about the run, or
// about a rule that can't be judged.
func find(ctx context.Context, m mechanisms.Mechanism, opt Options) (f findings, err error) {
	machine := solo{mechanism: m}
	f = findings{byKey: make(map[errorKey]finding), wrong: make(map[Kind]uint64), exercised: make(map[errorKey]exercise)}
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
	shortest, err := counterexamples.Find(ctx, opt.Scenarios, machine, atCommit(soloState.wrongly), wrongly.keys,
		enumerate.Options{Workers: opt.Workers})
	if err != nil {
		return f, atFault(m, err)
	}
	for i, c := range shortest {
		found := f.byKey[c.Reason]
		found.history, found.rank = c.History, i
		f.byKey[c.Reason] = found
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

// exercise adds to what could have gone wrong where the request is decided as in final.
func (f *findings) exercise(final soloState, n exercise) {
	for _, key := range errorKeys() {
		if key.kind == EligibleReject && final.verdict.Eligible() ||
			key.kind == UnsafeAccept && slices.Contains(final.verdict.Reasons.Names(), key.reason) {
			x := f.exercised[key]
			f.exercised[key] = exercise{x.schedules + n.schedules, x.controls + n.controls}
		}
	}
}

// count adds n schedules that end in final.
func (f *findings) count(final soloState, n uint64) {
	f.schedules += n
	f.exercise(final, exercise{schedules: n})
	if kind, wrong := final.wrong(); wrong {
		f.wrong[kind] += n
	}
	for _, key := range final.keys() {
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
		f.exercise(final, exercise{controls: 1})
		for _, key := range final.keys() {
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

func isCommit(e model.Event) bool { return e.Kind == model.Commit }

// atCommit observes what see says of the state after the commit.
func atCommit[S, O comparable](see func(after S) (O, bool)) enumerate.Observer[S, model.Event, O] {
	return enumerate.ObserveOn(isCommit, func(_ S, _ model.Event, after S) (O, bool) { return see(after) })
}
