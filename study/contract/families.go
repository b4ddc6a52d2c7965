package contract

import (
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/enumerate"
	model "example.com/commitpoint/model/contract"
)

// A Family is a bounded set of scenarios: chains of events that always happen, and
// others of which each happens or does not.
type Family struct {
	Name   string
	About  string   // what it exercises
	chains []string // names of events, in order
	free   string
	before [][2]string // the first of them happens before the other, if both do
}

// chain is what worker a does when all goes well.
var chain = chainOf("candidate")

// chainOf is the same with another kind of candidate.
func chainOf(candidate string) string {
	return "a:read a:" + candidate + " a:verify-tests a:verify-review a:preflight a:commit"
}

var families = []Family{
	{
		Name:   "ownership",
		About:  "the lease runs out or is renewed, and the task is assigned again, restarted or cancelled",
		chains: []string{chain},
		free:   "renew lease-expire b:claim restage reclaim cancel",
		before: [][2]string{{"lease-expire", "b:claim"}},
	},
	{
		Name:   "lost-fences",
		About:  "the authority restarts and counts fences from the start; the owner claims again",
		chains: []string{chain},
		free:   "restart-fences reclaim reclaim#2 lease-expire b:claim",
		before: [][2]string{{"reclaim", "reclaim#2"}},
	},
	{
		Name:   "lost-attempts",
		About:  "the authority restarts and issues attempt ids again, while the fence survives",
		chains: []string{chain},
		free:   "restart-attempts reclaim reclaim#2 lease-expire b:claim",
		before: [][2]string{{"reclaim", "reclaim#2"}},
	},
	{
		Name:   "restored",
		About:  "the authority comes back from a backup that brings both counters back",
		chains: []string{chain},
		free:   "restore reclaim reclaim#2 lease-expire b:claim",
		before: [][2]string{{"reclaim", "reclaim#2"}},
	},
	{
		Name:   "authority",
		About:  "grants are revoked, the contract migrates, a checker version is withdrawn; two targets",
		chains: []string{chainOf("candidate-pair")},
		free:   "revoke revoke-second migrate a:refresh withdraw-checker publish-policy",
	},
	{
		Name:   "objects",
		About:  "inputs, a directory, the target and an alias change under the worker",
		chains: []string{chainOf("candidate-alias")},
		free:   "input-edit file-add foreign-publish alias-move a:replace",
	},
	{
		Name:   "evidence",
		About:  "each criterion is verified or is not, early or late, for what the candidate is then",
		chains: []string{"a:read a:candidate a:preflight a:commit"},
		free:   "a:verify-tests a:verify-review a:verify-review#2 a:replace withdraw-checker migrate a:refresh",
		before: [][2]string{{"a:verify-review", "a:verify-review#2"}},
	},
	{
		Name:   "unclean-path",
		About:  "the candidate leaves the scope through an unclean path",
		chains: []string{chainOf("candidate-unclean")},
		free:   "revoke cancel",
	},
	{
		Name:   "other-spelling",
		About:  "the candidate's path is in scope, in another case and with a trailing slash",
		chains: []string{chainOf("candidate-case")},
		free:   "foreign-publish revoke",
	},
	{
		Name:   "identity",
		About:  "the request comes again: the same, with another body, from another caller",
		chains: []string{chain},
		free:   "a:retry a:retry-other a:impersonate revoke cancel b:claim",
		before: [][2]string{{"a:commit", "a:retry"}, {"a:commit", "a:retry-other"}},
	},
	{
		Name:   "resent",
		About:  "a refused request is sent again, after another candidate was prepared and verified",
		chains: []string{"a:read a:candidate a:preflight a:commit a:retry"},
		free:   "a:verify a:verify#2 a:replace revoke regrant",
		before: [][2]string{{"a:verify", "a:verify#2"}, {"revoke", "regrant"}},
	},
	{
		Name:   "race",
		About:  "two workers with whole chains",
		chains: []string{"a:read a:candidate a:verify a:preflight a:commit", "b:read b:candidate b:verify b:preflight b:commit"},
		free:   "lease-expire b:claim a:retry",
		before: [][2]string{{"lease-expire", "b:claim"}, {"a:commit", "a:retry"}},
	},
	{
		Name:   "writers",
		About:  "a sweeper that acts on what it saw, and a worker that reports its failure",
		chains: []string{chain},
		free:   "lease-expire b:claim sweep-read sweep-write a:report-failure a:retry",
		before: [][2]string{{"sweep-read", "sweep-write"}, {"a:commit", "a:retry"}},
	},
}

// Families returns the families of scenarios, in order.
func Families() []Family { return append([]Family(nil), families...) }

// Optional reports whether e is one of the events that happen or not.
func (f Family) Optional(e model.Event) bool {
	return slices.Contains(strings.Fields(f.free), e.String())
}

// Order returns the order of all events of the family.
func (f Family) Order() (enumerate.Order[model.Event], error) {
	b := enumerate.NewOrder[model.Event]()
	add := func(names string, with func(actor string, events ...model.Event) *enumerate.Builder[model.Event]) error {
		var events []model.Event
		for name := range strings.FieldsSeq(names) {
			e, err := model.ParseEvent(name)
			if err != nil {
				return fmt.Errorf("family %s: %w", f.Name, err)
			}
			events = append(events, e)
		}
		with("", events...)
		return nil
	}
	for _, c := range f.chains {
		if err := add(c, b.Chain); err != nil {
			return enumerate.Order[model.Event]{}, err
		}
	}
	if err := add(f.free, b.Free); err != nil {
		return enumerate.Order[model.Event]{}, err
	}
	for _, p := range f.before {
		first, err := model.ParseEvent(p[0])
		if err != nil {
			return enumerate.Order[model.Event]{}, fmt.Errorf("family %s: %w", f.Name, err)
		}
		then, err := model.ParseEvent(p[1])
		if err != nil {
			return enumerate.Order[model.Event]{}, fmt.Errorf("family %s: %w", f.Name, err)
		}
		b.Before(first, then)
	}
	return b.Build()
}

// Scenarios returns the restrictions of the family's order: those that keep the chains
// and any of the other events, none first.
func (f Family) Scenarios() ([]enumerate.Order[model.Event], error) {
	order, err := f.Order()
	if err != nil {
		return nil, err
	}
	free := strings.Fields(f.free)
	position := make(map[string]int, len(free))
	for i, name := range free {
		position[name] = i
	}
	scenarios := make([]enumerate.Order[model.Event], 1<<len(free))
	for kept := range scenarios {
		scenarios[kept] = order.Restrict(func(e model.Event) bool {
			i, optional := position[e.String()]
			return !optional || kept>>i&1 != 0
		})
	}
	return scenarios, nil
}
