package conformance_test

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
)

// A queue is a service as small as they come: one task, a lease, and completions by
// whoever claims to hold it. It looks at the lease, and not at who holds it.
type queue struct {
	attempt, mine int
	live          bool
	done          []string
}

func (q *queue) About() conformance.About {
	return conformance.About{Name: "queue", Events: []string{"commit", "lease-expire", "reassign", "retry"}}
}

func (q *queue) Reset(context.Context) error {
	*q = queue{attempt: 1, mine: 1, live: true}
	return nil
}

func (q *queue) Apply(_ context.Context, event string) error {
	switch event {
	case "lease-expire":
		q.live = false
	case "reassign":
		q.attempt, q.live = q.attempt+1, true
	}
	return nil
}

func (q *queue) Submit(context.Context, string) (conformance.Decision, error) {
	switch {
	case len(q.done) > 0:
		return conformance.Decision{Accepted: true, Receipt: q.done[0]}, nil
	case !q.live:
		return conformance.Decision{Refusal: "no lease"}, nil
	}
	q.done = append(q.done, "completion of attempt "+strconv.Itoa(q.mine))
	return conformance.Decision{Accepted: true, Receipt: q.done[0]}, nil
}

func (q *queue) Recorded(context.Context) (conformance.Record, error) {
	return conformance.Record{Receipts: q.done}, nil
}

// A service is judged by the events that it has. This one forgets whose lease it looks at.
func ExampleTest() {
	err := conformance.Test(func() (conformance.System, error) { return new(queue), nil }, conformance.Options{})
	fmt.Println(err)
	// Output:
	// "queue" accepted a completion that was not eligible (3 of the 8 schedules of study)
	//
	// > scheduler   reassign   the task is worker B's: attempt 2, fence 2, a fresh lease
	//                            attempt: 1, worker A → 2, worker B; fence: 1 → 2; fails: attempt,
	//                            fence
	//   service     commit     ACCEPTED   receipt: completion of attempt 1
	//
	// not eligible: the task was another attempt's at the commit
	// would have refused: attempt
	//           recovery: hand the work over to the current attempt, or be assigned again
	// would have refused: fence
	//           recovery: leave it to the holder of the current fence, or be assigned again
	// one swap away: with commit before reassign it is eligible and accepted
	//
	// "queue" accepted a completion that was not eligible (2 of the 8 schedules of study)
	//
	// > clock       lease-expire   the lease of attempt 1 runs out
	//                                lease: live → expired; fails: lease
	// > scheduler   reassign       the task is worker B's: attempt 2, fence 2, a fresh lease
	//                                attempt: 1, worker A → 2, worker B; fence: 1 → 2; lease: expired
	//                                → live; holds now: lease; fails now: attempt, fence
	//   service     commit         ACCEPTED   receipt: completion of attempt 1
	//
	// not eligible: the task was another attempt's at the commit
	// not eligible: the lease expired before the commit
	// would have refused: attempt
	//           recovery: hand the work over to the current attempt, or be assigned again
	// would have refused: fence
	//           recovery: leave it to the holder of the current fence, or be assigned again
	// one swap away: with commit before reassign it is not eligible and refused
	//
	// study: 8 of 8 schedules (all), 14 requests, in 4 of 49 scenarios
	//   events that the system lacks or can't use: read, candidate, trusted-verify, preflight,
	//     input-edit, artifact-edit, revoke, publish-behavior-v2, forged-receipt, other-candidate,
	//     other-digest, other-task, other-contract, checker-rejected, inadequate-checker, retry-other
	//   therefore not exercised: unsafe-accept/inputs, unsafe-accept/artifact, unsafe-accept/evidence,
	//     unsafe-accept/grant, unsafe-accept/task, unsafe-accept/contract, unsafe-accept/identity
	// "queue" is wrong for 2 reasons
}

// A pennant is a protocol of somebody's own: a request to raise it is eligible while it is
// armed.
type pennant struct{ armed, raised bool }

type flagEvent string

type flagMachine struct{}

func (flagMachine) Init() pennant { return pennant{} }

func (flagMachine) Next(s pennant, e flagEvent) pennant {
	switch e {
	case "arm":
		s.armed = true
	case "disarm":
		s.armed = false
	case "raise":
		s.raised = s.armed
	}
	return s
}

// Scenarios of one's own, on the engine.
func ExampleOf() {
	order, err := enumerate.NewOrder[flagEvent]().Chain("", "arm", "disarm").Free("", "raise").Build()
	if err != nil {
		fmt.Println(err)
	}
	flags := conformance.Of(conformance.Protocol[pennant, flagEvent]{
		Name:    "flags",
		Orders:  []enumerate.Order[flagEvent]{order},
		Machine: flagMachine{},
		Expect: func(s pennant, e flagEvent) (x conformance.Expected, submits bool) {
			if !s.armed {
				x.Reasons = []string{"not armed"}
			}
			return x, e == "raise"
		},
		World: func(s pennant) (w conformance.World) {
			if s.raised {
				w.Writes = 1
			}
			return w
		},
		Narrator: counterexamples.Narrator[pennant, flagEvent]{
			Event: func(e flagEvent) (actor, name, object string) { return "officer", string(e), "flag" },
			Fields: func(s pennant) iter.Seq2[string, string] {
				return func(yield func(a, b string) bool) { yield("armed", fmt.Sprint(s.armed)) }
			},
		},
	})
	r, err := conformance.Check(context.Background(), func() (conformance.System, error) { return new(mast), nil },
		conformance.Options{Sets: []conformance.Set{flags}})
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range r.Failures {
		fmt.Println(f.Kind, f.Reason, f.Schedule)
	}
	// Output:
	// unsafe-accept not armed [arm disarm raise]
}

// A mast raises the flag if it was ever armed.
type mast struct{ armed, raised bool }

func (m *mast) About() conformance.About {
	return conformance.About{Name: "mast", Events: []string{"arm", "disarm", "raise"}}
}
func (m *mast) Reset(context.Context) error { *m = mast{}; return nil }
func (m *mast) Apply(_ context.Context, event string) error {
	m.armed = m.armed || event == "arm"
	return nil
}

func (m *mast) Submit(context.Context, string) (conformance.Decision, error) {
	if m.raised = m.armed; !m.raised {
		return conformance.Decision{}, nil
	}
	return conformance.Decision{Accepted: true, Receipt: "raised"}, nil
}

func (m *mast) Recorded(context.Context) (r conformance.Record, err error) {
	if m.raised {
		r.Receipts = []string{"raised"}
	}
	return r, nil
}
