package main

import (
	"context"
	"fmt"
	"strings"

	"example.com/commitpoint"
	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	contracted "example.com/commitpoint/mechanisms/contract"
	policies "example.com/commitpoint/mechanisms/deadline"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contention"
	"example.com/commitpoint/study/contract"
	"example.com/commitpoint/study/deadline"
)

// A family is a protocol with what the command can do with it.
type family struct {
	name       string
	importPath string // of the package that has RunHistory
	named      string // and of that whose Named has the mechanisms
	published  *published

	mechanisms func() []string
	traces     func(ctx context.Context, mechanism string, workers int) ([]counterexamples.Trace, error)
	explain    func(mechanism string, events []string) (counterexamples.Trace, error)
	hoist      func(ctx context.Context, workers int) (hoisted, error) // nil if nothing can be made early
	large      bool                                                    // counts can exceed what readers of JSON numbers hold
}

// A published is the results of a family that has a file of them.
type published struct {
	command  string // that checks and writes them
	schema   string
	file     string // below the module's root
	data     func() []byte
	document func(ctx context.Context, workers int) (any, error)
}

var families = []family{
	{
		name:       "study",
		importPath: "example.com/commitpoint/study",
		named:      "example.com/commitpoint/mechanisms",
		published: &published{
			command: "explore",
			schema:  results.Schema,
			file:    "results/results.json",
			data:    results.Published,
			document: func(ctx context.Context, workers int) (any, error) {
				r, err := study.Compute(ctx, workers)
				return results.New(r, commitpoint.SourceDigest()), err
			},
		},
		mechanisms: theThirteen,
		traces: func(ctx context.Context, name string, workers int) ([]counterexamples.Trace, error) {
			m, err := mechanisms.Named(name)
			if err != nil {
				return nil, err
			}
			return study.Options{Workers: workers}.Traces(ctx, m)
		},
		explain: func(name string, events []string) (counterexamples.Trace, error) {
			m, err := mechanisms.Named(name)
			if err != nil {
				return counterexamples.Trace{}, err
			}
			history, err := study.ParseHistory(events...)
			if err != nil {
				return counterexamples.Trace{}, err
			}
			return study.Explain(m, history)
		},
		hoist: func(ctx context.Context, workers int) (hoisted, error) {
			h, err := study.ComputeHoist(ctx, study.Options{Workers: workers})
			return ofStudy(h), err
		},
	},
	{
		name:       "contention",
		importPath: "example.com/commitpoint/study/contention",
		named:      "example.com/commitpoint/mechanisms",
		mechanisms: theThirteen,
		traces: func(ctx context.Context, name string, workers int) ([]counterexamples.Trace, error) {
			m, err := mechanisms.Named(name)
			if err != nil {
				return nil, err
			}
			return contention.Traces(ctx, m, enumerate.Options{Workers: workers})
		},
		explain: func(name string, events []string) (counterexamples.Trace, error) {
			m, err := mechanisms.Named(name)
			if err != nil {
				return counterexamples.Trace{}, err
			}
			return contention.Explain(m, events...)
		},
		hoist: func(ctx context.Context, workers int) (hoisted, error) {
			h, err := contention.ComputeHoist(ctx, enumerate.Options{Workers: workers})
			return ofStudy(h), err
		},
		large: true,
	},
	{
		name:       "contract",
		importPath: "example.com/commitpoint/study/contract",
		named:      "example.com/commitpoint/mechanisms/contract",
		published: &published{
			command: "explore contract",
			schema:  contract.Schema,
			file:    "results/contract.json",
			data:    results.PublishedContract,
			document: func(ctx context.Context, workers int) (any, error) {
				return contract.Compute(ctx, enumerate.Options{Workers: workers})
			},
		},
		mechanisms: func() []string {
			var names []string
			for _, m := range contracted.All() {
				names = append(names, m.Name)
			}
			return names
		},
		traces: func(ctx context.Context, name string, workers int) ([]counterexamples.Trace, error) {
			m, err := contracted.Named(name)
			if err != nil {
				return nil, err
			}
			return contract.Traces(ctx, m, enumerate.Options{Workers: workers})
		},
		explain: func(name string, events []string) (counterexamples.Trace, error) {
			m, err := contracted.Named(name)
			if err != nil {
				return counterexamples.Trace{}, err
			}
			return contract.Explain(m, events...)
		},
		hoist: func(ctx context.Context, workers int) (hoisted, error) {
			h, err := contract.ComputeHoist(ctx, enumerate.Options{Workers: workers})
			return ofContract(h), err
		},
	},
	{
		name:       "deadline",
		importPath: "example.com/commitpoint/study/deadline",
		named:      "example.com/commitpoint/mechanisms/deadline",
		published: &published{
			command: "explore deadline",
			schema:  deadline.Schema,
			file:    "results/deadline.json",
			data:    results.PublishedDeadline,
			document: func(ctx context.Context, workers int) (any, error) {
				return deadline.Compute(ctx, enumerate.Options{Workers: workers})
			},
		},
		mechanisms: func() []string {
			var names []string
			for _, p := range policies.Policies() {
				names = append(names, p.Name)
			}
			return names
		},
		traces: func(ctx context.Context, name string, workers int) ([]counterexamples.Trace, error) {
			p, err := policies.Named(name)
			if err != nil {
				return nil, err
			}
			return deadline.Traces(ctx, p, enumerate.Options{Workers: workers})
		},
		explain: func(name string, events []string) (counterexamples.Trace, error) {
			p, err := policies.Named(name)
			if err != nil {
				return counterexamples.Trace{}, err
			}
			return deadline.Explain(p, events...)
		},
	},
}

// theThirteen are the names of the study's mechanisms.
func theThirteen() []string {
	var names []string
	for _, m := range mechanisms.All() {
		names = append(names, m.Name)
	}
	return names
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

// mechanismNamed returns the family of a mechanism with a full name, family/name, and its
// name there. Whether there is one is for the family to say.
func mechanismNamed(fullName string) (family, string, error) {
	before, after, ok := strings.Cut(fullName, "/")
	if !ok {
		return theStudy, fullName, nil
	}
	f, err := familyNamed(before)
	return f, after, err
}

// mechanismNames returns the full names of all mechanisms.
func mechanismNames() []string {
	var names []string
	for _, f := range families {
		for _, name := range f.mechanisms() {
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
