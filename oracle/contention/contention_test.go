package contention_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/commitpoint/model/contention"
	oracle "example.com/commitpoint/oracle/contention"
)

func TestEligible(t *testing.T) {
	tests := []struct {
		history, reason string
		first, second   bool
		reasons         string // why not
	}{
		{"w1:read w1:candidate", "the owner, with nothing in the way", true, false, "none; attempt"},
		{"w2:read w2:candidate", "not the owner, and the owner has prepared nothing that was overwritten", true, false, "none; attempt"},
		{"w1:read w1:candidate revoke", "one grant for all", false, false, "grant; attempt, grant"},
		{"w1:read input-edit w1:candidate", "the input moved after it was read", false, false, "inputs; attempt"},
		{"input-edit w1:read w1:candidate", "the input moved before", true, false, "none; attempt"},
		{"w1:read w1:candidate artifact-edit", "overwritten by the editor", false, false, "artifact; attempt"},
		{"w1:read w1:candidate w2:read w2:candidate", "overwritten by the other", false, false, "artifact; attempt"},
		{"w2:read w2:candidate w1:read w1:candidate", "overwritten by the owner", true, false, "none; attempt, artifact"},
		{"w1:read w1:candidate lease-expire", "the first owner's lease ran out", false, false, "lease; attempt"},
		{"lease-expire reassign w2:read w2:candidate", "the second owner has a lease of its own", false, true, "attempt, lease; none"},
		{"w2:read w2:candidate lease-expire reassign", "it may have worked before it owned the task", false, true, "attempt, lease; none"},
		{"w1:read w1:candidate publish-behavior-v2", "publication is not revocation", true, false, "none; attempt"},
	}
	for _, tt := range tests {
		t.Run(tt.history, func(t *testing.T) {
			h := oracle.Begin()
			for name := range strings.FieldsSeq(tt.history) {
				e, err := contention.ParseEvent(name)
				if err != nil {
					t.Fatal(err)
				}
				h = h.Observe(e)
			}
			if h.Eligible(1) != tt.first || h.Eligible(2) != tt.second {
				t.Errorf("eligible: submitter 1 %v, submitter 2 %v; want %v and %v: %s", h.Eligible(1), h.Eligible(2), tt.first, tt.second, tt.reason)
			}
			if reasons := fmt.Sprintf("%v; %v", h.Reasons(1), h.Reasons(2)); reasons != tt.reasons {
				t.Errorf("reasons of the submitters: %s, want %s", reasons, tt.reasons)
			}
		})
	}
}
