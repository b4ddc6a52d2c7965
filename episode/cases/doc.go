// Package cases has deterministic cases of service episodes, as data, and runs them: what
// is in force, what happens step by step, and what has to come of it. The package episode
// decides every step; a case decides nothing, and only says what it expects.
//
// F1 to F7 are the situations of the fixtures that Z. Wang and others, "Testing Agentic
// Service Systems" (arXiv 2610.35978v1), list in appendix B; C3 and C7 are those that they
// leave as prose. The files are ours: theirs may differ in everything but the situation.
// The travel cases and the industrial documents are after the constructed witnesses of
// sections 7.5 and 7.7, which are no measurements, and neither are these.
//
// Load reads a case of one's own. Run takes guards of one's own.
package cases
