package contract

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Fields yields the names and values of what events change, in a fixed order, for
// people.
func (s State) Fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		fields := [][2]string{
			{"status", s.Status.String()},
			{"owner", s.Owner.Principal.String()},
			{"attempt", s.Owner.Identity.String()},
			{"lease", number(s.Owner.Lease)},
			{"last attempt id", number(s.LastInner)},
			{"last fence", number(s.LastFence)},
			{"incarnation", number(s.Authority)},
			{"contract", number(s.Contract)},
			{"grants of a", s.Grants[A.slot()].String()},
			{"grants of b", s.Grants[B.slot()].String()},
			{"input", number(s.Inputs)},
			{"directory", number(s.Members)},
			{"out/latest", s.Latest.String()},
			{"checker of tests", "version " + number(s.Admitted[Tests])},
			{"checker of review", "version " + number(s.Admitted[Review])},
			{"default policy", map[bool]string{false: "as pinned", true: "newer"}[s.NewPolicy]},
			{"swept", s.Swept.String()},
			{"recorded", s.Ledger.String()},
		}
		for t := range Target(numTargets) {
			published := "revision " + number(s.Revisions[t])
			if s.Contents[t] != (Bytes{}) {
				published += ", " + s.Contents[t].String()
			}
			fields = append(fields, [2]string{t.String(), published})
		}
		for _, w := range []Worker{A, B} {
			own, name := s.Of(w), w.String()+"'s "
			fields = append(fields,
				[2]string{name + "attempt", own.Told.String()},
				[2]string{name + "input", number(own.Inputs)},
				[2]string{name + "directory", number(own.Members)},
				[2]string{name + "contract", number(own.Contract)},
				[2]string{name + "candidate", own.Candidate.String()},
				[2]string{name + "tests", own.Receipts[Tests].String()},
				[2]string{name + "review", own.Receipts[Review].String()},
				[2]string{name + "request", own.Sent.String()},
			)
		}
		for _, f := range fields {
			if !yield(f[0], f[1]) {
				return
			}
		}
	}
}

// number writes a version, of which there is none before the first.
func number(n uint8) string {
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(int(n))
}

// String returns the numbers, outer.inner, or "none".
func (i Identity) String() string {
	if i == (Identity{}) {
		return "none"
	}
	return fmt.Sprintf("%d.%d, fence %d, incarnation %d", i.Outer, i.Inner, i.Fence, i.Incarnation)
}

// String says what the bytes are.
func (b Bytes) String() string {
	if b.Writer == foreign {
		return fmt.Sprintf("foreign bytes %d", b.Variant)
	}
	text := fmt.Sprintf("%v's of input %s", Worker(b.Writer), number(b.Inputs))
	if b.Variant > 0 {
		text += fmt.Sprintf(", variant %d", b.Variant)
	}
	return text
}

// String says what the candidate is and what it is based on, or "none".
func (c Candidate) String() string {
	if c == (Candidate{}) {
		return "none"
	}
	text := fmt.Sprintf("%v, directory %s, to %s", c.Bytes, number(c.Members), strings.Join(c.Manifest.Declared(), " and "))
	for t, revision := range c.Bases {
		if revision > 0 {
			text += fmt.Sprintf(", on %v %d", Target(t), revision)
		}
	}
	return text
}

// String says what the request asks for, or "none".
func (r Request) String() string {
	if r == (Request{}) {
		return "none"
	}
	return fmt.Sprintf("%d of %v by %v, attempt %v, contract %s: %v", r.ID, r.Author, r.Caller, r.Attempt, number(r.Contract), r.Content)
}

// String says what the receipt is about, or "none".
func (r Receipt) String() string {
	if r == (Receipt{}) {
		return "none"
	}
	result := "fail"
	if r.Pass {
		result = "pass"
	}
	return fmt.Sprintf("%s of %v, directory %s, attempt %v, for contract %d, by version %d",
		result, r.Bytes, number(r.Members), r.Attempt, r.Contract, r.Version)
}

// String says what the sweeper saw, or "none" before it looked.
func (s Sweep) String() string {
	switch {
	case s == (Sweep{}):
		return "none"
	case !s.Running:
		return "nothing to do, attempt " + s.Attempt.String()
	}
	return "running, attempt " + s.Attempt.String()
}

// String says what is recorded, or "none".
func (l Ledger) String() string {
	if l.Writes == 0 {
		return "none"
	}
	return fmt.Sprintf("request %v, write %d", l.Bound, l.Writes)
}
