package enumerate

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// DefaultMaxNodes is the number of nodes at which a Tally stops if its Options
// say nothing else.
const DefaultMaxNodes = 100_000_000

// Options says how to run, never what comes out. Limits end a run early, with an
// *IncompleteError. They are about Tally, TallyAll, Check, Witnesses and Sample;
// Outcomes looks at Workers only.
type Options struct {
	// Workers is the number of goroutines that work at the same time; 0 means
	// GOMAXPROCS. A negative number is an error.
	Workers int
	// MaxNodes is the largest number of nodes, and of down-sets where they are
	// found first; 0 means DefaultMaxNodes.
	MaxNodes uint64
	// MaxBytes is the largest number of bytes in nodes, edges and down-sets at one
	// time, by the run's own account, which leaves out what the garbage collector
	// has yet to free; 0 means no limit.
	MaxBytes uint64
	// MaxTime is how long a run may take; 0 means no limit. A negative duration is
	// an error.
	MaxTime time.Duration
	// Progress, if not nil, is called by a Tally after each layer.
	Progress func(Progress)
}

func (o Options) workers() (int, error) {
	if o.Workers < 0 {
		return 0, fmt.Errorf("%d workers: use 1 or more, or 0 for one a processor", o.Workers)
	}
	if o.Workers == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return o.Workers, nil
}

// complete fills in the defaults and reports what makes no sense.
func (o Options) complete() (Options, error) {
	var err error
	if o.Workers, err = o.workers(); err != nil {
		return o, err
	}
	if o.MaxTime < 0 {
		return o, fmt.Errorf("a time limit of %v: use a positive duration, or 0 for none", o.MaxTime)
	}
	if o.MaxNodes == 0 {
		o.MaxNodes = DefaultMaxNodes
	}
	return o, nil
}

// Progress says how far a run has got.
type Progress struct {
	Layer, Layers int    // events done, of how many, by every history
	Nodes, Edges  uint64 // visited so far, all layers together
	Histories     Count  // that lead to the layer's nodes
	Schedules     uint64 // walked, for Walk and Outcomes
	Elapsed       time.Duration
}

// Rate returns the number of edges a second so far.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Edges) / p.Elapsed.Seconds()
}

// IncompleteError is the error of a run that was cut short. It comes with no
// result, since a part of the schedules says nothing about the rest.
type IncompleteError struct {
	Progress       // how far it got
	Cause    error // what ended it: a limit, or for instance context.Canceled
}

func (e *IncompleteError) Error() string {
	if e.Layers == 0 {
		return fmt.Sprintf("incomplete after %d schedules: %v", e.Schedules, e.Cause)
	}
	return fmt.Sprintf("incomplete after %d of %d events, %d nodes and %d edges: %v",
		e.Layer, e.Layers, e.Nodes, e.Edges, e.Cause)
}

func (e *IncompleteError) Unwrap() error { return e.Cause }

// ErrLimit is the cause of an Incomplete run that reached a limit.
var ErrLimit = errors.New("limit reached")

func errNodes(limit uint64) error {
	return fmt.Errorf("%w: more than %d nodes", ErrLimit, limit)
}

func errBytes(limit uint64) error {
	return fmt.Errorf("%w: more than %d bytes of nodes", ErrLimit, limit)
}

func errTime(limit time.Duration) error {
	return fmt.Errorf("%w: more than %v", ErrLimit, limit)
}
