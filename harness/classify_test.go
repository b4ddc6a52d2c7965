package harness

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// receipt is a completed task with all that can be asked of it, changed.
func receipt(changes ...func(*Receipt)) Receipt {
	r := Receipt{Claim: Completed, Verified: true, Captured: true, Effect: Full, Workload: workload, Now: noon}
	for _, change := range changes {
		change(&r)
	}
	return r
}

// holding puts a lease on a receipt.
func holding(changes ...func(*Lease)) func(*Receipt) {
	return func(r *Receipt) { r.Retained, r.Lease = true, leased(changes...) }
}

func TestClassify(t *testing.T) {
	claims := func(c Claim, e Effect) func(*Receipt) {
		return func(r *Receipt) { r.Claim, r.Effect, r.Verified = c, e, false }
	}
	tests := []struct {
		id, name string
		receipt  Receipt
		want     Decision
		why      string
	}{
		{"RC-01", "completed", receipt(), Advance, "verified, effect captured in full"},
		{"RC-02", "permitted no-op", receipt(func(r *Receipt) { r.Effect, r.NoOp = NoEffect, true }), Advance, "verified, permitted no-op"},
		{"RC-03", "failed after a partial effect", receipt(claims(Failed, Partial)), Reconcile, "partial effect"},
		{"RC-04", "not verified", receipt(func(r *Receipt) { r.Verified = false }), Reconcile, "not verified"},
		{"RC-05", "no receipt", Receipt{}, Reconcile, "no receipt"},
		{"RC-06", "blocked without effect", receipt(claims(Blocked, NoEffect)), StopPolicy, "blocked, no effect"},
		{"RC-07", "cancelled without effect", receipt(claims(Cancelled, NoEffect)), StopCancelled, "cancelled, no effect"},
		{"RC-08", "valid lease", receipt(holding()), Handoff, "verified, effect captured in full, lease counts"},
		{"RC-09", "blocked with effect", receipt(claims(Blocked, Full)), Reconcile, "claims blocked, effect confirmed"},
		{"RC-10", "capture incomplete", receipt(func(r *Receipt) { r.Captured = false }), Reconcile, "capture incomplete"},
		{"RC-11", "cancelled with unknown effect", receipt(claims(Cancelled, Unknown)), Reconcile, "effect unknown"},
		{"RC-12", "approved too late", receipt(holding(func(l *Lease) { l.Approved = l.PriorExpiry.Add(1) })), Reconcile, "lease: it was not approved before the prior expiry"},
		{"RC-13", "completed in part", receipt(func(r *Receipt) { r.Effect = Partial }), Reconcile, "partial effect"},
		{"RC-14", "malformed lease", receipt(func(r *Receipt) { r.Retained = true }), Reconcile, "lease: malformed: its identity is not whole"},
		{"RC-15", "no-op not permitted", receipt(func(r *Receipt) { r.Effect = NoEffect }), Reconcile, "no-op not permitted"},
		{"RC-16", "lease of another generation", receipt(holding(func(l *Lease) { l.Generation = 2 })), Reconcile, "lease: it is of another generation"},
		{"RC-17", "lease of another owner", receipt(holding(func(l *Lease) { l.Owner = "other" })), Reconcile, "lease: it is of another owner"},
		{"RC-18", "lease of another workload", receipt(holding(func(l *Lease) { l.Workload = "db" })), Reconcile, "lease: it is of another workload"},
		{"RC-19", "approval ahead", receipt(holding(func(l *Lease) { l.Approved, l.PriorExpiry = noon.Add(1), noon.Add(2) })), Reconcile, "lease: its approval is in the future"},
		{"RC-20", "lease expired", receipt(holding(func(l *Lease) { l.Expiry = noon })), Reconcile, "lease: it has expired"},

		{"", "lease without the mark", receipt(func(r *Receipt) { r.Lease = leased() }), Reconcile, "lease: the receipt does not say that there is one"},
		{"", "lease, and the workload is not known", receipt(holding(), func(r *Receipt) { r.Workload = Identity{} }), Reconcile, "lease: the workload's identity is not whole"},
		{"", "lease, and the time is not known", receipt(holding(), func(r *Receipt) { r.Now = time.Time{} }), Reconcile, "lease: the time of the check is missing"},
		{"", "completed without workload and time", receipt(func(r *Receipt) { r.Workload, r.Now = Identity{}, time.Time{} }), Advance, "verified, effect captured in full"},
		{"", "blocked but verified", receipt(claims(Blocked, NoEffect), func(r *Receipt) { r.Verified = true }), Reconcile, "claims blocked, task verified"},
		{"", "cancelled but verified", receipt(claims(Cancelled, NoEffect), func(r *Receipt) { r.Verified = true }), Reconcile, "claims cancelled, task verified"},
		{"", "cancelled with effect", receipt(claims(Cancelled, Full)), Reconcile, "claims cancelled, effect confirmed"},
		{"", "blocked, and not all was captured", receipt(claims(Blocked, NoEffect), func(r *Receipt) { r.Captured = false }), Reconcile, "capture incomplete"},
		{"", "blocked, but keeps a service", receipt(claims(Blocked, NoEffect), holding()), Reconcile, "claims blocked, but a lease"},
		{"", "cancelled, but keeps a service", receipt(claims(Cancelled, NoEffect), holding()), Reconcile, "claims cancelled, but a lease"},
		{"", "permitted no-op that keeps a service", receipt(holding(), func(r *Receipt) { r.Effect, r.NoOp = NoEffect, true }), Reconcile, "no effect, but a lease"},
		{"", "failed without effect", receipt(claims(Failed, NoEffect)), Reconcile, "failed"},
		{"", "all well, but no claim", receipt(func(r *Receipt) { r.Claim = NoClaim }), Reconcile, "no receipt"},
		{"", "unknown claim", receipt(func(r *Receipt) { r.Claim = 200 }), Reconcile, "unknown claim or effect"},
		{"", "unknown kind of effect", receipt(func(r *Receipt) { r.Effect = 200 }), Reconcile, "unknown claim or effect"},
	}
	for _, tt := range tests {
		t.Run(strings.TrimSpace(tt.id+" "+tt.name), func(t *testing.T) {
			if got := Classify(tt.receipt); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
			if got := tt.receipt.Why(); got != tt.why {
				t.Errorf("because %q, want %q", got, tt.why)
			}
		})
	}
}

