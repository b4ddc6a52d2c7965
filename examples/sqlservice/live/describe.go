package live

import (
	"fmt"
	"strings"

	"example.com/commitpoint/model/contract"
)

// describe says what was asked and answered, for people.
func describe(in Input, out Output) string {
	text := in.String()
	if out.Unknown {
		return text + " → no answer"
	}
	return text + " → " + out.Answer.String()
}

// String names the event, with what it goes by where that can differ.
func (in Input) String() string {
	switch e := in.Event; {
	case e.Kind == 0:
		return "look at the record"
	case e.Kind.Decides():
		var s contract.State
		*s.Of(e.Worker) = in.Own
		r := s.Request(e)
		return fmt.Sprintf("%v of attempt %v, contract %d", e, r.Attempt, r.Contract)
	case in.Contract > 0:
		return fmt.Sprintf("%v to contract %d", e, in.Contract)
	case in.By != 0:
		return fmt.Sprintf("%v by %v of attempt %v", e, in.By, in.Own.Told)
	case in.Seen.Running:
		return fmt.Sprintf("%v of attempt %v", e, in.Seen.Attempt)
	default:
		return e.String()
	}
}

// String names what is not as in the zero Answer, which is "done".
func (a Answer) String() string {
	var parts []string
	add := func(is bool, format string, args ...any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	zero := Answer{}
	add(a.Refusal != "", "refused: %s", a.Refusal)
	add(a.Accepted && !a.Replayed, "accepted")
	add(a.Replayed, "accepted before")
	add(a.Told != zero.Told, "attempt %v", a.Told)
	add(a.Inputs > 0, "input %d, directory %d", a.Inputs, a.Members)
	add(a.Contract > 0, "contract %d", a.Contract)
	add(a.Bases != zero.Bases, "bases %v", a.Bases)
	add(a.Seen != zero.Seen, "%v, of %v", a.Seen, a.Principal)
	add(a.Swept, "swept")
	add(a.Revisions != zero.Revisions, "%v, %d written, revisions %v", a.Status, a.Writes, a.Revisions)
	add(a.Receipt != "", "receipt %.8s", a.Receipt)
	if parts == nil {
		return "done"
	}
	return strings.Join(parts, ", ")
}

// describe lists the model's fields that are not as at the start.
func (s state) describe() string {
	var before []string
	for _, value := range initial().Fields() {
		before = append(before, value)
	}
	var lines []string
	i := 0
	for name, value := range s.Fields() {
		if value != before[i] {
			lines = append(lines, name+": "+value)
		}
		i++
	}
	if s.receipt != "" {
		lines = append(lines, fmt.Sprintf("receipt: %.8s", s.receipt))
	}
	if lines == nil {
		return "as at the start"
	}
	return strings.Join(lines, "<br>")
}
