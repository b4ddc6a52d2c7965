// Package contract judges completion requests of the contract model from the history of
// events and the record of the completion alone: it keeps facts of its own, consults no
// mechanism, takes no transition of the model and looks at no state of it.
//
// Where the authority has numbers that can come again, attempts and fences and
// incarnations, the oracle counts assignments of the task, which never do.
package contract

import "strings"

// Reasons is a set of facts, each of which makes a request ineligible.
type Reasons uint16

// The facts, in declaration order.
const (
	Ended         Reasons = 1 << iota // the task was completed, cancelled or failed
	OtherCaller                       // the caller is not whose request it is
	Reassigned                        // the task was assigned again, or its authority began anew
	LeaseExpired                      // the lease of the assignment ran out
	OutOfScope                        // the candidate writes outside of the pinned scope
	NotGranted                        // the caller's grant for a target was withdrawn
	OtherContract                     // the task is pinned to another contract than the request names
	InputChanged                      // a declared input changed, or a directory that is depended on
	TargetChanged                     // a target was published since the candidate was based on it
	Unsupported                       // a required criterion has no current pass for exactly this candidate
	OtherRequest                      // the request id belongs to another request
)

var reasonTexts = [...]struct{ name, sentence string }{
	{"active", "the task had been completed, cancelled or failed"},
	{"caller", "the caller is not the worker whose request it is"},
	{"ownership", "the task had been assigned again, or its authority had begun anew"},
	{"lease", "the lease had run out"},
	{"scope", "the candidate writes outside of the pinned scope"},
	{"grant", "the caller holds no grant for everything that the candidate writes"},
	{"contract", "the task is pinned to another contract than the request names"},
	{"dependencies", "an input, or a directory that is depended on, changed after it was read"},
	{"bases", "a target was published after the candidate was based on it"},
	{"evidence", "a required criterion has no admitted pass for this candidate and contract"},
	{"identity", "the request id belongs to another request"},
}

// AllReasons returns every reason there is, in declaration order.
func AllReasons() []Reasons { return (OtherRequest<<1 - 1).Each() }

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

// Sentences returns what was so, one clause a reason.
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
