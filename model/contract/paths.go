package contract

import (
	"path"
	"strings"
)

// A Target is a file that can be published.
type Target uint8

// The targets. The scope that the task is pinned to is the directory out.
const (
	OutA   Target = iota // out/a
	OutB                 // out/b
	Secret               // secret, outside of the scope

	numTargets = iota
)

var targetPaths = [numTargets]string{OutA: "out/a", OutB: "out/b", Secret: "secret"}

func (t Target) String() string { return targetPaths[t] }

// Targets is a set of targets.
type Targets uint8

// TargetSet returns the set of the given targets.
func TargetSet(list ...Target) (s Targets) {
	for _, t := range list {
		s |= 1 << t
	}
	return s
}

// Has reports whether every target of u is in s.
func (s Targets) Has(u Targets) bool { return s&u == u }

// Each returns the targets of s in order.
func (s Targets) Each() []Target {
	var list []Target
	for t := range Target(numTargets) {
		if s>>t&1 != 0 {
			list = append(list, t)
		}
	}
	return list
}

// String names the targets, separated by ", ", or says "none".
func (s Targets) String() string {
	var names []string
	for _, t := range s.Each() {
		names = append(names, t.String())
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// InScope is what the pinned scope covers.
const InScope = Targets(1<<OutA | 1<<OutB)

// A Manifest is what a candidate declares to write: a list of paths, by its position
// in a table. What it really writes depends on where aliases lead.
type Manifest uint8

// The manifests.
const (
	Plain     Manifest = iota // out/a
	Pair                      // out/a and out/b
	Aliased                   // out/latest, an alias of out/a until it is moved
	Unclean                   // out/../secret
	OtherCase                 // Out/A/, which is out/a
)

var manifests = [...][]string{
	Plain:     {"out/a"},
	Pair:      {"out/a", "out/b"},
	Aliased:   {"out/latest"},
	Unclean:   {"out/../secret"},
	OtherCase: {"Out/A/"},
}

// Declared returns the paths of the manifest, as they are written in it.
func (m Manifest) Declared() []string { return manifests[m] }

// alias is the path that names another.
const alias = "out/latest"

// Resolve returns what a manifest really writes, when the alias leads to a given
// target: paths are cleaned, regardless of case, and the alias is followed.
func (m Manifest) Resolve(latest Target) (s Targets) {
	for _, p := range manifests[m] {
		p = strings.ToLower(path.Clean(p))
		if p == alias {
			s |= TargetSet(latest)
			continue
		}
		for t, known := range targetPaths {
			if p == known {
				s |= TargetSet(Target(t))
			}
		}
	}
	return s
}

// resolved saves resolving paths for every request.
var resolved = func() (table [len(manifests)][numTargets]Targets) {
	for m := range table {
		for t := range table[m] {
			table[m][t] = Manifest(m).Resolve(Target(t))
		}
	}
	return table
}()
