// Package counterexamples finds the shortest histories in which something goes
// wrong, shrinks those that were found otherwise, runs them again step by step, and
// writes them for people and for tools. It is generic: protocols reach it as machines
// of package enumerate and as values.
//
// A counterexample is a precedence-closed prefix of a schedule that ends at
// the deciding event. Which events may be left out to shorten it is the
// caller's to say, by the orders that are searched: restrictions of one order,
// so that events have the same declaration indices in all of them. The
// shortest is the least by enumerate.CompareHistories.
//
// # From a failure to something to act on
//
//   - Find and FindViolations search exhaustively; what they return is the shortest, and
//     always the same. Shrink starts from a history that somebody has: it ends at one
//     that is locally minimal.
//   - Replay runs a history and returns its states, from which a Narrator, what a protocol
//     has to say of its events and states, makes the Steps of a Trace.
//   - WriteText, WriteJSON, WriteITF, WriteMermaid and WriteGo show a Trace; ReadJSON and
//     ParseSchedule bring one back.
package counterexamples
