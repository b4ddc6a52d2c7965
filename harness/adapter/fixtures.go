package adapter

import "example.com/commitpoint/harness"

// What the words of the two fixtures mean.
var (
	claimsA = map[string]harness.Claim{
		"completed": harness.Completed, "failed": harness.Failed, "blocked": harness.Blocked, "cancelled": harness.Cancelled,
	}
	claimsB = map[string]harness.Claim{
		"ok": harness.Completed, "error": harness.Failed, "denied": harness.Blocked, "aborted": harness.Cancelled,
	}
	effectsA = map[string]harness.Effect{
		"full": harness.Full, "partial": harness.Partial, "none": harness.NoEffect, "unknown": harness.Unknown,
	}
	effectsB = map[string]harness.Effect{
		"complete": harness.Full, "incomplete": harness.Partial, "empty": harness.NoEffect, "undetermined": harness.Unknown,
	}
	checksB   = map[string]bool{"passed": true, "not_passed": false}
	noChangeB = map[string]bool{"allowed": true, "forbidden": false}
)

// fixtureA reads the first shape of the package comment.
func fixtureA(payload Value) (r harness.Receipt) {
	outcome := payload.Key("outcome")
	r.Claim = OneOf(outcome.Key("status"), claimsA)
	if message, ok := outcome.Optional("message"); ok {
		message.Text() // has to be one, and means nothing
	}
	r.Verified = outcome.Key("verified").Bool()
	r.Captured = outcome.Key("captured").Bool()
	r.Effect = OneOf(outcome.Key("effect"), effectsA)
	r.NoOp = payload.Key("no_op_permitted").Bool()
	r.Workload = identityA(payload.Key("workload"))
	r.Now = payload.Key("observed_at").Time()
	if lease, ok := payload.Optional("lease"); ok {
		r.Retained = true
		r.Lease = harness.Lease{
			Identity:    identityA(lease),
			Approved:    lease.Key("approved_at").Time(),
			PriorExpiry: lease.Key("prior_expiry").Time(),
			Expiry:      lease.Key("expires_at").Time(),
		}
	}
	return r
}

func identityA(v Value) harness.Identity {
	return harness.Identity{
		Run:        v.Key("run").Text(),
		Owner:      v.Key("owner").Text(),
		Workload:   v.Key("id").Text(),
		Generation: v.Key("generation").Uint(),
	}
}

// fixtureB reads the second shape of the package comment.
func fixtureB(payload Value) (r harness.Receipt) {
	result, evidence := payload.Key("result"), payload.Key("evidence")
	r.Claim = OneOf(result.Key("state"), claimsB)
	if note, ok := result.Optional("note"); ok {
		note.Text() // has to be one, and means nothing
	}
	r.Verified = OneOf(evidence.Key("task").Key("check"), checksB)
	r.Captured = evidence.Key("capture").Key("gaps").Uint() == 0
	r.Effect = OneOf(evidence.Key("change"), effectsB)
	r.NoOp = OneOf(payload.Key("contract").Key("empty_change"), noChangeB)
	r.Workload = identityB(payload.Key("subject"))
	r.Now = payload.Key("clock").Key("now").Time()
	if retention := payload.Key("retention"); !retention.Null() {
		window := retention.Key("window")
		r.Retained = true
		r.Lease = harness.Lease{
			Identity:    identityB(retention),
			Approved:    window.Key("granted").Time(),
			PriorExpiry: window.Key("from").Time(),
			Expiry:      window.Key("to").Time(),
		}
	}
	return r
}

func identityB(v Value) harness.Identity {
	session, service := v.Key("session"), v.Key("service")
	return harness.Identity{
		Run:        session.Key("run").Text(),
		Owner:      session.Key("name").Text(),
		Workload:   service.Key("name").Text(),
		Generation: service.Key("epoch").Uint(),
	}
}
