package cases

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed files/*.json
var files embed.FS

// names has the cases, in the order of the source.
var names = []string{
	"F1", "F2", "F3", "F4", "F5", "F6", "F7", "C3", "C7", "C7-review",
	"travel-unresolved", "travel-fulfilled", "travel-limit",
}

// Names returns the names of the cases of this package, in a fixed order.
func Names() []string { return append([]string(nil), names...) }

// Named returns a case of this package by its name, in capitals or not.
func Named(name string) (Case, error) {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			text, err := File(n)
			if err != nil {
				return Case{}, err
			}
			return decode(n+".json", text)
		}
	}
	return Case{}, fmt.Errorf("case %.80q is unknown; use one of %s, or load a file", name, strings.Join(names, ", "))
}

// File returns the text of an embedded document by its name: a case, or one of
// "binding-rules", "binding-fmu", "delta-machine", "manifest-machine", "evidence-F3",
// "participant-scheduler" and "participant-traveller".
func File(name string) ([]byte, error) {
	text, err := fs.ReadFile(files, "files/"+name+".json")
	if err != nil {
		return nil, fmt.Errorf("document %.80q is unknown; use one of %s", name, strings.Join(documents(), ", "))
	}
	return text, nil
}

// documents returns the names of all embedded documents, sorted.
func documents() (all []string) {
	entries, err := files.ReadDir("files")
	if err != nil {
		panic(err) // they are embedded
	}
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(all) // a directory's order is that of the names with their endings
	return all
}