// A combination is one receipt of the whole space, in words.
type combination struct {
	receipt Receipt
	lease   string
	counts  bool
}

func (c combination) String() string {
	word := func(is bool, word string) string {
		if is {
			return word
		}
		return "-"
	}
	r := c.receipt
	return fmt.Sprintf("%-11v %-8s %-8s %-11v %-5s %s", r.Claim, word(r.Verified, "verified"),
		word(r.Captured, "captured"), r.Effect, word(r.NoOp, "no-op"), c.lease)
}

var leaseKinds = []struct {
	name   string
	counts bool
	put    func(*Receipt)
}{
	{"none", false, func(*Receipt) {}},
	{"valid", true, holding()},
	{"malformed", false, func(r *Receipt) { r.Retained = true }},
	{"unmarked", false, func(r *Receipt) { r.Lease = leased() }},
	{"other-run", false, holding(func(l *Lease) { l.Run = "other" })},
	{"other-owner", false, holding(func(l *Lease) { l.Owner = "other" })},
	{"other-workload", false, holding(func(l *Lease) { l.Workload = "other" })},
	{"other-generation", false, holding(func(l *Lease) { l.Generation = 4 })},
	{"approved-ahead", false, holding(func(l *Lease) { l.Approved, l.PriorExpiry = noon.Add(1), noon.Add(2) })},
	{"approved-late", false, holding(func(l *Lease) { l.Approved = l.PriorExpiry })},
	{"not-extending", false, holding(func(l *Lease) { l.PriorExpiry = l.Expiry })},
	{"expired", false, holding(func(l *Lease) { l.Expiry = noon })},
}

// everything returns the whole space.
func everything() (all []combination) {
	for _, claim := range []Claim{NoClaim, Completed, Failed, Blocked, Cancelled, 200} {
		for _, effect := range []Effect{Unknown, NoEffect, Partial, Full, 200} {
			for bits := range 8 {
				for _, lease := range leaseKinds {
					r := Receipt{Claim: claim, Effect: effect, Workload: workload, Now: noon,
						Verified: bits&1 != 0, Captured: bits&2 != 0, NoOp: bits&4 != 0}
					lease.put(&r)
					all = append(all, combination{r, lease.name, lease.counts})
				}
			}
		}
	}
	return all
}

// decided is Classify once more, the long way.
func decided(c combination) Decision {
	r := c.receipt
	if !r.Captured {
		return Reconcile
	}
	if c.lease != "none" {
		if c.counts && r.Claim == Completed && r.Verified && r.Effect == Full {
			return Handoff
		}
		return Reconcile
	}
	if r.Verified {
		if r.Claim == Completed && (r.Effect == Full || r.Effect == NoEffect && r.NoOp) {
			return Advance
		}
		return Reconcile
	}
	if r.Effect == NoEffect && r.Claim == Blocked {
		return StopPolicy
	}
	if r.Effect == NoEffect && r.Claim == Cancelled {
		return StopCancelled
	}
	return Reconcile
}

