// Package deps holds the import policy, as a test.
package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// policy says, for each package, what it may import beside the standard
// library: packages of this module by their path in it, those of others by the
// path of their module or a package in it. A name behind a package's, with an
// exclamation mark, is a symbol of it that may not be used.
//
// Tests may import anything.
const policy = `
.               :
model           :
enumerate       : golang.org/x/sync
model/contention      : model
model/contract        : model
model/deadline        : model
model/episode           :
model/harness/budget    :
model/harness/ownership : model
mechanisms      : model
mechanisms/contention : model model/contention
mechanisms/contract   : model/contract
mechanisms/deadline   : model/deadline
mechanisms/episode           : model/episode
mechanisms/harness/budget    : model/harness/budget
mechanisms/harness/ownership : model/harness/ownership
oracle          : model !Next !Ledger !State !Initial !Checks
oracle/contention     : oracle model model/contention !Next !State !Initial
oracle/contract       : model/contract !Step !State !Initial !Checks
oracle/deadline       : model/deadline !Next !State
oracle/episode           : model/episode !Step !Next !State
oracle/harness/budget    : model/harness/budget !Step !State !Entry
oracle/harness/ownership : model/harness/ownership !Next !Step !State
counterexamples : enumerate
counterexamples/rapidgen : enumerate pgregory.net/rapid
study           : model enumerate mechanisms oracle counterexamples testing
study/contention      : enumerate counterexamples study model model/contention mechanisms mechanisms/contention oracle oracle/contention testing
study/contract        : enumerate counterexamples study model model/contract mechanisms/contract oracle/contract testing
study/deadline        : enumerate counterexamples study model/deadline mechanisms/deadline oracle/deadline testing
study/deadline/watch  : model/deadline mechanisms/deadline
study/deadline/recordings : model/deadline mechanisms/deadline oracle/deadline
harness         :
harness/adapter : harness
harness/budget  :
harness/session : golang.org/x/sys
episode           :
episode/judgment  : episode
episode/substrate : episode
episode/schema    : github.com/santhosh-tekuri/jsonschema/v6
episode/cases     : episode episode/judgment episode/substrate episode/schema
study/counts            : enumerate study
study/episode           : enumerate counterexamples study study/counts model/episode mechanisms/episode oracle/episode testing
study/harness           : enumerate study study/harness/budget study/harness/checks study/harness/ownership
study/harness/budget    : enumerate counterexamples study study/counts model/harness/budget mechanisms/harness/budget oracle/harness/budget testing
study/harness/ownership : enumerate counterexamples study model/harness/ownership mechanisms/harness/ownership oracle/harness/ownership testing
study/harness/checks    : harness harness/adapter harness/budget
study/harness/lifecycle : harness harness/session study/harness/checks
conformance     : model model/contract enumerate mechanisms oracle counterexamples study study/contract testing
conformance/wire      : conformance
internal/wrapped      : conformance model model/contract mechanisms mechanisms/contract study study/contract
results         : model study
cmd/explore     : . model model/contention model/deadline conformance conformance/wire enumerate mechanisms mechanisms/contract mechanisms/deadline mechanisms/harness/budget mechanisms/harness/ownership mechanisms/episode episode/cases episode/judgment episode/schema harness/session oracle counterexamples study study/contention study/contract study/deadline study/deadline/recordings study/deadline/watch study/harness study/harness/budget study/harness/checks study/harness/lifecycle study/harness/ownership study/episode results github.com/spf13/cobra github.com/mattn/go-isatty github.com/olekukonko/tablewriter github.com/rogpeppe/go-internal/diff
`

const module = "example.com/commitpoint"

// A rule is a line of the policy.
type rule struct {
	allowed   []string
	forbidden map[string][]string // symbols, by package
}

