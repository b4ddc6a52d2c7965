package model_test

import (
	"slices"
	"testing"

	"example.com/commitpoint/model"
)

func TestChecks(t *testing.T) {
	every := model.All | model.LatestPolicy
	want := []string{"attempt", "fence", "lease", "grant", "inputs", "artifact", "evidence", "contract", "latest-policy"}
	if got := every.Names(); !slices.Equal(got, want) || len(got) != model.NumChecks {
		t.Errorf("names of all %d checks = %v", model.NumChecks, got)
	}
	if model.All.Has(model.LatestPolicy) {
		t.Error("the contract asks for the latest policy")
	}
	for i, c := range every.Each() {
		if got := c.String(); got != want[i] {
			t.Errorf("check %d = %s, want %s", i, got, want[i])
		}
	}
	if got := model.Checks(0).String(); got != "none" {
		t.Errorf("no checks = %q", got)
	}
	if got := (model.Lease | model.Attempt).String(); got != "attempt, lease" {
		t.Errorf("two checks = %q, want declaration order", got)
	}
	if model.All.Has(model.Lease|model.LatestPolicy) || !model.All.Has(model.Lease|model.Grant) || !model.Checks(0).Has(0) {
		t.Error("Has does not mean all of")
	}
}
