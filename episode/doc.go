// Package episode keeps a service episode: parties act for one another, with authority that
// is bounded and can be revoked, and owe one another something until it is discharged or
// transferred. It decides what may be dispatched and whether the episode may end as
// fulfilled, and records why.
//
// The boundaries, from section 2.4 of the source:
//
//   - R1: authority, prerequisites, policy, resource and evidence are checked on a current
//     view before an action is dispatched, and the decision is recorded;
//   - R2: a commitment is effective when all its parties have agreed, not when one promises;
//   - R3: a revocation blocks all further use of an authority, and erases no commitment;
//   - R4: an episode is fulfilled when the outcome is accepted evidence, no mandatory fact
//     is short of that, and every effective commitment is discharged, by a fact that is still
//     accepted, or transferred. It may end otherwise, but under another name.
//
// Guards answer PASS, HOLD, ESCALATE or DENY. The worst answer decides, in the order DENY,
// ESCALATE, HOLD; only if all pass it is ALLOW. What no guard can answer is an error, and
// never ALLOW. ALLOW permits a reservation; the reservation permits one dispatch. No
// decision is ever changed: what is approved later is admitted again. What a dispatched
// action did is unknown until the declared sources agree on it; an acknowledgement says
// nothing of that, and until it is known the action is not dispatched again.
//
// # Limits
//
// The package dispatches nothing, and observes nothing: that a report is from its source,
// that a principal is who it is said to be, and that no action goes past Dispatch, is the
// caller's to establish. Who calls is never checked, only who is named: a carrier that can
// name its principal in Delegate or Approve has that principal's authority. Nor is it checked
// that a principal has what it delegates. An accepted fact is accepted under the declared
// policy; it may be wrong. There is no clock: the caller says when a wait is over. Everything
// is in memory, and the record grows with every call.
//
// The rules are those of Z. Wang and others, "Testing Agentic Service Systems"
// (arXiv 2610.35978v1), sections 2.4, 2.5 and 6.
package episode
