package substrate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A Binding binds one object of the world to a substrate, by an adapter.
type Binding struct {
	Object       string       `json:"object"`
	Substrate    Kind         `json:"substrate"`
	Adapter      string       `json:"adapter"`
	Version      string       `json:"version"` // of the adapter and what is behind it
	Capabilities []Capability `json:"capabilities"`

	// Semantics says of each dimension what it means on this substrate. None may be left out.
	Semantics map[Dimension]string `json:"semantics"`
}

// String says the binding: "machine on software (rules 1.4.0)".
func (b Binding) String() string {
	return fmt.Sprintf("%s on %v (%s %s)", b.Object, b.Substrate, b.Adapter, b.Version)
}

// Fingerprint returns a digest of all that the binding says, in hexadecimal. The order and
// repetition of capabilities does not count, nor whether there is no list or an empty one.
func (b Binding) Fingerprint() string {
	b = b.clone()
	slices.Sort(b.Capabilities)
	b.Capabilities = append([]Capability{}, slices.Compact(b.Capabilities)...)
	text, err := json.Marshal(b) // its maps are sorted
	if err != nil {
		// Only values that are not of this package can't be written. They are no valid
		// binding, but have to differ from one.
		text = fmt.Appendf(nil, "%#v", b)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Declares reports whether the adapter claims a capability.
func (b Binding) Declares(c Capability) bool { return slices.Contains(b.Capabilities, c) }

func (b Binding) clone() Binding {
	b.Capabilities, b.Semantics = slices.Clone(b.Capabilities), maps.Clone(b.Semantics)
	return b
}

// impossible has the capabilities that a kind of substrate can't have. What happened
// physically is compensated by another event; it is not undone. A shadow is read only.
var impossible = map[Kind]map[Capability]string{
	Physical: {
		Reset:    "physical events are not undone; compensate them by an action",
		Rollback: "physical events are not undone; compensate them by an action",
	},
	Shadow: {
		Act: "a shadow is only looked at; bind what acts to another substrate",
	},
}

func (b Binding) validate() error {
	switch {
	case b.Object == "" || b.Adapter == "" || b.Version == "":
		return fmt.Errorf("the binding of object %q has no object, adapter or version; give all three", b.Object)
	case b.Substrate == NoKind || b.Substrate > Physical:
		return fmt.Errorf("object %s: its substrate is %v; use one of %q", b.Object, b.Substrate, kindNames[1:])
	}
	for _, c := range b.Capabilities {
		if c == NoCapability || c > Rollback {
			return fmt.Errorf("object %s: it declares %v; use capabilities of %q", b.Object, c, capabilityNames[1:])
		}
		if why := impossible[b.Substrate][c]; why != "" {
			return fmt.Errorf("object %s: %s %s on %v declares %v: %s", b.Object, b.Adapter, b.Version, b.Substrate, c, why)
		}
	}
	for d := range Dimension(dimensions) {
		if b.Semantics[d] == "" {
			return fmt.Errorf("object %s: its semantics do not say what %v means; say it", b.Object, d)
		}
	}
	if len(b.Semantics) > dimensions {
		return fmt.Errorf("object %s: its semantics have a dimension that there is not; use those of %q", b.Object, dimensionNames)
	}
	return nil
}
