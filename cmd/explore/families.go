package main

import (
	"context"
	"fmt"
	"strings"

	"example.com/commitpoint"
	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contention"
)

// A family is a protocol with what the command can do with it.
type family struct {
	name       string
	importPath string // of the package that has RunHistory
	published  *published

	traces  func(ctx context.Context, m mechanisms.Mechanism, workers int) ([]counterexamples.Trace, error)
	explain func(m mechanisms.Mechanism, events []string) (counterexamples.Trace, error)
	hoist   func(ctx context.Context, workers int) (study.Hoist, error)
	large   bool // counts can exceed what readers of JSON numbers hold
}

// A published is the results of a family that has a file of them.
type published struct {
	schema   string
	file     string // below the module's root
	data     func() []byte
	document func(ctx context.Context, workers int) (any, error)
}

var families = []family{
	{
		name:       "study",
		importPath: "example.com/commitpoint/study",
		published: &published{
			schema: results.Schema,
			file:   "results/results.json",
			data:   results.Published,
			document: func(ctx context.Context, workers int) (any, error) {
				r, err := study.Compute(ctx, workers)
				return results.New(r, commitpoint.SourceDigest()), err
			},
		},
		traces: func(ctx context.Context, m mechanisms.Mechanism, workers int) ([]counterexamples.Trace, error) {
			return study.Options{Workers: workers}.Traces(ctx, m)
		},
		explain: func(m mechanisms.Mechanism, events []string) (counterexamples.Trace, error) {
			history, err := study.ParseHistory(events...)
			if err != nil {
				return counterexamples.Trace{}, err
			}
			return study.Explain(m, history)
		},
		hoist: func(ctx context.Context, workers int) (study.Hoist, error) {
			return study.ComputeHoist(ctx, study.Options{Workers: workers})
		},
	},
	{
		name:       "contention",
		importPath: "example.com/commitpoint/study/contention",
		traces: func(ctx context.Context, m mechanisms.Mechanism, workers int) ([]counterexamples.Trace, error) {
			return contention.Traces(ctx, m, enumerate.Options{Workers: workers})
		},
		explain: func(m mechanisms.Mechanism, events []string) (counterexamples.Trace, error) {
			return contention.Explain(m, events...)
		},
		hoist: func(ctx context.Context, workers int) (study.Hoist, error) {
			return contention.ComputeHoist(ctx, enumerate.Options{Workers: workers})
		},
		large: true,
	},
}

// theStudy is the family whose mechanisms go by their name alone.
var theStudy = families[0]

// familyNamed returns the family with a name.
func familyNamed(name string) (family, error) {
	var names []string
	for _, f := range families {
		if f.name == name {
			return f, nil
		}
		names = append(names, f.name)
	}
	return family{}, fmt.Errorf("unknown family %q: the families are %s", name, strings.Join(names, ", "))
}

// mechanismNamed returns the mechanism with a full name, family/name, and its family.
func mechanismNamed(fullName string) (family, mechanisms.Mechanism, error) {
	f, name := theStudy, fullName
	if before, after, ok := strings.Cut(fullName, "/"); ok {
		var err error
		if f, err = familyNamed(before); err != nil {
			return f, mechanisms.Mechanism{}, err
		}
		name = after
	}
	m, err := mechanisms.Named(name)
	return f, m, err
}

// mechanismNames returns the full names of all mechanisms.
func mechanismNames() []string {
	var names []string
	for _, f := range families {
		for _, m := range mechanisms.All() {
			name := m.Name
			if f.name != theStudy.name {
				name = f.name + "/" + name
			}
			names = append(names, name)
		}
	}
	return names
}

// canonical computes the results and returns their canonical JSON.
func (p published) canonical(ctx context.Context, workers int) ([]byte, error) {
	d, err := p.document(ctx, workers)
	if err != nil {
		return nil, err
	}
	return results.Encode(d)
}
