package counterexamples

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A Step is one line of a history: what happened and what came of it.
type Step struct {
	Event  string
	Effect string
	Marked bool // set off, as what makes the difference
}

// An Explanation is a counterexample in words. Lines must not contain line
// breaks.
type Explanation struct {
	Summary string
	Steps   []Step
	Notes   []string // why it is wrong and what to do about it
}

// Write writes x as plain text, the events aligned.
func (x Explanation) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", x.Summary)
	width := 0
	for _, s := range x.Steps {
		width = max(width, utf8.RuneCountInString(s.Event))
	}
	for _, s := range x.Steps {
		mark := " "
		if s.Marked {
			mark = ">"
		}
		line := fmt.Sprintf("%s %-*s   %s", mark, width, s.Event, s.Effect)
		fmt.Fprintln(&b, strings.TrimRight(line, " "))
	}
	if len(x.Notes) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(x.Notes, "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
