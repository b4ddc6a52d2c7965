package live

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/anishathalye/porcupine"

	"example.com/commitpoint/model/contract"
)

// What worker a has at the start, and after it has read and prepared a candidate; and
// that with the request for it, which it has sent.
var (
	first = contract.Identity{Outer: 1, Inner: 1, Fence: 1, Incarnation: 1}
	told  = contract.Slot{Told: first}
	read  = contract.Slot{Told: first, Contract: 1, Inputs: 1, Members: 1}
	ready = contract.Slot{Told: first, Contract: 1, Inputs: 1, Members: 1, Candidate: contract.Candidate{
		Bytes: contract.Bytes{Writer: 1, Inputs: 1}, Inputs: 1, Members: 1, Bases: [3]uint8{1},
	}}
	asked = func() contract.Slot {
		var s contract.State
		*s.Of(contract.A) = ready
		asked := ready
		asked.Sent = s.Request(by(contract.A, contract.Commit))
		return asked
	}()
)

func by(w contract.Worker, k contract.Kind) contract.Event { return contract.Event{Worker: w, Kind: k} }

// An op is an operation of a hand-made history, called and returned at these times.
type op struct {
	call, back int64
	in         Input
	answer     Answer
}

// never answered is what some are.
const neverAnswered = -1

// a is one of worker a, other one of the environment.
func a(call, back int64, k contract.Kind, own contract.Slot, answer Answer) op {
	return op{call, back, Input{Event: by(contract.A, k), Own: own}, answer}
}

func other(call, back int64, k contract.Kind, answer Answer) op {
	return op{call, back, event(k), answer}
}

// look is a look at a record, with a receipt if the task is completed.
func look(call, back int64, receipt string, published uint8) op {
	answer := Answer{Receipt: receipt, Revisions: [3]uint8{1 + published, 1, 1}}
	if receipt != "" {
		answer.Status, answer.Writes = contract.Completed, 1
	}
	return op{call, back, Input{}, answer}
}

// The answers to a commit.
var (
	accepted = Answer{Accepted: true, Receipt: "r"}
	replayed = Answer{Accepted: true, Replayed: true, Receipt: "r"}
)

func refused(why string) Answer { return Answer{Refusal: why} }

// prepared is how worker a's candidate came to be verified, until time 9.
var prepared = []op{
	a(0, 1, contract.Read, told, Answer{Inputs: 1, Members: 1, Contract: 1}),
	a(2, 3, contract.Prepare, read, Answer{Bases: [3]uint8{1}}),
	a(4, 5, contract.VerifyTests, ready, Answer{}),
	a(6, 7, contract.VerifyReview, ready, Answer{}),
}

// history makes one, of what follows on that.
func history(list []op) History {
	h := History{Task: "task"}
	for i, o := range append(prepared[:len(prepared):len(prepared)], list...) {
		recorded := porcupine.Operation{ClientId: i, Input: o.in, Call: o.call, Output: Output{Answer: o.answer}, Return: o.back}
		if o.back == neverAnswered {
			recorded.Output, recorded.Return = Output{Unknown: true}, never
		}
		h.Operations = append(h.Operations, recorded)
	}
	return h
}

