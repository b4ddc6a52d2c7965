package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A Fault is what kept a system from being judged: it erred, panicked, hung, or answered
// what makes no sense. A run that ends with one is never a pass.
type Fault struct {
	Set      string   // of scenarios; "" if none was begun
	Schedule []string // the events that were done, and the one under way
	Call     string   // what the system was asked: an event, reset, recorded, open, about, close
	Err      error
}

// MarshalJSON writes the error as text.
func (f *Fault) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Set      string   `json:"set,omitempty"`
		Schedule []string `json:"schedule"`
		Call     string   `json:"call"`
		Error    string   `json:"error"`
	}{f.Set, append([]string{}, f.Schedule...), f.Call, f.Err.Error()})
}

func (f *Fault) Error() string {
	where := ""
	if f.Set != "" {
		where = fmt.Sprintf("; the schedule of %s was %v", f.Set, f.Schedule)
	}
	return fmt.Sprintf("%s: %v%s", f.Call, f.Err, where)
}

func (f *Fault) Unwrap() error { return f.Err }

// maxRefusal is how long a refusal can be, in characters.
const maxRefusal = 100

func (d Decision) validate() error {
	switch {
	case d.Accepted && d.Receipt == "":
		return errors.New("answers that a request is accepted, without a receipt; give one that identifies the completion")
	case !d.Accepted && d.Receipt != "":
		return fmt.Errorf("answers that a request is refused, with receipt %q; leave it empty", d.Receipt)
	case d.Accepted && d.Refusal != "":
		return fmt.Errorf("answers that a request is accepted, with refusal %q; leave it empty", d.Refusal)
	case utf8.RuneCountInString(d.Refusal) > maxRefusal || !utf8.ValidString(d.Refusal) || hasControl(d.Refusal):
		return fmt.Errorf("answers with refusal %.120q; a refusal has at most %d printable characters", d.Refusal, maxRefusal)
	}
	return nil
}

func hasControl(text string) bool {
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return true
		}
	}
	return false
}

// statuses are what a task's status can be called.
var statuses = []string{"", "running", "completed", "cancelled", "failed"}

func (r Record) validate() error {
	if !slices.Contains(statuses, r.Status) {
		return fmt.Errorf("answers with status %q; the statuses are running, completed, cancelled, failed", r.Status)
	}
	if slices.Contains(r.Receipts, "") {
		return errors.New("answers with an empty receipt among those recorded; give what identifies each completion")
	}
	for target, n := range r.Published {
		if n < 0 {
			return fmt.Errorf("answers that %q was published %d times", target, n)
		}
	}
	return nil
}
