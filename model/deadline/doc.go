// Package deadline is the vocabulary of completion contracts with a deadline, and a model
// of what can happen to one: did the required state become observable in time?
//
// An operator fixes a predicate over the state of a service and a deadline before an agent
// starts; a verifier outside of the agent's session samples the predicate until past the
// deadline. A Trial is what is known of one such attempt. What completion policies make of
// it is in package mechanisms/deadline.
//
// Time is a duration from the start of the attempt, never the wall clock.
//
// The semantics are those of M. Orzechowski, R. Słota and J. Kitowski, When the Consumer Is
// an Agent: Execution-Grounded Service-Level Agreements (arXiv 2611.04182, ICSOC 2026), and
// of its replication package (doi:10.5281/zenodo.23000442).
package deadline
