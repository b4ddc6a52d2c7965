package adapter

import (
	"fmt"
	"maps"
	"slices"

	"example.com/commitpoint/harness"
)

// An Adapter reads a payload of one shape. What is wrong with it is kept by the Values that
// it reads from, so that an adapter does not have to look for errors: after the first one
// all that it reads is zero, and what it returns is dropped.
//
// Its code is trusted, and must be a function of the payload alone.
type Adapter func(payload Value) harness.Receipt

// A Registry has adapters by name. Its zero value has none. Normalize and Names are safe
// for concurrent use once all are registered.
type Registry struct {
	adapters map[string]Adapter
}

// The names of the adapters of Fixtures.
const (
	FixtureA = "fixture-a"
	FixtureB = "fixture-b"
)

// Fixtures returns a new registry with the two invented adapters.
func Fixtures() *Registry {
	return &Registry{map[string]Adapter{FixtureA: fixtureA, FixtureB: fixtureB}}
}

// Register adds an adapter. An empty name, one that is taken, and a nil adapter are errors,
// and change nothing.
func (r *Registry) Register(name string, a Adapter) error {
	_, taken := r.adapters[name]
	switch {
	case name == "":
		return fmt.Errorf("register adapter: it has no name; give it one")
	case taken:
		return fmt.Errorf("register adapter %q: the name is taken; use another one", name)
	case a == nil:
		return fmt.Errorf("register adapter %q: it is nil; pass a function", name)
	}
	if r.adapters == nil {
		r.adapters = make(map[string]Adapter)
	}
	r.adapters[name] = a
	return nil
}

// Names returns the names of the adapters, sorted.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.adapters)) }

// Normalize returns the receipt that the named adapter makes of a payload. The names are
// matched exactly; which one applies is the caller's to know, and never guessed from the
// payload. Every error starts with the word adapter and the name, and names the path in
// the payload unless the payload is not JSON at all, or the name unknown.
//
// Times of the receipt are in UTC and have no monotonic reading, so that two receipts of
// the same facts are equal (==). The receipt is zero if there is an error.
func (r *Registry) Normalize(name string, payload []byte) (harness.Receipt, error) {
	read, known := r.adapters[name]
	if !known {
		return harness.Receipt{}, fmt.Errorf("adapter %.40q: unknown; register it, or use one of %q", name, r.Names())
	}
	root, err := parse(payload)
	if err != nil {
		return harness.Receipt{}, fmt.Errorf("adapter %q: %w", name, err)
	}
	doc := &document{}
	receipt := read(Value{doc, root, "$"})
	if doc.err == nil {
		doc.err = unread(root, "$")
	}
	if doc.err != nil {
		return harness.Receipt{}, fmt.Errorf("adapter %q: %w", name, doc.err)
	}
	return canonical(receipt), nil
}

// canonical makes the times of a receipt comparable, also those that an adapter made up.
func canonical(r harness.Receipt) harness.Receipt {
	r.Now = r.Now.UTC()
	r.Lease.Approved = r.Lease.Approved.UTC()
	r.Lease.PriorExpiry = r.Lease.PriorExpiry.UTC()
	r.Lease.Expiry = r.Lease.Expiry.UTC()
	return r
}
