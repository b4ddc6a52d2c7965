package harness

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"
)

var (
	noon     = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	workload = Identity{Run: "run", Owner: "owner", Workload: "web", Generation: 3}
)

// leased is a lease that counts at noon, changed.
func leased(changes ...func(*Lease)) Lease {
	l := Lease{workload, noon.Add(-2 * time.Hour), noon.Add(-time.Hour), noon.Add(time.Hour)}
	for _, change := range changes {
		change(&l)
	}
	return l
}

func TestLeaseCheck(t *testing.T) {
	const ns = time.Nanosecond
	at := func(d time.Duration) time.Time { return noon.Add(d) }
	tests := []struct {
		name, why string
		change    func(*Lease)
		want      string // what the error says; nothing if the lease counts
	}{
		{"valid", "RC-08", func(l *Lease) {}, ""},
		{"prior expiry ahead", "it is extended early", func(l *Lease) { l.PriorExpiry = at(time.Minute) }, ""},
		{"in another zone", "instants are compared", func(l *Lease) {
			east := time.FixedZone("", 3600)
			l.Approved, l.PriorExpiry, l.Expiry = l.Approved.In(east), l.PriorExpiry.In(east), l.Expiry.In(east)
		}, ""},

		{"empty", "RC-14", func(l *Lease) { *l = Lease{} }, "malformed: its identity is not whole; record"},
		{"no run", "RC-14", func(l *Lease) { l.Run = "" }, "malformed: its identity"},
		{"no owner", "RC-14", func(l *Lease) { l.Owner = "" }, "malformed: its identity"},
		{"no workload", "RC-14", func(l *Lease) { l.Workload = "" }, "malformed: its identity"},
		{"no generation", "RC-14", func(l *Lease) { l.Generation = 0 }, "malformed: its identity"},
		{"no approval", "RC-14", func(l *Lease) { l.Approved = time.Time{} }, "malformed: a time is missing; record"},
		{"no prior expiry", "RC-14", func(l *Lease) { l.PriorExpiry = time.Time{} }, "malformed: a time"},
		{"no expiry", "RC-14", func(l *Lease) { l.Expiry = time.Time{} }, "malformed: a time"},
		{"expires before approval", "RC-14", func(l *Lease) { l.Expiry = l.Approved.Add(-ns) }, "malformed: it expires before its approval; look"},
		{"expires at approval", "it is well formed", func(l *Lease) { l.Expiry = l.Approved }, "does not extend"},

		{"another run", "names are used again in other runs", func(l *Lease) { l.Run = "other" }, "another run; have"},
		{"another owner", "RC-17", func(l *Lease) { l.Owner = "other" }, "another owner; have"},
		{"another workload", "RC-18", func(l *Lease) { l.Workload = "other" }, "another workload; have"},
		{"older generation", "RC-16", func(l *Lease) { l.Generation-- }, "another generation; have"},
		{"newer generation", "RC-16", func(l *Lease) { l.Generation++ }, "another generation"},

		{"approved now", "it has happened", func(l *Lease) { l.Approved, l.PriorExpiry = noon, at(ns) }, ""},
		{"approved next", "RC-19", func(l *Lease) { l.Approved, l.PriorExpiry = at(ns), at(2*ns) }, "approval is in the future; compare"},
		{"approved just before the prior expiry", "in time", func(l *Lease) { l.Approved = l.PriorExpiry.Add(-ns) }, ""},
		{"approved at the prior expiry", "the workload is over by then", func(l *Lease) { l.Approved = l.PriorExpiry }, "not approved before the prior expiry; treat"},
		{"approved after the prior expiry", "RC-12", func(l *Lease) { l.Approved = l.PriorExpiry.Add(ns) }, "not approved before"},
		{"extends by nothing", "it is no extension", func(l *Lease) { l.PriorExpiry = l.Expiry }, "does not extend the prior expiry; have"},
		{"shortens", "it is no extension", func(l *Lease) { l.PriorExpiry = l.Expiry.Add(ns) }, "does not extend"},
		{"extends by one", "any will do", func(l *Lease) { l.PriorExpiry = l.Expiry.Add(-ns) }, ""},
		{"expires next", "it is ahead", func(l *Lease) { l.Expiry = at(ns) }, ""},
		{"expires now", "it is over", func(l *Lease) { l.Expiry = noon }, "has expired; treat"},
		{"expired", "RC-20", func(l *Lease) { l.Expiry = at(-ns) }, "has expired"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkLease(t, leased(tt.change), workload, noon, tt.want, tt.why)
		})
	}
}

func checkLease(t *testing.T, l Lease, of Identity, now time.Time, want, why string) {
	t.Helper()
	err := l.Check(of, now)
	start := fmt.Sprintf("check lease of %v for %v: ", l.Identity, of)
	switch {
	case want == "" && err != nil:
		t.Errorf("%v, but it counts: %s", err, why)
	case want != "" && err == nil:
		t.Errorf("it counts, but %s: %s", want, why)
	case want != "" && (!strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), start)):
		t.Errorf("%v, want %s: %s", err, want, why)
	}
}

// Equal identities that name nothing name nothing in common.
func TestLeaseOfNoIdentity(t *testing.T) {
	for _, of := range []Identity{{}, {"", "owner", "web", 3}, {"run", "", "web", 3}, {"run", "owner", "", 3}, {"run", "owner", "web", 0}} {
		checkLease(t, leased(), of, noon, "the workload's identity is not whole", "it is the workload's that lacks")
		checkLease(t, leased(func(l *Lease) { l.Identity = of }), of, noon, "malformed", "the lease comes first")
	}
	checkLease(t, leased(), workload, time.Time{}, "the time of the check is missing; pass", "nothing is ahead of no time")
}

