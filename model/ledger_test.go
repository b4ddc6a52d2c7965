package model_test

import (
	"testing"

	"example.com/commitpoint/model"
)

func TestLedger(t *testing.T) {
	request := after(t, "read", "candidate", "trusted-verify").Request()
	var open model.Ledger
	done, original, ok := open.Complete(request, true)
	if !ok || done.Writes != 1 {
		t.Fatalf("an accepted request is recorded: %v, with %d writes; want one", ok, done.Writes)
	}
	want := model.Completion{Task: 1, Attempt: 1, Evidence: 1, Version: 1, Candidate: request.Candidate}
	if original != want {
		t.Errorf("receipt = %+v, want %+v", original, want)
	}

	changed, other := request, request
	changed.Candidate = model.NewBlob("43").Digest()
	other.ID = 2
	tests := []struct {
		name, reason string
		ledger       model.Ledger
		request      model.Request
		accept       bool
		recorded     bool
	}{
		{"refused", "nothing is written, or remembered", open, request, false, false},
		{"refused, then accepted", "a refusal is forgotten", open, request, true, true},
		{"identical", "the past result", done, request, true, true},
		{"identical, though it would be refused now", "it is no new decision", done, request, false, true},
		{"changed digest", "the id is bound to the whole request", done, changed, true, false},
		{"another id", "the task is complete", done, other, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			after, receipt, recorded := tt.ledger.Complete(tt.request, tt.accept)
			if recorded != tt.recorded {
				t.Errorf("recorded = %v, want %v: %s", recorded, tt.recorded, tt.reason)
			}
			if wantReceipt := (model.Completion{}); tt.recorded && receipt != original || !tt.recorded && receipt != wantReceipt {
				t.Errorf("receipt = %+v", receipt)
			}
			if tt.ledger == done && after != done {
				t.Errorf("a replay changed the ledger to %+v", after)
			}
			if !tt.accept && tt.ledger == open && after != open {
				t.Errorf("a refusal left %+v", after)
			}
		})
	}
}

// Whatever of the request changes, its id is not enough.
func TestLedgerBindsEveryField(t *testing.T) {
	request := after(t, "read", "candidate", "trusted-verify").Request()
	done, _, _ := model.Ledger{}.Complete(request, true)
	changes := map[string]func(*model.Request){
		"task":      func(r *model.Request) { r.Task++ },
		"attempt":   func(r *model.Request) { r.Attempt++ },
		"principal": func(r *model.Request) { r.Principal = model.WorkerB },
		"fence":     func(r *model.Request) { r.Fence++ },
		"inputs":    func(r *model.Request) { r.Inputs++ },
		"evidence":  func(r *model.Request) { r.Evidence++ },
		"contract":  func(r *model.Request) { r.Contract = r.Candidate },
		"candidate": func(r *model.Request) { r.Candidate = r.Contract },
	}
	for name, change := range changes {
		r := request
		change(&r)
		if l, _, ok := done.Complete(r, true); ok || l != done {
			t.Errorf("a request with another %s is answered like the recorded one", name)
		}
	}
}
