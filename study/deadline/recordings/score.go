package recordings

import (
	"maps"
	"math"
	"slices"
	"time"

	mechanisms "example.com/commitpoint/mechanisms/deadline"
	"example.com/commitpoint/model/deadline"
	oracle "example.com/commitpoint/oracle/deadline"
)

// Schema is the schema of a Result in JSON.
const Schema = "commitpoint/recordings/v1"

// A Result is what the policies make of recorded trials.
type Result struct {
	Schema      string       `json:"schema"`
	Deadline    float64      `json:"deadline_s,omitempty"` // if not that of each contract
	Bad         int          `json:"bad"`                  // trials that are in no population, because they can't be scored
	Populations []Population `json:"populations"`          // by name
}

// A Population is trials of one kind.
type Population struct {
	Population  string      `json:"population"`
	Trials      int         `json:"trials"` // those that are excluded among them
	Excluded    int         `json:"excluded"`
	Reference   Reference   `json:"reference"`
	Policies    []Score     `json:"policies"` // those of which at least one trial has what they read
	Late        []Late      `json:"late"`
	Attribution Attribution `json:"attribution"`
}

// A Reference is how many trials have each verdict at the deadline.
type Reference struct {
	Fulfilled     int `json:"fulfilled"`
	Violated      int `json:"violated"`
	NotDetermined int `json:"not_determined"`
}

// A Score is how a policy does.
type Score struct {
	Name          string `json:"name"`
	FalsePass     int    `json:"false_pass"`        // accepted, and violated
	FalseAlarm    int    `json:"false_alarm"`       // not accepted, and fulfilled
	Accepted      int    `json:"accepted"`          // by the policy
	NotDetermined int    `json:"not_determined"`    // by the policy
	Lacking       int    `json:"lacking,omitempty"` // trials that have not what it reads, and are not scored

	// Of the trials that are scored, which are all if none is lacking.
	Fulfilled int `json:"-"`
	Violated  int `json:"-"`
}

// A Late is how many trials are violated at a deadline and hold after it.
type Late struct {
	Deadline float64 `json:"deadline_s"`
	Count    int     `json:"count"`
}

// An Attribution accounts for the trials that are violated at the deadline. The ground
// truth is the agent's part of the evidence together with the condition that was injected.
type Attribution struct {
	GroundTruthable int `json:"ground_truthable"` // somebody is to blame by the ground truth
	Observable      int `json:"observable"`       // and the evidence of it could be seen
	Shadowed        int `json:"shadowed"`         // or not: no operation met the condition
	Agree           int `json:"agree"`            // of the observable, the attribution is the ground truth
	Neither         int `json:"neither"`          // nobody is to blame by the ground truth
}

// Options say at which deadlines trials are scored.
type Options struct {
	Deadline time.Duration   // for all trials; that of each contract if it is 0
	Late     []time.Duration // at which late trials are counted
}

// A Scorer scores trials one by one. It keeps counts alone, and no trial.
type Scorer struct {
	opt         Options
	policies    []mechanisms.Policy
	populations map[string]*Population
	bad         int
}

// NewScorer returns a scorer of nothing yet.
func NewScorer(opt Options) *Scorer {
	return &Scorer{opt: opt, policies: mechanisms.Policies(), populations: make(map[string]*Population)}
}

// AddBad counts a trial that can't be scored.
func (s *Scorer) AddBad() { s.bad++ }

// Add scores a trial.
func (s *Scorer) Add(r Recording) {
	p := s.population(r.Population)
	p.Trials++
	if r.Excluded {
		p.Excluded++
		return
	}
	t := r.Trial
	for i, at := range s.opt.Late {
		t.Deadline = at
		if _, mode := mechanisms.Verify(&t); mode == deadline.Late {
			p.Late[i].Count++
		}
	}
	if t.Deadline = r.Trial.Deadline; s.opt.Deadline > 0 {
		t.Deadline = s.opt.Deadline
	}
	reference, _ := mechanisms.Verify(&t)
	switch reference {
	case deadline.Fulfilled:
		p.Reference.Fulfilled++
	case deadline.Violated:
		p.Reference.Violated++
		p.Attribution.add(&t)
	default:
		p.Reference.NotDetermined++
	}
	for i, policy := range s.policies {
		p.Policies[i].add(policy, &t, reference)
	}
}

func (s *Scorer) population(name string) *Population {
	if p, known := s.populations[name]; known {
		return p
	}
	p := &Population{Population: name, Policies: make([]Score, len(s.policies)), Late: make([]Late, len(s.opt.Late))}
	for i, policy := range s.policies {
		p.Policies[i].Name = policy.Name
	}
	for i, at := range s.opt.Late {
		p.Late[i].Deadline = at.Seconds()
	}
	s.populations[name] = p
	return p
}

func (c *Score) add(policy mechanisms.Policy, t *deadline.Trial, reference deadline.Verdict) {
	if policy.Lacks != nil && policy.Lacks(t) {
		c.Lacking++
		return
	}
	verdict := policy.Decide(t)
	accepted := verdict == deadline.Fulfilled
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	count(&c.Accepted, accepted)
	count(&c.NotDetermined, verdict == deadline.NotDetermined)
	count(&c.Fulfilled, reference == deadline.Fulfilled)
	count(&c.Violated, reference == deadline.Violated)
	count(&c.FalsePass, accepted && reference == deadline.Violated)
	count(&c.FalseAlarm, !accepted && reference == deadline.Fulfilled)
}

// add accounts for a violated trial.
func (a *Attribution) add(t *deadline.Trial) {
	truth := mechanisms.AgentEvidence(t).Party()
	if oracle.Overlaps(t) {
		truth |= mechanisms.Service
	}
	if truth == mechanisms.Neither {
		a.Neither++
		return
	}
	a.GroundTruthable++
	if oracle.Shadowed(t) {
		a.Shadowed++
		return
	}
	a.Observable++
	if mechanisms.Attribute(t).Party() == truth {
		a.Agree++
	}
}

// Result returns the counts so far.
func (s *Scorer) Result() Result {
	r := Result{Schema: Schema, Deadline: s.opt.Deadline.Seconds(), Bad: s.bad, Populations: []Population{}}
	for _, name := range slices.Sorted(maps.Keys(s.populations)) {
		p := *s.populations[name]
		scores := p.Policies
		p.Late, p.Policies = slices.Clone(p.Late), []Score{}
		for i, c := range scores {
			if s.policies[i].Lacks == nil || c.Lacking < p.Trials-p.Excluded {
				p.Policies = append(p.Policies, c)
			}
		}
		r.Populations = append(r.Populations, p)
	}
	return r
}

// Interval returns the 95 % Wilson score interval for the share that k of n show; all
// shares if n is 0. It is about trials like these, drawn one independently of the other,
// which recordings of a few models and sites are only in part.
func Interval(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959963984540054 // as package enumerate has it
	p, size := float64(k)/float64(n), float64(n)
	middle := p + z*z/(2*size)
	reach := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return max(0, (middle-reach)/(1+z*z/size)), min(1, (middle+reach)/(1+z*z/size))
}
