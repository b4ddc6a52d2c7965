package episode

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What closure looks at: one of each.
type facts struct {
	outcome, mandatory, effect Status
	right                      bool // the outcome has the value that is wanted
	dispatched                 bool
	commitment                 string
	due                        Status
	done                       bool // what is due was done
}

// every calls f with all of them.
func every(f func(facts)) {
	statuses := []Status{Unknown, Claimed, Observed, Accepted, Contested}
	for _, outcome := range statuses {
		for _, right := range []bool{true, false} {
			for _, mandatory := range statuses {
				for _, effect := range statuses {
					for _, dispatched := range []bool{true, false} {
						for _, commitment := range []string{"proposed", "owed", "discharged", "transferred"} {
							for _, due := range statuses {
								for _, done := range []bool{true, false} {
									f(facts{outcome, mandatory, effect, right, dispatched, commitment, due, done})
								}
							}
						}
					}
				}
			}
		}
	}
}

func (f facts) ends() ends {
	fact := func(name string, s Status, value string) Fact {
		if s == Unknown || s == Contested {
			value = ""
		}
		return Fact{Name: name, Status: s, Value: value}
	}
	value := map[bool]string{true: "12A", false: "9F"}[f.right]
	paid := map[bool]string{true: "yes", false: None}[f.done]
	c := owes("refund")
	if f.commitment != "proposed" {
		c.Agreed = c.Parties
	}
	c.Discharged = f.commitment == "discharged"
	if f.commitment == "transferred" {
		c.Transferred = "bank"
	}
	s := ends{outcome: []Fact{fact("seat", f.outcome, value)}, wanted: []string{"12A"},
		mandatory:   []Fact{fact("receipt", f.mandatory, "r1")},
		commitments: []Commitment{c}, due: []Fact{fact("refund-done", f.due, paid)}}
	if f.dispatched {
		s.effects = []Fact{fact("buy", f.effect, None)}
	}
	return s
}

// Everything that closure looks at, in every combination, against the rule in other words.
func TestClosureEveryState(t *testing.T) {
	fulfilled, total := 0, 0
	texts := map[string]bool{}
	every(func(f facts) {
		total++
		blocks := f.ends().blocks()
		want := f.outcome == Accepted && f.right && f.mandatory == Accepted && (!f.dispatched || f.effect == Accepted) &&
			f.commitment != "owed" && (f.commitment != "discharged" || f.due == Accepted && f.done)
		if (len(blocks) == 0) != want {
			t.Errorf("%+v: blocks are %q", f, blocks)
		}
		if want {
			fulfilled++
		}
		for _, b := range blocks {
			texts[b] = true
		}
	})
	// Of 20000 states: 5 effects when nothing was dispatched and 1 otherwise, by a commitment
	// that is discharged by 1 of 10 facts, and 2 others by whichever.
	if total != 20000 || fulfilled != 6*21 {
		t.Errorf("%d of %d states can be fulfilled, want 126 of 20000", fulfilled, total)
	}
	var all []string
	for text := range texts {
		all = append(all, text)
	}
	slices.Sort(all)
	golden(t, "blocks.golden", strings.Join(all, "\n")+"\n")
}

