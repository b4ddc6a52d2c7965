package mechanisms

import "example.com/commitpoint/model"

// Failed returns every check that r fails in s, LatestPolicy included.
func Failed(s model.State, r model.Request) model.Checks {
	var failed model.Checks
	fail := func(c model.Checks, holds bool) {
		if !holds {
			failed |= c
		}
	}
	fail(model.Attempt, r.Attempt == s.Owner.Attempt && r.Principal == s.Owner.Principal)
	fail(model.Fence, r.Fence == s.Owner.Fence)
	fail(model.Lease, s.Owner.LeaseLive)
	fail(model.Grant, s.Grants.Holds(r.Principal))
	fail(model.Inputs, r.Inputs == s.Input)
	fail(model.Artifact, s.Artifact.Digest() == r.Candidate)
	fail(model.Evidence, supported(s.Evidence, r))
	fail(model.Contract, r.Task == s.Task.ID && r.Contract == s.Task.Contract)
	fail(model.LatestPolicy, s.Task.Policy == s.Default)
	return failed
}

// supported reports whether the receipt that r names is in the protected store
// and is a pass for r's candidate. It compares no other field of the receipt:
// its attempt and its dependency revision would double the checks that are
// about those.
func supported(stored model.Receipt, r model.Request) bool {
	return r.Evidence != 0 && r.Evidence == stored.ID && stored.Pass && stored.Digest == r.Candidate
}
