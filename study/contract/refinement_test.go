package contract

import (
	"testing"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/mechanisms/contract"
	studied "example.com/commitpoint/model"
	model "example.com/commitpoint/model/contract"
	"example.com/commitpoint/study"
)

// counterparts are the predicates that a check of the study stands for.
var counterparts = map[studied.Checks]model.Checks{
	studied.Attempt:  model.Attempt | model.Caller,
	studied.Fence:    model.Fence | model.Incarnation,
	studied.Lease:    model.Lease,
	studied.Grant:    model.Grant,
	studied.Inputs:   model.Dependencies,
	studied.Artifact: model.Bases,
	studied.Evidence: model.Binding | model.Criteria,
	studied.Contract: model.Contract,
}

// sameEvents are the study's events in this model.
var sameEvents = map[studied.Kind]model.Event{
	studied.Read:          {Worker: model.A, Kind: model.Read},
	studied.Snapshot:      {Worker: model.A, Kind: model.Prepare},
	studied.TrustedVerify: {Worker: model.A, Kind: model.VerifyTests},
	studied.Preflight:     {Worker: model.A, Kind: model.Preflight},
	studied.Commit:        {Worker: model.A, Kind: model.Commit},
	studied.InputEdit:     {Kind: model.InputEdit},
	studied.ArtifactEdit:  {Kind: model.ForeignPublish},
	studied.LeaseExpire:   {Kind: model.LeaseExpire},
	studied.Reassign:      {Worker: model.B, Kind: model.Claim},
	studied.Revoke:        {Kind: model.Revoke},
	studied.PublishV2:     {Kind: model.PublishPolicy},
}

// With the extra features left out, this machine and the study's decide alike on all of
// the study's schedules, whatever mechanism they share; and the oracles judge alike.
func TestRefinesTheStudy(t *testing.T) {
	schedules, decisions := 0, 0
	for _, o := range study.Scenarios(study.MaxEnvironment) {
		for schedule := range o.Schedules() {
			schedules++
			for _, m := range mechanisms.All() {
				if m.Requires&studied.LatestPolicy != 0 {
					continue // this contract has nothing that asks for it
				}
				want, err := study.Decide(m, schedule)
				if err != nil {
					t.Fatal(err)
				}
				got := decideLike(m, schedule)
				decisions++
				if got.decision.Accepted != want.Accepted || got.verdict.Eligible() != want.Verdict.Eligible() {
					t.Fatalf("%s in %v: accepted %v, eligible %v; in the study %v, %v", m.Name, schedule,
						got.decision.Accepted, got.verdict.Eligible(), want.Accepted, want.Verdict.Eligible())
				}
			}
		}
	}
	if schedules != 6694 || decisions != 12*6694 {
		t.Errorf("%d schedules, %d decisions", schedules, decisions)
	}
}

// decideLike runs a schedule of the study on this machine.
func decideLike(m mechanisms.Mechanism, schedule []studied.Event) decided {
	like := contract.Mechanism{Name: m.Name}
	for check, predicates := range counterparts {
		if m.Requires&check != 0 {
			like.Requires |= predicates
		}
	}
	if m.At == mechanisms.Preflight {
		like.Early = like.Requires
	}
	machine := machine{like, model.Setup{Optional: true, InPlace: true}}
	s := machine.Init()
	for _, e := range schedule {
		event := sameEvents[e.Kind]
		if e.Kind == studied.Commit {
			return machine.at(&s, event)
		}
		s = machine.Next(s, event)
	}
	panic("a schedule has a commit")
}