// The order is fixed, and everything that blocks is there.
func TestBlocksInOrder(t *testing.T) {
	c := owes("refund")
	c.Agreed = c.Parties
	paid := c
	paid.ID, paid.Discharged = "loan", true
	s := ends{outcome: []Fact{{Name: "a"}, {Name: "b"}}, wanted: []string{"", ""}, mandatory: []Fact{{Name: "c"}, {Name: "d"}},
		effects: []Fact{{Name: "e"}, {Name: "f"}}, commitments: []Commitment{c, paid, c},
		due: []Fact{{Name: "g"}, {Name: "h"}, {Name: "i"}}}
	want := `["outcome a is unknown" "outcome b is unknown" "mandatory c is unknown" "mandatory d is unknown" "the effect of e is unknown" "the effect of f is unknown" ` +
		`"shop still owes refund-done to ann (refund)" "the discharge of loan no longer holds: h is unknown" "shop still owes refund-done to ann (refund)"]`
	if got := fmt.Sprintf("%q", s.blocks()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// done are the calls that leave nothing to block fulfillment.
func done() []call {
	return append(until(4, buy), report("shop", "buy", "done"), report("shop", "ticket", "t1"), report("shop", "receipt", "r1"),
		report("shop", "refund-done", "yes"), func(e *Episode) error { return e.Discharge("refund") })
}

// Each thing that fulfillment takes, taken away from an episode that has all of them.
func TestFulfilledTakesEachThing(t *testing.T) {
	tests := []struct {
		name    string
		without int // of the calls of done
		more    []call
		blocks  string
	}{
		{"nothing", -1, nil, "[]"},
		{"the effect", 4, nil, `["the effect of buy is unknown"]`},
		{"the outcome", 5, nil, `["outcome ticket is unknown"]`},
		{"what is mandatory", 6, nil, `["mandatory receipt is unknown"]`},
		{"the discharge", 8, nil, `["shop still owes refund-done to ann (refund)"]`},
		{"nothing, after a contradiction", -1, []call{report("bank", "receipt", "r2")}, `["mandatory receipt is contested"]`},
		{"nothing, after a contradiction of the effect", -1, []call{report("bank", "buy", None)}, `["the effect of buy is contested"]`},
		{"nothing, after a contradiction of what was due", -1, []call{report("bank", "refund-done", "no")},
			`["the discharge of refund no longer holds: refund-done is contested"]`},
		{"nothing, after a contradiction that was reviewed", -1, []call{report("bank", "refund-done", "no"), func(e *Episode) error { return e.Review("judge", "refund-done", "yes") }}, "[]"},
		{"nothing, after a review that it was not done", -1, []call{func(e *Episode) error { return e.Review("judge", "refund-done", None) }},
			`["the discharge of refund no longer holds: refund-done is accepted (none)"]`},
		{"nothing, though nobody waits for what was due", -1, []call{func(e *Episode) error { return e.Timeout("refund-done") }}, "[]"},
		{"the discharge, but transferred", 8, []call{func(e *Episode) error { return e.Transfer("ann", "refund", "bank") }}, "[]"},
		{"the outcome, which is accepted as none", 5, []call{report("shop", "ticket", None)}, `["outcome ticket is accepted (none)"]`},
		{"nothing, with another action past the episode", -1, []call{func(e *Episode) error { return e.Bypass(rival) }}, `["the effect of rival is unknown"]`},
		{"nothing, with another commitment", -1, []call{func(e *Episode) error { return e.Agree("gift", "ann") }}, "[]"},
		{"nothing, with another commitment that all agree to", -1, []call{func(e *Episode) error { return e.Agree("gift", "ann") },
			func(e *Episode) error { return e.Agree("gift", "shop") }}, `["shop still owes gift-done to ann (gift)"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls := done()
			if tt.without >= 0 {
				calls = slices.Delete(calls, tt.without, tt.without+1)
			}
			e := begin(t, append(calls, tt.more...)...)
			if got := e.Closure(); fmt.Sprintf("%q", got.Blocks) != tt.blocks || got.Ending != Open {
				t.Errorf("before the end it is %+v", got)
			}
			c, err := e.Close(Fulfilled)
			if got := fmt.Sprintf("%q", c.Blocks); got != tt.blocks {
				t.Errorf("blocks are %s, want %s", got, tt.blocks)
			}
			fulfilled := tt.blocks == "[]"
			if (err == nil) != fulfilled || errors.Is(err, ErrRefused) == fulfilled || (c.Ending == Fulfilled) != fulfilled || e.Closure().Ending != c.Ending {
				t.Errorf("it is %v, error %v", c.Ending, err)
			}
			if c, err := e.Close(Disputed); !fulfilled && (err != nil || c.Ending != Disputed || fmt.Sprintf("%q", c.Blocks) != tt.blocks) {
				t.Errorf("otherwise it is %+v, error %v", c, err)
			}
		})
	}
}

func TestCloseSaysHowMuchBlocks(t *testing.T) {
	_, err := begin(t).Close(Fulfilled)
	if want := `close as "fulfilled": refused: outcome ticket is unknown; settle that and 2 more, or end it otherwise`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = begin(t, append(done(), report("bank", "receipt", "r2"))...).Close(Fulfilled)
	if want := `close as "fulfilled": refused: mandatory receipt is contested; settle that, or end it otherwise`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Every ending but Fulfilled is open to every episode, and what comes later does not
// change it.
func TestEndingsStay(t *testing.T) {
	for ending := Fulfilled; ending <= Unresolved; ending++ {
		t.Run(ending.String(), func(t *testing.T) {
			var calls []call
			if ending == Fulfilled {
				calls = done()
			}
			e := begin(t, calls...)
			c, err := e.Close(ending)
			if err != nil || c.Ending != ending {
				t.Fatalf("it is %+v, error %v", c, err)
			}
			want := fmt.Sprintf("%+v", e.Closure())
			c.Blocks = append(c.Blocks, "spoilt")
			for _, later := range []call{report("bank", "ticket", "t2"), report("shop", "refund-done", "yes"), report("bank", "receipt", "r2")} {
				if err := later(e); err != nil {
					t.Error(err)
				}
			}
			_ = e.Discharge("refund") // is done already if it is fulfilled
			if again, err := e.Close(Cancelled); err == nil || again.Ending != ending {
				t.Errorf("it ends again: %+v", again)
			}
			if got := fmt.Sprintf("%+v", e.Closure()); got != want {
				t.Errorf("it has become %s, want %s", got, want)
			}
			if got := e.Commitments()[0].State(); got != "discharged" {
				t.Errorf("what was owed is %s", got)
			}
		})
	}
}
