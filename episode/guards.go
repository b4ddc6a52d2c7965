package episode

import (
	"fmt"
	"math/bits"
	"slices"
)

// Guards returns the six guards of R1, in this order:
//
//   - authority: the carrier has not been replaced, and has a delegation that is not
//     revoked, covers the action and has the budget for it, or DENY; a final action above
//     the threshold is approved, or ESCALATE.
//   - prerequisites: each is met, or HOLD.
//   - policy: it does not forbid the action, or DENY. Without a policy: no answer.
//   - resource: nobody else holds it, or HOLD. One that there is not: no answer.
//   - evidence: each fact that it needs is accepted, or ESCALATE for one that is contested
//     and HOLD for any other. The action itself has not been dispatched before, or is known
//     to have had no effect: ESCALATE or HOLD as above, and DENY if it had one. Of an action
//     that was not dispatched only what is accepted or contested counts: neither claims nor
//     a timeout can hold it.
//   - freshness: the view is of the latest version, or HOLD. Without a version: no answer.
//
// See section 2.4, R1, and section 6.1.
func Guards() []Guard {
	return []Guard{
		{Name: "authority", Check: authority},
		{Name: "prerequisites", Check: prerequisites},
		{Name: "policy", Check: policy},
		{Name: "resource", Check: resource},
		{Name: "evidence", Check: evidence},
		{Name: "freshness", Check: freshness},
	}
}

// authority asks for what bounds the carrier. What is denied for good comes before what
// somebody can still approve.
func authority(v View, in Intent) (Answer, string) {
	d := v.Delegation
	left := d.Budget - min(d.Budget, v.held(in))
	switch {
	case v.Carrier != in.Carrier || d.Carrier != "" && d.Carrier != in.Carrier:
		return NoAnswer, fmt.Sprintf("the view is not of %s, but of %q with a delegation to %q", in.Carrier, v.Carrier, d.Carrier)
	case v.Successor != "":
		return Deny, fmt.Sprintf("%s has been replaced by %s", in.Carrier, v.Successor)
	case d.Carrier == "":
		return Deny, fmt.Sprintf("nothing is delegated to %s", in.Carrier)
	case d.Revoked:
		return Deny, fmt.Sprintf("%s has revoked the delegation to %s", d.Principal, d.Carrier)
	case !slices.Contains(d.Actions, in.Action):
		return Deny, fmt.Sprintf("the delegation to %s does not cover %s", d.Carrier, in.Action)
	case in.Cost > left:
		return Deny, fmt.Sprintf("the cost of %d is above what is left of the budget, %d of %d", in.Cost, left, d.Budget)
	case in.Final && in.Cost > d.Threshold && !slices.Contains(v.Approved, in.ID):
		return Escalate, fmt.Sprintf("it is final, its cost of %d is above the threshold of %d, and %s has not approved it", in.Cost, d.Threshold, d.Principal)
	}
	return Pass, fmt.Sprintf("%s has delegated it to %s", d.Principal, d.Carrier)
}

// held returns what the carrier's other holds cost, at most the largest number.
func (v View) held(in Intent) (sum uint64) {
	for _, h := range v.Holds {
		if h.Carrier != in.Carrier || h.Action == in.ID {
			continue
		}
		next, overflow := bits.Add64(sum, h.Cost, 0)
		if overflow != 0 {
			return 1<<64 - 1
		}
		sum = next
	}
	return sum
}

// prerequisites asks for what has to be done before: all of it can be waited for.
func prerequisites(v View, in Intent) (Answer, string) {
	for _, p := range in.After {
		if !slices.Contains(v.Met, p) {
			return Hold, fmt.Sprintf("the prerequisite %s is not met", p)
		}
	}
	return Pass, fmt.Sprintf("all prerequisites are met (%d)", len(in.After))
}

// policy asks for what is forbidden to everybody. Without a policy it can't know.
func policy(v View, in Intent) (Answer, string) {
	switch {
	case v.Policy == "":
		return NoAnswer, "no policy is in force"
	case slices.Contains(v.Forbidden, in.Action):
		return Deny, fmt.Sprintf("policy %s forbids %s", v.Policy, in.Action)
	}
	return Pass, fmt.Sprintf("policy %s does not forbid it", v.Policy)
}

// resource asks for what only one can have. The action's own reservation is no obstacle, so
// that it can be admitted again.
func resource(v View, in Intent) (Answer, string) {
	if in.Resource == "" {
		return Pass, "it needs no resource"
	}
	if !slices.Contains(v.Resources, in.Resource) {
		return NoAnswer, fmt.Sprintf("there is no resource %s", in.Resource)
	}
	for _, h := range v.Holds {
		if h.Resource == in.Resource && h.Action != in.ID {
			return Hold, fmt.Sprintf("%s is reserved for %s", in.Resource, h.Action)
		}
	}
	return Pass, fmt.Sprintf("nobody else holds %s", in.Resource)
}

// evidence asks for facts. The worst answer counts, so that the order of the facts does not.
func evidence(v View, in Intent) (Answer, string) {
	answer, reason := Pass, fmt.Sprintf("all that it needs is accepted (%d)", len(in.Evidence))
	worse := func(a Answer, why string) {
		if a > answer {
			answer, reason = a, why
		}
	}
	switch effect := v.fact(in.ID); {
	case effect.Is(""):
		worse(Deny, fmt.Sprintf("it has had its effect already (%s)", effect.Value))
	case effect.Status != Accepted && slices.Contains(v.Dispatched, in.ID):
		worse(missing(effect), fmt.Sprintf("its own effect is %v: it is not dispatched again before that is known", effect.Status))
	case effect.Status == Contested:
		// Admissible sources know of an effect that is not from here, or do not.
		worse(Escalate, "its own effect is contested, though it was not dispatched")
	}
	for _, name := range in.Evidence {
		if f := v.fact(name); f.Status != Accepted {
			worse(missing(f), fmt.Sprintf("%s is %v, not accepted", name, f.Status))
		}
	}
	return answer, reason
}

// missing is the answer where a fact would have to be accepted: waiting does not settle
// what sources contradict one another about.
func missing(f Fact) Answer {
	if f.Status == Contested {
		return Escalate
	}
	return Hold
}

// freshness asks for the latest version. The other guards would answer a stale view, too,
// but about a state that is gone.
func freshness(v View, _ Intent) (Answer, string) {
	switch {
	case v.Version == 0 || v.Version > v.Latest:
		return NoAnswer, fmt.Sprintf("version %d has not been observed (the latest is %d)", v.Version, v.Latest)
	case v.Version < v.Latest:
		return Hold, fmt.Sprintf("the view is of version %d, and there is %d", v.Version, v.Latest)
	}
	return Pass, fmt.Sprintf("the view is of version %d, the latest", v.Version)
}
