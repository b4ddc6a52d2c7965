package lock_test

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"lock.example"
)

func order() enumerate.Order[lock.Event] {
	o, err := enumerate.NewOrder[lock.Event]().
		Chain("", "a acquires", "a writes").
		Chain("", "b acquires", "b writes").
		Free("", "lease expires").
		Build()
	if err != nil {
		panic(err)
	}
	return o
}

// A stale write is one that goes through after a newer one.
var properties = enumerate.Properties[lock.State]{
	enumerate.Always("no stale write", func(s lock.State) bool { return !s.Stale }),
	enumerate.Reachable("both have written", func(s lock.State) bool { return s.Highest == 2 }),
}

func TestFenced(t *testing.T) {
	checked, err := enumerate.Check(t.Context(), order(), design{lock.Design{Fenced: true}}, properties, enumerate.Options{})
	if err != nil || checked.Verdict != enumerate.Holds {
		t.Errorf("%v, %v", checked, err)
	}
}

// A design may end with somebody waiting for the lock.
type design struct{ lock.Design }

func (design) Done(lock.State) bool { return true }

// Without the fence, the shortest history, told in the design's own words.
func Example() {
	m := design{lock.Design{}}
	found, err := counterexamples.FindViolations(context.Background(), []enumerate.Order[lock.Event]{order()}, m, properties, enumerate.Options{})
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range found {
		t := counterexamples.Trace{Summary: "broken: " + c.Reason}
		t.Initial, t.Steps = narrator.Tell(counterexamples.Replay(m, c.History), c.History)
		if err := counterexamples.WriteText(os.Stdout, t); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// broken: no stale write
	//
	//   a       acquires   the last owner has fence 1
	//                        owner: nobody → a; fence: 0 → 1
	//   lease   expires    the last owner has fence 1
	//                        owner: a → nobody
	//   b       acquires   the last owner has fence 2
	//                        owner: nobody → b; fence: 1 → 2
	//   b       writes     with fence 2
	//                        highest written: 0 → 2
	//   a       writes     with fence 1
	//                        stale: false → true
}

var narrator = counterexamples.Narrator[lock.State, lock.Event]{
	Event: func(e lock.Event) (actor, name, object string) {
		actor, name, _ = strings.Cut(string(e), " ")
		return actor, name, "storage"
	},
	Effect: func(after lock.State, e lock.Event) string {
		if strings.HasSuffix(string(e), "writes") {
			return "with fence " + strconv.Itoa(after.Held[e[0]-'a'])
		}
		return "the last owner has fence " + strconv.Itoa(after.Fence)
	},
	Fields: func(s lock.State) iter.Seq2[string, string] {
		return func(yield func(name, value string) bool) {
			_ = yield("owner", cmp.Or(s.Owner, "nobody")) && yield("fence", strconv.Itoa(s.Fence)) &&
				yield("highest written", strconv.Itoa(s.Highest)) && yield("stale", strconv.FormatBool(s.Stale))
		}
	},
}
