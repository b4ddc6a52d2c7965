package episode

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	mechanisms "example.com/commitpoint/mechanisms/episode"
)

// What the source asks of an implementation (appendix B, fixtures F1 to F7 and the cases C3
// and C7), as histories of the reference: what is decided at the end, and what stands
// against a yes.
func TestFixtures(t *testing.T) {
	const replaced = "approve evidence first:observe first:admit replace successor:observe "
	tests := []struct {
		name, events, decision string
		reasons                []string
	}{
		{"F1: denied under revoked authority", "approve evidence revoke first:observe first:admit", "did not allow", []string{"revoked"}},
		{"F2: a gap in the evidence holds", "approve first:observe first:admit", "did not allow", []string{"no-evidence"}},
		{"F2: until it is filled, and admitted freshly", "approve first:observe first:admit evidence first:observe#2 first:admit#2", "allowed", nil},
		{"F3: an escalation", "evidence first:observe first:admit", "did not allow", []string{"not-approved"}},
		{"F3: an approval does not change what was decided", escaped + "evidence approve first:reserve", "did not reserve", []string{"no-decision"}},
		{"F3: a fresh admission after the approval", "evidence first:observe first:admit approve first:observe#2 first:admit#2", "allowed", nil},
		{"F4: revoked between the decision and the reservation", twice + "revoke first:reserve", "did not reserve", []string{"revoked", "stale-view"}},
		{"F4: revoked between the reservation and the dispatch", twice + "first:reserve revoke first:dispatch", "did not dispatch", []string{"revoked", "stale-view"}},
		{"F4: what is owed after a revocation is owed", heard + "revoke accept close", "did not fulfill", []string{"open-obligation"}},
		{"F5: a successor without authority", replaced + "successor:admit", "did not allow", []string{"no-fresh-authority"}},
		{"F5: nor with the first's reservation", twice + "first:reserve replace successor:observe successor:admit successor:reserve successor:dispatch",
			"did not dispatch", []string{"no-fresh-authority", "no-decision"}},
		{"F5: with authority of its own", twice + "first:reserve replace authorize successor:observe successor:admit successor:reserve successor:dispatch",
			"dispatched", nil},
		{"F5: what is owed survives", heard + "replace accept close", "did not fulfill", []string{"open-obligation"}},
		{"F6: no evidence of the outcome", sent + "effect repeat discharge accept confirm close", "did not fulfill", []string{"no-accepted-evidence"}},
		{"F7: an effect that nobody verified", sent + "ack effect accept", "did not accept", []string{"unknown-effect"}},
		{"F7: is not dispatched again", sent + "ack effect repeat", "did not dispatch", []string{"unknown-effect"}},
		{"C3: one reservation", "second:reserve " + twice + "first:reserve", "did not reserve", []string{"reserved-by-another"}},
		{"C3: whoever is first", twice + "first:reserve second:reserve", "did not reserve", []string{"reserved-by-another"}},
		{"C7: a contested fact", heard + "discharge accept contradict close", "did not fulfill", []string{"contested"}},
		{"C7: until it is reviewed", heard + "discharge accept contradict review close", "fulfilled", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events := strings.Fields(tt.events)
			trace, err := Explain(mechanisms.Complete, events...)
			if err != nil {
				t.Fatal(err)
			}
			reasons := append([]string{}, tt.reasons...)
			if d := cmp.Diff(reasons, trace.Oracle.Reasons); d != "" || trace.Decision != tt.decision || trace.Kind != "" {
				t.Errorf("%s, want %s; %s%s", trace.Summary, tt.decision, trace.Kind, d)
			}
			RunHistory(t, mechanisms.Complete, events...)
		})
	}
}
