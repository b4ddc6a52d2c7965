package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"example.com/commitpoint/episode"
	"example.com/commitpoint/episode/judgment"
	"example.com/commitpoint/episode/schema"
	"example.com/commitpoint/episode/substrate"
)

// A Comparison puts two outcomes side by side.
type Comparison struct {
	A          string         `json:"a"` // the cases
	B          string         `json:"b"`
	SameOutput bool           `json:"same_output"` // what they are for is accepted in both, with the same values
	Output     []episode.Fact `json:"output"`      // A's
	Rows       []judgment.Row `json:"rows"`        // eight
}

// Compare compares two outcomes in each of the eight judgments. That their output is the
// same says nothing of the rest: see the cases "travel-unresolved" and "travel-fulfilled".
func Compare(a, b Outcome) Comparison {
	same := slices.EqualFunc(a.Output, b.Output, func(f, g episode.Fact) bool {
		return f.Name == g.Name && f.Value == g.Value && f.Status == episode.Accepted && g.Status == episode.Accepted
	})
	return Comparison{A: a.Case, B: b.Case, SameOutput: same && len(a.Output) > 0, Output: a.Output, Rows: judgment.Compare(a.Judgments, b.Judgments)}
}

// A Migration is what changes when an object is bound to something else.
type Migration struct {
	From, To substrate.Binding
	Delta    substrate.Delta
}

// Industrial returns a machine's migration from business rules to a mechanistic model. A
// schedule that keeps the rules can exceed the thermal limit of the model: whoever reports
// that has to report the delta, too.
func Industrial() (m Migration, err error) {
	// Of the declared delta only the hypothesis is taken; the rest is found out.
	var declared struct {
		Hypothesis substrate.Hypothesis `json:"hypothesis"`
	}
	for _, d := range []struct {
		file string
		into any
	}{{"binding-rules", &m.From}, {"binding-fmu", &m.To}, {"delta-machine", &declared}} {
		text, err := File(d.file)
		if err != nil {
			return Migration{}, err
		}
		if err := json.Unmarshal(text, d.into); err != nil {
			return Migration{}, fmt.Errorf("read %s: %w", d.file, err)
		}
	}
	m.Delta, err = substrate.Classify(declared.Hypothesis, m.From, m.To)
	return m, err
}

// Evidence returns the record of an outcome as a document, an evidence record of a run, and
// checks it against its schema.
func (o Outcome) Evidence(run string) ([]byte, error) {
	return document(schema.EvidenceRecord, struct {
		Schema  string          `json:"schema"`
		Run     string          `json:"run"`
		Episode string          `json:"episode"`
		Entries []episode.Entry `json:"entries"`
	}{schema.EvidenceRecord, run, o.Case, o.Record})
}

// document encodes a value, and checks it against a schema.
func document(name string, value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode a document: %w", err)
	}
	if err := schema.Validate(name, b.Bytes()); err != nil {
		return nil, fmt.Errorf("encode a document: %w", err)
	}
	return b.Bytes(), nil
}
