package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/commitpoint/harness/session"
	"example.com/commitpoint/study/harness/checks"
)

// passing is what the checks see if all is well.
var passing = []string{
	"LC-01 PASS each answers on 127.0.0.1:3187: a is generation 2, build-a; b is generation 5, build-b",
	"LC-02 PASS EADDRINUSE; both listeners still answer",
	"LC-03 PASS the sleeping child is alive within a, in another OS session than PID 1",
	"LC-04 PASS the stale generation is refused; a still answers",
	"LC-05 PASS approved before the prior expiry: accepted; approved after it: rejected",
	"LC-06 PASS UNKNOWN for a, to which the request never came, and for c, which was removed: only an inventory tells them apart",
	"LC-07 PASS a is absent from a successful inventory; b still answers",
	"LC-08 PASS remaining: 0",
}

func text(c checks.Case) string { return fmt.Sprintf("%s %s %s", c.ID, c.Result, c.Observation) }

// The eight checks on this machine.
func TestRun(t *testing.T) {
	got := Run(t.Context(), Options{Run: "lifecycle-test"})
	if strings.Contains(got[0].Observation, session.ErrUnsupported.Error()) && os.Getenv("COMMITPOINT_CI") != "1" {
		t.Skipf("not tested: %s", got[0].Observation)
	}
	for i, c := range got {
		if text(c) != passing[i] {
			t.Errorf("got  %s\nwant %s", text(c), passing[i])
		}
	}
	if list, err := session.Inventory(t.Context(), "lifecycle-test"); err != nil || len(list) != 0 {
		t.Errorf("left: %v, %v", list, err)
	}
}

// A context that ends in the middle leaves nothing either, and what comes after is not run.
func TestRunEnded(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	w := real
	w.start = func(ctx context.Context, o session.Options) (workload, error) {
		if o.Session == "c" {
			cancel(errors.New("enough"))
		}
		return real.start(ctx, o)
	}
	got := Run(ctx, Options{Run: "lifecycle-ended", world: &w})
	if strings.Contains(got[0].Observation, session.ErrUnsupported.Error()) && os.Getenv("COMMITPOINT_CI") != "1" {
		t.Skipf("not tested: %s", got[0].Observation)
	}
	for i, c := range got {
		want := passing[i]
		if i >= 5 {
			want = fmt.Sprintf("LC-%02d NOT RUN the run was ended: enough", i+1)
		}
		if text(c) != want {
			t.Errorf("got  %s\nwant %s", text(c), want)
		}
	}
	if list, err := session.Inventory(t.Context(), "lifecycle-ended"); err != nil || len(list) != 0 {
		t.Errorf("left: %v, %v", list, err)
	}
}

