package episode

import (
	"cmp"
	"fmt"
	"slices"
)

// A Guard is one condition on what may be dispatched.
type Guard struct {
	Name string

	// Check answers, and says why in a clause; without one the finding says that there is
	// none. It has to be a pure function of its
	// arguments, and must not call the episode that it guards.
	Check func(View, Intent) (Answer, string)

	// Applies says whether the guard has anything to say about an intent. Nil means that
	// it always has.
	Applies func(Intent) bool
}

// A Finding is what a guard answered, and why.
type Finding struct {
	Guard  string `json:"guard"`
	Answer Answer `json:"answer"`
	Reason string `json:"reason"`
}

// A Decision is the result of an admission. Pass means ALLOW: the action may be reserved.
// It does not mean that it may be dispatched. The zero Decision allows nothing.
type Decision struct {
	Action   string    `json:"action"` // the intent's ID
	Carrier  string    `json:"carrier"`
	Version  uint64    `json:"version"` // of the view
	Answer   Answer    `json:"answer"`
	Findings []Finding `json:"findings"` // of every guard that applies, in their order
}

// String returns the decision's text: ALLOW, HOLD, ESCALATE or DENY.
func (d Decision) String() string {
	if d.Answer == Pass {
		return "ALLOW"
	}
	return d.Answer.String()
}

// Because returns the findings that decided: those with the decision's answer.
func (d Decision) Because() (decisive []Finding) {
	for _, f := range d.Findings {
		if f.Answer == d.Answer {
			decisive = append(decisive, f)
		}
	}
	return decisive
}

func (d Decision) clone() Decision {
	d.Findings = slices.Clone(d.Findings)
	return d
}

// Admit decides on an intent from a view: DENY if a guard that applies denies, else
// ESCALATE if one escalates, else HOLD if one holds, and ALLOW if all of them pass. Every
// guard is asked, also behind one that denies.
//
// It is an error if no guard applies, if one that applies does not answer, if a guard has
// no name or no Check, or if two have the same name; the Decision is then zero. Admit
// records nothing: see Episode.Admit.
func Admit(v View, in Intent, guards ...Guard) (Decision, error) {
	if err := checkGuards(guards); err != nil {
		return Decision{}, fmt.Errorf("admit %q: %w", in.ID, err)
	}
	d := Decision{Action: in.ID, Carrier: in.Carrier, Version: v.Version}
	for _, g := range guards {
		if g.Applies != nil && !g.Applies(in.clone()) {
			continue
		}
		answer, reason := g.Check(v.clone(), in.clone()) // a guard of somebody's own may write to it
		if answer == NoAnswer || answer > Deny {
			return Decision{}, fmt.Errorf("admit %q: guard %q gives no answer, since %s; without one nothing is admitted",
				in.ID, g.Name, cmp.Or(reason, "it has no reason"))
		}
		d.Answer = max(d.Answer, answer)
		d.Findings = append(d.Findings, Finding{g.Name, answer, cmp.Or(reason, "no reason given")})
	}
	if len(d.Findings) == 0 {
		return Decision{}, fmt.Errorf("admit %q: no guard applies to it; add one that does", in.ID)
	}
	return d, nil
}

// checkGuards checks that each finding will say which guard it is from.
func checkGuards(guards []Guard) error {
	names := map[string]bool{}
	for i, g := range guards {
		switch {
		case g.Name == "":
			return fmt.Errorf("guard %d has no name; give it one", i+1)
		case g.Check == nil:
			return fmt.Errorf("guard %q has no Check; give it one", g.Name)
		case names[g.Name]:
			return fmt.Errorf("there are two guards %q; rename one", g.Name)
		}
		names[g.Name] = true
	}
	return nil
}
