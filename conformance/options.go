package conformance

import (
	"fmt"
	"runtime"
	"time"

	"example.com/commitpoint/enumerate"
)

// DefaultStepTimeout is how long a call can take if Options say nothing else.
const DefaultStepTimeout = 10 * time.Second

// DefaultSamples is how many schedules of each set a Sample draws if Options say nothing
// else.
const DefaultSamples = 1000

// Options says what to drive a system through, and how. The zero Options is every
// schedule of the study.
type Options struct {
	// Sets are the sets of scenarios; nil means the study's.
	Sets []Set

	Mode    Mode
	Samples int    // of each set, in mode Sample; 0 means DefaultSamples
	Seed    uint64 // decides the draw

	// Workers is how many systems are driven at the same time, if they say that they can
	// be; 0 means GOMAXPROCS. What comes out does not depend on it.
	Workers int

	// StepTimeout is how long a call to a system can take; 0 means DefaultStepTimeout.
	StepTimeout time.Duration

	// Progress, if not nil, is called now and then, by one goroutine.
	Progress func(Progress)
}

// Progress says how far a run has got.
type Progress struct {
	Set     string
	Ran     uint64          // schedules of the set
	Of      enumerate.Count // that are to be run
	Elapsed time.Duration   // since the beginning of the whole run
}

// complete fills in the defaults and reports what makes no sense.
func (o Options) complete() (Options, error) {
	switch {
	case o.Mode > Sample:
		return o, fmt.Errorf("mode %d: use All, Covering or Sample", o.Mode)
	case o.Samples < 0:
		return o, fmt.Errorf("%d samples: use 1 or more, or 0 for %d", o.Samples, DefaultSamples)
	case o.Workers < 0:
		return o, fmt.Errorf("%d workers: use 1 or more, or 0 for one a processor", o.Workers)
	case o.StepTimeout < 0:
		return o, fmt.Errorf("a step's time limit of %v: use a positive duration, or 0 for %v", o.StepTimeout, DefaultStepTimeout)
	}
	if o.Sets == nil {
		o.Sets = []Set{Study()}
	}
	if o.Samples == 0 {
		o.Samples = DefaultSamples
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.StepTimeout == 0 {
		o.StepTimeout = DefaultStepTimeout
	}
	return o, nil
}
