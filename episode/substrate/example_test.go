package substrate_test

import (
	"fmt"

	"example.com/commitpoint/episode/substrate"
)

// What a scenario needs has to be declared before anything starts.
func ExamplePlan() {
	arm := substrate.Binding{
		Object: "arm", Substrate: substrate.Physical, Adapter: "plc", Version: "7",
		Capabilities: []substrate.Capability{substrate.Observe, substrate.Act},
		Semantics: map[substrate.Dimension]string{
			substrate.Time: "real", substrate.Observation: "joint angles", substrate.Failure: "it stops",
			substrate.Constraints: "10 kg", substrate.Reversal: "a move back compensates", substrate.Evidence: "video",
		},
	}
	_, err := substrate.Plan([]substrate.Requirement{
		{Object: "arm", Capabilities: []substrate.Capability{substrate.Act, substrate.Snapshot}},
		{Object: "belt", Capabilities: []substrate.Capability{substrate.Observe}},
	}, []substrate.Binding{arm})
	fmt.Println(err)
	// Output:
	// plan a run: object arm: plc 7 on physical does not declare snapshot; bind it to an adapter that does, or do not require it
	// object "belt": nothing is bound to it; bind it
}
