// Package episode is one service episode and what happens in it: a principal delegated a
// purchase with bounds, a service was promised, and agents observe, ask for admission,
// reserve a resource and dispatch the purchase to a provider, of whom something is heard
// afterwards, or isn't. The kernel is that of Testing Agentic Service Systems (Wang et al.,
// arXiv 2610.35978), §2.5 and §6, and its boundaries R1, R3 and R4 (§2.4); how a commitment
// becomes effective (R2) is not in it. That every step is an event, and that the events come
// in any order, is ours.
//
// What the service does at an event is a mechanism's to say: an Act. State.Step carries it
// out and decides nothing. The record only grows: a fact that was added stays, and an act
// that rewrites what was recorded is itself a fact.
//
// The oracle asks of a decision only whether it is ALLOW, since HOLD, ESCALATE and DENY all
// block until a fresh admission. So no property of a history shows which of them dominates
// (DENY over ESCALATE, and that over HOLD, §6.1): a service that mixes them up is not found
// wrong here. That is left to the tests of every combination of answers, which compare what
// the mechanisms decide with what the library (package episode at the top) does.
//
// The provider is truthful, and another source may be behind it: a confirmation comes only
// of an effect that happened, a contradiction even of one that happened or will.
package episode
