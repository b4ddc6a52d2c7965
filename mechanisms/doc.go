// Package mechanisms says what each check of the completion contract means and
// holds the study's thirteen acceptance mechanisms, as data.
//
// Failed is the meaning of all checks: a state and a request in, the set of
// checks that fail out. A Mechanism is a row of the table: a name, the checks
// it requires, and where it evaluates them. Most rows miss one obligation on
// purpose. Somebody else's rule is a row too, made with Func.
//
// A mechanism sees the State and the Request and nothing of the history.
package mechanisms
