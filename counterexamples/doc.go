// Package counterexamples finds the shortest histories in which something goes
// wrong, runs them again step by step, and writes them for people. It is
// generic: protocols reach it as machines of package enumerate and as values.
//
// A counterexample is a precedence-closed prefix of a schedule that ends at
// the deciding event. Which events may be left out to shorten it is the
// caller's to say, by the orders that are searched: restrictions of one order,
// so that events have the same declaration indices in all of them. The
// shortest is the least by enumerate.CompareHistories.
package counterexamples
