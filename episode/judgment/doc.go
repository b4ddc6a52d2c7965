// Package judgment judges a service episode in eight ways that are independent of one
// another: Of one episode, and Compare two.
//
// There is no score, and no order between two vectors: a run can be complete and its task
// done without authority, and a service can be fulfilled at a cost to people that nobody
// wanted. Whoever needs a single verdict has to say which of the eight it rests on.
//
// The judgments are those of Z. Wang and others, "Testing Agentic Service Systems" (arXiv
// 2610.35978v1), section 2.3. What each is derived from is ours: see Vector. They go by the
// record of the episode, and are as good as that is.
package judgment
