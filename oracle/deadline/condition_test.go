package deadline

import (
	"testing"
	"time"

	"example.com/commitpoint/model/deadline"
)

const sec = time.Second

func call(at time.Duration) deadline.Call {
	return deadline.Call{At: at * sec, Required: true, Target: deadline.Contracted, Path: deadline.Exact}
}

func TestOverlaps(t *testing.T) {
	from := func(from, until time.Duration) deadline.Condition {
		return deadline.Condition{Present: true, From: from * sec, Cleared: true, Until: until * sec}
	}
	for _, tt := range []struct {
		name, reason string
		calls        []deadline.Call
		condition    deadline.Condition
		want         bool
	}{
		{"none", "there is no condition", []deadline.Call{call(3)}, deadline.Condition{}, false},
		{"no condition with times", "present or not is what counts", nil, deadline.Condition{Cleared: true, Until: 45 * sec}, false},
		{"throughout", "it covers the window", []deadline.Call{call(3)}, from(0, 45), true},
		{"within", "it is inside of the window", []deadline.Call{call(3)}, from(10, 12), true},
		{"ended at the call", "they share a moment", []deadline.Call{call(3)}, from(0, 3), true},
		{"ended before the call", "nothing was asked for yet", []deadline.Call{call(4)}, from(0, 3), false},
		{"began at the deadline", "they share a moment", []deadline.Call{call(3)}, from(30, 45), true},
		{"began after the deadline", "it was over", []deadline.Call{call(3)}, from(31, 45), false},
		{"no call", "the window begins at the start", nil, from(0, 0), true},
		{"another operation", "the window begins at the start", []deadline.Call{{At: 9 * sec}}, from(0, 3), true},
		{"any call of the operation", "the first counts, whatever its arguments", []deadline.Call{{At: 2 * sec, Required: true}, call(9)}, from(0, 3), true},
		{"not cleared", "it lasts", []deadline.Call{call(29)}, deadline.Condition{Present: true}, true},
		{"a call after it all", "the only call came when it had ended", []deadline.Call{call(123)}, from(0, 45), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trial := deadline.Trial{Deadline: 30 * sec, Calls: tt.calls, Condition: tt.condition}
			if got := Overlaps(&trial); got != tt.want {
				t.Errorf("%v, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
}

func TestShadowed(t *testing.T) {
	with := func(change func(*deadline.Call)) []deadline.Call {
		c := call(3)
		change(&c)
		return []deadline.Call{{At: 1 * sec}, c}
	}
	for _, tt := range []struct {
		name, reason string
		task         deadline.Task
		calls        []deadline.Call
		absent       bool
		want         bool
	}{
		{"the right call", "it met the condition", deadline.Placement, []deadline.Call{call(3)}, false, false},
		{"late", "when does not matter", deadline.Placement, []deadline.Call{call(123)}, false, false},
		{"no call", "nothing met the condition", deadline.Placement, nil, false, true},
		{"no call and no condition", "nothing is shadowed", deadline.Placement, nil, true, false},
		{"by the label", "it is not the id", deadline.Placement, with(func(c *deadline.Call) { c.Target = deadline.Label }), false, true},
		{"another path", "it is not the file", deadline.Placement, with(func(c *deadline.Call) { c.Path = deadline.OtherPath }), false, true},
		{"by the file's id", "a placement goes by the path", deadline.Placement, with(func(c *deadline.Call) { c.Path = deadline.ByID }), false, true},
		{"another operation", "it is not the required one", deadline.Placement, with(func(c *deadline.Call) { c.Required = false }), false, true},
		{"a deletion", "it has no target", deadline.Deletion, with(func(c *deadline.Call) { c.Target = deadline.NoTarget }), false, false},
		{"a deletion by an id", "it is the file", deadline.Deletion, with(func(c *deadline.Call) { c.Path = deadline.ByID }), false, false},
		{"a deletion of another file", "it is not the file", deadline.Deletion, with(func(c *deadline.Call) { c.Path = deadline.OtherPath }), false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trial := deadline.Trial{Task: tt.task, Calls: tt.calls, Condition: deadline.Condition{Present: !tt.absent}}
			if got := Shadowed(&trial); got != tt.want {
				t.Errorf("%v, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
}
