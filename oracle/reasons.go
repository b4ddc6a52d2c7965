package oracle

import "strings"

// Reasons is a set of facts, each of which makes a request ineligible.
type Reasons uint16

// The facts, in declaration order. Their names are the obligations that they
// break.
const (
	Reassigned      Reasons = 1 << iota // the attempt that asks is not, or no longer, the task's
	LeaseExpired                        // the submitting attempt's lease ran out
	Revoked                             // the submitting principal's grant was withdrawn
	InputChanged                        // the input moved after the worker read it
	ArtifactChanged                     // the artifact was overwritten after the candidate was prepared
	Unsupported                         // no admitted pass for exactly this task, contract, attempt and candidate
	OtherTask                           // the request names another task
	OtherContract                       // the request names another contract
)

var reasonTexts = [...]struct{ name, sentence string }{
	{"attempt", "the task was another attempt's at the commit"},
	{"lease", "the lease expired before the commit"},
	{"grant", "the grant was revoked before the commit"},
	{"inputs", "the input was edited after it was read"},
	{"artifact", "the artifact was overwritten after the candidate was prepared"},
	{"evidence", "no admitted receipt is a pass for this task, contract, attempt and candidate"},
	{"task", "the request names another task than the one assigned"},
	{"contract", "the request names another contract than the pinned one"},
}

// AllReasons returns every reason there is, in declaration order.
func AllReasons() []Reasons { return (OtherContract<<1 - 1).Each() }

// Each returns the reasons of r one by one, in declaration order.
func (r Reasons) Each() []Reasons {
	var list []Reasons
	for rest := r; rest != 0; rest &= rest - 1 {
		list = append(list, rest&-rest)
	}
	return list
}

// Names returns the names of the reasons of r; it is empty, not nil, for none.
func (r Reasons) Names() []string {
	return r.texts(func(i int) string { return reasonTexts[i].name })
}

// Sentences returns what happened, one clause a reason.
func (r Reasons) Sentences() []string {
	return r.texts(func(i int) string { return reasonTexts[i].sentence })
}

// String returns the names separated by ", ", or "none".
func (r Reasons) String() string {
	if r == 0 {
		return "none"
	}
	return strings.Join(r.Names(), ", ")
}

func (r Reasons) texts(text func(int) string) []string {
	texts := make([]string, 0, len(reasonTexts))
	for i := range reasonTexts {
		if r>>i&1 != 0 {
			texts = append(texts, text(i))
		}
	}
	return texts
}
