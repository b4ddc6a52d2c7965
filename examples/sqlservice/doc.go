// Package sqlservice is a completion service on a database: the report's transaction
// (its section 4.2) on SQLite and on PostgreSQL, through database/sql. It is what a
// service looks like that the conformance kit finds nothing wrong with, together with
// variants of it that lack one thing each, and in which the kit finds just that.
//
// A task is assigned as an attempt, which has a lease. Its worker reads the input, stores
// a candidate, has it verified, and asks for the completion to be recorded. Complete
// accepts the request if all thirteen predicates of the contract hold in the transaction
// that publishes the candidate and records the completion: see its documentation for why
// nothing comes between. The refusal of a request is the name of the first predicate that
// fails.
//
// Who calls is what the transport says; it is an argument here. Digests are SHA-256 of
// bytes, or of a document's JSON, and everything that a digest names is immutable.
//
// # What is simplified
//
// Every task has an authority of its own, which counts its attempts and fences, so that
// tasks do not wait for each other. What tasks share is their project: inputs, the
// members of one directory, artifacts, grants and checkers. A project is small enough to
// be read as a whole and has one row that its writers hold, one after another. Grants are
// for single paths. Checkers are functions in this program. Operations other than
// Complete, Fail and Renew ask nobody for permission: they are the authority's, or a
// trusted writer's.
//
// # As systems for the kit
//
// StudySystem and ContractSystem are the service with workers and a clock, as package
// conformance drives it: through the study's events, and through those of the whole
// contract.
package sqlservice
