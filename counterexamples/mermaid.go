package counterexamples

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMermaid writes a trace as a Mermaid sequence diagram: every actor and every
// object is a participant, every event a message with a note of its effect. What makes
// the difference is in a frame.
func WriteMermaid(w io.Writer, t Trace) error {
	var b strings.Builder
	fmt.Fprintf(&b, "sequenceDiagram\n    accTitle: %s\n", label(t.Summary))
	var participants []string
	id := func(name string) string {
		i := slices.Index(participants, name)
		if i < 0 {
			i = len(participants)
			participants = append(participants, name)
		}
		return fmt.Sprintf("p%d", i+1)
	}
	var messages strings.Builder
	for _, s := range t.Steps {
		from, to, indent := id(s.Actor), id(s.Object), "    "
		if s.Marked {
			messages.WriteString("    rect rgb(255, 235, 205)\n")
			indent += "    "
		}
		fmt.Fprintf(&messages, "%s%s->>%s: %s\n%sNote over %s,%s: %s\n", indent, from, to, label(s.Event), indent, from, to, label(s.Effect))
		if s.Marked {
			messages.WriteString("    end\n")
		}
	}
	for i, name := range participants {
		fmt.Fprintf(&b, "    participant p%d as %s\n", i+1, label(name))
	}
	b.WriteString(messages.String())
	for _, note := range t.Notes {
		if len(participants) > 0 {
			fmt.Fprintf(&b, "    Note over p1,p%d: %s\n", len(participants), label(strings.TrimSpace(note)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// label writes text so that Mermaid takes none of it for syntax: a semicolon ends a
// statement, a number sign begins an entity, and a percent sign a comment.
func label(text string) string {
	return strings.NewReplacer(
		"#", "#35;", ";", "#59;", "%", "#37;", "<", "#lt;", ">", "#gt;", "\n", " ", "\r", " ",
	).Replace(text)
}