// Histories in which nobody is left without an answer.
func TestAnswered(t *testing.T) {
	claimed := contract.Identity{Outer: 1, Inner: 2, Fence: 2, Incarnation: 1}
	stale := ready
	stale.Inputs, stale.Candidate.Inputs = 2, 2
	tests := []struct {
		name, reason string
		list         []op
		legal        bool
	}{
		{"accepted", "every predicate holds", []op{a(10, 11, contract.Commit, ready, accepted), look(12, 13, "r", 1)}, true},
		{"refused for nothing", "every predicate holds", []op{a(10, 11, contract.Commit, ready, refused("grant"))}, false},
		{"accepted after a revocation", "it returned before the commit was called",
			[]op{other(10, 11, contract.Revoke, Answer{}), a(12, 13, contract.Commit, ready, accepted)}, false},
		{"accepted before a revocation", "the commit returned before it was called",
			[]op{a(10, 11, contract.Commit, ready, accepted), other(12, 13, contract.Revoke, Answer{})}, true},
		{"accepted during a revocation", "either may come first",
			[]op{a(10, 20, contract.Commit, ready, accepted), other(12, 13, contract.Revoke, Answer{})}, true},
		{"refused during a revocation", "either may come first",
			[]op{a(10, 20, contract.Commit, ready, refused("grant")), other(12, 13, contract.Revoke, Answer{})}, true},
		{"refused before a revocation", "nothing had been revoked",
			[]op{a(10, 11, contract.Commit, ready, refused("grant")), other(12, 13, contract.Revoke, Answer{})}, false},
		{"accepted, and not yet seen after a revocation", "the revocation cannot be before and after the commit",
			[]op{a(10, 20, contract.Commit, ready, accepted), other(12, 13, contract.Revoke, Answer{}), look(14, 15, "", 0)}, false},
		{"refused for another reason", "the grant comes before the binding",
			[]op{other(10, 11, contract.Revoke, Answer{}), a(12, 13, contract.Commit, stale, refused("binding"))}, false},
		{"answered again", "it is the same request",
			[]op{a(10, 11, contract.Commit, ready, accepted), other(12, 13, contract.Revoke, Answer{}), a(14, 15, contract.Retry, asked, replayed)}, true},
		{"accepted twice", "the second time is an answer, not a decision",
			[]op{a(10, 11, contract.Commit, ready, accepted), a(12, 13, contract.Retry, asked, accepted)}, false},
		{"answered before it was accepted", "there is nothing to answer with", []op{a(10, 11, contract.Retry, asked, replayed)}, false},
		{"answered with another receipt", "there is one",
			[]op{a(10, 11, contract.Commit, ready, accepted), a(12, 13, contract.Retry, asked, Answer{Accepted: true, Replayed: true, Receipt: "s"})}, false},
		{"accepted without a receipt", "there is one", []op{a(10, 11, contract.Commit, ready, Answer{Accepted: true})}, false},
		{"refused with a receipt", "there is none",
			[]op{other(8, 9, contract.Revoke, Answer{}), a(10, 11, contract.Commit, ready, Answer{Refusal: "grant", Receipt: "r"})}, false},
		{"lost", "what is accepted stays", []op{a(10, 11, contract.Commit, ready, accepted), look(12, 13, "", 0)}, false},
		{"refused afterward", "what is accepted stays",
			[]op{a(10, 11, contract.Commit, ready, accepted), a(12, 13, contract.Retry, asked, refused("active"))}, false},
		{"published only", "that is together with the record", []op{a(10, 20, contract.Commit, ready, accepted), look(12, 13, "", 1)}, false},
		{"recorded only", "that is together with the publication", []op{a(10, 20, contract.Commit, ready, accepted), look(12, 13, "r", 0)}, false},
		{"seen, then not seen", "the first look says that the commit is before the second",
			[]op{a(10, 20, contract.Commit, ready, accepted), look(12, 13, "r", 1), look(14, 15, "", 0)}, false},
		{"not seen, then seen", "the commit is between", []op{a(10, 20, contract.Commit, ready, accepted), look(12, 13, "", 0), look(14, 15, "r", 1)}, true},
		{"recorded twice", "there is one completion",
			[]op{a(10, 11, contract.Commit, ready, accepted), {12, 13, Input{}, Answer{Receipt: "r", Status: contract.Completed, Writes: 2, Revisions: [3]uint8{2, 1, 1}}}}, false},
		{"impersonated", "the caller is part of the request",
			[]op{a(10, 11, contract.Commit, ready, accepted), a(12, 13, contract.Impersonate, asked, replayed)}, false},
		{"other bytes", "the id belongs to another request",
			[]op{a(10, 11, contract.Commit, ready, accepted), a(12, 13, contract.RetryOther, asked, refused("identity"))}, true},
		{"accepted at preflight", "which records nothing",
			[]op{a(10, 11, contract.Preflight, ready, Answer{Accepted: true}), look(12, 13, "", 0), a(14, 15, contract.Commit, ready, accepted)}, true},
		{"claimed and accepted", "the claim found the task running, and took it",
			[]op{a(10, 20, contract.Commit, ready, accepted), {12, 13, Input{Event: by(contract.B, contract.Claim)}, Answer{Told: claimed}}}, false},
		{"claimed too late", "the commit was first",
			[]op{a(10, 20, contract.Commit, ready, accepted), {12, 13, Input{Event: by(contract.B, contract.Claim)}, refused(ended)}}, true},
		{"an old attempt", "the authority does not issue it again",
			[]op{{10, 11, Input{Event: by(contract.B, contract.Claim)}, Answer{Told: first}}}, false},
		{"read in halves", "the directory was not changed",
			[]op{other(10, 11, contract.InputEdit, Answer{}), a(12, 13, contract.Read, told, Answer{Inputs: 2, Members: 2, Contract: 1})}, false},
		{"read too early", "the edit was called later",
			[]op{a(10, 11, contract.Read, told, Answer{Inputs: 2, Members: 1, Contract: 1}), other(12, 13, contract.InputEdit, Answer{})}, false},
		{"swept alive", "the lease has not run out", []op{{10, 11, Input{Event: by(0, contract.SweepWrite),
			Seen: contract.Sweep{Running: true, Attempt: first}}, Answer{Swept: true}}}, false},
		{"expired within", "what was under way still counts the old time",
			[]op{a(10, 20, contract.Commit, ready, accepted), other(12, 13, contract.LeaseExpire, Answer{}), look(14, 15, "", 0)}, true},
		{"expired before", "the commit was called later",
			[]op{other(10, 11, contract.LeaseExpire, Answer{}), a(12, 13, contract.Commit, ready, accepted)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.list, tt.legal, tt.reason) })
	}
}

