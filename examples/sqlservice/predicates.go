package sqlservice

// A view is everything that a decision looks at, read in one transaction that holds the
// rows of the task and the project: all of it is true at one moment, and stays true until
// the transaction ends.
type view struct {
	caller  string
	request Request
	now     int64 // read when the rows were held

	task     task
	inputs   int64 // current revisions
	members  int64
	contract Contract // the pinned one

	candidate Candidate
	writes    []string // what it really writes
	artifacts map[string]artifact
	granted   map[string]bool    // what the caller may write
	receipts  map[string]receipt // by criterion
	admitted  map[string]int64   // checker versions, by criterion
}

// A predicate is one of those that have to hold of a request when its completion is
// recorded.
type predicate struct {
	name  string
	holds func(v *view) bool
}

// predicates has all thirteen, in the order in which refusals name them.
var predicates = [...]predicate{
	{"active", func(v *view) bool { return v.task.status == running }},
	{"caller", func(v *view) bool { return v.caller == v.task.owner.Principal }},
	{"attempt", func(v *view) bool {
		claimed, owner := v.request.Attempt, v.task.owner
		return claimed.Outer == owner.Outer && claimed.Inner == owner.Inner
	}},
	{"fence", func(v *view) bool { return v.request.Attempt.Fence == v.task.owner.Fence }},
	{"incarnation", func(v *view) bool { return v.request.Attempt.Incarnation == v.task.authority }},
	{"lease", func(v *view) bool { return v.now < v.task.leaseUntil }},
	{"scope", func(v *view) bool {
		return v.everyWrite(func(path string) bool { return inside(v.contract.Scope, path) })
	}},
	{"grant", func(v *view) bool {
		return v.everyWrite(func(path string) bool { return v.granted[path] })
	}},
	{"contract", func(v *view) bool { return v.request.Contract == v.task.contract }},
	{"dependencies", func(v *view) bool {
		return v.candidate.Inputs == v.inputs && v.candidate.Members == v.members
	}},
	{"bases", func(v *view) bool {
		return v.everyWrite(func(path string) bool {
			base, known := v.candidate.Bases[path]
			return known && base == v.artifacts[path].revision
		})
	}},
	{"binding", func(v *view) bool {
		return v.everyCriterion(func(r receipt, found bool, _ int64) bool { return !found || r.about(v.request, v.candidate) })
	}},
	{"criteria", func(v *view) bool {
		return v.everyCriterion(func(r receipt, found bool, admitted int64) bool {
			return found && r.passed && r.version == admitted
		})
	}},
}

// everyWrite reports whether something holds of every path that the candidate really
// writes. Of a candidate that the service does not have it does; that one depends on
// nothing that is current, and is refused for that.
func (v *view) everyWrite(holds func(path string) bool) bool {
	for _, path := range v.writes {
		if !holds(path) {
			return false
		}
	}
	return true
}

// everyCriterion reports whether something holds of every required criterion: of the
// receipt for it, if there is one, and the checker version that is admitted.
func (v *view) everyCriterion(holds func(r receipt, found bool, admitted int64) bool) bool {
	for _, criterion := range v.contract.Criteria {
		r, found := v.receipts[criterion]
		if !holds(r, found, v.admitted[criterion]) {
			return false
		}
	}
	return true
}

// about reports whether a receipt is about a request: its attempt, the contract that it
// names, its candidate's bytes and dependencies. None of that ever changes.
func (r receipt) about(q Request, c Candidate) bool {
	return r.attempt == q.Attempt && r.contract == q.Contract &&
		r.content == c.Content && r.inputs == c.Inputs && r.members == c.Members
}

// refusal returns the name of the first predicate that does not hold, of those that the
// variant looks at, or the empty string.
func (v *view) refusal(of Variant) string {
	for _, p := range predicates {
		if !of.omits[p.name] && !p.holds(v) {
			return p.name
		}
	}
	return ""
}
