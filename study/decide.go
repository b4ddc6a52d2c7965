package study

import (
	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// A Decided is how a history ends for one mechanism.
type Decided struct {
	Accepted bool
	Decision mechanisms.Decision // the mechanism's, wherever it was made
	Verdict  oracle.Verdict      // at the commit
	Failed   model.Checks        // of the contract that the request fails at the commit
}

// Decide runs m on a history that includes the commit. Its events can go beyond
// the study's bounds: all of the environment, and repetitions. It is an error if
// the history is not a precedence-closed prefix of a schedule of its events.
func Decide(m mechanisms.Mechanism, history []model.Event) (Decided, error) {
	if _, err := orderOf(history); err != nil {
		return Decided{}, err
	}
	states := counterexamples.Replay(solo{mechanism: m}, history)
	final := states[len(states)-1]
	return Decided{final.recorded, final.decision, final.verdict, final.failed}, nil
}
