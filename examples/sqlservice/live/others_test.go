package live

import (
	"testing"

	"example.com/commitpoint/model/contract"
)

// renew is a renewal by a worker of an attempt.
func renew(call, back int64, w contract.Worker, attempt contract.Identity, answer Answer) op {
	return op{call, back, Input{Event: by(0, contract.Renew), By: w, Own: contract.Slot{Told: attempt}}, answer}
}

func migrate(call, back int64, version uint8, answer Answer) op {
	return op{call, back, Input{Event: by(0, contract.Migrate), Contract: version}, answer}
}

// What is answered to everything but requests.
func TestOtherAnswers(t *testing.T) {
	second := contract.Identity{Outer: 1, Inner: 2, Fence: 2, Incarnation: 1}
	restaged := contract.Identity{Outer: 2, Inner: 1, Fence: 2, Incarnation: 1}
	seen := contract.Sweep{Running: true, Attempt: first}
	expire, cancel := other(10, 11, contract.LeaseExpire, Answer{}), other(10, 11, contract.Cancel, Answer{})
	sweep := op{12, 13, Input{Event: by(0, contract.SweepWrite), Seen: seen}, Answer{Swept: true}}
	tests := []struct {
		name, reason string
		list         []op
		legal        bool
	}{
		{"claim", "it is the second attempt", []op{{10, 11, Input{Event: by(contract.B, contract.Claim)}, Answer{Told: second}}}, true},
		{"claim without an attempt", "there is one", []op{{10, 11, Input{Event: by(contract.B, contract.Claim)}, Answer{}}}, false},
		{"claim of a cancelled task", "it has ended", []op{cancel, {12, 13, Input{Event: by(contract.B, contract.Claim)}, Answer{Told: second}}}, false},
		{"reclaim", "worker a has the task", []op{other(10, 11, contract.Reclaim, Answer{Told: second})}, true},
		{"reclaim of a swept task", "nobody has it", []op{expire, sweep, other(14, 15, contract.Reclaim, refused(lost))}, true},
		{"reclaim of a swept task, done", "nobody has it",
			[]op{expire, sweep, other(14, 15, contract.Reclaim, Answer{Told: contract.Identity{Outer: 1, Inner: 3, Fence: 3, Incarnation: 1}})}, false},
		{"restage", "it is the first try at the second stage", []op{other(10, 11, contract.Restage, Answer{Told: restaged})}, true},
		{"sweep-read", "worker a has the task", []op{other(10, 11, contract.SweepRead, Answer{Seen: seen, Principal: contract.A})}, true},
		{"sweep-read of another's", "worker a has the task", []op{other(10, 11, contract.SweepRead, Answer{Seen: seen, Principal: contract.B})}, false},
		{"sweep-write", "the lease has run out", []op{expire, sweep}, true},
		{"sweep-write, not done", "the lease has run out", []op{expire, {12, 13, sweep.in, Answer{}}}, false},
		{"sweep-write of what was not seen", "another attempt was", []op{expire, {12, 13, Input{Event: by(0, contract.SweepWrite),
			Seen: contract.Sweep{Running: true, Attempt: second}}, Answer{Swept: true}}}, false},
		{"cancel, twice", "it has ended by then", []op{cancel, other(12, 13, contract.Cancel, refused(ended))}, true},
		{"cancel, twice done", "it has ended by then", []op{cancel, other(12, 13, contract.Cancel, Answer{})}, false},
		{"report", "worker a has the task", []op{a(10, 11, contract.Report, told, Answer{})}, true},
		{"report, twice", "it has failed by then", []op{a(10, 11, contract.Report, told, Answer{}), a(12, 13, contract.Report, told, refused(lost))}, true},
		{"report of another's", "worker a has the task", []op{{10, 11, Input{Event: by(contract.B, contract.Report), Own: told}, Answer{}}}, false},
		{"renew", "worker a has the task", []op{renew(10, 11, contract.A, first, Answer{})}, true},
		{"renew, and expire", "it runs out twice", []op{renew(8, 9, contract.A, first, Answer{}), expire, a(12, 13, contract.Commit, ready, accepted)}, true},
		{"renew too late", "the lease has run out", []op{expire, renew(12, 13, contract.A, first, Answer{})}, false},
		{"renew after the end", "there is no lease", []op{cancel, renew(12, 13, contract.A, first, Answer{})}, false},
		{"renew another's", "worker a has the task", []op{renew(10, 11, contract.B, first, Answer{})}, false},
		{"renew another attempt", "it is not the current one", []op{renew(10, 11, contract.A, second, Answer{})}, false},
		{"migrate", "it says where to", []op{migrate(10, 11, 3, Answer{}), a(12, 13, contract.Refresh, told, Answer{Contract: 3})}, true},
		{"migrate, next only", "it says where to", []op{migrate(10, 11, 3, Answer{}), a(12, 13, contract.Refresh, told, Answer{Contract: 2})}, false},
		{"migrate after the end", "the task stays pinned", []op{cancel, migrate(12, 13, 2, Answer{})}, false},
		{"migrate after the end, refused", "the task stays pinned", []op{cancel, migrate(12, 13, 2, refused(ended)), a(14, 15, contract.Refresh, told, Answer{Contract: 1})}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.list, tt.legal, tt.reason) })
	}
}
