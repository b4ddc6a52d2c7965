// Package contention says what the study's checks mean in the contention model.
// The mechanisms are those of the study.
package contention

import (
	"example.com/commitpoint/model"
	"example.com/commitpoint/model/contention"
)

// Failed returns every check that the request of submitter w fails in s. The
// request carries the attempt and the fence of the w-th ownership, even before
// that begins, and the pinned task and contract.
func Failed(s contention.State, w uint8) model.Checks {
	own := s.Of(w)
	candidate := own.Candidate(w)
	var failed model.Checks
	if s.Owner != w {
		failed |= model.Attempt | model.Fence
	}
	if !s.LeaseLive {
		failed |= model.Lease
	}
	if !s.Granted {
		failed |= model.Grant
	}
	if own.Read != s.Input {
		failed |= model.Inputs
	}
	if s.Artifact != candidate {
		failed |= model.Artifact
	}
	if own.Observed != candidate {
		failed |= model.Evidence
	}
	if s.NewPolicy {
		failed |= model.LatestPolicy
	}
	return failed
}
