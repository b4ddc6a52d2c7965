package contention_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/study/contention"
)

// A minimum is the shortest history of a mechanism's error, by the kind of error and
// its reason.
type minimum struct{ mechanism, kind, reason, history string }

// minima are all that the thirteen have when two submitters race, in the order in which
// they are reported. A history ends with the commit that is decided wrongly.
var minima = []minimum{
	{"contention/self-report", "unsafe-accept", "attempt",
		"w2:read w2:candidate w2:trusted-verify w2:preflight w2:commit"},
	{"contention/self-report", "unsafe-accept", "inputs",
		"w1:read w1:candidate w1:trusted-verify w1:preflight input-edit w1:commit"},
	{"contention/self-report", "unsafe-accept", "artifact",
		"w1:read w1:candidate w1:trusted-verify w1:preflight artifact-edit w1:commit"},
	{"contention/self-report", "unsafe-accept", "grant",
		"w1:read w1:candidate w1:trusted-verify w1:preflight revoke w1:commit"},
	{"contention/self-report", "unsafe-accept", "lease",
		"w1:read w1:candidate w1:trusted-verify w1:preflight lease-expire w1:commit"},

	{"contention/attempt-lease", "unsafe-accept", "inputs",
		"w1:read w1:candidate w1:trusted-verify w1:preflight input-edit w1:commit"},
	{"contention/attempt-lease", "unsafe-accept", "artifact",
		"w1:read w1:candidate w1:trusted-verify w1:preflight artifact-edit w1:commit"},
	{"contention/attempt-lease", "unsafe-accept", "grant",
		"w1:read w1:candidate w1:trusted-verify w1:preflight revoke w1:commit"},

	{"contention/preflight-cached", "unsafe-accept", "inputs",
		"w1:read w1:candidate w1:trusted-verify w1:preflight input-edit w1:commit"},
	{"contention/preflight-cached", "unsafe-accept", "artifact",
		"w1:read w1:candidate w1:trusted-verify w1:preflight artifact-edit w1:commit"},
	{"contention/preflight-cached", "unsafe-accept", "grant",
		"w1:read w1:candidate w1:trusted-verify w1:preflight revoke w1:commit"},
	{"contention/preflight-cached", "unsafe-accept", "lease",
		"w1:read w1:candidate w1:trusted-verify w1:preflight lease-expire w1:commit"},
	{"contention/preflight-cached", "unsafe-accept", "attempt",
		"w1:read w1:candidate w1:trusted-verify w1:preflight lease-expire reassign w1:commit"},
	{"contention/preflight-cached", "eligible-reject", "preflight",
		"w2:read w2:candidate w2:trusted-verify w2:preflight lease-expire reassign w2:commit"},

	{"contention/without-attempt", "unsafe-accept", "attempt",
		"w2:read w2:candidate w2:trusted-verify w2:preflight w2:commit"},
	{"contention/without-attempt", "unsafe-accept", "lease",
		"w1:read w1:candidate w1:trusted-verify w1:preflight lease-expire reassign w1:commit"},

	{"contention/without-lease", "unsafe-accept", "lease",
		"w1:read w1:candidate w1:trusted-verify w1:preflight lease-expire w1:commit"},

	{"contention/without-grant", "unsafe-accept", "grant",
		"w1:read w1:candidate w1:trusted-verify w1:preflight revoke w1:commit"},

	{"contention/without-inputs", "unsafe-accept", "inputs",
		"w1:read w1:candidate w1:trusted-verify w1:preflight input-edit w1:commit"},

	{"contention/without-artifact", "unsafe-accept", "artifact",
		"w1:read w1:candidate w1:trusted-verify w1:preflight artifact-edit w1:commit"},

	{"contention/latest-policy", "eligible-reject", "latest-policy",
		"w1:read w1:candidate w1:trusted-verify w1:preflight publish-behavior-v2 w1:commit"},
}

func TestMinima(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var got []minimum
		for _, m := range mechanisms.All() {
			traces, err := contention.Traces(t.Context(), m, enumerate.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range traces {
				got = append(got, minimum{x.Mechanism, x.Kind, x.Reason, strings.Join(x.Schedule, " ")})
			}
		}
		if diff := cmp.Diff(minima, got, cmp.AllowUnexported(minimum{})); diff != "" {
			t.Errorf("%d workers: -want +got:\n%s", workers, diff)
		}
	}
}