// Each injection makes the checks fail which it is about, and no other pass that can't.
// A check that is not named is expected to pass.
func TestRunInjected(t *testing.T) {
	type want = map[int]string
	lostA := "NOT RUN session a is lost: "
	down := func() (session.Answer, error) { return session.Answer{}, errDown }
	for _, tt := range []struct {
		name, why string
		inject    func(*fake)
		want      want
	}{
		{"nothing", "the fake is like the machine", func(*fake) {}, nil},
		{"a has another generation", "it is another one", func(f *fake) {
			f.named("a", func(d *double) {
				d.query = func() (session.Answer, error) { a := d.answer; a.Generation++; return a, nil }
			})
		}, want{1: "FAIL a answers as session a of run RUN, generation 3, build-a: it is another one",
			2: lostA + "another one answers for it", 3: lostA, 4: lostA, 5: lostA, 6: lostA, 7: lostA}},
		{"b has another build", "it is another one", func(f *fake) {
			f.named("b", func(d *double) {
				d.query = func() (session.Answer, error) { a := d.answer; a.Build = "x"; return a, nil }
			})
		}, want{1: "FAIL b answers as session b of run RUN, generation 5, x", 2: "NOT RUN session b is lost",
			7: "NOT RUN session b is lost", 8: "NOT RUN session b is lost"}},
		{"b answers for a", "they are not isolated", func(f *fake) {
			f.named("a", func(d *double) {
				d.query = func() (session.Answer, error) { return f.alive[1].answer, nil }
			})
		}, want{1: "FAIL a answers as session b", 2: lostA, 3: lostA, 4: lostA, 5: lostA, 6: lostA, 7: lostA}},
		{"a does not answer", "it is down", func(f *fake) { f.named("a", func(d *double) { d.query = down }) },
			want{1: "FAIL a does not answer: it is down", 2: lostA + "it does not answer", 3: lostA, 4: lostA, 5: lostA, 6: lostA, 7: lostA}},
		{"a second bind succeeds", "the port is not occupied", func(f *fake) {
			f.named("a", func(d *double) { d.bind = func() error { return nil } })
		}, want{2: "FAIL a second bind of the port succeeded in a"}},
		{"a second bind fails otherwise", "that says nothing of the port", func(f *fake) {
			f.named("a", func(d *double) { d.bind = func() error { return syscall.EACCES } })
		}, want{2: "FAIL the second bind failed for another reason"}},
		{"the bind ends b", "both have to answer after it", func(f *fake) {
			f.named("a", func(d *double) {
				d.bind = func() error { f.alive[1].gone(); return syscall.EADDRINUSE }
			})
		}, want{2: "FAIL b does not answer", 7: "NOT RUN session b is lost: it does not answer", 8: "NOT RUN session b is lost"}},
		{"no list of processes", "nothing was seen", func(f *fake) {
			f.named("a", func(d *double) { d.processes = func() ([]session.Process, error) { return nil, errDown } })
		}, want{3: "FAIL it is down"}},
		{"a ends during the list", "what follows has nothing to ask", func(f *fake) {
			f.named("a", func(d *double) {
				d.processes = func() ([]session.Process, error) { d.gone(); return nil, errDown }
			})
		}, want{3: "FAIL it is down", 4: lostA + "it does not answer", 5: lostA, 6: lostA, 7: lostA}},
		{"a stale cleanup is carried out", "it is another generation's", func(f *fake) {
			f.named("a", func(d *double) { d.remove = func(session.Identity) error { d.gone(); return nil } })
		}, want{4: "FAIL after a stale cleanup (removed): a does not answer", 5: lostA, 6: lostA, 7: lostA}},
		{"a stale cleanup is accepted", "but does nothing", func(f *fake) {
			f.named("a", func(d *double) {
				d.remove = func(i session.Identity) error {
					if i == d.Identity() {
						d.gone()
					}
					return nil
				}
			})
		}, want{4: "FAIL a stale cleanup was not refused: removed"}},
		{"a stale cleanup panics", "it is unknown what it left", func(f *fake) {
			f.named("a", func(d *double) {
				d.remove = func(i session.Identity) error {
					if i != d.Identity() {
						panic("no")
					}
					d.gone()
					return nil
				}
			})
		}, want{4: "FAIL a stale cleanup was not refused: UNKNOWN: panic: no"}},
		{"c does not start", "there is nothing to lose an acknowledgement of", func(f *fake) { f.refuse("c", errDown) },
			want{6: "FAIL it is down"}},
		{"c is refused", "the machine has no room for it", func(f *fake) { f.refuse("c", session.ErrUnsupported) },
			want{6: "NOT RUN sessions are not possible here"}},
		{"c survives its removal", "an inventory has to tell", func(f *fake) {
			tries := 0
			f.named("c", func(d *double) {
				d.remove = func(session.Identity) error {
					if tries++; tries > 1 {
						d.gone()
					}
					return nil
				}
			})
		}, want{6: "FAIL c is in a successful inventory: true, and should be: false"}},
		{"no inventory", "it proves no absence", func(f *fake) {
			f.inventory = func(context.Context, string) ([]session.Process, error) { return nil, session.ErrUnknown }
		}, want{6: "FAIL what is there is UNKNOWN", 7: "FAIL what is there is UNKNOWN", 8: "FAIL what remains is UNKNOWN: UNKNOWN; cleanup UNKNOWN: UNKNOWN"}},
		{"no inventory, and an empty list", "likewise", func(f *fake) { f.failFrom(1, []session.Process{}) },
			want{6: "FAIL what is there is UNKNOWN", 7: "FAIL what is there is UNKNOWN", 8: "FAIL what remains is UNKNOWN"}},
		{"no inventory from LC-07 on", "likewise", func(f *fake) { f.failFrom(2, nil) },
			want{7: "FAIL what is there is UNKNOWN", 8: "FAIL what remains is UNKNOWN"}},
		{"no inventory in the end", "the cleanup is not verified", func(f *fake) { f.failFrom(4, nil) },
			want{8: "FAIL cleanup UNKNOWN: it is down"}},
		{"a blind inventory", "it does not see b either", func(f *fake) {
			f.inventory = func(context.Context, string) ([]session.Process, error) { return nil, nil }
		}, want{6: "FAIL a is in a successful inventory: false, and should be: true", 7: "FAIL b is in a successful inventory: false, and should be: true"}},
		{"the inventory panics", "the rest is made all the same", func(f *fake) {
			f.inventory = func(context.Context, string) ([]session.Process, error) { panic("no") }
		}, want{6: "FAIL panic: no", 7: "FAIL panic: no", 8: "FAIL panic: no; cleanup UNKNOWN: panic: no"}},
		{"the removal of a fails", "it is said, and b is removed", func(f *fake) {
			f.named("a", func(d *double) {
				d.remove = func(i session.Identity) error {
					if i != d.Identity() {
						return session.ErrRefused
					}
					return errDown
				}
			})
		}, want{7: "FAIL the removal of a is UNKNOWN: it is down", 8: "FAIL remaining: 2; cleanup: remaining: 2"}},
		{"the removal of a takes b along", "b has to survive it", func(f *fake) {
			f.named("a", func(d *double) {
				d.remove = func(i session.Identity) error {
					if i != d.Identity() {
						return session.ErrRefused
					}
					f.alive = nil
					return nil
				}
			})
		}, want{7: "FAIL b is in a successful inventory: false", 8: "NOT RUN session b is lost: it does not answer"}},
		{"a is said to be removed", "and is there", func(f *fake) {
			f.named("a", func(d *double) {
				d.remove = func(i session.Identity) error {
					if i != d.Identity() {
						return session.ErrRefused
					}
					return nil
				}
			})
		}, want{7: "FAIL a is in a successful inventory: true, and should be: false", 8: "FAIL remaining: 2; cleanup: remaining: 2"}},
		{"b is deaf after the removal of a", "it is there, and of no use", func(f *fake) {
			f.named("b", func(d *double) {
				d.query = func() (session.Answer, error) {
					if f.lists > 1 {
						return session.Answer{}, errDown
					}
					return d.answer, nil
				}
			})
		}, want{7: "FAIL b does not answer", 8: "NOT RUN session b is lost"}},
		{"the removal of b is refused", "whatever the reason", func(f *fake) {
			f.named("b", func(d *double) { d.remove = func(session.Identity) error { return session.ErrRefused } })
		}, want{8: "FAIL the removal of b is refused: removal refused; cleanup: remaining: 2"}},
		{"a does not start", "b is not started then", func(f *fake) { f.refuse("a", errDown) },
			want{1: "FAIL it is down", 2: lostA + "it did not start", 3: lostA, 4: lostA, 5: lostA, 6: lostA, 7: lostA, 8: "NOT RUN session b is lost: it did not start"}},
		{"the start panics", "nothing else depends on that", func(f *fake) {
			f.start = func(context.Context, session.Options) (workload, error) { panic("no") }
		}, want{1: "FAIL panic: no", 2: lostA, 3: lostA, 4: lostA, 5: lostA, 6: lostA, 7: lostA, 8: "NOT RUN session b is lost"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			tt.inject(f)
			for i, c := range Run(t.Context(), Options{world: &f.world}) {
				want, changed := tt.want[i+1]
				if !changed {
					want = strings.TrimPrefix(passing[i], fmt.Sprintf("LC-%02d ", i+1))
				}
				if got := fmt.Sprintf("%s %s", c.Result, c.Observation); c.ID != fmt.Sprintf("LC-%02d", i+1) || !strings.HasPrefix(got, want) {
					t.Errorf("got  %s\nwant LC-%02d %s", text(c), i+1, want)
				}
			}
		})
	}
}

