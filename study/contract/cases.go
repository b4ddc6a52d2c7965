package contract

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	oracle "example.com/commitpoint/oracle/contract"
	"example.com/commitpoint/study"
)

// A Case is an incident as a scenario: a family of events, the mechanism that lacks the
// obligation, and what that does wrong.
type Case struct {
	Family
	Report    string // where it happened
	Mechanism contract.Mechanism
	Kind      study.Kind // of a wrong decision; "" if an invariant is broken
	Reason    string     // that it has to have; "" for any
	Breaks    string     // the invariant
	Story     []string   // the shortest history, if it is asserted

	file     string
	lines    map[string]int // of the keys, and of what is before what
	declared map[string]int // the lines of the events
}

//go:embed cases/*.txt
var caseFiles embed.FS

// Cases returns the cases that come with the package, by the names of their files.
func Cases() ([]Case, error) {
	entries, err := caseFiles.ReadDir("cases")
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, entry := range entries {
		text, err := caseFiles.ReadFile("cases/" + entry.Name())
		if err != nil {
			return nil, err
		}
		c, err := ParseCase(entry.Name(), string(text))
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, Distinct(cases)
}

// Distinct reports two cases with the same name.
func Distinct(cases []Case) error {
	known := make(map[string]Case)
	for _, c := range cases {
		if other, taken := known[c.Name]; taken {
			return c.at("case", "there is a case %s in %s already: choose another name", c.Name, other.file)
		}
		known[c.Name] = c
	}
	return nil
}

// at returns an error that names the file and the line of a key.
func (c Case) at(key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", c.file, max(1, c.lines[key]), fmt.Sprintf(format, args...))
}

// ParseCase reads the text of a case; its format is described in cases/README.md. Errors
// name the file, the line, and what would have been understood.
func ParseCase(file, text string) (Case, error) {
	c := Case{file: file, lines: make(map[string]int), declared: make(map[string]int)}
	if len(text) > maxCase {
		return c, c.at("", "more than %d bytes are no case: choose another file", maxCase)
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		set := caseKeys[key]
		switch {
		case !ok || set == nil:
			return c, fmt.Errorf("%s:%d: %.40q is no line of a case: write KEY: VALUE, where KEY is one of %s", file, number, line, strings.Join(keyNames, ", "))
		case value == "":
			return c, fmt.Errorf("%s:%d: %s has no value: give it one or leave the line out", file, number, key)
		case c.lines[key] > 0 && key != "chain" && key != "before":
			return c, fmt.Errorf("%s:%d: %s was given in line %d already: leave one out", file, number, key, c.lines[key])
		}
		c.lines[key] = number
		if err := set(&c, value); err != nil {
			return c, fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	return c, c.validate()
}

// maxCase is more than any case needs.
const maxCase = 64 << 10

var keyNames = []string{"case", "report", "about", "chain", "free", "before", "mechanism", "expect", "story"}

// caseKeys says what to do with the value of each key.
var caseKeys = map[string]func(c *Case, value string) error{
	"case": func(c *Case, value string) error {
		if strings.ContainsAny(value, " \t/") {
			return fmt.Errorf("the name %q has spaces or slashes: join its words with -", value)
		}
		c.Name = value
		return nil
	},
	"report": func(c *Case, value string) error { c.Report = value; return nil },
	"about":  func(c *Case, value string) error { c.About = value; return nil },
	"chain": func(c *Case, value string) error {
		c.chains = append(c.chains, value)
		return c.declare("chain", value)
	},
	"free": func(c *Case, value string) error { c.free = value; return c.declare("free", value) },
	"before": func(c *Case, value string) error {
		words := strings.Fields(strings.Replace(value, "<", " < ", 1))
		if len(words) != 3 || words[1] != "<" {
			return fmt.Errorf("%q orders nothing: write FIRST < THEN", value)
		}
		pair := [2]string{words[0], words[2]}
		c.before = append(c.before, pair)
		c.lines[beforeKey(pair)] = c.lines["before"]
		return events(words[0] + " " + words[2])
	},
	"mechanism": func(c *Case, value string) (err error) {
		c.Mechanism, err = contract.Named(value)
		return err
	},
	"expect": (*Case).expect,
	"story":  func(c *Case, value string) error { c.Story = strings.Fields(value); return events(value) },
}

func beforeKey(pair [2]string) string { return pair[0] + " < " + pair[1] }

// declare notes the events of a line, of which each has to be in one only.
func (c *Case) declare(key, names string) error {
	for name := range strings.FieldsSeq(names) {
		if err := events(name); err != nil {
			return err
		}
		if line := c.declared[name]; line > 0 {
			text, _, _ := strings.Cut(name, "#")
			return fmt.Errorf("%s is in line %d already: number repeated events, as in %s#2, %s#3", name, line, text, text)
		}
		c.declared[name] = c.lines[key]
	}
	return nil
}

func events(names string) error {
	_, err := parse(strings.Fields(names))
	return err
}

// expect reads what the mechanism does wrong.
func (c *Case) expect(value string) error {
	what, detail, _ := strings.Cut(value, " ")
	detail = strings.TrimSpace(detail)
	var known []string
	switch what {
	case string(study.UnsafeAccept):
		for _, r := range oracle.AllReasons() {
			known = append(known, r.String())
		}
		c.Kind, c.Reason = study.UnsafeAccept, detail
	case string(study.EligibleReject):
		known = append(model.All.Names(), identity)
		c.Kind, c.Reason = study.EligibleReject, detail
	case "breaks":
		for _, x := range invariants {
			known = append(known, x.property)
		}
		if c.Breaks = detail; detail == "" {
			return fmt.Errorf("breaks names no invariant: there are %s", strings.Join(known, "; "))
		}
	default:
		return fmt.Errorf("%q is nothing to expect: write unsafe-accept or eligible-reject, or breaks and an invariant", value)
	}
	if detail != "" && !slices.Contains(known, detail) {
		return fmt.Errorf("unknown reason or invariant %q: there are %s", detail, strings.Join(known, "; "))
	}
	return nil
}

// validate reports what is missing, and an order that there can't be.
func (c Case) validate() error {
	for _, key := range []string{"case", "chain", "mechanism", "expect"} {
		if c.lines[key] == 0 {
			return c.at(key, "the case has no line %s: add one", key)
		}
	}
	if n := len(strings.Fields(c.free)); n > maxFree {
		return c.at("free", "%d events that happen or not make 2^%d scenarios: use at most %d", n, n, maxFree)
	}
	for _, pair := range c.before {
		for _, name := range pair {
			if c.declared[name] == 0 {
				return c.at(beforeKey(pair), "%s does not happen: add it to a chain or to those that are free", name)
			}
		}
	}
	if _, err := c.Order(); err != nil {
		key := "before" // else there is no cycle
		if len(c.declared) > enumerate.MaxEvents {
			key = "chain"
		}
		return c.at(key, "%v", err)
	}
	return nil
}

// maxFree is how many events of a case can happen or not.
const maxFree = 10
