package counterexamples

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// width is how many columns text takes, less what a test indents it by.
const width = 96

// WriteText writes a trace for people: one event a line, with its actor and effect,
// and below it what changed. Lines have at most 96 columns unless a single word is
// longer.
func WriteText(w io.Writer, t Trace) error {
	var b strings.Builder
	writeWrapped(&b, "", "  ", t.Summary)
	b.WriteString("\n")
	actors, events := 0, 0
	for _, s := range t.Steps {
		actors = max(actors, utf8.RuneCountInString(s.Actor))
		events = max(events, utf8.RuneCountInString(s.Event))
	}
	indent := strings.Repeat(" ", 2+actors+3+events+3)
	var fails []string
	for i, s := range t.Steps {
		mark := " "
		if s.Marked {
			mark = ">"
		}
		writeWrapped(&b, fmt.Sprintf("%s %-*s   %-*s   ", mark, actors, s.Actor, events, s.Event), indent, s.Effect)
		if details := details(s, fails, i == 0); details != "" {
			writeWrapped(&b, indent+"  ", indent+"  ", details)
		}
		fails = s.Fails
	}
	if len(t.Notes) > 0 || t.Nearest != nil {
		b.WriteString("\n")
	}
	for _, note := range t.Notes {
		writeWrapped(&b, "", "          ", note)
	}
	if n := t.Nearest; n != nil {
		writeWrapped(&b, "", "          ", fmt.Sprintf("one swap away: with %s before %s it is %s and %s",
			n.Later, n.Earlier, eligibility(Oracle{Eligible: n.Eligible}), n.Decision))
	}
	if t.Replay != "" {
		fmt.Fprintf(&b, "\nreplay: %s\n", t.Replay) // to be pasted: never broken
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// details says what a step changed, and which checks hold or fail since: against
// those that failed before it, unless it is the first.
func details(s Step, failed []string, first bool) string {
	var parts []string
	for _, c := range s.Changed {
		parts = append(parts, fmt.Sprintf("%s: %s → %s", c.Field, c.From, c.To))
	}
	if first {
		if len(s.Holds)+len(s.Fails) > 0 {
			parts = append(parts, "fails: "+list(s.Fails))
		}
		return strings.Join(parts, "; ")
	}
	var broken, mended []string
	for _, c := range s.Fails {
		if !slices.Contains(failed, c) {
			broken = append(broken, c)
		}
	}
	for _, c := range failed {
		if !slices.Contains(s.Fails, c) {
			mended = append(mended, c)
		}
	}
	if mended != nil {
		parts = append(parts, "holds now: "+list(mended))
	}
	if broken != nil {
		parts = append(parts, "fails now: "+list(broken))
	}
	return strings.Join(parts, "; ")
}

// Wrap returns text after first, broken at spaces into lines of at most 96 columns, each
// further one after rest, as WriteText breaks lines. Several spaces in a row stay as they
// are.
func Wrap(first, rest, text string) string {
	var b strings.Builder
	writeWrapped(&b, first, rest, text)
	return b.String()
}

func writeWrapped(b *strings.Builder, first, rest, text string) {
	line := []rune(first + text)
	for len(line) > width {
		at := breakAt(line, utf8.RuneCountInString(rest))
		if at < 0 {
			break
		}
		fmt.Fprintln(b, strings.TrimRight(string(line[:at]), " "))
		line = []rune(rest + strings.TrimLeft(string(line[at:]), " "))
	}
	fmt.Fprintln(b, strings.TrimRight(string(line), " "))
}

// breakAt returns the last space within the width and behind the indentation, or
// else the first beyond both; negative if there is none.
func breakAt(line []rune, indent int) int {
	for at := width; at > indent; at-- {
		if line[at] == ' ' {
			return at
		}
	}
	for at := max(width, indent) + 1; at < len(line); at++ {
		if line[at] == ' ' {
			return at
		}
	}
	return -1
}
