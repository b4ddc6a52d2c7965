package contract

import (
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
)

// Every case is shown by the mechanism that lacks its obligation and not by the complete
// one. This is all that a new case needs.
func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 15 {
		t.Errorf("%d cases, and there were 15 reports", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			trace, err := c.Run(t.Context(), enumerate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if c.Report == "" || c.About == "" {
				t.Errorf("%s does not say what was reported where", c.file)
			}
			t.Log(strings.Join(trace.Schedule, " "))
		})
	}
}
