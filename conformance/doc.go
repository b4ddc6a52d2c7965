// Package conformance drives a real completion service through the schedules of the
// model, and compares what it decides with the oracle, and what it records with what the
// protocol allows.
//
// A service takes part as a System: five methods, of which three do something. The kit
// tells it what happens, by the names of EVENTS.md, and the service decides the requests
// to record a completion as it always does. Run is a test; Test returns an error; Check a
// report; Explain and RunHistory are for one history. Services in other languages take
// part through package wire and the command 'explore conform'.
//
// # What is compared
//
// A decision is wrong if it accepts what is not eligible or refuses what is, by the oracle
// that judges the thirteen mechanisms of the study. What is recorded is wrong if an
// accepted completion is missing, or there is one that no request asked for, or more than
// one; if an identical request gets another receipt, or writes; if a refused request
// changes anything; and if the task's status or the number of publications, where the
// service reports them, is not what it ought to be. A schedule ends with the first thing
// that is wrong in it.
//
// # What is run
//
// The scenarios are those of the study, its directed controls, the families of the whole
// contract (Contract), and any other set of scenarios on the engine (Of). They shrink to
// the events that the system has, and the report names every obligation that is therefore
// not exercised: of a queue that knows no grants nothing is said about grants. Mode All is
// every schedule, Covering the fewest that take every edge of the merged graph, Sample a
// random draw.
//
// For every distinct reason the shortest schedule is found by running schedules again on
// the system, and told as 'explore trace' tells histories.
//
// # What a pass means
//
// That the system was right in the schedules that were run, performed one operation after
// another. It means nothing for what happens inside of an operation: whether the check and
// the write of a commit are atomic against what others do meanwhile is the database's
// business and that of a test under load; examples/sqlservice has one. It means nothing
// for events that the system does not have, or that its adapter performs otherwise than
// the service would. And it means that the service does what the model says, not that the
// model is what the service's users need.
//
// A system that errs, panics, hangs, or answers what makes no sense is a Fault, with the
// schedule that led to it, and never a pass; so is one whose failures do not show again.
package conformance
