package wire

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/commitpoint/conformance"
)

// decodeAnswer reads the line that an adapter wrote in answer to r. The error shows the
// line and says what would have been understood.
func decodeAnswer(line []byte, r request) (answer, error) {
	a, err := parseAnswer(line, r)
	if err != nil {
		return answer{}, fmt.Errorf("the adapter answered %q with %s: %w", r, shown(line), err)
	}
	if a.Error != "" {
		return answer{}, fmt.Errorf("the adapter can't go on after %q: it says %s", r, shown([]byte(a.Error)))
	}
	return a, nil
}

func parseAnswer(line []byte, r request) (answer, error) {
	var a answer
	o, err := parseObject(line)
	if err != nil {
		return a, err
	}
	id := field{"id", &a.ID, true}
	switch spoken := ""; {
	case o.has("error"):
		err = o.fill(id, field{"error", &a.Error, true})
		if err == nil && a.Error == "" {
			err = errors.New("error is empty, expected what keeps the adapter from going on")
		}
	case r.Do == doHello && decode(o["protocol"], &spoken) && spoken != protocol:
		// Whatever else it says is of another version.
		return a, fmt.Errorf("it speaks %s, expected %q: use an adapter and a kit of the same version", shown([]byte(spoken)), protocol)
	case r.Do == doHello:
		err = fillAbout(o, id, &a)
	case r.Do == doSubmit:
		err = fillDecision(o, id, &a)
	case r.Do == doRecorded:
		err = fillRecord(o, id, &a)
	default:
		err = o.fill(id)
	}
	if err == nil && a.ID != r.ID {
		err = fmt.Errorf("id is %d, expected %d, that of the request", a.ID, r.ID)
	}
	return a, err
}

func fillAbout(o object, id field, a *answer) error {
	about := new(conformance.About)
	a.About = about
	err := o.fill(id, field{"protocol", &a.Protocol, true}, field{"name", &about.Name, true},
		field{"events", &about.Events, true}, field{"parallel", &about.Parallel, false})
	if err == nil && about.Name == "" {
		err = errors.New("name is empty, expected what reports call the system")
	}
	if err == nil {
		err = checkLabel("name", about.Name)
	}
	return err
}

func fillDecision(o object, id field, a *answer) error {
	d := new(conformance.Decision)
	a.Decision = d
	err := o.fill(id, field{"accepted", &d.Accepted, true}, field{"receipt", &d.Receipt, false}, field{"refusal", &d.Refusal, false})
	switch {
	case err != nil:
		return err
	case d.Accepted && d.Receipt == "":
		return errors.New("receipt is missing or empty, expected that of the recorded completion, since the request was accepted")
	case d.Accepted && o.has("refusal"):
		return errors.New("it has a refusal, expected none, since the request was accepted")
	case !d.Accepted && o.has("receipt"):
		return errors.New("it has a receipt, expected none, since the request was refused")
	}
	return checkLabel("refusal", d.Refusal)
}

func fillRecord(o object, id field, a *answer) error {
	r := new(conformance.Record)
	a.Record = r
	err := o.fill(id, field{"receipts", &r.Receipts, true}, field{"status", &r.Status, false},
		field{"published", &r.Published, false}, field{"state", &r.State, false})
	if err != nil || !o.has("status") {
		return err
	}
	switch r.Status {
	case "running", "completed", "cancelled", "failed":
		return nil
	}
	return fmt.Errorf("status is %s, expected running, completed, cancelled or failed", shown([]byte(r.Status)))
}

// maxLabel is how many characters a text may have that reports print as it is.
const maxLabel = 100

func checkLabel(name, text string) error {
	if n := utf8.RuneCountInString(text); n > maxLabel {
		return fmt.Errorf("%s has %d characters, expected %d at most", name, n, maxLabel)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("%s has control characters, expected a word or two of plain text", name)
	}
	return nil
}
