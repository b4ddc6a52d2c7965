package episode

import (
	"fmt"
	"slices"
)

// Delegate gives a carrier authority. It takes the place of the delegation that the carrier
// has from the same principal, or had from anybody; approvals of before do not count any
// longer. It is refused while another principal's delegation stands, and to a carrier that
// was replaced. It is refused to the carrier itself, and to all who are no principal in the
// delegations of the terms: nobody has authority to give away by asking for it. On the record
// it is a "delegation".
func (e *Episode) Delegate(d Delegation) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	was := e.authority[d.Carrier].delegation
	switch {
	case d.Principal == "" || d.Carrier == "":
		return fmt.Errorf("delegate to %q: the principal or the carrier has no name; give both", d.Carrier)
	case d.Revoked:
		return fmt.Errorf("delegate to %q: the delegation is revoked from the start; leave it out", d.Carrier)
	case e.closure.Ending != Open:
		return e.ended("delegate to", d.Principal, d.Carrier)
	case d.Principal == d.Carrier:
		return e.refuse("delegate to", d.Principal, d.Carrier, "it can't give itself authority; have a principal of the terms delegate")
	case !slices.ContainsFunc(e.terms.Delegations, func(t Delegation) bool { return t.Principal == d.Principal }):
		return e.refuse("delegate to", d.Principal, d.Carrier, "%s is no principal in the delegations of the terms; have one of those delegate", d.Principal)
	case e.replaced[d.Carrier] != "":
		return e.refuse("delegate to", d.Principal, d.Carrier, "it has been replaced; delegate to its successor %s", e.replaced[d.Carrier])
	case was.Principal != "" && was.Principal != d.Principal && !was.Revoked:
		return e.refuse("delegate to", d.Principal, d.Carrier, "it acts for %s, who has to revoke that first", was.Principal)
	}
	e.version++
	// The bounds are evidence: what was denied can be understood from the record alone.
	bounds := fmt.Sprintf("%q up to %d, final ones above %d with approval", d.Actions, d.Budget, d.Threshold)
	seq := e.append(Entry{Kind: "delegation", Actor: d.Principal, Subject: d.Carrier, Value: bounds})
	e.authority[d.Carrier] = grant{delegation: d.clone(), seq: seq}
	return nil
}

// Revoke takes a carrier's authority away: whatever it has not dispatched by now, it can't
// dispatch under this delegation, also if it was admitted and reserved. No commitment and no
// earlier entry is touched. It is refused to all but the delegation's principal. On the
// record it is a "revocation".
func (e *Episode) Revoke(principal, carrier string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	g, err := e.granted("revoke from", principal, carrier)
	if err != nil {
		return err
	}
	e.version++
	g.delegation.Revoked = true
	e.append(Entry{Kind: "revocation", Actor: principal, Subject: carrier, Follows: g.seq})
	e.authority[carrier] = g
	return nil
}

// Approve approves an action of its present carrier that was escalated, or will be. No
// decision changes by that: it takes another observation and admission. It is refused to
// all but the principal of the carrier's delegation, and if that is revoked. On the record
// it is an "approval".
func (e *Episode) Approve(principal, id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.action("approve", id)
	if err != nil {
		return err
	}
	carrier := a.intent.Carrier
	g, err := e.granted("approve", principal, carrier)
	switch {
	case err != nil:
		return err
	case e.closure.Ending != Open:
		return e.ended("approve", principal, id)
	case g.delegation.Revoked:
		return e.refuse("approve", principal, id, "the delegation to %s is revoked; delegate again first", carrier)
	}
	e.version++
	g.approved = addTo(g.approved, id)
	e.append(Entry{Kind: "approval", Actor: principal, Subject: id, Follows: a.decided})
	e.authority[carrier] = g
	return nil
}

// granted returns the delegation of a carrier, if it is the principal's. Whoever else asks
// is refused, and that is on the record.
func (e *Episode) granted(verb, principal, carrier string) (grant, error) {
	g := e.authority[carrier]
	switch {
	case g.seq == 0:
		return grant{}, e.refuse(verb, principal, carrier, "nothing is delegated to %s; delegate first", carrier)
	case g.delegation.Principal != principal:
		return grant{}, e.refuse(verb, principal, carrier, "it acts for %s, not for %q", g.delegation.Principal, principal)
	}
	return g, nil
}

// Replace puts another carrier in a carrier's place. The successor may take up the same
// actions, under the same IDs, but inherits no authority, no approval and no decision:
// until something is delegated to it, it is denied everything. The replaced carrier is
// denied everything from now on; its delegation is not revoked by that. Commitments stay
// what they are. On the record it is a "replacement".
func (e *Episode) Replace(carrier, successor string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case carrier == "" || successor == "" || carrier == successor:
		return fmt.Errorf("replace %q: the successor %q is the same, or one has no name; give two names", carrier, successor)
	case e.closure.Ending != Open:
		return e.ended("replace", carrier, carrier)
	case e.replaced[carrier] != "" || e.replaced[successor] != "":
		return e.refuse("replace", carrier, carrier, "it or %s has been replaced before; replace the present carrier by a new one", successor)
	}
	e.version++
	e.replaced[carrier] = successor
	e.append(Entry{Kind: "replacement", Actor: carrier, Subject: carrier, Value: successor})
	return nil
}

// Govern brings another version of the policy into force. What was admitted before it can't
// be dispatched, also if the new one allows it: nobody has decided on it under that one. On
// the record it is a "policy".
func (e *Episode) Govern(version string, forbidden ...string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case version == "":
		return fmt.Errorf("govern: the policy has no version; give it one")
	case e.closure.Ending != Open:
		return e.ended("govern", "", version)
	}
	e.version++
	e.policy, e.forbidden, e.governed = version, append([]string(nil), forbidden...), e.version
	e.append(Entry{Kind: "policy", Subject: version, Value: fmt.Sprintf("forbids %q", forbidden)})
	return nil
}
