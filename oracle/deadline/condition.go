// Package deadline knows what no policy does: whether an injected condition was there when
// it mattered, and when the predicate truly held.
package deadline

import (
	"time"

	"example.com/commitpoint/model/deadline"
)

// Overlaps reports whether the injected condition was present at some moment between the
// first required call, or the start if there was none, and the deadline.
func Overlaps(t *deadline.Trial) bool {
	from := time.Duration(0)
	for _, c := range t.Calls {
		if c.Required {
			from = c.At
			break
		}
	}
	f := t.Condition
	return f.Present && f.From <= t.Deadline && (!f.Cleared || f.Until >= from)
}

// Shadowed reports whether there was a condition, and no operation that it could have
// delayed: no call of a placement that names exactly the file and the target, or of a
// deletion, which has no target, that names the file.
func Shadowed(t *deadline.Trial) bool {
	for _, c := range t.Calls {
		right := c.Target == deadline.Contracted && c.Path == deadline.Exact
		if t.Task == deadline.Deletion {
			right = c.Path == deadline.Exact || c.Path == deadline.ByID
		}
		if c.Required && right {
			return false
		}
	}
	return t.Condition.Present
}