func TestClassifyEverything(t *testing.T) {
	all := everything()
	if len(all) != 6*5*8*12 {
		t.Fatalf("%d combinations, want %d", len(all), 6*5*8*12)
	}
	lines := make([]string, len(all))
	counts, reasons := map[Decision]int{}, map[string]int{}
	for i, c := range all {
		got := Classify(c.receipt)
		if want := decided(c); got != want {
			t.Errorf("%v: %v, want %v", c, got, want)
		}
		counts[got]++
		why, _, _ := strings.Cut(c.receipt.Why(), ":")
		reasons[got.String()+": "+why]++
		lines[i] = fmt.Sprintf("%-66v %v", c, got)
	}
	for d, want := range map[Decision]int{Reconcile: 2871, Advance: 3, Handoff: 2, StopPolicy: 2, StopCancelled: 2, Exhausted: 0} {
		if counts[d] != want {
			t.Errorf("%d combinations are %v, want %d", counts[d], d, want)
		}
	}
	var golden strings.Builder
	fmt.Fprintf(&golden, "# %d combinations, by decision and by the row that decides.\n#\n", len(all))
	for d := range Decision(len(decisionNames)) {
		fmt.Fprintf(&golden, "# %5d %v\n", counts[d], d)
	}
	fmt.Fprint(&golden, "#\n")
	for i, row := range decisions {
		text := row.decision.String() + ": " + row.why
		if reasons[text] == 0 {
			t.Errorf("row %d decides nothing: %s", i, text)
		}
		fmt.Fprintf(&golden, "# %5d %s\n", reasons[text], text)
	}
	slices.Sort(lines)
	golden.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	checkGolden(t, "decisions.golden", golden.String())
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i, line := range gotLines {
		if i >= len(wantLines) || line != wantLines[i] {
			t.Fatalf("line %d of %s is not %q; look at it, and refresh it with -update", i+1, file, line)
		}
	}
	t.Fatalf("%s has more than %d lines; look at it, and refresh it with -update", file, len(gotLines))
}

// The rows that decide something exclude each other, so that their order does not matter,
// and nothing below them decides anything.
func TestDecidingRows(t *testing.T) {
	for i, row := range decisions {
		if (row.decision != Reconcile) != (i < 5) {
			t.Errorf("row %d is %v", i, row.decision)
		}
	}
	for _, c := range everything() {
		lease, _ := c.receipt.standing()
		var matching []string
		for _, row := range decisions[:5] {
			if row.matches(c.receipt, lease) {
				matching = append(matching, row.why)
			}
		}
		if len(matching) > 1 {
			t.Errorf("%v: all of %q match", c, matching)
		}
	}
}

// worse makes one trusted input of a receipt worse.
var worse = []struct {
	name string
	do   func(*Receipt)
}{
	{"not verified", func(r *Receipt) { r.Verified = false }},
	{"not captured", func(r *Receipt) { r.Captured = false }},
	{"effect unknown", func(r *Receipt) { r.Effect = Unknown }},
	{"effect partial", func(r *Receipt) { r.Effect = Partial }},
	{"effect out of range", func(r *Receipt) { r.Effect = 200 }},
	{"no-op not permitted", func(r *Receipt) { r.NoOp = false }},
	{"lease left empty", func(r *Receipt) { r.Retained, r.Lease = true, Lease{} }},
	{"lease without mark", func(r *Receipt) { r.Retained, r.Lease = false, leased() }},
	{"lease expired", holding(func(l *Lease) { l.Expiry = noon })},
	{"workload is another", func(r *Receipt) { r.Workload.Generation += 10 }},
	{"workload not known", func(r *Receipt) { r.Workload = Identity{} }},
	{"time not known", func(r *Receipt) { r.Now = time.Time{} }},
	{"time has gone by", func(r *Receipt) { r.Now = r.Now.Add(24 * time.Hour) }},
}

func TestWorseNeverAdvances(t *testing.T) {
	goesOn := func(d Decision) bool { return d == Advance || d == Handoff }
	stopped := 0
	for _, c := range everything() {
		before := Classify(c.receipt)
		for _, change := range worse {
			r := c.receipt
			change.do(&r)
			after := Classify(r)
			if goesOn(after) && after != before {
				t.Errorf("%v: %v becomes %v by %s", c, before, after, change.name)
			}
			if goesOn(before) && !goesOn(after) {
				stopped++
			}
		}
	}
	// 8 or 9 of the changes stop each of the completions without a lease, 12 that with one.
	if want := 2*8 + 9 + 2*12; stopped != want {
		t.Errorf("%d changes stop what would have gone on, want %d", stopped, want)
	}
}

// On facts with which work goes on after one claim, every other claim is Reconcile: none
// turns them into something else.
func TestOneClaimGoesOn(t *testing.T) {
	for _, c := range everything() {
		decisions := map[Decision]bool{}
		for claim := range Claim(201) {
			r := c.receipt
			r.Claim = claim
			if d := Classify(r); d != Reconcile {
				decisions[d] = true
			}
		}
		if (decisions[Advance] || decisions[Handoff]) && len(decisions) > 1 {
			t.Errorf("%v: a claim chooses from %v", c, decisions)
		}
	}
}
