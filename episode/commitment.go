package episode

import (
	"fmt"
	"slices"
)

// A Commitment is what one party owes another. See section 2.4, R2 and R3.
type Commitment struct {
	ID       string   `json:"id"`
	Debtor   string   `json:"debtor"`
	Creditor string   `json:"creditor"`
	Parties  []string `json:"parties"`          // those who have to agree before it is effective, the debtor among them
	Agreed   []string `json:"agreed,omitempty"` // those who have

	// Due is the fact that discharges it once it is accepted, with any value but None.
	Due string `json:"due"`

	// Discharged stays if what is due is no longer accepted, such as contested since. The
	// episode is then not fulfilled: see Closure.
	Discharged  bool   `json:"discharged,omitempty"`
	Transferred string `json:"transferred,omitempty"` // to whom
}

// Effective reports whether all parties have agreed to it. It stays effective when it has
// been discharged or transferred.
func (c Commitment) Effective() bool {
	for _, p := range c.Parties {
		if !slices.Contains(c.Agreed, p) {
			return false
		}
	}
	return true
}

// Owed reports whether it is effective, and neither discharged nor transferred.
func (c Commitment) Owed() bool { return c.Effective() && !c.Discharged && c.Transferred == "" }

// State returns "proposed", "owed", "discharged" or "transferred".
func (c Commitment) State() string {
	switch {
	case !c.Effective():
		return "proposed"
	case c.Discharged:
		return "discharged"
	case c.Transferred != "":
		return "transferred"
	}
	return "owed"
}

// clone returns a copy that shares nothing.
func (c Commitment) clone() Commitment {
	c.Parties, c.Agreed = slices.Clone(c.Parties), slices.Clone(c.Agreed)
	return c
}

// validate checks a commitment that is new: at most agreed to.
func (c Commitment) validate() error {
	switch {
	case c.ID == "" || c.Debtor == "" || c.Creditor == "" || c.Due == "":
		return fmt.Errorf("commitment %q has no ID, debtor, creditor or fact that is due; give all four", c.ID)
	case len(c.Parties) == 0 || slices.Contains(c.Parties, ""):
		return fmt.Errorf("commitment %q has no party that has to agree, or one without a name; name them", c.ID)
	case !slices.Contains(c.Parties, c.Debtor):
		return fmt.Errorf("commitment %q binds %s, which is not among the parties that have to agree; name it there", c.ID, c.Debtor)
	case c.Discharged || c.Transferred != "":
		return fmt.Errorf("commitment %q is discharged or transferred from the start; leave it out", c.ID)
	}
	for _, p := range c.Agreed {
		if !slices.Contains(c.Parties, p) {
			return fmt.Errorf("commitment %q is agreed to by %q, which is no party to it; name it among the parties", c.ID, p)
		}
	}
	return nil
}
