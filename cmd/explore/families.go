package main

import (
	"context"
	"fmt"
	"strings"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	contracted "example.com/commitpoint/mechanisms/contract"
	policies "example.com/commitpoint/mechanisms/deadline"
	services "example.com/commitpoint/mechanisms/episode"
	ledgers "example.com/commitpoint/mechanisms/harness/budget"
	cleanups "example.com/commitpoint/mechanisms/harness/ownership"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contention"
	"example.com/commitpoint/study/contract"
	"example.com/commitpoint/study/deadline"
	"example.com/commitpoint/study/episode"
	"example.com/commitpoint/study/harness/budget"
	"example.com/commitpoint/study/harness/ownership"
)

// A family is a protocol with what the command can do with it.
type family struct {
	name       string
	importPath string // of the package that has RunHistory
	named      string // and of that whose Named has the mechanisms

	mechanisms func() []string
	traces     func(ctx context.Context, mechanism string, workers int) ([]counterexamples.Trace, error)
	explain    func(mechanism string, events []string) (counterexamples.Trace, error)
	hoist      func(ctx context.Context, workers int) (hoisted, error) // nil if nothing can be made early
	large      bool                                                    // counts can exceed what readers of JSON numbers hold
}

// A protocol is what the packages of a family offer for its mechanisms, which are of a type
// of its own.
type protocol[M any] struct {
	all     []M
	name    func(M) string
	named   func(string) (M, error)
	traces  func(context.Context, M, enumerate.Options) ([]counterexamples.Trace, error)
	explain func(M, ...string) (counterexamples.Trace, error)
}

// as returns the family with the mechanisms of the protocol, by their names.
func (p protocol[M]) as(f family) family {
	f.mechanisms = func() []string {
		var names []string
		for _, m := range p.all {
			names = append(names, p.name(m))
		}
		return names
	}
	f.traces = func(ctx context.Context, name string, workers int) ([]counterexamples.Trace, error) {
		m, err := p.named(name)
		if err != nil {
			return nil, err
		}
		return p.traces(ctx, m, enumerate.Options{Workers: workers})
	}
	f.explain = func(name string, events []string) (counterexamples.Trace, error) {
		m, err := p.named(name)
		if err != nil {
			return counterexamples.Trace{}, err
		}
		return p.explain(m, events...)
	}
	return f
}

const path = "example.com/commitpoint/"

var families = []family{
	protocol[mechanisms.Mechanism]{
		mechanisms.All(), nameOfStudy, mechanisms.Named,
		func(ctx context.Context, m mechanisms.Mechanism, opt enumerate.Options) ([]counterexamples.Trace, error) {
			return study.Options{Workers: opt.Workers}.Traces(ctx, m)
		},
		func(m mechanisms.Mechanism, events ...string) (counterexamples.Trace, error) {
			history, err := study.ParseHistory(events...)
			if err != nil {
				return counterexamples.Trace{}, err
			}
			return study.Explain(m, history)
		},
	}.as(family{name: "study", importPath: path + "study", named: path + "mechanisms", hoist: hoistStudy}),

	protocol[mechanisms.Mechanism]{
		mechanisms.All(), nameOfStudy, mechanisms.Named, contention.Traces, contention.Explain,
	}.as(family{name: "contention", importPath: path + "study/contention", named: path + "mechanisms", hoist: hoistContention, large: true}),

	protocol[contracted.Mechanism]{
		contracted.All(), func(m contracted.Mechanism) string { return m.Name }, contracted.Named, contract.Traces, contract.Explain,
	}.as(family{name: "contract", importPath: path + "study/contract", named: path + "mechanisms/contract", hoist: hoistContract}),

	protocol[policies.Policy]{
		policies.Policies(), func(p policies.Policy) string { return p.Name }, policies.Named, deadline.Traces, deadline.Explain,
	}.as(family{name: "deadline", importPath: path + "study/deadline", named: path + "mechanisms/deadline"}),

	protocol[ledgers.Mechanism]{
		ledgers.All(), func(m ledgers.Mechanism) string { return m.Name }, ledgers.Named, budget.Traces, budget.Explain,
	}.as(family{name: "budget", importPath: path + "study/harness/budget", named: path + "mechanisms/harness/budget"}),

	protocol[cleanups.Mechanism]{
		cleanups.All(), func(m cleanups.Mechanism) string { return m.Name }, cleanups.Named, ownership.Traces, ownership.Explain,
	}.as(family{name: "ownership", importPath: path + "study/harness/ownership", named: path + "mechanisms/harness/ownership"}),

	protocol[services.Mechanism]{
		services.All(), func(m services.Mechanism) string { return m.Name }, services.Named, episode.Traces, episode.Explain,
	}.as(family{name: "episode", importPath: path + "study/episode", named: path + "mechanisms/episode"}),
}

func nameOfStudy(m mechanisms.Mechanism) string { return m.Name }

func hoistStudy(ctx context.Context, workers int) (hoisted, error) {
	h, err := study.ComputeHoist(ctx, study.Options{Workers: workers})
	return ofStudy(h), err
}

func hoistContention(ctx context.Context, workers int) (hoisted, error) {
	h, err := contention.ComputeHoist(ctx, enumerate.Options{Workers: workers})
	return ofStudy(h), err
}

func hoistContract(ctx context.Context, workers int) (hoisted, error) {
	h, err := contract.ComputeHoist(ctx, enumerate.Options{Workers: workers})
	return ofContract(h), err
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
