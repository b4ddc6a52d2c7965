package substrate

import (
	"errors"
	"fmt"
	"slices"

	"example.com/commitpoint/episode"
)

// A Requirement is what a scenario needs of an object.
type Requirement struct {
	Object       string       `json:"object"`
	Capabilities []Capability `json:"capabilities"`
}

// A Pin is a line of the run's manifest: which binding an object has, by fingerprint.
type Pin struct {
	Object      string `json:"object"`
	Fingerprint string `json:"fingerprint"`
}

// A Run has the bindings that a run was planned with. The zero Run has none: whatever is
// used in it was not planned. It is not safe for concurrent use.
type Run struct {
	requirements []Requirement
	bindings     []Binding // by object, each at most once
}

// Plan checks that each required object is bound, once, and that its adapter declares each
// required capability. If not, nothing may be launched: the error names each object with
// the capability that it lacks, and what to do. What is bound and not required is kept, too.
func Plan(requirements []Requirement, bindings []Binding) (Run, error) {
	var errs []error
	r := Run{}
	for _, b := range bindings {
		if err := b.validate(); err != nil {
			errs = append(errs, err)
		} else if was, found := r.binding(b.Object); found {
			errs = append(errs, fmt.Errorf("object %s: there are two bindings, %v and %v; leave one out", b.Object, was, b))
		}
		r.bindings = append(r.bindings, b.clone())
	}
	for _, q := range requirements {
		q.Capabilities = slices.Clone(q.Capabilities)
		r.requirements = append(r.requirements, q)
		errs = append(errs, q.missing(r)...)
	}
	if err := errors.Join(errs...); err != nil {
		return Run{}, fmt.Errorf("plan a run: %w", err)
	}
	return r, nil
}

// missing returns an error for each thing that is required and not there.
func (q Requirement) missing(r Run) (errs []error) {
	b, found := r.binding(q.Object)
	if !found {
		return []error{fmt.Errorf("object %q: nothing is bound to it; bind it", q.Object)}
	}
	for _, c := range q.Capabilities {
		if !b.Declares(c) {
			errs = append(errs, fmt.Errorf("object %s: %s %s on %v does not declare %v; bind it to an adapter that does, or do not require it",
				q.Object, b.Adapter, b.Version, b.Substrate, c))
		}
	}
	return errs
}

func (r Run) binding(object string) (Binding, bool) {
	i := slices.IndexFunc(r.bindings, func(b Binding) bool { return b.Object == object })
	if i < 0 {
		return Binding{}, false
	}
	return r.bindings[i], true
}

// Pins returns the fingerprints, in the order of the bindings.
func (r Run) Pins() []Pin {
	pins := make([]Pin, 0, len(r.bindings))
	for _, b := range r.bindings {
		pins = append(pins, Pin{b.Object, b.Fingerprint()})
	}
	return pins
}

// Use says that a binding is about to be used. It is an error if it is not the one that
// the run was planned with, or rebound to: results from then on would be of another reality.
func (r Run) Use(b Binding) error {
	was, found := r.binding(b.Object)
	switch {
	case !found:
		return fmt.Errorf("use %v: the run was planned without the object; plan it", b)
	case was.Fingerprint() != b.Fingerprint():
		return fmt.Errorf("use %v: the object was rebound silently, from %v with fingerprint %.12s to %.12s; declare it with Rebind",
			b, was, was.Fingerprint(), b.Fingerprint())
	}
	return nil
}

// Rebind binds an object to something else in the course of a run. It returns the delta,
// and the entry for Episode.Rebound, a "rebinding": it has to go on the record. It is an error,
// and changes nothing, if the object was not bound, or if the new binding is not valid or
// lacks a capability that was required.
func (r *Run) Rebind(b Binding, h Hypothesis) (Delta, episode.Entry, error) {
	was, found := r.binding(b.Object)
	if !found {
		return Delta{}, episode.Entry{}, fmt.Errorf("rebind %v: the run was planned without the object; plan it", b)
	}
	delta, err := Classify(h, was, b)
	if err != nil {
		return Delta{}, episode.Entry{}, fmt.Errorf("rebind: %w", err)
	}
	next := Run{requirements: r.requirements, bindings: slices.Clone(r.bindings)}
	next.bindings[slices.IndexFunc(next.bindings, func(o Binding) bool { return o.Object == b.Object })] = b.clone()
	var errs []error
	for _, q := range r.requirements {
		if q.Object == b.Object {
			errs = append(errs, q.missing(next)...)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return Delta{}, episode.Entry{}, fmt.Errorf("rebind: %w", err)
	}
	*r = next
	return delta, episode.Entry{Kind: "rebinding", Subject: b.Object, Value: fmt.Sprintf("%s -> %s: %v", delta.From, delta.To, delta.Class)}, nil
}
