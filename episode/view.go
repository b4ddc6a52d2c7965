package episode

import "slices"

// A Delegation lets a carrier act for a principal, within bounds. Amounts are in one unit
// that the parties agree on, such as cents.
type Delegation struct {
	Principal string   `json:"principal"`
	Carrier   string   `json:"carrier"`
	Actions   []string `json:"actions"` // the kinds of action that it covers

	// Budget is what all that the carrier has reserved may cost together. What it holds
	// when it gets a new delegation counts against that one, too.
	Budget uint64 `json:"budget"`

	// Threshold is the largest cost of a final action that needs no approval of its own.
	Threshold uint64 `json:"threshold"`

	Revoked bool `json:"revoked,omitempty"`
}

// An Intent is an action that a carrier wants to dispatch.
type Intent struct {
	// ID names the action. Whoever tries the same action again, be it another carrier,
	// uses the same ID: that is how an effect that nobody knows of is not caused twice.
	ID string `json:"id"`

	Carrier  string   `json:"carrier"`
	Action   string   `json:"action"` // its kind
	Cost     uint64   `json:"cost,omitempty"`
	Final    bool     `json:"final,omitempty"`    // it can't be taken back
	Resource string   `json:"resource,omitempty"` // that nobody else may hold meanwhile
	After    []string `json:"after,omitempty"`    // prerequisites: actions that had an effect, commitments that are effective
	Evidence []string `json:"evidence,omitempty"` // facts that have to be accepted
}

// A Fact is what is taken to have happened, under the declared reconciliation policy.
type Fact struct {
	Name    string   `json:"name"`
	Value   string   `json:"value,omitempty"` // empty if the status is Unknown or Contested
	Status  Status   `json:"status"`
	Sources []string `json:"sources,omitempty"` // who said something of it, in the order in which they did first
}

// A Reservation holds a resource, and a part of its carrier's budget, for one action.
type Reservation struct {
	Action   string `json:"action"` // the intent's ID
	Carrier  string `json:"carrier"`
	Resource string `json:"resource,omitempty"`
	Cost     uint64 `json:"cost,omitempty"`
}

// A View is what a carrier has observed of the episode: all that the guards look at. It is
// a copy; to change it changes nothing else.
type View struct {
	Version uint64 // of the state that was observed, from 1
	Latest  uint64 // of the state that there is when the intent is judged

	Carrier    string
	Successor  string     // who has replaced the carrier, if somebody has
	Delegation Delegation // the carrier's latest; the zero value if it never had one
	Approved   []string   // the carrier's actions that its principal has approved
	Policy     string     // the version in force
	Forbidden  []string   // the kinds of action that the policy forbids
	Resources  []string   // all that there are
	Holds      []Reservation
	Dispatched []string // the actions that were, be it past the episode
	Met        []string // what a prerequisite can be: actions with an accepted effect, commitments that are or were effective
	Facts      []Fact
}

func (d Delegation) clone() Delegation {
	d.Actions = slices.Clone(d.Actions)
	return d
}

func (in Intent) clone() Intent {
	in.After, in.Evidence = slices.Clone(in.After), slices.Clone(in.Evidence)
	return in
}

// sameAction reports whether two intents differ in nothing but who has them.
func (in Intent) sameAction(other Intent) bool {
	return in.ID == other.ID && in.Action == other.Action && in.Cost == other.Cost && in.Final == other.Final &&
		in.Resource == other.Resource && slices.Equal(in.After, other.After) && slices.Equal(in.Evidence, other.Evidence)
}

// Is reports whether the fact is accepted with a value, or, if that is empty, with any
// but None.
func (f Fact) Is(value string) bool {
	return f.Status == Accepted && (f.Value == value || value == "" && f.Value != None)
}

func (f Fact) clone() Fact {
	f.Sources = slices.Clone(f.Sources)
	return f
}

// clone returns a copy that shares nothing: views go to guards, which may be anybody's.
func (v View) clone() View {
	v.Delegation = v.Delegation.clone()
	v.Approved, v.Forbidden = slices.Clone(v.Approved), slices.Clone(v.Forbidden)
	v.Resources, v.Holds, v.Met = slices.Clone(v.Resources), slices.Clone(v.Holds), slices.Clone(v.Met)
	v.Dispatched = slices.Clone(v.Dispatched)
	v.Facts = slices.Clone(v.Facts)
	for i, f := range v.Facts {
		v.Facts[i] = f.clone()
	}
	return v
}

// fact returns what the view says of a fact. One that it does not have is unknown.
func (v View) fact(name string) Fact {
	if i := slices.IndexFunc(v.Facts, func(f Fact) bool { return f.Name == name }); i >= 0 {
		return v.Facts[i]
	}
	return Fact{Name: name}
}
