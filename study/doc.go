// Package study runs the finite study of M. Song, When Is an AI Agent Done?
// (technical preprint 1.0, 2026), section 6: every schedule of the completion
// contract within its bounds, decided by every acceptance mechanism and scored
// against an independent oracle. It is where the model, the mechanisms, the
// oracle and the engine meet.
//
// Test and Run judge a rule of one's own in go test. Compute returns every
// figure of the study.
//
// The figures are counts over a finite enumeration, never rates or
// probabilities. That a mechanism shows no unsafe accept here says nothing
// beyond these bounds: one task, one submitting worker, abstract storage, a
// trusted checker.
package study