// Histories with operations that may have happened.
func TestUnknown(t *testing.T) {
	commit := a(10, neverAnswered, contract.Commit, ready, Answer{})
	revoke := other(10, neverAnswered, contract.Revoke, Answer{})
	tests := []struct {
		name, reason string
		list         []op
		legal        bool
	}{
		{"nothing follows", "nobody knows", []op{commit}, true},
		{"had happened", "the retry says so", []op{commit, a(12, 13, contract.Retry, asked, replayed)}, true},
		{"had not happened", "the retry is the first", []op{commit, a(12, 13, contract.Retry, asked, accepted)}, true},
		{"had not happened and cannot", "the retry is refused", []op{commit, other(12, 13, contract.Revoke, Answer{}), a(14, 15, contract.Retry, asked, refused("grant"))}, true},
		{"happened late", "it took effect after a look", []op{commit, look(12, 13, "", 0), look(14, 15, "r", 1)}, true},
		{"happened, and then not", "what is accepted stays", []op{commit, look(12, 13, "r", 1), look(14, 15, "", 0)}, false},
		{"happened twice", "the retry can only be an answer then",
			[]op{commit, look(12, 13, "r", 1), a(14, 15, contract.Retry, asked, accepted)}, false},
		{"happened before it was called", "nobody had asked for it", []op{look(8, 9, "r", 1), commit}, false},
		{"happened against the rules", "the grant was revoked before",
			[]op{other(8, 9, contract.Revoke, Answer{}), commit, look(12, 13, "r", 1)}, false},
		{"two receipts", "there is one", []op{commit, look(12, 13, "r", 1), a(14, 15, contract.Retry, asked, Answer{Accepted: true, Replayed: true, Receipt: "s"})}, false},
		{"revoked", "it had happened", []op{revoke, a(12, 13, contract.Commit, ready, refused("grant"))}, true},
		{"not revoked", "it had not", []op{revoke, a(12, 13, contract.Commit, ready, accepted)}, true},
		{"revoked late", "between", []op{revoke, a(12, 13, contract.Preflight, ready, Answer{Accepted: true}), a(14, 15, contract.Commit, ready, refused("grant"))}, true},
		{"revoked, and then not", "nobody has granted it again",
			[]op{revoke, a(12, 13, contract.Preflight, ready, refused("grant")), a(14, 15, contract.Commit, ready, accepted)}, false},
		{"two edits of two", "both may have happened",
			[]op{other(10, neverAnswered, contract.InputEdit, Answer{}), other(11, neverAnswered, contract.InputEdit, Answer{}),
				a(12, 13, contract.Read, told, Answer{Inputs: 3, Members: 1, Contract: 1})}, true},
		{"three edits of two", "each happens once",
			[]op{other(10, neverAnswered, contract.InputEdit, Answer{}), other(11, neverAnswered, contract.InputEdit, Answer{}),
				a(12, 13, contract.Read, told, Answer{Inputs: 4, Members: 1, Contract: 1})}, false},
		{"the second migration of two", "the first has not happened, and the second says where to",
			[]op{{10, neverAnswered, Input{Event: by(0, contract.Migrate), Contract: 2}, Answer{}}, {12, 13, Input{Event: by(0, contract.Migrate), Contract: 3}, Answer{}},
				a(14, 15, contract.Refresh, told, Answer{Contract: 3})}, true},
		{"a claim that nobody was told of", "the worker goes on by the attempt that it knows",
			[]op{a(10, neverAnswered, contract.Claim, ready, Answer{}), a(12, 13, contract.Commit, ready, refused("attempt"))}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.list, tt.legal, tt.reason) })
	}
}

