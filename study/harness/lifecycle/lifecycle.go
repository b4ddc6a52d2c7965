// Package lifecycle makes the eight lifecycle checks of a harness, LC-01 to LC-08, on real
// sessions: workloads in namespaces of their own, which serve on the same address. There are
// three: a and b, and for LC-06 a c, whose cleanup takes place there.
//
// What is real: the sessions, their answers over HTTP, the second bind, the processes, the
// removals and the inventories. What is simulated: the times of the leases of LC-05, and, in
// LC-06, where the link breaks over which a cleanup is asked for.
//
// They are those of the "Harness operations lab", section "Runtime and ownership results",
// which has them on containers. A program that makes them must call session.Enter first.
package lifecycle

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/commitpoint/harness/session"
	"example.com/commitpoint/study/harness/checks"
)

// Options say how to make the checks. The zero value is fine.
type Options struct {
	Run      string        // the label of what is started; by default a random one
	Lifetime time.Duration // of each session, at most; the default and bounds are those of package session

	world *world // by default the real one
}

// Run makes the checks, and returns the eight cases in order. PASS means that what the
// check is about was observed on this machine, now; nothing else is.
//
// If the system has no sessions, all eight are NOT RUN with the reason. A check is FAIL
// if what it observes is something else, or if it can't be told; the checks that need
// a session which was lost by then are NOT RUN, and so is what the end of the context cuts
// off. Everything that was started is removed in the end, in every case: what remains, or
// what could not be verified to be gone, is a FAIL of LC-08.
//
// What a check that passed has seen is the same text in every run.
func Run(ctx context.Context, opt Options) []checks.Case {
	b := newBench(opt)
	cases := make([]checks.Case, len(table))
	for i, c := range table {
		cases[i] = b.try(ctx, c)
	}
	last := &cases[len(cases)-1]
	if problem := b.cleanUp(ctx); problem != "" {
		if last.Result == checks.Fail {
			problem = last.Observation + "; " + problem
		}
		last.Result, last.Observation = checks.Fail, b.tidy(problem)
	}
	return cases
}

// A subject is a session that the checks are about.
type subject struct {
	options session.Options
	workload
	lost string // why nothing can be said of it any more
}

// want returns the answer that is expected of it.
func (s *subject) want() session.Answer {
	o := s.options
	return session.Answer{Identity: session.Identity{Run: o.Run, Session: o.Session, Generation: o.Generation}, Build: o.Build}
}

// A bench has the state of the checks.
type bench struct {
	world
	run         string
	random      bool // the run was not given
	a, b        *subject
	c           *subject // for the cleanup of LC-06 that takes place
	unsupported error    // the system has no sessions
	attempted   bool     // there may be something to clean up
}

func newBench(opt Options) *bench {
	b := &bench{world: real, random: opt.Run == ""}
	if b.random {
		opt.Run = rand.Text()
	}
	b.run = opt.Run
	if opt.world != nil {
		b.world = *opt.world
	}
	subject := func(name string, generation uint64, build string) *subject {
		return &subject{options: session.Options{
			Run: opt.Run, Session: name, Generation: generation, Build: build, Port: port, Lifetime: opt.Lifetime,
		}, lost: "it did not start"}
	}
	// Different in everything, so that no answer can pass for another's.
	b.a, b.b, b.c = subject("a", 2, "build-a"), subject("b", 5, "build-b"), subject("c", 9, "build-c")
	return b
}

// port is the one on which all of them serve.
const port = 3187

// try makes a check, if what it needs is there.
func (b *bench) try(ctx context.Context, c check) checks.Case {
	notRun := func(reason string) checks.Case {
		return checks.Case{ID: c.id, Result: checks.NotRun, Observation: b.tidy(reason)}
	}
	switch {
	case b.unsupported != nil:
		return notRun(b.unsupported.Error())
	case ctx.Err() != nil:
		return notRun(fmt.Sprintf("the run was ended: %v", context.Cause(ctx)))
	}
	for _, s := range c.needs(b) {
		if s.lost != "" {
			return notRun(fmt.Sprintf("session %s is lost: %s", s.options.Session, s.lost))
		}
	}
	var seen string
	err := guard(func() (err error) { seen, err = c.do(b, ctx); return err })
	switch {
	case err == nil:
		return checks.Case{ID: c.id, Result: checks.Pass, Observation: seen}
	case errors.Is(err, session.ErrUnsupported):
		return notRun(err.Error())
	case ctx.Err() != nil:
		return notRun(fmt.Sprintf("the run was ended: %v", context.Cause(ctx)))
	}
	// A session that caused this is lost for the next checks, and not their failure.
	_ = guard(func() error { return b.still(ctx, c.needs(b)...) })
	return checks.Case{ID: c.id, Result: checks.Fail, Observation: b.tidy(err.Error())}
}

// tidy makes one line of a text, and takes a random run out of it.
func (b *bench) tidy(text string) string {
	if b.random {
		text = strings.ReplaceAll(text, b.run, "RUN")
	}
	return strings.Join(strings.Fields(text), " ")
}

// start starts a subject. One that is refused by the system left nothing behind; every
// other one may have.
func (b *bench) start(ctx context.Context, s *subject) error {
	err := guard(func() (err error) { s.workload, err = b.world.start(ctx, s.options); return err })
	if !errors.Is(err, session.ErrUnsupported) {
		b.attempted = true
	}
	if err == nil {
		s.lost = ""
	}
	return err
}

// cleanLimit bounds the cleanup, which the end of the context must not prevent.
const cleanLimit = time.Minute

// sweep removes what was started, as far as it can. One removal that fails does not keep it
// from the next, and how it came out is of no interest: an inventory has the last word.
func (b *bench) sweep(ctx context.Context) {
	for _, s := range []*subject{b.a, b.b, b.c} {
		if s.workload != nil {
			_ = guard(func() error { return s.Remove(ctx, s.Identity()) })
		}
	}
}

// cleanUp removes what was started, and returns what is wrong with that, if anything.
func (b *bench) cleanUp(ctx context.Context) (problem string) {
	if !b.attempted {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanLimit)
	defer cancel()
	b.sweep(ctx)
	var rest []session.Process
	err := guard(func() (err error) { rest, err = b.inventory(ctx, b.run); return err })
	switch {
	case err != nil:
		return fmt.Sprintf("cleanup UNKNOWN: %v", err)
	case len(rest) > 0:
		return fmt.Sprintf("cleanup: remaining: %d", len(rest))
	}
	return ""
}
