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
}

type bank struct{}

func (bank) Init() account { return account{} }

func (bank) Next(a account, s step) account {
	switch s {
	case "alice reads":
		a.alice = a.balance
	case "alice writes":
		a.balance = a.alice + 1
	case "bob reads":
		a.bob = a.balance
	case "bob writes":
		a.balance = a.bob + 1
	}
	return a
}

// Two tellers read a balance and write it back. In how many of the schedules is
// a deposit lost?
func Example() {
	order, err := enumerate.NewOrder[step]().
		Chain("", "alice reads", "alice writes").
		Chain("", "bob reads", "bob writes").
		Build()
	if err != nil {
		panic(err)
	}
	outcomes, err := enumerate.Outcomes(context.Background(), []enumerate.Order[step]{order}, bank{}, enumerate.Options{})
	if err != nil {
		panic(err)
	}
	var lost, all uint64
	var first []step
	for _, o := range outcomes[0] {
		all += o.Schedules
		if o.Final.balance != 2 {
			lost += o.Schedules
			if first == nil {
				first = o.First
			}
		}
	}
	fmt.Printf("a deposit is lost in %d of %d schedules, first in\n%q\n", lost, all, first)
	// Output:
	// a deposit is lost in 4 of 6 schedules, first in
	// ["alice reads" "bob reads" "alice writes" "bob writes"]
}

func ExampleWalk() {
	order, err := enumerate.NewOrder[step]().
		Chain("", "alice reads", "alice writes").
		Chain("", "bob reads", "bob writes").
		Build()
	if err != nil {
		panic(err)
	}
	enumerate.Walk(order, bank{}, func(prefix []step, a account) bool {
		if len(prefix) == 4 {
			fmt.Println(a.balance, prefix)
		}
		return len(prefix) == 0 || prefix[0] == "alice reads" // leave the rest out
	})
	// Output:
	// 2 [alice reads alice writes bob reads bob writes]
	// 1 [alice reads bob reads alice writes bob writes]
	// 1 [alice reads bob reads bob writes alice writes]
}
