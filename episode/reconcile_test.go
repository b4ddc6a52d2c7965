package episode

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// A word is one thing that can be said of a fact. An empty value is a timeout.
type word struct{ who, value string }

// judged is the policy in other words, from the whole history at once.
func judged(quorum int, history []word) (Status, string) {
	since := 0
	for i, w := range history {
		if w.who == "judge" {
			since = i
		}
	}
	var values, agree []string
	claim, settled, late := "", false, false
	for i, w := range history {
		switch {
		case w.value == "":
			late = true
		case w.who == "judge":
			late = false
			settled = true
			if i == since {
				values = append(values, w.value)
			}
		case w.who == "gossip":
			claim = w.value
		default:
			late = false
			if i >= since {
				values = append(values, w.value)
				agree = append(agree, w.who)
			}
		}
	}
	slices.Sort(values)
	slices.Sort(agree)
	values, agree = slices.Compact(values), slices.Compact(agree)
	switch {
	case len(values) == 2:
		return Contested, ""
	case settled, len(agree) >= quorum:
		return Accepted, values[0]
	case late:
		return Unknown, ""
	case len(agree) > 0:
		return Observed, values[0]
	case claim != "":
		return Claimed, claim
	}
	return Unknown, ""
}

// Every history of up to five words, under three quorums.
func TestReconcileEveryHistory(t *testing.T) {
	words := []word{{"a", "yes"}, {"a", "no"}, {"b", "yes"}, {"b", "no"}, {"gossip", "yes"}, {"judge", "yes"}, {"judge", "no"}, {"", ""}}
	tests := []struct {
		quorum int
		want   string // how many histories end in each status
	}{
		{0, "map[unknown:58 claimed:5 observed:0 accepted:20646 contested:16740]"},
		{1, "map[unknown:58 claimed:5 observed:0 accepted:20646 contested:16740]"},
		{2, "map[unknown:546 claimed:5 observed:716 accepted:19442 contested:16740]"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.quorum), func(t *testing.T) {
			r := Reconciliation{Sources: []string{"a", "b"}, Quorum: tt.quorum, Reviewer: "judge"}
			counts := make([]int, len(statusNames))
			var walk func(s standing, history []word)
			walk = func(s standing, history []word) {
				status, value := judged(max(tt.quorum, 1), history)
				if s.fact.Status != status || s.fact.Value != value {
					t.Fatalf("%v: %v %q, want %v %q", history, s.fact.Status, s.fact.Value, status, value)
				}
				counts[status]++
				if len(history) == 5 {
					return
				}
				for _, w := range words {
					walk(s.hear(r, w), append(slices.Clip(history), w))
				}
			}
			walk(standing{}, nil)
			got := "map["
			for s, n := range counts {
				got += fmt.Sprintf("%v:%d ", Status(s), n)
			}
			if got = got[:len(got)-1] + "]"; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func (s standing) hear(r Reconciliation, w word) standing {
	switch {
	case w.value == "":
		return s.timeout(r)
	case w.who == r.Reviewer:
		return s.review(r, w.value)
	}
	return s.report(r, w.who, w.value)
}

func TestFactSources(t *testing.T) {
	r := Reconciliation{Sources: []string{"a", "b"}, Reviewer: "judge"}
	s := standing{}
	for _, w := range []word{{"gossip", "yes"}, {"b", "yes"}, {"gossip", "no"}, {"", ""}, {"judge", "no"}, {"b", "yes"}, {"a", "no"}} {
		s = s.hear(r, w)
	}
	if got, want := fmt.Sprint(s.fact.Sources), "[gossip b judge a]"; got != want {
		t.Errorf("the sources are %s, want %s", got, want)
	}
}

// What was known before does not change with what is said later: standings share nothing
// that is written to.
func TestAddTo(t *testing.T) {
	set := append(make([]string, 0, 4), "a")
	b, c := addTo(set, "b"), addTo(set, "c")
	if got := fmt.Sprint(set, b, c, addTo(b, "a")); got != "[a] [a b] [a c] [a b]" {
		t.Errorf("the sets are %s", got)
	}
}

// A fact that is settled as it was observed makes views stale, though it has the same value
// and sources.
func TestStatusMovesTheVersion(t *testing.T) {
	terms := begin(t).Terms()
	terms.Reconciliation = Reconciliation{Sources: []string{"shop", "judge"}, Quorum: 2, Reviewer: "judge"}
	e, err := Begin(terms)
	if err != nil {
		t.Fatal(err)
	}
	for i, status := range []Status{Observed, Accepted} {
		version := e.version
		err := report("judge", "news", "x")(e)
		if i == 1 {
			err = e.Review("judge", "news", "x")
		}
		if got := e.Facts()[0]; err != nil || got.Status != status || e.version != version+1 {
			t.Errorf("it is %+v, version %d after %d, error %v", got, e.version, version, err)
		}
	}
}

// If nobody is the reviewer, not even somebody without a name is.
func TestNoReviewer(t *testing.T) {
	terms := begin(t).Terms()
	terms.Reconciliation.Reviewer = ""
	e, err := Begin(terms)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Review("", "news", "x"); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
}

func TestFactIs(t *testing.T) {
	tests := []struct {
		status       Status
		value, asked string
		want         bool
	}{
		{Accepted, "9", "9", true},
		{Accepted, "9", "8", false},
		{Accepted, "9", "", true},
		{Accepted, None, "", false},
		{Accepted, None, None, true},
		{Observed, "9", "9", false},
		{Claimed, "9", "9", false},
		{Unknown, "", "", false},
		{Contested, "", "", false},
	}
	for _, tt := range tests {
		if got := (Fact{Status: tt.status, Value: tt.value}).Is(tt.asked); got != tt.want {
			t.Errorf("%v %q is %q: %v, want %v", tt.status, tt.value, tt.asked, got, tt.want)
		}
	}
}
