package cases_test

import (
	"fmt"

	"example.com/commitpoint/episode/cases"
)

// The fixture of an effect that nobody has verified.
func ExampleRun() {
	c, err := cases.Named("F7")
	if err != nil {
		panic(err)
	}
	outcome, err := cases.Run(c)
	fmt.Println(err)
	for _, d := range outcome.Decisions {
		fmt.Println(d)
	}
	fmt.Println(outcome.Dispatched, outcome.Closure.Ending, outcome.Closure.Blocks)
	// Output:
	// <nil>
	// ALLOW
	// HOLD
	// [buy] open [the effect of buy is unknown]
}

// Two episodes with the same output.
func ExampleCompare() {
	var outcomes []cases.Outcome
	for _, name := range []string{"travel-unresolved", "travel-fulfilled"} {
		c, err := cases.Named(name)
		if err != nil {
			panic(err)
		}
		o, err := cases.Run(c)
		if err != nil {
			panic(err)
		}
		outcomes = append(outcomes, o)
	}
	comparison := cases.Compare(outcomes[0], outcomes[1])
	fmt.Println("same output:", comparison.SameOutput)
	for _, row := range comparison.Rows {
		fmt.Printf("%-20s %-13v %v\n", row.Judgment, row.A, row.B)
	}
	// Output:
	// same output: true
	// run completion       met           met
	// task success         met           met
	// service fulfillment  not met       met
	// authority            not met       met
	// continuity           not met       met
	// evidence             not met       met
	// human work           reported      reported
	// stakeholder value    undetermined  met
}
