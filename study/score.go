package study

import (
	"context"
	"errors"
	"fmt"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
)

// A Score counts one mechanism's decisions on schedules.
type Score struct {
	SafeAccept     uint64 // of an eligible request
	UnsafeAccept   uint64 // of an ineligible one
	UnsafeReject   uint64 // of an ineligible one, correctly
	EligibleReject uint64 // of an eligible one, unnecessarily
}

// Total returns the number of decisions.
func (s Score) Total() uint64 {
	return s.SafeAccept + s.UnsafeAccept + s.UnsafeReject + s.EligibleReject
}

func (s *Score) add(t Score) {
	s.SafeAccept += t.SafeAccept
	s.UnsafeAccept += t.UnsafeAccept
	s.UnsafeReject += t.UnsafeReject
	s.EligibleReject += t.EligibleReject
}

// Replays counts what came of submitting again after accepted executions, once
// all events of the schedule had happened.
type Replays struct {
	Identical             uint64 // identical requests submitted
	IdenticalSameReceipt  uint64 // of those, answered with the original receipt and no further write
	ChangedDigest         uint64 // the same request id with another candidate
	ChangedDigestRejected uint64 // of those, refused with nothing written
}

func (r *Replays) add(s Replays) {
	r.Identical += s.Identical
	r.IdenticalSameReceipt += s.IdenticalSameReceipt
	r.ChangedDigest += s.ChangedDigest
	r.ChangedDigestRejected += s.ChangedDigestRejected
}

// A ScenarioScore is what the schedules of one scenario come to.
type ScenarioScore struct {
	Events    []model.Event // of the environment
	Schedules uint64
	Eligible  uint64
	Scores    []Score // one a mechanism, in the order of the mechanisms
	Replays   Replays
}

// Options picks what is judged. The zero value is the whole study on all
// processors.
type Options struct {
	// Mechanisms to judge, at most 64; nil means the study's thirteen.
	Mechanisms []mechanisms.Mechanism
	// Scenarios to judge them in, restrictions of the Universe that keep the
	// chain; nil means the study's 42.
	Scenarios []enumerate.Order[model.Event]
	// Workers is the number of goroutines; 0 means GOMAXPROCS. It changes no
	// result.
	Workers int
}

// complete fills in the defaults and reports what can't be run.
func (o Options) complete() (Options, error) {
	if o.Mechanisms == nil {
		o.Mechanisms = mechanisms.All()
	}
	if o.Scenarios == nil {
		o.Scenarios = Scenarios(MaxEnvironment)
	} else if err := haveChain(o.Scenarios); err != nil {
		return o, err
	}
	if len(o.Scenarios) == 0 || len(o.Mechanisms) == 0 {
		return o, errors.New("nothing to judge: give mechanisms and scenarios, or nil for the study's")
	}
	if n := len(o.Mechanisms); n > maxMechanisms {
		return o, fmt.Errorf("%d mechanisms, at most %d can be judged at once: split the list", n, maxMechanisms)
	}
	return o, nil
}

// haveChain reports a scenario in which nothing, or not all, is decided.
func haveChain(scenarios []enumerate.Order[model.Event]) error {
	chain := model.Chain()
	for _, s := range scenarios {
		for i := 1; i < len(chain); i++ {
			if !s.Precedes(chain[i-1], chain[i]) {
				return fmt.Errorf("scenario %v lacks %v before %v: restrict study.Universe() and keep the chain",
					s, chain[i-1], chain[i])
			}
		}
	}
	return nil
}

// ErrUnsound is the error of a run whose own checks failed: a replay was answered
// wrongly, or schedules were missing. Whatever was counted is then worthless.
var ErrUnsound = errors.New("unsound")

// Evaluate walks every schedule of every scenario once, decides for every
// mechanism, and returns one score a scenario, in order.
//
// Where the number of schedules has a closed form, as it does in all scenarios of
// the study, it is compared with the number walked. A difference is an
// ErrUnsound, as is a replay that was answered wrongly.
func Evaluate(ctx context.Context, opt Options) ([]ScenarioScore, error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	outcomes, err := enumerate.Outcomes(ctx, opt.Scenarios, newMachine(opt.Mechanisms), enumerate.Options{Workers: opt.Workers})
	if err != nil {
		return nil, fmt.Errorf("walk the study's schedules: %w", err)
	}
	scores := make([]ScenarioScore, len(outcomes))
	for i := range outcomes {
		scores[i], err = score(opt.Scenarios[i], outcomes[i], len(opt.Mechanisms))
		if err != nil {
			return nil, err
		}
	}
	return scores, nil
}
