package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/commitpoint/episode"
	"example.com/commitpoint/episode/judgment"
	"example.com/commitpoint/episode/schema"
)

// A Case is one case, as it is in its file.
type Case struct {
	Schema  string        `json:"schema"` // schema.Case
	ID      string        `json:"id"`
	Rule    string        `json:"rule"`    // such as "R3"
	Section string        `json:"section"` // of the source
	Title   string        `json:"title"`
	Guards  []string      `json:"guards,omitempty"` // asked beside the six of every episode; Run has to know them
	Terms   episode.Terms `json:"terms"`
	Steps   []Step        `json:"steps"`
	Expect  Expectation   `json:"expect"`

	file string // for messages
}

// A Step is one call of a method of episode.Episode. Which fields it needs depends on Do;
// the schema says it.
type Step struct {
	Do         string              `json:"do"`
	By         string              `json:"by,omitempty"`    // who calls: carrier, principal, source, party
	On         string              `json:"on,omitempty"`    // action, fact, carrier or commitment
	Value      string              `json:"value,omitempty"` // what is reported; the successor; the ending
	Forbidden  []string            `json:"forbidden,omitempty"`
	Intent     *episode.Intent     `json:"intent,omitempty"`
	Delegation *episode.Delegation `json:"delegation,omitempty"`
	Commitment *episode.Commitment `json:"commitment,omitempty"`
	Note       string              `json:"note,omitempty"` // for the reader
}

// An Expectation is what has to come of a case. It has Decisions or a Closure at least. What
// it does not mention of decisions, refusals, dispatches and debts must not happen; without
// a Closure the episode has to be open.
type Expectation struct {
	Decisions  []Decided                 `json:"decisions,omitempty"`
	Refused    []Refused                 `json:"refused,omitempty"`
	Dispatched []string                  `json:"dispatched,omitempty"`
	Facts      []episode.Fact            `json:"facts,omitempty"` // others are left alone, and so are sources
	Owed       []string                  `json:"owed,omitempty"`
	Closure    *episode.Closure          `json:"closure,omitempty"`
	Judgments  map[string]judgment.Grade `json:"judgments,omitempty"` // by the names of judgment.Compare; others are left alone
}

// A Decided is an admission: ALLOW, or what else, and because of what.
type Decided struct {
	Action   string   `json:"action"`
	Decision string   `json:"decision"`
	Because  []Reason `json:"because,omitempty"` // nothing for ALLOW
}

// A Reason is what one guard says.
type Reason struct {
	Guard  string `json:"guard"`
	Reason string `json:"reason"`
}

// A Refused is a step, counted from 1, that the episode refuses.
type Refused struct {
	Step    int    `json:"step"`
	Because string `json:"because"`
}

// most is how many bytes of a file are a case. No more is read of any.
const most = 1 << 20

// Load reads a case from a file of at most 1 MiB, and checks it against its schema. Each
// line of the error names the file, as it was given, the place in it, and the remedy. That
// there is no such file matches fs.ErrNotExist.
func Load(path string) (Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return Case{}, fmt.Errorf("load a case: %w; name another file", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return Case{}, fmt.Errorf("load a case: %s is a directory; name a file in it", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return Case{}, fmt.Errorf("load a case: %w; name another file", err)
	case len(text) > most:
		return Case{}, fmt.Errorf("load a case: %s has more than %d bytes; name a file that is a case", path, most)
	}
	return decode(path, text)
}

// An invalid is an error about a file, with its name in every line: a line that is read, or
// searched for, by itself has to say where it belongs.
type invalid struct {
	file string
	err  error
}

func (i invalid) Error() string {
	return i.file + ": " + strings.ReplaceAll(i.err.Error(), "\n", "\n"+i.file+": ")
}

func (i invalid) Unwrap() error { return i.err }

// decode reads a case from the text of a file.
func decode(file string, text []byte) (Case, error) {
	if err := schema.Validate(schema.Case, text); err != nil {
		return Case{}, invalid{file, err}
	}
	c := Case{file: file}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // the schema has refused them; this keeps the two from drifting apart
	if err := d.Decode(&c); err != nil {
		return Case{}, invalid{file, err}
	}
	return c, nil
}

// Encode returns the text of a case's file, and checks it against its schema.
func (c Case) Encode() ([]byte, error) { return document(schema.Case, c) }
