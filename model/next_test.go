package model_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/model"
)

// after returns the state after the events with the given names.
func after(t *testing.T, names ...string) model.State {
	t.Helper()
	s := model.Initial()
	for _, name := range names {
		e, err := model.ParseEvent(name)
		if err != nil {
			t.Fatal(err)
		}
		s = model.Next(s, e)
	}
	return s
}

// diff compares states by their exported fields and contents by their bytes.
func diff(want, got model.State) string {
	return cmp.Diff(want, got,
		cmp.Comparer(func(a, b model.Blob) bool { return a == b }),
		cmp.Comparer(func(a, b model.Digest) bool { return a == b }))
}

func TestInitial(t *testing.T) {
	s := model.Initial()
	want := model.Ownership{Attempt: 1, Principal: model.WorkerA, Fence: 1, LeaseLive: true}
	if s.Owner != want || s.Owner != model.Owner() {
		t.Errorf("the task starts with %+v, want %+v", s.Owner, want)
	}
	if !s.Grants.Holds(model.WorkerA) || !s.Grants.Holds(model.WorkerB) || s.Grants.Holds(0) {
		t.Errorf("grants at the start = %b, want both workers'", s.Grants)
	}
	if s.Task != model.Assigned() || s.Task.Policy != s.Default || s.Input != 1 || s.Read != 0 {
		t.Errorf("initial state = %+v", s)
	}
}

// Each event changes what it says and nothing else.
func TestNext(t *testing.T) {
	chain := []string{"read", "candidate", "trusted-verify"}
	tests := []struct {
		name, reason string
		before       []string
		event        string
		change       func(*model.State)
	}{
		{"read", "it records the current revision", []string{"input-edit", "input-edit#2"}, "read",
			func(s *model.State) { s.Read = 3 }},
		{"candidate", "it is computed from what was read, not from what is current", []string{"read", "input-edit"}, "candidate",
			func(s *model.State) {
				s.Candidate = model.Candidate{Attempt: 1, Principal: model.WorkerA, Inputs: 1, Blob: model.NewBlob("42")}
				s.Artifact = model.NewBlob("42")
			}},
		{"candidate overwrites", "an earlier edit of the artifact is gone", []string{"artifact-edit", "read"}, "candidate",
			func(s *model.State) {
				s.Candidate = model.Candidate{Attempt: 1, Principal: model.WorkerA, Inputs: 1, Blob: model.NewBlob("42")}
				s.Artifact = model.NewBlob("42")
			}},
		{"candidate after reassign", "it stays the original attempt's", []string{"read", "reassign"}, "candidate",
			func(s *model.State) {
				s.Candidate = model.Candidate{Attempt: 1, Principal: model.WorkerA, Inputs: 1, Blob: model.NewBlob("42")}
				s.Artifact = model.NewBlob("42")
			}},
		{"verify", "the checker passes the candidate", chain[:2], "trusted-verify",
			func(s *model.State) {
				s.Evidence = model.Receipt{ID: 1, Task: 1, Attempt: 1, Criterion: model.OutputIsDouble, Checker: model.Doubles,
					Pass: true, Inputs: 1, Contract: s.Task.Contract, Digest: model.NewBlob("42").Digest()}
			}},
		{"verify a stale input", "the checker looks at what was read", []string{"read", "candidate", "input-edit"}, "trusted-verify",
			func(s *model.State) {
				s.Evidence = model.Receipt{ID: 1, Task: 1, Attempt: 1, Criterion: model.OutputIsDouble, Checker: model.Doubles,
					Pass: true, Inputs: 1, Contract: s.Task.Contract, Digest: model.NewBlob("42").Digest()}
			}},
		{"verify an edited artifact", "the checker looks at the artifact as it is now, not at the candidate",
			[]string{"read", "candidate", "artifact-edit"}, "trusted-verify",
			func(s *model.State) {
				s.Evidence = model.Receipt{ID: 1, Task: 1, Attempt: 1, Criterion: model.OutputIsDouble, Checker: model.Doubles,
					Pass: false, Inputs: 1, Contract: s.Task.Contract, Digest: s.Artifact.Digest()}
			}},
		{"verify again", "a receipt of its own", chain, "trusted-verify", func(s *model.State) { s.Evidence.ID = 2 }},
		{"preflight", "the answer is the mechanism's", chain, "preflight", func(*model.State) {}},
		{"commit", "the decision is the mechanism's", chain, "commit", func(*model.State) {}},
		{"input-edit", "a new revision", chain, "input-edit", func(s *model.State) { s.Input = 2 }},
		{"artifact-edit", "other bytes", chain, "artifact-edit",
			func(s *model.State) { s.Artifact = model.NewBlob("overwritten by another writer, edit 1\n") }},
		{"artifact-edit#2", "other bytes again", append(chain, "artifact-edit"), "artifact-edit#2",
			func(s *model.State) { s.Artifact = model.NewBlob("overwritten by another writer, edit 2\n") }},
		{"lease-expire", "the attempt stays, its lease is not live", nil, "lease-expire",
			func(s *model.State) { s.Owner.LeaseLive = false }},
		{"reassign", "an explicit replacement", nil, "reassign",
			func(s *model.State) {
				s.Owner = model.Ownership{Attempt: 2, Principal: model.WorkerB, Fence: 2, LeaseLive: true}
			}},
		{"reassign after expiry", "the new attempt has a fresh live lease", []string{"lease-expire"}, "reassign",
			func(s *model.State) {
				s.Owner = model.Ownership{Attempt: 2, Principal: model.WorkerB, Fence: 2, LeaseLive: true}
			}},
		{"revoke", "worker A's grant, not worker B's", nil, "revoke",
			func(s *model.State) { s.Grants = model.Grants(0).With(model.WorkerB) }},
		{"publish", "the default moves, the task stays pinned", nil, "publish-behavior-v2",
			func(s *model.State) { s.Default = model.BehaviorV2 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := after(t, tt.before...)
			want := before
			tt.change(&want)
			got := after(t, append(tt.before, tt.event)...)
			if d := diff(want, got); d != "" {
				t.Errorf("%s: %s\n%s", tt.event, tt.reason, d)
			}
		})
	}
}

