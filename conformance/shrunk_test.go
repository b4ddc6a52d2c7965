package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/internal/wrapped"
	"example.com/commitpoint/study"
)

// Services that lack events are judged by what they have, and what is not exercised
// therefore is named.
func TestScenariosShrink(t *testing.T) {
	all := wrapped.StudyEvents()
	var controls []string
	for _, c := range study.Controls() {
		controls = append(controls, c.Name)
	}
	for _, tt := range []struct {
		name, reason string
		events       []string
		scenarios    int
		schedules    uint64
		leftOut      string
		unexercised  string
	}{
		{"everything", "nothing is left out", all, 49, 6701, "", ""},
		{
			"no artifacts or grants", "4 environment events, 15 scenarios less those of three", without(all, "artifact-edit", "revoke"),
			22, 1 + 4*6 + 5*42 + 21 + 2*336 + 2*168 + 7, "artifact-edit, revoke", "unsafe-accept/artifact, unsafe-accept/grant",
		},
		{
			"no read", "what says nothing without it goes, too", without(all, "read"),
			33, 1 + 5*5 + 9*30 + 15 + 7*210 + 3*105 + 7, "read, input-edit", "unsafe-accept/inputs",
		},
		{
			"no verification", "evidence is not looked at", without(all, "trusted-verify"),
			42, 1 + 6*5 + 14*30 + 15 + 16*210 + 4*105, "trusted-verify, " + strings.Join(controls, ", "),
			"unsafe-accept/task, unsafe-accept/contract, unsafe-accept/evidence",
		},
		{
			"no retries", "nothing is asked twice", without(all, "retry", "retry-other"), 49, 6701, "retry, retry-other",
			"unsafe-accept/identity, eligible-reject/retry, wrong-record/other-receipt, wrong-record/replay-writes",
		},
		{
			"no candidate", "its artifact can't be edited, and it is verified at once", without(all, "candidate", "trusted-verify"),
			26, 1 + 5*4 + 9*20 + 10 + 7*120 + 3*60, "candidate, trusted-verify, artifact-edit, " + strings.Join(controls, ", "),
			"unsafe-accept/artifact, unsafe-accept/task, unsafe-accept/contract, unsafe-accept/evidence",
		},
		{"commits alone", "there is little to see", []string{"commit"}, 1, 1, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := check(t, wrapped.Study(named(t, "atomic"), tt.events...), conformance.Options{})
			s := r.Sets[0]
			if len(r.Failures) > 0 || s.Scenarios != tt.scenarios || s.Ran != tt.schedules {
				t.Errorf("%d scenarios, %d schedules; want %d and %d, because %s; failures %q", s.Scenarios, s.Ran, tt.scenarios, tt.schedules, tt.reason, reasons(r))
			}
			if tt.name == "commits alone" { // the list of everything is long
				if len(s.LeftOut) != len(all)-1 || len(s.Unexercised) != 13 || slices.Contains(s.Unexercised, "eligible-reject/any") {
					t.Errorf("left out %q, not exercised %q", s.LeftOut, s.Unexercised)
				}
				return
			}
			slices.Sort(s.Unexercised)
			want := strings.Split(tt.unexercised, ", ")
			slices.Sort(want)
			if got := strings.Join(s.LeftOut, ", "); got != tt.leftOut || strings.Join(s.Unexercised, ", ") != strings.Join(want, ", ") {
				t.Errorf("left out %q, not exercised %q; want %q and %q, because %s", got, s.Unexercised, tt.leftOut, tt.unexercised, tt.reason)
			}
		})
	}
}

// A service that has no checks to lack is not blamed for what it does not know.
func TestWhatIsNotKnownIsNotBlamed(t *testing.T) {
	events := without(wrapped.StudyEvents(), "artifact-edit", "revoke", "trusted-verify")
	r := check(t, wrapped.Study(named(t, "without-evidence"), events...), conformance.Options{})
	if len(r.Failures) > 0 {
		t.Errorf("failures %q", reasons(r))
	}
	if got := r.Sets[0].Unexercised; !slices.Contains(got, "unsafe-accept/evidence") || !slices.Contains(got, "unsafe-accept/grant") {
		t.Errorf("not exercised: %q", got)
	}
}
