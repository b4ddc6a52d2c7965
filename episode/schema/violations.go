package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// A Violation is one thing that is wrong with a document.
type Violation struct {
	Path    string // a JSON pointer; empty for the document itself
	Problem string // what is wrong there, and what to do
}

// Violations are all that is wrong with a document, ordered by path.
type Violations []Violation

const maxShown = 8

// Error has a line for each violation, at most eight and how many there are beyond that.
func (v Violations) Error() string {
	var lines []string
	for i, one := range v {
		if i == maxShown {
			lines = append(lines, fmt.Sprintf("and %d more", len(v)-maxShown))
			break
		}
		lines = append(lines, fmt.Sprintf("%s: %s", cmp.Or(one.Path, "the document"), one.Problem))
	}
	return strings.Join(lines, "\n")
}

// violations returns the innermost causes: the outer ones only say that there are some.
func violations(e *jsonschema.ValidationError) (all Violations) {
	for _, cause := range leaves(e) {
		path := ""
		for _, token := range cause.InstanceLocation {
			path += "/" + escape(token)
		}
		text := problem(cause.ErrorKind)
		if names := alternatives(cause); names != nil {
			text = fmt.Sprintf("it has none of %s; add one", quoted(names))
		}
		all = append(all, Violation{path, text})
	}
	slices.SortFunc(all, func(a, b Violation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Problem, b.Problem))
	})
	return all
}

// leaves returns the causes that have none, in the order of the validator. Alternatives that
// each lack something count as one: to add to all of them is more than what is asked for.
func leaves(e *jsonschema.ValidationError) (all []*jsonschema.ValidationError) {
	if len(e.Causes) == 0 || alternatives(e) != nil {
		return []*jsonschema.ValidationError{e}
	}
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// alternatives returns the fields of which a document lacks all, and needs one; nil if an
// error is not about such fields.
func alternatives(e *jsonschema.ValidationError) (names []string) {
	if _, is := e.ErrorKind.(*kind.AnyOf); !is {
		return nil
	}
	for _, cause := range e.Causes {
		lacks, is := cause.ErrorKind.(*kind.Required)
		if !is || len(lacks.Missing) != 1 {
			return nil
		}
		names = append(names, lacks.Missing[0])
	}
	return names
}

// problem says what is wrong, and what to do. The validator's own texts say only the first.
func problem(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Required:
		return fmt.Sprintf("it lacks %s; add it", quoted(k.Missing))
	case *kind.AdditionalProperties:
		return fmt.Sprintf("it has %s, which its schema does not know; leave it out", quoted(k.Properties))
	case *kind.FalseSchema:
		return "it does not belong here; leave it out"
	case *kind.Type:
		return fmt.Sprintf("it is %s; send %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		return fmt.Sprintf("it is %s; use one of %s", shown(k.Got), list(k.Want))
	case *kind.Const:
		return fmt.Sprintf("it is %s; use %s", shown(k.Got), shown(k.Want))
	case *kind.Format:
		return fmt.Sprintf("%s is no %s; correct it", shown(k.Got), k.Want)
	case *kind.Pattern:
		return fmt.Sprintf("%s does not match %s; correct it", shown(k.Got), k.Want)
	case *kind.MinLength:
		return "it is empty; fill it in"
	case *kind.MaxLength:
		return fmt.Sprintf("it has %d characters; send at most %d", k.Got, k.Want)
	case *kind.Minimum:
		return fmt.Sprintf("it is %s; send at least %s", k.Got.RatString(), k.Want.RatString())
	case *kind.Maximum:
		return fmt.Sprintf("it is %s; send at most %s", k.Got.RatString(), k.Want.RatString())
	case *kind.MinItems:
		return fmt.Sprintf("it has %d items; send at least %d", k.Got, k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("its items %d and %d are equal; leave one out", k.Duplicates[0], k.Duplicates[1])
	}
	return fmt.Sprintf("it does not keep %q of its schema; correct it", strings.Join(k.KeywordPath(), "/"))
}

// quoted returns names, sorted and cut off: they are the document's, and may be anything.
func quoted(names []string) string {
	names = slices.Sorted(slices.Values(names)) // the validator's order is not a fixed one
	for i, n := range names {
		names[i] = fmt.Sprintf("%.40q", n)
	}
	return strings.Join(names, ", ")
}

// list returns values as a list that can be chosen from.
func list(values []any) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, shown(v))
	}
	return strings.Join(texts, ", ")
}

// shown returns a value as JSON, cut off.
func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("a %T", value)
	}
	return fmt.Sprintf("%.60s", text)
}

// escape returns a name as part of a JSON pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
