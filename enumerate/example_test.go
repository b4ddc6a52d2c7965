package enumerate_test

import (
	"context"
	"fmt"

	"example.com/commitpoint/enumerate"
)

// A step is what one teller does with the account; they both deposit 1.
type step string

type account struct {
	balance    int
	alice, bob int // what each has read
	deposits   int
}

type bank struct{}

func (bank) Init() account { return account{} }

func (bank) Next(a account, s step) account {
	switch s {
	case "alice reads":
		a.alice = a.balance
	case "alice writes":
		a.balance, a.deposits = a.alice+1, a.deposits+1
	case "bob reads":
		a.bob = a.balance
	case "bob writes":
		a.balance, a.deposits = a.bob+1, a.deposits+1
	}
	return a
}

func tellers() enumerate.Order[step] {
	order, err := enumerate.NewOrder[step]().
		Chain("", "alice reads", "alice writes").
		Chain("", "bob reads", "bob writes").
		Build()
	if err != nil {
		panic(err)
	}
	return order
}

// Two tellers read a balance and write it back. Is a deposit ever lost, and in
// how many of the schedules?
func Example() {
	checked, err := enumerate.Check(context.Background(), tellers(), bank{}, enumerate.Properties[account]{
		enumerate.Always("no deposit is lost", func(a account) bool { return a.balance >= a.deposits }),
		enumerate.Reachable("both deposited", func(a account) bool { return a.deposits == 2 }),
	}, enumerate.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(checked.Verdict)
	for _, v := range checked.Violations {
		fmt.Printf("%s: fails in %v of %v schedules, first in %q\n", v.Property, v.Schedules, checked.Schedules, v.Schedule)
	}
	for _, r := range checked.Reached {
		fmt.Printf("%s: in %v schedules\n", r.Property, r.Schedules)
	}
	// Output:
	// violated
	// no deposit is lost: fails in 4 of 6 schedules, first in ["alice reads" "bob reads" "alice writes" "bob writes"]
	// both deposited: in 6 schedules
}

// The same count with an observation instead of a property.
func ExampleTally() {
	tally, err := enumerate.Tally(context.Background(), tellers(), bank{},
		enumerate.Observe(func(_ account, _ step, after account) (balance int, seen bool) {
			return after.balance, after.deposits == 2 // at the last write
		}), enumerate.Options{})
	if err != nil {
		panic(err)
	}
	for _, o := range tally.Observed {
		fmt.Printf("balance %d in %v of %v schedules\n", o.Value, o.Count, tally.Schedules)
	}
	// Output:
	// balance 2 in 2 of 6 schedules
	// balance 1 in 4 of 6 schedules
}

func ExampleOutcomes() {
	outcomes, err := enumerate.Outcomes(context.Background(), []enumerate.Order[step]{tellers()}, bank{}, enumerate.Options{})
	if err != nil {
		panic(err)
	}
	for _, o := range outcomes[0] {
		fmt.Println(o.Final.balance, o.Schedules, o.First)
	}
	// Output:
	// 2 1 [alice reads alice writes bob reads bob writes]
	// 1 4 [alice reads bob reads alice writes bob writes]
	// 2 1 [bob reads bob writes alice reads alice writes]
}

func ExampleWalk() {
	orders := []enumerate.Order[step]{tellers()}
	err := enumerate.Walk(context.Background(), orders, bank{}, func(_ int, prefix []step, a *account) bool {
		if len(prefix) == 4 {
			fmt.Println(a.balance, prefix)
		}
		return len(prefix) == 0 || prefix[0] == "alice reads" // leave the rest out
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// 2 [alice reads alice writes bob reads bob writes]
	// 1 [alice reads bob reads alice writes bob writes]
	// 1 [alice reads bob reads bob writes alice writes]
}

// A locked bank has two locks, which each teller takes before the deposit: bob in
// the other order. A taken lock blocks.
type lockedBank struct{}

type locks struct {
	first, second string // who holds them
	deposits      int
}

func (lockedBank) Init() locks { return locks{} }

func (lockedBank) Next(l locks, s step) locks {
	switch who := string(s[:1]); s[1:] {
	case " first":
		l.first = who
	case " second":
		l.second = who
	case " deposits":
		l = locks{deposits: l.deposits + 1}
	}
	return l
}

func (lockedBank) Enabled(l locks, s step) bool {
	switch s[1:] {
	case " first":
		return l.first == ""
	case " second":
		return l.second == ""
	}
	return true
}

// Two tellers take two locks. With guards, a Tally counts the schedules that the
// locks leave, and finds the deadlock.
func Example_guards() {
	for _, bob := range [][]step{
		{"b second", "b first", "b deposits"},
		{"b first", "b second", "b deposits"},
	} {
		order, err := enumerate.NewOrder[step]().
			Chain("", "a first", "a second", "a deposits").
			Chain("", bob...).
			Build()
		if err != nil {
			panic(err)
		}
		tally, err := enumerate.Tally(context.Background(), order, lockedBank{}, enumerate.Observer[locks, step, bool]{}, enumerate.Options{})
		fmt.Printf("%v schedules, %v\n", tally.Schedules, err)
	}
	// Output:
	// 2 schedules, deadlock in 2 histories, the shortest being [a first b second]
	// 2 schedules, <nil>
}
