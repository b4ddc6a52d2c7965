package harness

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	checkTexts(t, "Claim", ParseClaim, "none completed failed blocked cancelled")
	checkTexts(t, "Effect", ParseEffect, "unknown none partial full")
	checkTexts(t, "Decision", ParseDecision, "reconcile advance handoff stop_policy stop_cancelled exhausted")
	for c, want := range map[Class]string{NoError: "none", Transient: "transient", Terminal: "terminal", 3: "Class(3)"} {
		if got := c.String(); got != want {
			t.Errorf("class %d is %q, want %q", uint8(c), got, want)
		}
	}
}

// checkTexts compares the values from 0 with their texts in both directions.
func checkTexts[T interface {
	~uint8
	fmt.Stringer
}](t *testing.T, kind string, parse func(string) (T, error), texts string) {
	t.Helper()
	want := strings.Fields(texts)
	for i, text := range want {
		if got := T(i).String(); got != text {
			t.Errorf("%s %d is %q, want %q", kind, i, got, text)
		}
		if got, err := parse(text); err != nil || got != T(i) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, value := range []uint8{uint8(len(want)), 200, 255} {
		text := T(value).String()
		if text != fmt.Sprintf("%s(%d)", kind, value) {
			t.Errorf("%s %d is %q", kind, value, text)
		}
		if got, err := parse(text); err == nil || got != 0 {
			t.Errorf("%q is %v, %v, but is none", text, got, err)
		}
	}
	for _, text := range []string{"", "Full", " full", "full ", strings.ToUpper(want[1])} {
		if slices.Contains(want, text) {
			continue
		}
		got, err := parse(text)
		if err == nil || got != 0 {
			t.Fatalf("%q is %v, %v, but is none", text, got, err)
		}
		for _, part := range []string{strings.ToLower(kind), fmt.Sprintf("%q", text), strings.Join(want, ", ")} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %s", err, part)
			}
		}
	}
}

func TestIdentityText(t *testing.T) {
	if got, want := workload.String(), `"run"/"owner"/"web" generation 3`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Texts of an identity are somebody else's: two identities never look alike.
	a, b := Identity{`r"/"o`, "w", "x", 1}, Identity{"r", `o"/"w`, "x", 1}
	if a.String() == b.String() {
		t.Errorf("%#v and %#v are both %v", a, b, a)
	}
}
