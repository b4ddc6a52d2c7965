package watch

import (
	"errors"
	"fmt"
	"time"
)

// Options says what to watch, and how. Deadline and Probe are needed; what is zero of the
// rest is in the proportions that contracts of 30 s have been verified in: every 3 s, to
// 45 s, a probe within 2 s.
type Options struct {
	Probe    Probe
	Deadline time.Duration

	Grid         time.Duration // between the begins of probes; 0 is a tenth of the deadline
	Until        time.Duration // the end, from the start; 0 is one and a half times the deadline
	ProbeTimeout time.Duration // 0 is two thirds of the grid, so that no probe costs a point

	KeepGoing bool // to the end, even after the predicate was observed to hold

	// Observe, if not nil, is called with each sample as soon as it is there, by the
	// goroutine that calls Watch. The next probe waits for it.
	Observe func(Sample)
}

// longest is the latest end. Sums of times up to there do not overflow.
const longest = 10 * 365 * 24 * time.Hour

// complete fills in the defaults and reports what makes no sense.
func (o Options) complete() (Options, error) {
	switch {
	case o.Probe == nil:
		return o, errors.New("there is no probe: use HTTP, Command, or a function of your own")
	case o.Deadline <= 0 || o.Deadline > longest/2:
		return o, fmt.Errorf("a deadline of %v: use a positive duration, of at most five years", o.Deadline)
	}
	if o.Grid == 0 {
		o.Grid = max(o.Deadline/10, 1)
	}
	if o.Until == 0 {
		o.Until = o.Deadline + o.Deadline/2
	}
	if o.ProbeTimeout == 0 {
		o.ProbeTimeout = max(o.Grid/3*2, 1)
	}
	switch {
	case o.Grid < 0 || o.Grid > o.Deadline:
		return o, fmt.Errorf("a grid of %v: use a positive duration that is no longer than the deadline, which is %v", o.Grid, o.Deadline)
	case o.Until < o.Deadline || o.Until > longest:
		return o, fmt.Errorf("an end at %v: use one that is not before the deadline, which is %v, nor after ten years", o.Until, o.Deadline)
	case o.ProbeTimeout < 0:
		return o, fmt.Errorf("a probe's time limit of %v: use a positive duration", o.ProbeTimeout)
	}
	return o, nil
}

// A grid has the points at which probes are due: the multiples of a duration, and the
// deadline, up to and including the end.
type grid struct{ every, deadline, end time.Duration }

// next returns the first point after p that is not before now, how many points after p
// have passed by then, and whether there is such a point at all.
func (g grid) next(p, now time.Duration) (point time.Duration, skipped int, ok bool) {
	earliest := max(now, p+1)
	point = (earliest + g.every - 1) / g.every * g.every
	if earliest <= g.deadline {
		point = min(point, g.deadline)
	}
	return point, g.upTo(min(point-1, g.end)) - g.upTo(p), point <= g.end
}

// upTo returns how many points are at t or before.
func (g grid) upTo(t time.Duration) int {
	n := int(t/g.every) + 1 // with that at 0
	if t >= g.deadline && g.deadline%g.every != 0 {
		n++
	}
	return n
}