// Everything ends: an expiry with what was under way, what was not answered after the
// rest and as a client's of its own.
func TestClosed(t *testing.T) {
	h := history([]op{
		a(10, neverAnswered, contract.VerifyTests, ready, Answer{}),
		other(12, 13, contract.LeaseExpire, Answer{}),
		a(14, neverAnswered, contract.Commit, ready, Answer{}),
		other(15, 30, contract.Revoke, Answer{}),
	})
	lease := history([]op{a(10, 40, contract.Commit, ready, accepted), a(11, 12, contract.Retry, asked, replayed), other(13, 14, contract.LeaseExpire, Answer{}),
		a(15, 60, contract.Retry, asked, replayed)})
	tests := []struct {
		name, reason string
		op           porcupine.Operation
		returned     int64
		client       int
	}{
		{"unanswered", "after the last return, 30", h.closed().Operations[4], 31, unanswered},
		{"expiry beside that", "what was under way has not ended", h.closed().Operations[5], 31, 5},
		{"unanswered too", "it is another client's", h.closed().Operations[6], 31, unanswered + 1},
		{"answered", "it stays as it is", h.closed().Operations[7], 30, 7},
		{"expiry", "the commit that was under way returned at 40", lease.closed().Operations[6], 40, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.op.Return != tt.returned || tt.op.ClientId != tt.client {
				t.Errorf("returned at %d to client %d, want %d and %d: %s", tt.op.Return, tt.op.ClientId, tt.returned, tt.client, tt.reason)
			}
		})
	}
}

func check(t *testing.T, list []op, legal bool, reason string) {
	t.Helper()
	want := porcupine.Illegal
	if legal {
		want = porcupine.Ok
	}
	j := history(list).Check(0)
	if j.Result != want {
		t.Errorf("the history is %s, want %s: %s", j.Result, want, reason)
	}
	path := filepath.Join(t.TempDir(), "task.html")
	if err := j.View(path); (err == nil) == legal {
		t.Errorf("View: %v", err)
	}
	if _, err := os.Stat(path); (err == nil) == legal {
		t.Errorf("the view's file: %v", err)
	}
}
