package checks

import (
	"context"
	"time"

	"example.com/commitpoint/harness"
)

// now is when everything is observed.
var now = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)

// hours returns a time so many hours from now.
func hours(n int) time.Time { return now.Add(time.Duration(n) * time.Hour) }

// web is the workload that really runs, and the others differ from it in one thing each.
var (
	web             = harness.Identity{Run: "r1", Owner: "a", Workload: "web", Generation: 3}
	otherGeneration = harness.Identity{Run: "r1", Owner: "a", Workload: "web", Generation: 2}
	otherOwner      = harness.Identity{Run: "r1", Owner: "b", Workload: "web", Generation: 3}
	otherWorkload   = harness.Identity{Run: "r1", Owner: "a", Workload: "db", Generation: 3}
)

// leased returns the receipt of a verified completion with a lease, its times in hours from now.
func leased(of harness.Identity, approved, prior, expiry int) harness.Receipt {
	return withLease(harness.Lease{Identity: of, Approved: hours(approved), PriorExpiry: hours(prior), Expiry: hours(expiry)})
}

func withLease(l harness.Lease) harness.Receipt {
	return harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.Full, Retained: true, Lease: l}
}

// receiptRows are RC-01 to RC-20. Each that is to be reconciled has one fault, and would be
// decided without it.
var receiptRows = []struct {
	id, situation string
	receipt       harness.Receipt
	want          harness.Decision
}{
	{"RC-01", "completed, verified, capture complete",
		harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.Full}, harness.Advance},
	{"RC-02", "completed read-only no-op, verified, no effect, no-op permitted",
		harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.NoEffect, NoOp: true}, harness.Advance},
	{"RC-03", "failed after a partial effect",
		harness.Receipt{Claim: harness.Failed, Captured: true, Effect: harness.Partial}, harness.Reconcile},
	{"RC-04", "claims completion, task result unverified",
		harness.Receipt{Claim: harness.Completed, Captured: true, Effect: harness.Full}, harness.Reconcile},
	{"RC-05", "no receipt", harness.Receipt{}, harness.Reconcile},
	{"RC-06", "blocked, no effect confirmed",
		harness.Receipt{Claim: harness.Blocked, Captured: true, Effect: harness.NoEffect}, harness.StopPolicy},
	{"RC-07", "cancelled, no effect confirmed",
		harness.Receipt{Claim: harness.Cancelled, Captured: true, Effect: harness.NoEffect}, harness.StopCancelled},
	{"RC-08", "completed, valid authorized retained-service lease", leased(web, -2, 1, 2), harness.Handoff},
	{"RC-09", "claims blocked, effect confirmed",
		harness.Receipt{Claim: harness.Blocked, Captured: true, Effect: harness.Full}, harness.Reconcile},
	{"RC-10", "claims completion, capture incomplete",
		harness.Receipt{Claim: harness.Completed, Verified: true, Effect: harness.Full}, harness.Reconcile},
	{"RC-11", "cancelled, effect unknown",
		harness.Receipt{Claim: harness.Cancelled, Captured: true, Effect: harness.Unknown}, harness.Reconcile},
	{"RC-12", "retention approved after the prior expiry", leased(web, -1, -2, 1), harness.Reconcile},
	{"RC-13", "claims completed, only a partial effect",
		harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.Partial}, harness.Reconcile},
	{"RC-14", "malformed retained-service lease", withLease(harness.Lease{Identity: web, Expiry: hours(2)}), harness.Reconcile},
	{"RC-15", "no-op, task does not permit it",
		harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.NoEffect}, harness.Reconcile},
	{"RC-16", "lease of another generation", leased(otherGeneration, -2, 1, 2), harness.Reconcile},
	{"RC-17", "lease of another owner", leased(otherOwner, -2, 1, 2), harness.Reconcile},
	{"RC-18", "lease of another workload", leased(otherWorkload, -2, 1, 2), harness.Reconcile},
	{"RC-19", "approval in the future", leased(web, 1, 2, 3), harness.Reconcile},
	{"RC-20", "lease already expired", leased(web, -3, -2, -1), harness.Reconcile},
}

func receiptChecks() []contract {
	var list []contract
	for _, row := range receiptRows {
		receipt := row.receipt
		if receipt != (harness.Receipt{}) { // of no receipt nothing is supplied, either
			receipt.Workload, receipt.Now = web, now
		}
		list = append(list, contract{Check{row.id, row.situation, row.want.String()},
			func(_ context.Context, l library) (seen, detail string) {
				decision := l.classify(receipt)
				if decision == harness.Reconcile {
					detail = receipt.Why()
				}
				return decision.String(), detail
			}})
	}
	return list
}
