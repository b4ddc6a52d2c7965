package schema_test

import (
	"fmt"

	"example.com/commitpoint/episode/schema"
)

// A physical object can't be rolled back, and every object says what failure means on it.
func ExampleValidate() {
	err := schema.Validate("", []byte(`{
		"schema": "commitpoint/episode/reality-binding/v1",
		"object": "arm", "substrate": "physical", "adapter": "plc", "version": "7",
		"capabilities": ["observe", "act", "rollback"],
		"semantics": {"time": "real", "observation": "joint angles", "constraints": "10 kg", "rollback": "none", "evidence": "video"}
	}`))
	fmt.Println(err)
	// Output:
	// /capabilities/2: it is "rollback"; use one of "observe", "act", "synchronize", "snapshot"
	// /semantics: it lacks "failure"; add it
}
