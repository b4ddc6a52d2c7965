package cases

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.com/commitpoint/episode/schema"
	"example.com/commitpoint/episode/substrate"
)

var update = flag.Bool("update", false, "write the files in the form that they are encoded in")

// encoded has, for each document, its text as the types of these packages encode it.
func encoded(t *testing.T, name string) []byte {
	t.Helper()
	text, err := File(name)
	if err != nil {
		t.Fatal(err)
	}
	var kind struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		t.Fatal(err)
	}
	var value any
	switch kind.Schema {
	case schema.Case:
		value = new(Case)
	case schema.RealityBinding:
		value = &struct {
			Schema string `json:"schema"`
			substrate.Binding
		}{}
	case schema.SemanticDelta:
		value = &struct {
			Schema string `json:"schema"`
			substrate.Delta
		}{}
	case schema.EvidenceRecord:
		c, err := Named("F3")
		if err != nil {
			t.Fatal(err)
		}
		o, err := Run(c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.Evidence("run-1")
		if err != nil {
			t.Fatal(err)
		}
		return got
	default: // no type of these packages: only the layout
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "  "); err != nil {
			t.Fatal(err)
		}
		return append(bytes.TrimSpace(b.Bytes()), '\n')
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(value); err != nil {
		t.Fatal(err)
	}
	got, err := document(kind.Schema, value)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Every document is valid by the schema that it names, and is what the types that it is
// decoded into encode again: no field gets lost.
func TestDocuments(t *testing.T) {
	want := append(Names(), "binding-fmu", "binding-rules", "delta-machine", "evidence-F3",
		"manifest-machine", "participant-scheduler", "participant-traveller")
	slices.Sort(want)
	if got := documents(); !slices.Equal(got, want) {
		t.Errorf("the documents are %q, want %q", got, want)
	}
	for _, name := range documents() {
		t.Run(name, func(t *testing.T) {
			text, err := File(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate("", text); err != nil {
				t.Error(err)
			}
			again := encoded(t, name)
			if *update {
				if err := os.WriteFile(filepath.Join("files", name+".json"), again, 0o644); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(text, again) {
				t.Errorf("it is encoded as\n%s", again)
			}
		})
	}
}

func TestCases(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			c, err := Named(name)
			if err != nil {
				t.Fatal(err)
			}
			if c.ID != name {
				t.Errorf("its ID is %q", c.ID)
			}
			if _, err := Run(c); err != nil {
				t.Error(err)
			}
		})
	}
}
