package episode

import "slices"

// An Entry is one piece of canonical evidence. It says what was done or said, not whether
// that is true.
type Entry struct {
	Seq     uint64 `json:"seq"`               // from 1, without gaps
	Kind    string `json:"kind"`              // such as "dispatch"; the methods of Episode name theirs
	Version uint64 `json:"version"`           // of the state after it; of the view, for an observation or admission
	Actor   string `json:"actor,omitempty"`   // who did or said it
	Subject string `json:"subject,omitempty"` // what about: an action, a fact, a commitment, a carrier
	Value   string `json:"value,omitempty"`
	Follows uint64 `json:"follows,omitempty"` // the entry that it rests on, such as a reservation's admission

	// Decision is that of an admission. A dispatch and a bypass have what the guards said
	// at that moment.
	Decision Decision `json:"decision,omitzero"`
}

func (e Entry) clone() Entry {
	e.Decision = e.Decision.clone()
	return e
}

// A Record is a log that can only grow: there is no way to change or remove an entry, and
// what goes in or comes out is copied. The zero Record is empty. It is not safe for
// concurrent use.
type Record struct{ entries []Entry }

// Append adds an entry, gives it the next number whatever number it has, and returns that.
func (r *Record) Append(e Entry) (seq uint64) {
	e = e.clone()
	e.Seq = uint64(len(r.entries)) + 1
	r.entries = append(r.entries, e)
	return e.Seq
}

// Entries returns all entries, in the order in which they were added.
func (r *Record) Entries() []Entry {
	all := slices.Clone(r.entries)
	for i, e := range all {
		all[i] = e.clone()
	}
	return all
}
