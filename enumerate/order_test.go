package enumerate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
)

func build(t testing.TB, b *enumerate.Builder[string]) enumerate.Order[string] {
	t.Helper()
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestBuildRefuses(t *testing.T) {
	many := make([]string, enumerate.MaxEvents+1)
	for i := range many {
		many[i] = fmt.Sprintf("e%d", i)
	}
	tests := []struct {
		name, reason string
		order        *enumerate.Builder[string]
		want         string
	}{
		{"cycle", "no schedule has it", enumerate.NewOrder[string]().Chain("", "a", "b", "c").Before("c", "b"),
			"order has a cycle through b, c: no schedule can have each of them before itself"},
		{"self", "an event can't precede itself", enumerate.NewOrder[string]().Free("", "a").Before("a", "a"),
			"order has a cycle through a: no schedule can have each of them before itself"},
		{"duplicate", "events are told apart by value", enumerate.NewOrder[string]().Free("", "a", "b", "a"),
			"order declares a twice: events have to differ, whoever their actor"},
		{"the same event of two actors", "the actor is a label", enumerate.NewOrder[string]().Chain("a", "x").Chain("b", "x"),
			"order declares b:x twice: events have to differ, whoever their actor"},
		{"unknown second", "a constraint on nothing is a typing error", enumerate.NewOrder[string]().Free("", "a").Before("a", "x"),
			"order has no event x, in a before x: declare it with Chain or Free"},
		{"unknown first", "a constraint on nothing is a typing error", enumerate.NewOrder[string]().Free("", "a").Before("x", "a"),
			"order has no event x, in x before a: declare it with Chain or Free"},
		{"65th", "sets are 64 bits", enumerate.NewOrder[string]().Free("", many...),
			"order has 65 events, at most 64 are possible: e64 is one too many"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.order.Build(); err == nil || err.Error() != tt.want {
				t.Errorf("Build() error = %v\nwant %s (%s)", err, tt.want, tt.reason)
			}
		})
	}
}

// Two events of different types can print alike, and a history on paper would
// not tell them apart.
func TestBuildRefusesEqualText(t *testing.T) {
	_, err := enumerate.NewOrder[any]().Free("", 1, "1").Build()
	if want := "order declares 1 twice: events have to differ, whoever their actor"; err == nil || err.Error() != want {
		t.Errorf("Build() error = %v, want %s", err, want)
	}
}

func TestBuildAcceptsTheLargest(t *testing.T) {
	b := enumerate.NewOrder[int]()
	for i := range enumerate.MaxEvents {
		b.Free("", i)
		if i > 0 {
			b.Before(i-1, i)
		}
	}
	o, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if o.Len() != 64 || !o.Precedes(0, 63) || o.Precedes(63, 0) {
		t.Errorf("a chain of 64 has %d events, first before last: %v", o.Len(), o.Precedes(0, 63))
	}
	if n := len(slices.Collect(o.Schedules())); n != 1 {
		t.Errorf("a chain of 64 has %d schedules, want 1", n)
	}
}

func TestNames(t *testing.T) {
	o := build(t, enumerate.NewOrder[string]().Chain("alice", "read", "write").Free("", "crash"))
	if got, want := fmt.Sprint(o), "{alice:read, alice:write, crash}"; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
	if got := o.Name("write"); got != "alice:write" {
		t.Errorf("Name(write) = %q, want alice:write", got)
	}
	if got := o.Name("sleep"); got != "" {
		t.Errorf("Name of an event that the order lacks = %q, want nothing", got)
	}
}

func TestRestrict(t *testing.T) {
	o := build(t, enumerate.NewOrder[string]().Chain("", "a", "b", "c").Free("", "x"))
	r := o.Restrict(func(e string) bool { return e != "b" })
	if got := r.Events(); !slices.Equal(got, []string{"a", "c", "x"}) {
		t.Errorf("events of the restriction = %v", got)
	}
	if !r.Precedes("a", "c") {
		t.Error("a no longer precedes c, though it did through b")
	}
	if got := r.Index("c"); got != o.Index("c") {
		t.Errorf("index of c = %d in the restriction, %d in the order", got, o.Index("c"))
	}
	if r.Index("b") != -1 || r.Precedes("a", "b") {
		t.Error("the restriction still knows b")
	}
	if o.Len() != 4 {
		t.Error("Restrict changed the order it was called on")
	}
	var got []string
	for s := range r.Schedules() {
		got = append(got, strings.Join(s, ""))
	}
	if want := []string{"acx", "axc", "xac"}; !slices.Equal(got, want) {
		t.Errorf("schedules of the restriction = %v, want %v", got, want)
	}
}

func TestValidate(t *testing.T) {
	o := build(t, enumerate.NewOrder[string]().Chain("", "a", "b").Free("", "x"))
	tests := []struct {
		name    string
		history string
		want    string
	}{
		{"empty prefix", "", ""},
		{"prefix", "xa", ""},
		{"whole", "axb", ""},
		{"out of order", "bxa", "history has b before a, which must precede it"},
		{"predecessor missing", "xb", "history has b before a, which must precede it"},
		{"twice", "axx", "history has x twice"},
		{"foreign", "ay", "history has y, which is not an event of the order"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var events []string
			for _, c := range tt.history {
				events = append(events, string(c))
			}
			got := ""
			if err := o.Validate(events); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Validate(%v) = %q, want %q", events, got, tt.want)
			}
		})
	}
}

// The zero Order is the empty one, with the empty schedule.
func TestZeroOrder(t *testing.T) {
	var o enumerate.Order[string]
	n, ok := o.Extensions()
	if got := slices.Collect(o.Schedules()); len(got) != 1 || len(got[0]) != 0 || !ok || n.Int64() != 1 {
		t.Errorf("schedules of the zero order = %v, closed form %v %v", got, n, ok)
	}
}

func TestCompareHistories(t *testing.T) {
	tests := []struct {
		less, more []int
		reason     string
	}{
		{nil, []int{0}, "fewer events first, the empty history before all"},
		{[]int{9, 8}, []int{0, 1, 2}, "fewer events first, whatever they are"},
		{[]int{5, 0, 1}, []int{0, 1, 6}, "then the events that were declared first, in any sequence"},
		{[]int{0, 1, 5}, []int{0, 5, 1}, "then the lexicographic sequence"},
	}
	for _, tt := range tests {
		if enumerate.CompareHistories(tt.less, tt.more) >= 0 || enumerate.CompareHistories(tt.more, tt.less) <= 0 {
			t.Errorf("%v is not less than %v: %s", tt.less, tt.more, tt.reason)
		}
	}
	if a := []int{2, 0, 1}; enumerate.CompareHistories(a, slices.Clone(a)) != 0 || !slices.Equal(a, []int{2, 0, 1}) {
		t.Error("a history differs from itself, or was changed")
	}
}
