package conformance_test

import (
	"fmt"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
)

func TestTry(t *testing.T) {
	for _, m := range mechanisms.All() {
		for _, mode := range []conformance.Mode{conformance.All, conformance.Covering} {
			r, err := conformance.Check(t.Context(), mechanicalSystems(m), conformance.Options{Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(m.Name, mode, r.Verdict(), r.Sets[0].Ran, r.Sets[0].Schedules, r.Fault)
			for _, f := range r.Failures {
				fmt.Println("   ", f.Kind, f.Reason, f.Schedules, f.Schedule)
			}
		}
	}
	_ = enumerate.Holds
}