func parsePolicy(text string) map[string]rule {
	rules := map[string]rule{}
	for line := range strings.Lines(text) {
		name, list, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		r := rule{forbidden: map[string][]string{}}
		for word := range strings.FieldsSeq(list) {
			if symbol, forbids := strings.CutPrefix(word, "!"); forbids {
				of := r.allowed[len(r.allowed)-1]
				r.forbidden[of] = append(r.forbidden[of], symbol)
				continue
			}
			r.allowed = append(r.allowed, word)
		}
		rules[strings.TrimSpace(name)] = r
	}
	return rules
}

// allows reports whether the rule lets a package import another.
func (r rule) allows(imported string) bool {
	if inner, ours := local(imported); ours {
		return slices.Contains(r.allowed, inner)
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return imported != "testing" || slices.Contains(r.allowed, "testing")
	}
	return slices.ContainsFunc(r.allowed, func(a string) bool {
		return imported == a || strings.HasPrefix(imported, a+"/")
	})
}

// local returns the path within this module of a package that belongs to it.
func local(imported string) (inner string, ours bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// violations returns what a file does against its package's rule.
func violations(r rule, file *ast.File) []string {
	var found []string
	names := map[string]string{} // of imported packages of ours, as the file calls them
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return []string{err.Error()}
		}
		if !r.allows(imported) {
			found = append(found, "imports "+imported)
		}
		inner, ours := local(imported)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if ours && name == "." {
			found = append(found, "imports the names of "+imported+" without saying where they are from")
		}
		names[name] = inner
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(r.forbidden[names[x.Name]], s.Sel.Name) {
				found = append(found, "uses "+names[x.Name]+"."+s.Sel.Name)
			}
		}
		return true
	})
	return found
}

func TestImports(t *testing.T) {
	rules := parsePolicy(policy)
	seen := map[string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") && name != ".." || isModule(file) && file != root {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		r, ok := rules[pkg]
		if !ok {
			t.Errorf("package %s has no line in the policy", pkg)
			return nil
		}
		seen[pkg] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		for _, v := range violations(r, parsed) {
			t.Errorf("%s %s", file, v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range rules {
		if !seen[pkg] {
			t.Errorf("the policy has a line for %s, which has no Go file", pkg)
		}
	}
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// The policy has to notice what it forbids.
func TestViolationsAreNoticed(t *testing.T) {
	tests := []struct{ name, pkg, source, want string }{
		{"allowed", "oracle", `package p; import "example.com/commitpoint/model"; var _ model.Event`, ""},
		{"a mechanism", "oracle", `package p; import _ "example.com/commitpoint/mechanisms"`, "imports example.com/commitpoint/mechanisms"},
		{"a transition", "oracle", `package p; import "example.com/commitpoint/model"; var _ = model.Next`, "uses model.Next"},
		{"a transition under another name", "oracle", `package p; import m "example.com/commitpoint/model"; var _ = m.Next`, "uses model.Next"},
		{"a transition without a name", "oracle", `package p; import . "example.com/commitpoint/model"; var _ = Next`,
			"imports the names of example.com/commitpoint/model without saying where they are from"},
		{"the state", "oracle", `package p; import "example.com/commitpoint/model"; func f(model.State) {}`, "uses model.State"},
		{"a dependency", "model", `package p; import _ "golang.org/x/sync/errgroup"`, "imports golang.org/x/sync/errgroup"},
		{"its dependency", "enumerate", `package p; import _ "golang.org/x/sync/errgroup"`, ""},
		{"a protocol", "enumerate", `package p; import _ "example.com/commitpoint/model"`, "imports example.com/commitpoint/model"},
		{"testing", "mechanisms", `package p; import _ "testing"`, "imports testing"},
		{"testing, where it is offered", "study", `package p; import _ "testing"`, ""},
		{"the command", "study", `package p; import _ "example.com/commitpoint/cmd/explore"`, "imports example.com/commitpoint/cmd/explore"},
		{"a similar path", "enumerate", `package p; import _ "golang.org/x/synchronous"`, "imports golang.org/x/synchronous"},
	}
	rules := parsePolicy(policy)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "p.go", tt.source, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(violations(rules[tt.pkg], file), "; "); got != tt.want {
				t.Errorf("violations = %q, want %q", got, tt.want)
			}
		})
	}
}
