package counterexamples

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io"
	"path"
	"strings"
	"text/template"
	"unicode"
)

var goTest = template.Must(template.New("test").Parse(`package completion_test

import (
	"testing"

	{{.Mechanisms}}
	"{{.Import}}"
)
{{range .Tests}}
// {{.Summary}}.
func Test{{.Name}}(t *testing.T) {
	m, err := mechanisms.Named({{printf "%q" .Mechanism}}) // or a mechanism of your own
	if err != nil {
		t.Fatal(err)
	}
	{{$.Package}}.RunHistory(t, m,{{range .Schedule}} {{printf "%q" .}},{{end}})
}
{{end}}`))

// WriteGo writes traces as a file of Go tests that fail with them: one a trace, each a
// call of RunHistory in one package, with what Named of another returns.
func WriteGo(w io.Writer, run, mechanisms string, traces []Trace) error {
	if !token.IsIdentifier(path.Base(run)) {
		return fmt.Errorf("write the Go test: %q does not end in the name of a package", run)
	}
	for _, t := range traces {
		if t.Mechanism == "" || len(t.Schedule) == 0 {
			return errors.New("write the Go test: a trace without a mechanism or a schedule can't be run again")
		}
	}
	type test struct {
		Name, Mechanism, Summary string
		Schedule                 []string
	}
	data := struct {
		Import, Package, Mechanisms string
		Tests                       []test
	}{Import: run, Package: path.Base(run), Mechanisms: fmt.Sprintf("%q", mechanisms)}
	if path.Base(mechanisms) != "mechanisms" {
		data.Mechanisms = "mechanisms " + data.Mechanisms
	}
	used := make(map[string]int)
	for _, t := range traces {
		name := camel(t.Mechanism + " " + t.Kind + " " + t.Reason)
		if used[name]++; used[name] > 1 {
			name = fmt.Sprintf("%s%d", name, used[name])
		}
		data.Tests = append(data.Tests, test{name, path.Base(t.Mechanism), strings.Join(strings.Fields(t.Summary), " "), t.Schedule})
	}
	var b bytes.Buffer
	if err := goTest.Execute(&b, data); err != nil {
		return fmt.Errorf("write the Go test: %w", err)
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("write the Go test: %w", err)
	}
	_, err = w.Write(source)
	return err
}

// camel makes a Go name of words.
func camel(text string) string {
	var b strings.Builder
	up := true
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