func TestRequestIsTheOriginalAttempts(t *testing.T) {
	s := after(t, "read", "candidate", "trusted-verify", "reassign", "input-edit", "artifact-edit")
	want := model.Request{ID: 1, Task: 1, Attempt: 1, Principal: model.WorkerA, Fence: 1, Evidence: 1, Inputs: 1,
		Contract: model.Assigned().Contract, Candidate: model.NewBlob("42").Digest()}
	if got := s.Request(); got != want {
		t.Errorf("Request() = %+v, want %+v", got, want)
	}
}

func TestCheckers(t *testing.T) {
	tests := []struct {
		content            string
		doubles, isInteger bool
	}{
		{"42", true, true},
		{"42\n", true, true}, // other bytes, the same number
		{"999", false, true},
		{"-42", false, true},
		{"", false, false},
		{"forty-two", false, false},
		{"42 42", false, false},
	}
	for _, tt := range tests {
		b := model.NewBlob(tt.content)
		if got := model.Doubles.Passes(1, b); got != tt.doubles {
			t.Errorf("Doubles on %q = %v", tt.content, got)
		}
		if got := model.IsInteger.Passes(1, b); got != tt.isInteger {
			t.Errorf("IsInteger on %q = %v", tt.content, got)
		}
		if model.Checker(0).Passes(1, b) {
			t.Errorf("no checker at all passes %q", tt.content)
		}
	}
}

func TestDigestsAreSHA256(t *testing.T) {
	for _, text := range []string{"", "42", "draft\n"} {
		b := model.NewBlob(text)
		sum := sha256.Sum256([]byte(text))
		if got, want := b.Digest().String(), hex.EncodeToString(sum[:]); got != want {
			t.Errorf("digest of %q = %s, want %s", text, got, want)
		}
		if b.Bytes() != text || b != model.NewBlob(text) {
			t.Errorf("blob of %q has bytes %q", text, b.Bytes())
		}
	}
	if got := model.NewBlob("42").String(); got != "7347…" {
		t.Errorf("a blob prints as %s, want the beginning of its digest", got)
	}
	if none := (model.Blob{}); none == model.NewBlob("") || none.Bytes() != "" || none.Digest().String() != "none" || none.Digest().Short() != "none" {
		t.Errorf("no content is taken for content of no bytes")
	}
	if got := model.NewBlob("42").Digest().Short(); got != "7347…" {
		t.Errorf("Short() = %s, want the first four digits of SHA-256(42)", got)
	}
}

// Content beyond the tables that ordinary histories need is made the same way.
func TestWorldIsTheSameBeyondItsTables(t *testing.T) {
	for _, r := range []model.Revision{1, 2, 65, 66, 300} {
		want := strconv.Itoa(2 * (20 + int(r)))
		if got := model.Answer(r).Bytes(); got != want {
			t.Errorf("answer to revision %d = %s, want %s", r, got, want)
		}
	}
	seen := map[model.Blob]uint8{}
	for n := range 256 {
		if n == 1 {
			continue // no event has number 1
		}
		s := model.Next(model.Initial(), model.Event{Kind: model.ArtifactEdit, N: uint8(n)})
		if m, ok := seen[s.Artifact]; ok {
			t.Errorf("edits %d and %d leave the same bytes", m, n)
		}
		seen[s.Artifact] = uint8(n)
	}
}

func TestBlobsFromManyGoroutines(t *testing.T) {
	done := make(chan model.Blob)
	for i := range 8 {
		go func() {
			var b model.Blob
			for j := range 100 {
				b = model.NewBlob("shared " + strconv.Itoa(j))
				if b.Bytes() != "shared "+strconv.Itoa(j) {
					t.Errorf("goroutine %d reads %q", i, b.Bytes())
				}
			}
			done <- b
		}()
	}
	first := <-done
	for range 7 {
		if b := <-done; b != first {
			t.Errorf("equal bytes became %v and %v", first, b)
		}
	}
}
