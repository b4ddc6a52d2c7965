package sqlservice

import (
	"fmt"
	"strings"
)

// A Variant is the service with at most one thing left out. All variants are the same
// code.
type Variant struct {
	Name    string
	Meaning string // in a clause

	omits        map[string]bool // predicates that are not looked at
	trustsEarly  bool            // what was decided in an earlier transaction is written without another look
	grantsAtTurn bool            // grants are those that were held when the task was assigned
	idAlone      bool            // a request is recognized by its id
	anyReceipt   bool            // receipts are looked up by nothing but their criterion
}

// setOf returns a set of names.
func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

var variants = [...]Variant{
	{
		Name:    "right",
		Meaning: "every predicate, in the transaction that records the completion",
	},
	{
		Name:        "split",
		Meaning:     "every predicate in one transaction, the completion recorded in the next",
		trustsEarly: true,
	},
	{
		Name:    "unguarded",
		Meaning: "the completion goes by the task's id: whose attempt it is, is not compared",
		omits:   setOf("caller", "attempt", "fence", "incarnation"),
	},
	{
		Name:         "cached-grant",
		Meaning:      "grants are those that were held when the task was assigned",
		grantsAtTurn: true,
	},
	{
		Name:    "id-alone",
		Meaning: "a request is recognized by its id, whatever else is in it and whoever sends it",
		idAlone: true,
	},
	{
		Name:       "any-receipt",
		Meaning:    "any pass of a criterion counts, whatever candidate it is about",
		anyReceipt: true,
		omits:      setOf("binding"),
	},
}

// Variants returns the right service, and those that are wrong in one way each.
func Variants() []Variant {
	list := variants
	return list[:]
}

// Named returns the variant of that name. The error lists the names there are.
func Named(name string) (Variant, error) {
	var names []string
	for _, v := range variants {
		if v.Name == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return Variant{}, fmt.Errorf("unknown variant %q: the variants are %s", name, strings.Join(names, ", "))
}
