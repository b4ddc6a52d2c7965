// Package model is the completion contract as a pure state machine: one task,
// one worker that submits a completion, and an environment that moves the
// input, the artifact, the lease, the ownership, the grant and the default
// policy under it. It models section 6.1 of M. Song, When Is an AI Agent Done?
// (technical preprint 1.0, 2026).
//
// Everything is a small comparable value: a State can be a map key and two
// states are equal when == says so. Next and Ledger.Complete return a new value
// and change nothing else.
//
// Next never decides. Whether a completion request is accepted is a
// mechanism's decision (package mechanisms), made from a State and the Request
// that State.Request returns; Ledger.Complete takes the decision as an argument, and
// makes a repeated request harmless.
//
// The task is to double a number. Worker A holds it at the start and submits;
// worker B may replace A but prepares nothing. Storage is abstract, the
// checker is trusted, and what the candidate depends on beyond its one
// declared input is outside the model.
package model
