// Package adapter turns what somebody's worker and observer report, as JSON, into the
// receipts of package harness, or refuses it.
//
// An adapter is the one place where another system's words get a meaning, and is trusted
// like the classifier itself. In particular it says which part of a payload is an observer's
// finding and which is the worker's own: of the latter only the claim may be read, as the
// claim. Whatever else a worker writes, such as a message that all is done, decides nothing.
// The package cannot check who wrote a payload, nor that an identity or a time in it really
// comes from another source than the lease beside it. That is to be settled before.
//
// A payload is refused unless all of it is understood. A member that is missing, is there
// twice, has another type or an unknown value, or that the adapter did not read, is an
// error that names its path ("$.outcome.effect") and the remedy. So are a payload that is
// not one JSON object, ill-formed UTF-8 and unpaired surrogates, a payload of more than
// 256 KiB, and nesting of more than 32 levels. null is never the same as absent.
//
// # Fixtures
//
// The two adapters of Fixtures are invented, and neither is the API of any vendor. They are
// there to show that two shapes of the same facts become the same receipt. This is a
// payload for FixtureA; message and lease can be absent:
//
//	{
//	  "outcome": {"status": "completed", "message": "all done!",
//	              "verified": true, "captured": true, "effect": "full"},
//	  "no_op_permitted": false,
//	  "workload": {"run": "r1", "owner": "a", "id": "web", "generation": 3},
//	  "observed_at": "2026-10-01T12:00:00Z",
//	  "lease": {"run": "r1", "owner": "a", "id": "web", "generation": 3,
//	            "approved_at": "2026-10-01T11:00:00Z",
//	            "prior_expiry": "2026-10-01T11:30:00Z",
//	            "expires_at": "2026-10-01T13:00:00Z"}
//	}
//
// The status is completed, failed, blocked or cancelled, the effect full, partial, none or
// unknown. FixtureB has this for the same facts; note can be absent, and retention is null
// if there is none:
//
//	{
//	  "result": {"state": "ok", "note": "all done!"},
//	  "evidence": {"task": {"check": "passed"}, "capture": {"gaps": 0},
//	               "change": "complete"},
//	  "contract": {"empty_change": "forbidden"},
//	  "subject": {"session": {"run": "r1", "name": "a"},
//	              "service": {"name": "web", "epoch": 3}},
//	  "retention": {"session": {"run": "r1", "name": "a"},
//	                "service": {"name": "web", "epoch": 3},
//	                "window": {"granted": "2026-10-01T13:00:00+02:00",
//	                           "from": "2026-10-01T13:30:00+02:00",
//	                           "to": "2026-10-01T15:00:00+02:00"}},
//	  "clock": {"now": "2026-10-01T14:00:00+02:00"}
//	}
//
// The state is ok, error, denied or aborted, the check passed or not_passed, the change
// complete, incomplete, empty or undetermined, and an empty change allowed or forbidden.
//
// See Harness operations lab, section Receipt and adapter results, AD-01 and AD-02.
package adapter