// refuse makes the start of a session fail.
func (f *fake) refuse(name string, err error) {
	begin := f.start
	f.start = func(ctx context.Context, o session.Options) (workload, error) {
		if o.Session == name {
			return nil, err
		}
		return begin(ctx, o)
	}
}

// failFrom makes inventories fail from the one with a number on.
func (f *fake) failFrom(first int, list []session.Process) {
	see := f.inventory
	f.inventory = func(ctx context.Context, run string) ([]session.Process, error) {
		if f.lists++; f.lists >= first {
			return list, errDown
		}
		f.lists--
		return see(ctx, run)
	}
}

// Without sessions nothing is run, and there is nothing to clean up.
func TestRunUnsupported(t *testing.T) {
	for _, refused := range []string{"a", "b"} {
		t.Run(refused, func(t *testing.T) {
			f := newFake()
			f.refuse(refused, fmt.Errorf("start %s: %w: mount /proc: no", refused, session.ErrUnsupported))
			got := Run(t.Context(), Options{world: &f.world})
			if len(got) != 8 {
				t.Fatalf("there are %d cases", len(got))
			}
			for i, c := range got {
				if want := fmt.Sprintf("LC-%02d NOT RUN start %s: sessions are not possible here: mount /proc: no", i+1, refused); text(c) != want {
					t.Errorf("got  %s\nwant %s", text(c), want)
				}
			}
			if len(f.alive) != 0 || refused == "a" && f.lists != 0 || refused == "b" && f.lists != 1 {
				t.Errorf("%d are left, after %d inventories", len(f.alive), f.lists)
			}
		})
	}
}

