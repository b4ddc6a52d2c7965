package episode

import (
	"fmt"
	"slices"
)

// Propose enters a commitment that nobody has agreed to. It binds nobody. One whose debtor
// is not among the parties is an error. On the record it is a "proposal".
func (e *Episode) Propose(c Commitment) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := c.validate(); err != nil {
		return fmt.Errorf("propose: %w", err)
	}
	_, known := e.commitments[c.ID]
	switch {
	case len(c.Agreed) > 0:
		return fmt.Errorf("propose %q: it is agreed to already; leave that to Agree", c.ID)
	case known:
		return fmt.Errorf("propose %q: there is one with that ID; give it another", c.ID)
	case e.closure.Ending != Open:
		return e.ended("propose", c.Debtor, c.ID)
	}
	e.commitmentOrder = append(e.commitmentOrder, c.ID)
	e.commitments[c.ID] = c.clone()
	e.append(Entry{Kind: "proposal", Actor: c.Debtor, Subject: c.ID, Value: fmt.Sprintf("owes %s to %s", c.Due, c.Creditor)})
	return nil
}

// Agree says that a party agrees to a commitment; when all have, it is effective. It is
// refused to those who are no party. On the record it is an "agreement".
func (e *Episode) Agree(id, party string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.commitment("agree to", id)
	switch {
	case err != nil:
		return err
	case e.closure.Ending != Open:
		return e.ended("agree to", party, id)
	case !slices.Contains(c.Parties, party):
		return e.refuse("agree to", party, id, "%q is no party to it; the parties are %q", party, c.Parties)
	}
	e.version++
	c.Agreed = addTo(c.Agreed, party)
	e.commitments[id] = c
	e.append(Entry{Kind: "agreement", Actor: party, Subject: id})
	return nil
}

// Discharge says that what was owed was done. It is refused unless the commitment is owed,
// and the fact that is due accepted. On the record it is a "discharge". It may come after
// the ending, which does not change by that.
func (e *Episode) Discharge(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.owed("discharge", id)
	if err != nil {
		return err
	}
	if f := e.fact(c.Due); !f.Is("") {
		return e.refuse("discharge", c.Debtor, id, "%s; have it reported or reviewed first", says(f))
	}
	c.Discharged = true
	e.commitments[id] = c
	e.append(Entry{Kind: "discharge", Actor: c.Debtor, Subject: id, Value: c.Due})
	return nil
}

// Transfer says that somebody else owes it from now on, outside of the episode. It is
// refused unless the commitment is owed, and to all but its creditor: a debtor can't get
// rid of what it owes by itself. It is refused if the creditor would owe it to itself. On the
// record it is a "transfer". It may come after the ending, which does not change by that.
//
// A transfer presumes that the new debtor has agreed, which is not checked, and that somebody
// sees to it from then on: the episode counts it as settled, and looks no further.
func (e *Episode) Transfer(creditor, id, debtor string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, err := e.owed("transfer", id)
	switch {
	case err != nil:
		return err
	case debtor == "" || debtor == c.Debtor:
		return fmt.Errorf("transfer %q: %q is nobody else than the debtor; name another one", id, debtor)
	case creditor != c.Creditor:
		return e.refuse("transfer", creditor, id, "%q is not the creditor, %s, whose word it takes", creditor, c.Creditor)
	case debtor == c.Creditor:
		return e.refuse("transfer", creditor, id, "%s would owe it to itself; name another debtor", debtor)
	}
	c.Transferred = debtor
	e.commitments[id] = c
	e.append(Entry{Kind: "transfer", Actor: creditor, Subject: id, Value: debtor})
	return nil
}

// commitment returns one that was proposed.
func (e *Episode) commitment(verb, id string) (Commitment, error) {
	c, found := e.commitments[id]
	if !found {
		return Commitment{}, fmt.Errorf("%s %q: there is no such commitment; propose it first", verb, id)
	}
	return c, nil
}

// owed returns a commitment that there is something to do about.
func (e *Episode) owed(verb, id string) (Commitment, error) {
	c, err := e.commitment(verb, id)
	if err == nil && !c.Owed() {
		err = e.refuse(verb, c.Debtor, id, "it is %s, not owed", c.State())
	}
	return c, err
}
