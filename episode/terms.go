package episode

import (
	"fmt"
	"slices"
)

// A Want is a fact, and the value that it has to be accepted with. An empty value stands for
// any but None.
type Want struct {
	Fact  string `json:"fact"`
	Value string `json:"value,omitempty"`
}

// Terms are what is fixed, or in force, when an episode begins. All of it is copied.
type Terms struct {
	Reconciliation Reconciliation `json:"reconciliation"`
	Policy         string         `json:"policy"` // its version
	Forbidden      []string       `json:"forbidden,omitempty"`
	Resources      []string       `json:"resources,omitempty"`
	Delegations    []Delegation   `json:"delegations,omitempty"`
	Commitments    []Commitment   `json:"commitments,omitempty"`

	// Outcome has what the episode is for, at least one fact.
	Outcome []Want `json:"outcome"`

	// Mandatory has further facts that have to be accepted, whatever their value, before
	// the episode is fulfilled. The effect of every dispatched action is mandatory, too.
	Mandatory []string `json:"mandatory,omitempty"`

	// Value has what stakeholders want, like Outcome. It does not bear on closure.
	Value []Want `json:"value,omitempty"`

	// Guards are asked in addition to the six of Guards.
	Guards []Guard `json:"-"`
}

func (t Terms) clone() Terms {
	t.Reconciliation.Sources = slices.Clone(t.Reconciliation.Sources)
	t.Forbidden, t.Resources, t.Mandatory = slices.Clone(t.Forbidden), slices.Clone(t.Resources), slices.Clone(t.Mandatory)
	t.Delegations = cloneAll(t.Delegations, Delegation.clone)
	t.Commitments = cloneAll(t.Commitments, Commitment.clone)
	t.Outcome, t.Value, t.Guards = slices.Clone(t.Outcome), slices.Clone(t.Value), slices.Clone(t.Guards)
	return t
}

func cloneAll[T any](all []T, clone func(T) T) []T {
	copies := slices.Clone(all)
	for i, v := range copies {
		copies[i] = clone(v)
	}
	return copies
}

// validate checks what no call checks later: delegations and commitments are checked when
// they are entered.
func (t Terms) validate() error {
	if err := t.Reconciliation.validate(); err != nil {
		return err
	}
	if t.Policy == "" {
		return fmt.Errorf("no policy is in force; name its version")
	}
	if len(t.Outcome) == 0 {
		return fmt.Errorf("there is no outcome; name a fact that the episode is for")
	}
	if slices.ContainsFunc(slices.Concat(t.Outcome, t.Value), func(w Want) bool { return w.Fact == "" }) || slices.Contains(t.Mandatory, "") {
		return fmt.Errorf("a fact that is wanted or mandatory has no name; give it one")
	}
	return checkGuards(append(Guards(), t.Guards...))
}

// Begin begins an episode. The delegations and commitments of the terms are on the record
// as if Delegate, Propose and Agree had been called.
func Begin(t Terms) (*Episode, error) {
	if err := t.validate(); err != nil {
		return nil, fmt.Errorf("begin an episode: %w", err)
	}
	t = t.clone()
	e := &Episode{
		version:     1,
		terms:       t,
		guards:      append(Guards(), t.Guards...),
		policy:      t.Policy,
		forbidden:   t.Forbidden,
		views:       map[string]observed{},
		actions:     map[string]action{},
		authority:   map[string]grant{},
		replaced:    map[string]string{},
		standings:   map[string]standing{},
		commitments: map[string]Commitment{},
	}
	for _, d := range t.Delegations {
		if err := e.Delegate(d); err != nil {
			return nil, fmt.Errorf("begin an episode: %w", err)
		}
	}
	for _, c := range t.Commitments {
		if err := e.propose(c); err != nil {
			return nil, fmt.Errorf("begin an episode: %w", err)
		}
	}
	return e, nil
}

// propose enters a commitment with the agreements that it has.
func (e *Episode) propose(c Commitment) error {
	agreed := c.Agreed
	if err := c.validate(); err != nil {
		return err
	}
	c.Agreed = nil
	if err := e.Propose(c); err != nil {
		return err
	}
	for _, p := range agreed {
		if err := e.Agree(c.ID, p); err != nil {
			return err
		}
	}
	return nil
}
