package judgment

import (
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/episode"
)

// Of judges an episode as it stands. It changes nothing, and may be called at any time; but
// it looks more than once, so that nobody may change the episode meanwhile.
func Of(e *episode.Episode) Vector {
	s := seen{terms: e.Terms(), closure: e.Closure(), record: e.Record(), commitments: e.Commitments(), facts: map[string]episode.Fact{}}
	for _, f := range e.Facts() {
		s.facts[f.Name] = f
	}
	return Vector{
		RunCompletion:      s.completion(),
		TaskSuccess:        s.reached("no outcome is declared", s.terms.Outcome),
		ServiceFulfillment: s.fulfillment(),
		Authority:          s.authority(),
		Continuity:         s.continuity(),
		Evidence:           s.evidence(),
		HumanWork:          s.work(),
		StakeholderValue:   s.reached("no stakeholder has declared any", s.terms.Value),
	}
}

// seen is what there is to judge by.
type seen struct {
	terms       episode.Terms
	closure     episode.Closure
	record      []episode.Entry
	commitments []episode.Commitment
	facts       map[string]episode.Fact
}

// completion looks at the ending only: a run that failed is complete.
func (s seen) completion() Judgment {
	if s.closure.Ending == episode.Open {
		return Judgment{NotMet, "it has not ended"}
	}
	return Judgment{Met, fmt.Sprintf("it ended as %v", s.closure.Ending)}
}

// reached judges facts that are wanted: one that is accepted otherwise decides, and else
// one of which that is not known.
func (s seen) reached(none string, wanted []episode.Want) Judgment {
	if len(wanted) == 0 {
		return Judgment{NotJudged, none}
	}
	var reasons []string
	grade := Met
	for _, w := range wanted {
		f := s.facts[w.Fact]
		f.Name = w.Fact
		switch {
		case f.Is(w.Value):
		case f.Status == episode.Accepted:
			grade = NotMet
		case grade == Met:
			grade = Undetermined
		}
		reasons = append(reasons, says(f))
	}
	return Judgment{grade, strings.Join(reasons, ", ")}
}

// fulfillment takes the episode's word: no other package decides that.
func (s seen) fulfillment() Judgment {
	switch {
	case s.closure.Ending == episode.Fulfilled:
		return Judgment{Met, "nothing blocked it"}
	case s.closure.Ending == episode.Open:
		return Judgment{Undetermined, "it has not ended"}
	case len(s.closure.Blocks) == 0:
		return Judgment{NotMet, fmt.Sprintf("it ended as %v, though nothing blocked it", s.closure.Ending)}
	}
	return Judgment{NotMet, strings.Join(s.closure.Blocks, ", ")}
}

// authority looks for actions that went past the episode. What was tried and refused is no
// breach: there the boundary held.
func (s seen) authority() Judgment {
	dispatches := 0
	var breaches []string
	for _, e := range s.record {
		switch e.Kind {
		case "dispatch":
			dispatches++
		case "bypass":
			breaches = append(breaches, fmt.Sprintf("%s dispatched %s past the guards, which said %s", e.Actor, e.Subject, because(e.Decision)))
		}
	}
	switch {
	case len(breaches) > 0:
		return Judgment{NotMet, strings.Join(breaches, ", ")}
	case dispatches == 0:
		return Judgment{NotJudged, "nothing was dispatched"}
	}
	return Judgment{Met, "all that was dispatched was admitted and reserved"}
}

// because says what the guards said of an action that went past them.
func because(d episode.Decision) string {
	if len(d.Findings) == 0 {
		return "nothing, since not all of them could answer"
	}
	var reasons []string
	for _, f := range d.Because() {
		reasons = append(reasons, f.Reason)
	}
	if d.Answer == episode.Pass {
		reasons = []string{"without a reservation"}
	}
	return fmt.Sprintf("%v: %s", d, strings.Join(reasons, " and "))
}

// continuity looks for replaced carriers whose delegation stands: two carriers are then
// entitled to the same.
func (s seen) continuity() Judgment {
	standing := map[string]bool{}
	var replaced []string
	for _, e := range s.record {
		switch e.Kind {
		case "delegation":
			standing[e.Subject] = true
		case "revocation":
			standing[e.Subject] = false
		case "replacement":
			replaced = append(replaced, e.Subject)
		}
	}
	left := slices.DeleteFunc(slices.Clone(replaced), func(carrier string) bool { return !standing[carrier] })
	switch {
	case len(replaced) == 0:
		return Judgment{NotJudged, "no carrier was replaced"}
	case len(left) > 0:
		return Judgment{NotMet, fmt.Sprintf("the delegation of %s, which was replaced, stands", strings.Join(left, ", "))}
	}
	return Judgment{Met, fmt.Sprintf("no authority was left with %s, which was replaced", strings.Join(replaced, ", "))}
}

// evidence looks at what an action past the guards rested on, and then at what has to be
// accepted in the end: what is mandatory, and what was taken for the discharge of a debt.
func (s seen) evidence() Judgment {
	var unfounded, missing []string
	names := slices.Clone(s.terms.Mandatory)
	for _, f := range s.terms.Outcome {
		names = append(names, f.Fact)
	}
	for _, e := range s.record {
		if e.Kind == "dispatch" || e.Kind == "bypass" {
			names = append(names, e.Subject)
		}
		for _, f := range e.Decision.Findings {
			if e.Kind == "bypass" && f.Guard == "evidence" && f.Answer != episode.Pass {
				unfounded = append(unfounded, fmt.Sprintf("%s rested on it: %s", e.Subject, f.Reason))
			}
		}
	}
	for _, name := range names {
		if f := s.facts[name]; f.Status != episode.Accepted {
			f.Name = name
			missing = append(missing, says(f))
		}
	}
	missing = append(missing, s.undone()...)
	// A fact can be mandatory for several reasons, and is missing once.
	slices.Sort(missing)
	missing = slices.Compact(missing)
	switch all := strings.Join(append(unfounded, missing...), ", "); {
	case len(unfounded) > 0, len(missing) > 0 && s.closure.Ending != episode.Open:
		return Judgment{NotMet, all}
	case len(missing) > 0:
		return Judgment{Undetermined, all}
	}
	return Judgment{Met, "all that is mandatory is accepted"}
}

// undone says which discharges rest on what is not accepted any longer.
func (s seen) undone() (all []string) {
	for _, c := range s.commitments {
		if f := s.facts[c.Due]; c.Discharged && !f.Is("") {
			all = append(all, fmt.Sprintf("the discharge of %s no longer holds: %s", c.ID, says(f)))
		}
	}
	return all
}

// work says what the episode asked of those who decide. Whether they are people, and
// whether it was too much, is not on the record.
func (s seen) work() Judgment {
	var parts []string
	for _, kind := range []string{"approval", "review", "revocation"} {
		n := 0
		for _, e := range s.record {
			if e.Kind == kind {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%ss: %d", kind, n))
	}
	return Judgment{Reported, strings.Join(parts, ", ")}
}

func says(f episode.Fact) string {
	if f.Value == "" {
		return fmt.Sprintf("%s is %v", f.Name, f.Status)
	}
	return fmt.Sprintf("%s is %v (%s)", f.Name, f.Status, f.Value)
}
