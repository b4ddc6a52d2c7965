// Package watch observes a live service until a deadline and past it, and says whether its
// contract was fulfilled: whether a predicate over its state was seen to hold in time.
//
// What is asked is a Probe: HTTP and Command make one of an endpoint and of a program. The
// verdict on what they answered is that of package mechanisms/deadline.
//
// # Times
//
// All times are from the start of Watch, by the monotonic clock. Probes begin at 0 and at
// every multiple of the grid up to the end, and one begins exactly at the deadline. They
// run one at a time and never shift the grid: a point that passes while a probe is still
// running is skipped, and counted.
//
// The predicate held, or did not, at some moment between the begin of a probe and its
// answer. An observation is therefore of the time of the answer: only what was answered no
// later than the deadline can have been in time for certain. A probe that begins before
// the deadline and is answered after it is a late one, which fulfills nothing. The one at
// the deadline is in time only if it takes no time at all; it is there to tell late from
// never. Who needs the last moments needs a finer grid.
//
// # Limits
//
// A predicate that holds between two probes only was not observed to hold. A probe that
// fails says nothing: it is never a satisfaction, nor evidence that there was none.
package watch

import (
	"context"
	"fmt"
	"time"

	mechanisms "example.com/commitpoint/mechanisms/deadline"
	"example.com/commitpoint/model/deadline"
)

// A Probe reports whether the predicate holds. An error says that it could not be told,
// whatever else is returned. A probe has to return when its context ends.
type Probe func(context.Context) (holds bool, err error)

// A Sample is an observation and how it came about.
type Sample struct {
	deadline.Observation // its time is that of the answer

	Begun   time.Duration // when the probe began
	Skipped int           // points of the grid that passed meanwhile, without a probe
	Err     error         // why it was not readable
}

// A Result is what came of a watch.
type Result struct {
	Verdict deadline.Verdict
	Mode    deadline.Mode

	Observations int // readable or not
	Unreadable   int
	Skipped      int // points of the grid without a probe

	Satisfied bool          // whether the predicate was observed to hold, in time or not
	First     time.Duration // when it was first
}

// Watch probes until the end, or until the predicate is observed to hold: nothing that
// comes later can change the verdict or the mode, so that it stops there unless it is to
// keep going.
//
// An error says that there is no result: the options make no sense, or the context ended.
// In the second case it wraps the context's cause.
func Watch(ctx context.Context, o Options) (Result, error) {
	o, err := o.complete()
	if err != nil {
		return Result{}, fmt.Errorf("watch: %w", err)
	}
	w := watcher{Options: o, trial: deadline.Trial{Deadline: o.Deadline}, start: time.Now()}
	points := grid{every: o.Grid, deadline: o.Deadline, end: o.Until}
	for at, more := time.Duration(0), true; more; {
		s, err := w.sample(ctx, at)
		if err != nil {
			return Result{}, fmt.Errorf("watch: stopped after %d observations, without a verdict: %w", w.Observations, err)
		}
		at, s.Skipped, more = points.next(at, s.At)
		w.add(s)
		if w.Satisfied && !o.KeepGoing {
			break
		}
	}
	w.Verdict, w.Mode = mechanisms.Verify(&w.trial)
	return w.Result, nil
}

// A watcher is a watch that is going on.
type watcher struct {
	Options
	Result
	trial deadline.Trial
	start time.Time
}

// sample waits until a time and probes. The error is the cause of the context's end: what
// a probe says that was stopped for it is not the service's.
func (w *watcher) sample(ctx context.Context, at time.Duration) (s Sample, err error) {
	due := time.NewTimer(at - time.Since(w.start))
	defer due.Stop()
	select {
	case <-due.C:
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // both may have been there
		return Sample{}, context.Cause(ctx)
	}
	s.Begun = time.Since(w.start)
	s.Holds, s.Err = w.probe(ctx)
	s.At = time.Since(w.start)
	if ctx.Err() != nil {
		return Sample{}, context.Cause(ctx)
	}
	if s.Readable = s.Err == nil; !s.Readable {
		s.Holds = false
	}
	return s, nil
}

// probe probes once, within the time limit: what is answered after it is no answer, since
// some probes only return because they were stopped.
func (w *watcher) probe(ctx context.Context) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, w.ProbeTimeout)
	defer cancel()
	holds, err := w.Probe(limited)
	if limited.Err() != nil {
		return false, fmt.Errorf("no answer within %v", w.ProbeTimeout)
	}
	return holds, err
}

// add takes a sample into the result.
func (w *watcher) add(s Sample) {
	w.trial.Observations = append(w.trial.Observations, s.Observation)
	w.Observations++
	w.Skipped += s.Skipped
	if !s.Readable {
		w.Unreadable++
	}
	if s.Holds && !w.Satisfied {
		w.Satisfied, w.First = true, s.At
	}
	if w.Observe != nil {
		w.Observe(s)
	}
}
