package schema

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed *.schema.json
var files embed.FS

// base is where the schemas are, for their references to one another. Nothing is fetched.
const base = "https://example.com/commitpoint/episode/"

// The schemas that a document can have.
const (
	RunManifest            = "commitpoint/episode/run-manifest/v1"
	ParticipantRealization = "commitpoint/episode/participant-realization/v1"
	RealityBinding         = "commitpoint/episode/reality-binding/v1"
	SemanticDelta          = "commitpoint/episode/semantic-delta/v1"
	EvidenceRecord         = "commitpoint/episode/evidence-record/v1"
	Case                   = "commitpoint/episode/case/v1"
)

// fileOf has the file of each.
var fileOf = map[string]string{
	RunManifest:            "run-manifest.schema.json",
	ParticipantRealization: "participant-realization.schema.json",
	RealityBinding:         "reality-binding.schema.json",
	SemanticDelta:          "semantic-delta.schema.json",
	EvidenceRecord:         "evidence-record.schema.json",
	Case:                   "case.schema.json",
}

// types is the file that the others refer to. No document can be of it.
const types = "types.schema.json"

// Names returns the schemas that a document can have, sorted.
func Names() []string { return slices.Sorted(maps.Keys(fileOf)) }

// Text returns the text of a schema. It refers to "types.schema.json", beside it, whose text
// is that of "types".
func Text(name string) ([]byte, error) {
	file := fileOf[name]
	if name == "types" {
		file = types
	}
	if file == "" {
		return nil, unknown(name)
	}
	return files.ReadFile(file)
}

func unknown(name string) error {
	return fmt.Errorf("schema %.80q is unknown; use one of %s", name, strings.Join(Names(), ", "))
}

// compiled has the schemas by their names. That they compile is a property of this package.
var compiled = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // no scheme: nothing is loaded from anywhere
	c.AssertFormat()
	for _, file := range append(slices.Collect(maps.Values(fileOf)), types) {
		text, err := files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := c.AddResource(base+file, doc); err != nil {
			return nil, err
		}
	}
	all := map[string]*jsonschema.Schema{}
	for _, name := range Names() {
		s, err := c.Compile(base + fileOf[name])
		if err != nil {
			return nil, err
		}
		all[name] = s
	}
	return all, nil
})

// Validate checks a document against the schema of a name, or, if that is empty, against
// the one that the document names. If it is not valid, the error is Violations, with the
// place of each. Another error says that it is no JSON, too large, or that there is no such
// schema.
func Validate(name string, document []byte) error {
	value, err := read(document)
	if err != nil {
		return err
	}
	if name == "" {
		if name, err = named(value); err != nil {
			return err
		}
	}
	all, err := compiled()
	if err != nil {
		return fmt.Errorf("compile the schemas: %w", err)
	}
	s, found := all[name]
	if !found {
		return unknown(name)
	}
	err = s.Validate(value)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return violations(invalid)
	}
	return err
}

// named returns the schema that a document names.
func named(document any) (string, error) {
	object, is := document.(map[string]any)
	if !is {
		return "", Violations{{"", "it is not an object; send one with the field \"schema\""}}
	}
	name, is := object["schema"].(string)
	if !is {
		return "", Violations{{"/schema", "there is no such text; name the schema, one of " + strings.Join(Names(), ", ")}}
	}
	return name, nil
}
