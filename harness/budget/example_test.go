package budget_test

import (
	"errors"
	"fmt"

	"example.com/commitpoint/harness/budget"
)

// A request whose answer is lost keeps its reservation, until somebody finds out.
func Example() {
	ledger, err := budget.New(10, "fast", "cheap")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ledger.Reserve("first", "fast", 6), ledger.Dispatch("first"))
	fmt.Println(ledger.Cancel("first", budget.Unknown), ledger.Status("first"))

	err = ledger.Reserve("second", "cheap", 5)
	fmt.Println(errors.Is(err, budget.ErrOverCap), err)

	fmt.Println(ledger.Reconcile("first", 4), ledger.Reserve("second", "cheap", 5))
	b := ledger.Balance()
	fmt.Printf("%d settled, %d pending, %d left\n", b.Settled, b.Pending, b.Left())
	// Output:
	// <nil> <nil>
	// <nil> dispatched (6 by route fast)
	// true reserve "second": 5 of route cheap would make 11 of 10 (0 settled, 6 pending): settle or cancel something, or ask for at most 4
	// <nil> <nil>
	// 4 settled, 5 pending, 1 left
}
