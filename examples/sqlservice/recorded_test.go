package sqlservice

import (
	"strings"
	"testing"
)

// The state of a record changes with what a refused request must leave alone, and with
// nothing else. What comes after a history is compared with what was there before it.
func TestStateIsWhatRefusalsLeaveAlone(t *testing.T) {
	tests := []struct {
		name, reason, before, then string
		changes                    bool
	}{
		{"nothing", "it is not about when it is read", "a:read a:candidate", "", false},
		{"preflight", "it records nothing", "a:read a:candidate a:verify", "a:preflight", false},
		{"refused", "the request leaves nothing behind", "a:read a:candidate", "a:commit", false},
		{"refused again", "nor does the second", "a:read a:candidate a:commit", "a:retry a:retry-other", false},
		{"answered again", "it was recorded before", "a:read a:candidate a:verify a:commit", "a:retry", false},
		{"verify", "a receipt may be stored at any time", "a:read a:candidate", "a:verify", false},
		{"candidate", "so may a candidate", "a:read a:candidate", "a:candidate-pair a:replace", false},
		{"accepted", "the completion is recorded", "a:read a:candidate a:verify", "a:commit", true},
		{"claim", "the task is another's", "a:read", "b:claim", true},
		{"cancel", "the task has ended", "a:read", "cancel", true},
		{"renew", "the lease is longer", "a:read", "renew", true},
		{"migrate", "the contract is another", "a:read", "migrate", true},
		{"foreign-publish", "a pointer has moved", "a:read", "foreign-publish", true},
		{"alias-move", "an alias has moved", "a:read", "alias-move", true},
		{"restart-fences", "the authority has forgotten something", "a:read", "restart-fences", true},
		{"sweep", "the task is nobody's", "lease-expire sweep-read", "sweep-write", true},
		{"sweep too early", "the task is still a's", "sweep-read", "sweep-write", false},
		{"report after losing it", "it is not a's to end", "b:claim", "a:report-failure", false},
	}
	onEach(t, func(t *testing.T, source string) {
		system := open(t, ContractSystem, source, right)
		for _, tt := range tests {
			run(t, system, strings.Fields(tt.before))
			before, err := system.Recorded(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			perform(t, system, strings.Fields(tt.then))
			after, err := system.Recorded(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if changed := before.State != after.State; changed != tt.changes {
				t.Errorf("%s: changed %v, want %v: %s", tt.name, changed, tt.changes, tt.reason)
			}
		}
	})
}