// A session that was started before the system refused the next has to be seen to be gone.
func TestRunUnsupportedCleanupUnknown(t *testing.T) {
	f := newFake()
	f.refuse("b", session.ErrUnsupported)
	f.failFrom(1, nil)
	got := Run(t.Context(), Options{world: &f.world})
	if want := "LC-08 FAIL cleanup UNKNOWN: it is down"; text(got[7]) != want || got[6].Result != checks.NotRun {
		t.Errorf("got %s, want %s", text(got[7]), want)
	}
}

// A context that has ended before starts nothing.
func TestRunEndedBefore(t *testing.T) {
	f := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i, c := range Run(ctx, Options{world: &f.world}) {
		if want := fmt.Sprintf("LC-%02d NOT RUN the run was ended: context canceled", i+1); text(c) != want {
			t.Errorf("got %s, want %s", text(c), want)
		}
	}
	if f.starts != 0 || f.lists != 0 {
		t.Errorf("%d started, %d inventories", f.starts, f.lists)
	}
}

// The cleanup takes place whenever the context ends, and one failure does not stop it.
func TestRunCleansUp(t *testing.T) {
	for name, inject := range map[string]func(*double, context.CancelFunc){
		"ended": func(d *double, end context.CancelFunc) { d.bind = func() error { end(); return syscall.EADDRINUSE } },
		"a can't be hit": func(d *double, end context.CancelFunc) {
			d.bind = func() error { end(); d.gone(); panic("no") }
			d.remove = func(session.Identity) error { panic("no") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			ctx, cancel := context.WithCancel(t.Context())
			f.named("a", func(d *double) { inject(d, cancel) })
			got := Run(ctx, Options{world: &f.world})
			if got[1].Result != checks.NotRun || got[7].Result != checks.NotRun {
				t.Errorf("LC-02 is %s, LC-08 is %s", text(got[1]), text(got[7]))
			}
			if len(f.alive) != 0 || f.removals < 2 || f.lists != 1 {
				t.Errorf("%d are left, after %d removals and %d inventories", len(f.alive), f.removals, f.lists)
			}
		})
	}
}

func TestOptionsReachTheSessions(t *testing.T) {
	f := newFake()
	var got []session.Options
	begin := f.start
	f.start = func(ctx context.Context, o session.Options) (workload, error) {
		got = append(got, o)
		return begin(ctx, o)
	}
	Run(t.Context(), Options{Run: "r", Lifetime: time.Minute, world: &f.world})
	for i, want := range []session.Options{
		{Run: "r", Session: "a", Generation: 2, Build: "build-a", Port: 3187, Lifetime: time.Minute},
		{Run: "r", Session: "b", Generation: 5, Build: "build-b", Port: 3187, Lifetime: time.Minute},
		{Run: "r", Session: "c", Generation: 9, Build: "build-c", Port: 3187, Lifetime: time.Minute},
	} {
		if i >= len(got) || got[i] != want {
			t.Errorf("got %+v, want %+v in place %d", got, want, i)
		}
	}
	if got := newBench(Options{Run: "a"}).tidy("an answer,\n\tas it is"); got != "an answer, as it is" {
		t.Errorf("a run that was given is taken out: %s", got)
	}
	if a, b := newBench(Options{}).run, newBench(Options{}).run; a == b || a == "" {
		t.Errorf("two runs are %q and %q", a, b)
	}
}
