package conformance_test

import (
	"context"
	"slices"
	"testing"

	"example.com/commitpoint/conformance"
)

// Books are what a system that keeps them wrongly remembers of a schedule.
type books struct {
	accepted int
	refused  int
	events   []string
}

// Each mistake in what is recorded or answered again is found by itself, in the shortest
// schedule that shows it.
func TestRecords(t *testing.T) {
	const chain = "read candidate trusted-verify preflight commit"
	for _, tt := range []struct {
		name     string
		submit   func(b *books, event string, d *conformance.Decision)
		recorded func(b *books, r *conformance.Record)
		want     []string
	}{
		{name: "right", want: nil},
		{
			name:     "a completion is recorded by the preflight",
			recorded: func(b *books, r *conformance.Record) { early(b, r) },
			want:     []string{"wrong-record early-write: read candidate trusted-verify preflight"},
		},
		{
			name: "a retry is recorded again",
			recorded: func(b *books, r *conformance.Record) {
				for range b.accepted - 1 {
					r.Receipts = append(r.Receipts, r.Receipts[0])
				}
			},
			want: []string{"wrong-record replay-writes: " + chain + " retry"},
		},
		{
			name: "two completions are recorded for one",
			recorded: func(b *books, r *conformance.Record) {
				if b.accepted > 0 {
					r.Receipts = append(r.Receipts, "another")
				}
			},
			want: []string{"wrong-record second-write: " + chain},
		},
		{
			name:     "nothing is recorded",
			recorded: func(_ *books, r *conformance.Record) { r.Receipts, r.Status = nil, "" },
			want:     []string{"wrong-record lost-write: " + chain},
		},
		{
			name: "a completion is lost when the grant is revoked",
			recorded: func(b *books, r *conformance.Record) {
				if slices.Contains(b.events, "revoke") {
					r.Receipts, r.Status = nil, ""
				}
			},
			want: []string{"wrong-record lost-write: " + chain + " revoke"},
		},
		{
			name: "another receipt is recorded than the one that was given",
			recorded: func(_ *books, r *conformance.Record) {
				for i := range r.Receipts {
					r.Receipts[i] += " of the task"
				}
			},
			want: []string{"wrong-record lost-write: " + chain},
		},
		{
			name: "a retry gets a receipt of its own",
			submit: func(b *books, event string, d *conformance.Decision) {
				if event == "retry" && d.Accepted {
					d.Receipt += ", again"
				}
			},
			want: []string{"wrong-record other-receipt: " + chain + " retry"},
		},
		{
			name: "a retry is refused",
			submit: func(_ *books, event string, d *conformance.Decision) {
				if event == "retry" {
					*d = conformance.Decision{Refusal: "completed"}
				}
			},
			want: []string{"eligible-reject retry: " + chain + " retry"},
		},
		{
			name: "the id alone is compared",
			submit: func(b *books, event string, d *conformance.Decision) {
				if event == "retry-other" && b.accepted > 0 {
					*d = conformance.Decision{Accepted: true, Receipt: "completion"}
				}
			},
			want: []string{"unsafe-accept identity: " + chain + " retry-other"},
		},
		{
			name:     "a refusal is written down",
			recorded: func(b *books, r *conformance.Record) { r.State += string(rune('0' + b.refused)) },
			want:     []string{"wrong-record refusal-writes: read candidate trusted-verify preflight input-edit commit"},
		},
		{
			name: "the status lags behind",
			recorded: func(b *books, r *conformance.Record) {
				if b.accepted == 1 {
					r.Status = "running"
				}
			},
			want: []string{"wrong-record status: " + chain},
		},
		{
			name: "expiry fails the task",
			recorded: func(b *books, r *conformance.Record) {
				if r.Status == "running" && slices.Contains(b.events, "lease-expire") {
					r.Status = "failed"
				}
			},
			want: []string{"wrong-record status: lease-expire"},
		},
		{
			name: "an eligible request is refused without a word",
			submit: func(_ *books, event string, d *conformance.Decision) {
				if event == "commit" {
					*d = conformance.Decision{}
				}
			},
			want: []string{"eligible-reject unexplained: " + chain},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, mode := range []conformance.Mode{conformance.All, conformance.Covering} {
				open := hook(func(h *hooked) { keepBooks(h, tt.submit, tt.recorded) })
				if got := reasons(check(t, open, conformance.Options{Mode: mode})); !slices.Equal(got, tt.want) {
					t.Errorf("%v: got %q\nwant %q", mode, got, tt.want)
				}
			}
		})
	}
}

func early(b *books, r *conformance.Record) {
	if r.Receipts == nil && slices.Contains(b.events, "preflight") {
		r.Receipts = []string{"early"}
	}
}

// keepBooks has a system's answers go through the given functions.
func keepBooks(h *hooked, submit func(*books, string, *conformance.Decision), recorded func(*books, *conformance.Record)) {
	b := new(books)
	h.reset = func(context.Context) error { *b = books{}; return nil }
	h.apply = func(_ context.Context, e string) error { b.events = append(b.events, e); return nil }
	h.submit = func(e string, d conformance.Decision) (conformance.Decision, error) {
		b.events = append(b.events, e)
		if submit != nil {
			submit(b, e, &d)
		}
		if d.Accepted {
			b.accepted++
		} else {
			b.refused++
		}
		return d, nil
	}
	h.recorded = func(r conformance.Record) (conformance.Record, error) {
		r.Receipts = slices.Clone(r.Receipts)
		if recorded != nil {
			recorded(b, &r)
		}
		return r, nil
	}
}
