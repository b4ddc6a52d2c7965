package substrate

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind is what an object is bound to. The zero value is none.
type Kind uint8

// The kinds. They are not ordered.
const (
	NoKind Kind = iota
	Software
	Shadow         // live, and only looked at
	Simulation     // a model of how it behaves
	HardwareInLoop // the real controller, and a model of the rest
	Physical
)

// A Capability is what an adapter claims to be able to do. The zero value is none.
type Capability uint8

// The capabilities.
const (
	NoCapability Capability = iota
	Observe
	Act
	Synchronize // keep time with the other objects
	Snapshot
	Reset
	Rollback
)

// A Dimension is one respect in which two bindings of an object can differ.
type Dimension uint8

// The dimensions.
const (
	Time Dimension = iota
	Observation
	Failure
	Constraints
	Reversal // what can be undone, and how
	Evidence
	dimensions = iota
)

// A Stance is what a change in a dimension means for a hypothesis. The zero value is the
// strictest: a hypothesis that says nothing of a dimension depends on it.
type Stance uint8

// The stances.
const (
	Essential   Stance = iota // it has to stay the same
	Sensitive                 // results have to say that it changed
	Independent               // it does not matter
)

// A Class says whether results from before and after a change can be compared. The zero
// value is the strictest.
type Class uint8

// The classes.
const (
	Breaking Class = iota
	WithCaveat
	Preserving
)

// The texts are part of what is published: they are never renamed.
var (
	kindNames       = []string{"none", "software", "shadow", "simulation", "hardware-in-the-loop", "physical"}
	capabilityNames = []string{"none", "observe", "act", "synchronize", "snapshot", "reset", "rollback"}
	dimensionNames  = []string{"time", "observation", "failure", "constraints", "rollback", "evidence"}
	stanceNames     = []string{"essential", "sensitive", "independent"}
	classNames      = []string{"comparison-breaking", "comparison-with-caveat", "comparison-preserving"}
)

// String returns the kind's text, such as "hardware-in-the-loop".
func (k Kind) String() string { return name(k, "Kind", kindNames) }

// String returns the capability's text, such as "snapshot".
func (c Capability) String() string { return name(c, "Capability", capabilityNames) }

// String returns the dimension's text, such as "failure".
func (d Dimension) String() string { return name(d, "Dimension", dimensionNames) }

// String returns the stance's text, such as "sensitive".
func (s Stance) String() string { return name(s, "Stance", stanceNames) }

// String returns the class's text, such as "comparison-with-caveat".
func (c Class) String() string { return name(c, "Class", classNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (k Kind) MarshalText() ([]byte, error) { return marshal(k, "kind", kindNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (c Capability) MarshalText() ([]byte, error) { return marshal(c, "capability", capabilityNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (d Dimension) MarshalText() ([]byte, error) { return marshal(d, "dimension", dimensionNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (s Stance) MarshalText() ([]byte, error) { return marshal(s, "stance", stanceNames) }

// MarshalText returns what String does; a value that is not of this package is an error.
func (c Class) MarshalText() ([]byte, error) { return marshal(c, "class", classNames) }

// UnmarshalText reads exactly what MarshalText writes.
func (k *Kind) UnmarshalText(text []byte) error { return unmarshal(k, text, "kind", kindNames) }

// UnmarshalText reads exactly what MarshalText writes.
func (c *Capability) UnmarshalText(text []byte) error {
	return unmarshal(c, text, "capability", capabilityNames)
}

// UnmarshalText reads exactly what MarshalText writes.
func (d *Dimension) UnmarshalText(text []byte) error {
	return unmarshal(d, text, "dimension", dimensionNames)
}

// UnmarshalText reads exactly what MarshalText writes.
func (s *Stance) UnmarshalText(text []byte) error { return unmarshal(s, text, "stance", stanceNames) }

// UnmarshalText reads exactly what MarshalText writes.
func (c *Class) UnmarshalText(text []byte) error { return unmarshal(c, text, "class", classNames) }

func name[T ~uint8](value T, kind string, names []string) string {
	if int(value) >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, uint8(value))
	}
	return names[value]
}

func marshal[T ~uint8](value T, kind string, names []string) ([]byte, error) {
	if int(value) >= len(names) {
		return nil, fmt.Errorf("write %s: %d is none; use one of %s", kind, uint8(value), strings.Join(names, ", "))
	}
	return []byte(names[value]), nil
}

func unmarshal[T ~uint8](value *T, text []byte, kind string, names []string) error {
	at := slices.Index(names, string(text))
	if at < 0 {
		return fmt.Errorf("read %s: %.40q is none; use one of %s", kind, text, strings.Join(names, ", "))
	}
	*value = T(at)
	return nil
}