// asleep is what time.Now returns on a machine that slept for an hour since t: the monotonic
// reading, which is the second word of a time that has one, did not move.
func asleep(t time.Time) time.Time {
	later := t.Add(time.Hour)
	words := func(t *time.Time) *[2]uint64 { return (*[2]uint64)(unsafe.Pointer(t)) }
	words(&later)[1] = words(&t)[1]
	return later
}

func TestMonotonicReadingsAreIgnored(t *testing.T) {
	start := time.Now()
	woken := asleep(start)
	if woken.After(start) || woken.Round(0).Sub(start.Round(0)) != time.Hour {
		t.Fatal("the test does not make times with a monotonic reading that stood still")
	}
	l := Lease{workload, start.Add(-2 * time.Minute), start.Add(-time.Minute), start.Add(time.Minute)}
	checkLease(t, l, workload, start, "", "it is ahead")
	checkLease(t, l, workload, woken, "has expired", "an hour has gone by")
	l.Expiry = asleep(l.Expiry)
	checkLease(t, l, workload, start.Add(2*time.Minute), "", "it is ahead, on the wall")
	l = Lease{workload, asleep(start), start.Add(2 * time.Hour), start.Add(3 * time.Hour)}
	checkLease(t, l, workload, start.Add(time.Minute), "approval is in the future", "on the wall")
	l = Lease{workload, start, asleep(start.Add(-time.Minute)), start.Add(3 * time.Hour)}
	checkLease(t, l, workload, start.Add(time.Minute), "", "approved before the prior expiry, on the wall")
	l = Lease{workload, start.Add(10 * time.Minute), start.Add(20 * time.Minute), woken}
	checkLease(t, l, workload, start.Add(30*time.Minute), "", "it expires last, on the wall")

	var c Clock
	for i, now := range []time.Time{woken, start} {
		if err := c.Observe(now); (err != nil) != (i == 1) {
			t.Errorf("time %d: %v, but only the second went back", i, err)
		}
	}
	if now, err := new(Clock).Read(time.Now); err != nil || now != now.Round(0) {
		t.Errorf("read %v, %v, with a monotonic reading", now, err)
	}
}

// Times around each other, compared with the rule as one formula of whole numbers.
func TestLeaseTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tick := rapid.Int64Range(-3, 3)
		approved, prior, expiry := tick.Draw(t, "approved"), tick.Draw(t, "prior"), tick.Draw(t, "expiry")
		at := func(n int64) time.Time {
			zone := time.FixedZone("", rapid.IntRange(-12, 14).Draw(t, "zone")*3600)
			return noon.Add(time.Duration(n)).In(zone)
		}
		l := Lease{workload, at(approved), at(prior), at(expiry)}
		want := approved <= 0 && approved < prior && prior < expiry && 0 < expiry
		if err := l.Check(workload, at(0)); (err == nil) != want {
			t.Fatalf("approved %d, prior expiry %d, expiry %d, at 0: %v", approved, prior, expiry, err)
		}
	})
}

func TestClock(t *testing.T) {
	var c Clock
	tests := []struct {
		name, why string
		now       time.Time
		want      string
	}{
		{"no time", "it is no instant", time.Time{}, "the time is missing; pass"},
		{"first", "nothing came before", noon, ""},
		{"equal", "it did not go back", noon, ""},
		{"equal in another zone", "it is the same instant", noon.In(time.FixedZone("", 3600)), ""},
		{"ahead", "as it should", noon.Add(time.Minute), ""},
		{"back", "by some seconds", noon.Add(59 * time.Second), "went back by 1s; check no lease"},
		{"back, but after the first", "a refused one is not remembered", noon.Add(59 * time.Second), "went back"},
		{"no time again", "it is not before all others either", time.Time{}, "the time is missing"},
		{"caught up", "as before", noon.Add(time.Minute), ""},
	}
	for _, tt := range tests {
		err := c.Observe(tt.now)
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q: %s", tt.name, err, tt.want, tt.why)
		}
	}
	now, err := c.Read(func() time.Time { return noon })
	if err == nil || !now.IsZero() {
		t.Errorf("read %v, %v, which went back", now, err)
	}
}

// Readings that come in order from a source are never refused, whoever asks for them.
func TestClockReadIsAtomic(t *testing.T) {
	var (
		c     Clock
		steps int
		group sync.WaitGroup
		seen  = make([][]time.Time, 8)
	)
	source := func() time.Time {
		n := steps + 1
		runtime.Gosched() // without the lock others read the same
		steps = n
		return noon.Add(time.Duration(n))
	}
	for i := range seen {
		group.Go(func() {
			for range 500 {
				now, err := c.Read(source)
				if err != nil {
					t.Error(err)
					return
				}
				seen[i] = append(seen[i], now)
			}
		})
	}
	group.Wait()
	all := slices.SortedFunc(slices.Values(slices.Concat(seen...)), time.Time.Compare)
	if len(all) != 4000 || len(slices.Compact(all)) != 4000 {
		t.Errorf("%d readings, some of them twice, want 4000", len(all))
	}
	if err := c.Observe(noon.Add(3999)); err == nil {
		t.Error("the last reading was not remembered")
	}
}

func TestClockObserveIsSafe(t *testing.T) {
	var c Clock
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 500 {
				c.Observe(noon.Add(time.Duration(8*n + i))) // some are refused, depending on the order
			}
		})
	}
	group.Wait()
	if c.Observe(noon.Add(3998)) == nil || c.Observe(noon.Add(3999)) != nil {
		t.Error("the latest time is not the one remembered")
	}
}
