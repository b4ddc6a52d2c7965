package study

import (
	"context"
	"fmt"
	"slices"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
)

// A Coverage says what a run exercised, so that what it did not find means something:
// which checks the schedules need, and that events, decisions and reasons occur at all.
type Coverage struct {
	Schedules  uint64
	Checks     []CheckCoverage     // of the contract's eight
	Events     []Reached           // by the schedules in which each happens
	Reachable  []Reached           // what has to happen at least once, by schedules
	Mechanisms []MechanismCoverage // of the thirteen, or those of the Options
	Unreached  []string            // what did not happen and ought to; none if all is well
}

// A CheckCoverage says whether a check alone stands between the service and a wrong
// completion: whether a mechanism that has every other check accepts an ineligible
// request. Without the attempt goes without the fence, too, since one is not tested
// before the other is.
type CheckCoverage struct {
	Check     string
	Schedules uint64        // in which it alone decides
	Witness   []model.Event // the shortest of them; nil if there is none
	Controls  []string      // directed controls in which it alone decides
	Why       string        // no schedule needs it, if none does
}

// A Reached is something that happened, and in how many schedules.
type Reached struct {
	Name      string
	Schedules uint64
}

// A MechanismCoverage counts a mechanism's decisions.
type MechanismCoverage struct {
	Name             string
	Accepts, Refuses uint64
	Undiscerning     bool // it requires nothing, so that it need not refuse
}

// whyNot says why no schedule of the study needs a check.
var whyNot = map[model.Checks]string{
	model.Fence:    "attempt ids never come again: whatever the fence refuses, the attempt check refuses",
	model.Evidence: "the checker runs on the candidate before preflight, and receipts are not forged: what makes evidence fail fails the artifact check, too",
	model.Contract: "requests are built from the pinned task and contract",
}

// ComputeCoverage runs the mechanisms of opt in its scenarios and says what was
// exercised.
func ComputeCoverage(ctx context.Context, opt Options) (Coverage, error) {
	opt, err := opt.complete()
	if err != nil {
		return Coverage{}, err
	}
	given := len(opt.Mechanisms)
	list := append(slices.Clone(opt.Mechanisms), ablations()...)
	if len(list) > maxMechanisms {
		return Coverage{}, fmt.Errorf("%d mechanisms, at most %d can be looked at together with the ablations: split the list", given, maxMechanisms-len(list)+given)
	}
	engine := enumerate.Options{Workers: opt.Workers}
	tallied, err := enumerate.TallyAll(ctx, opt.Scenarios, newMachine(list), atCommit(state.covered), engine)
	if err != nil {
		return Coverage{}, fmt.Errorf("count what is exercised: %w", err)
	}
	if err := countable(tallied); err != nil {
		return Coverage{}, fmt.Errorf("count what is exercised: %w", err)
	}
	found, err := counterexamples.Find(ctx, opt.Scenarios, newMachine(list), atCommit(state.covered),
		func(c covered) []int { return c.wrongly(given, len(list)) }, engine)
	if err != nil {
		return Coverage{}, fmt.Errorf("find the shortest witnesses: %w", err)
	}
	c := newCoverage(opt, tallied)
	for i, check := range model.All.Each() {
		cover := CheckCoverage{Check: check.String(), Controls: neededIn(list[given+i])}
		for _, t := range tallied {
			for _, o := range t.Observed {
				if slices.Contains(o.Value.wrongly(given, len(list)), given+i) {
					cover.Schedules += o.Count.Big().Uint64()
				}
			}
		}
		if at := slices.IndexFunc(found, func(x counterexamples.Counterexample[model.Event, int]) bool { return x.Reason == given+i }); at >= 0 {
			cover.Witness = found[at].History
		} else {
			cover.Why = whyNot[check]
		}
		c.Checks = append(c.Checks, cover)
	}
	return c, nil
}

// countable reports more schedules than a Coverage can count. It counts nothing else
// than some of them, each once: all that it counts fits if they do.
func countable(tallied []enumerate.Tallied[covered]) (err error) {
	var schedules enumerate.Count
	for _, t := range tallied {
		if schedules, err = schedules.Plus(t.Schedules); err != nil {
			return err
		}
	}
	if !schedules.Big().IsUint64() {
		return fmt.Errorf("%v schedules, more than 64 bits can count: give fewer events", schedules)
	}
	return nil
}

// ablations returns, for each check of the contract, the mechanism that has all others.
func ablations() []mechanisms.Mechanism {
	var list []mechanisms.Mechanism
	for _, c := range model.All.Each() {
		without := c
		if c == model.Attempt {
			without |= model.Fence
		}
		list = append(list, mechanisms.Mechanism{Name: "without " + c.String(), Requires: model.All &^ without})
	}
	return list
}

// neededIn returns the controls that an ablation accepts and the oracle does not.
func neededIn(m mechanisms.Mechanism) []string {
	names := []string{}
	for _, c := range controls {
		if s := runControl(m, c); s.recorded && !s.verdict.Eligible() {
			names = append(names, c.Name)
		}
	}
	return names
}

// A covered is what is observed of a commit.
type covered struct {
	accepted mechanismSet
	reasons  oracle.Reasons
}

func (s state) covered() (covered, bool) { return covered{s.accepted, s.verdict.Reasons}, true }

// wrongly returns the mechanisms from the first to before the last that accept although
// the request is not eligible.
func (c covered) wrongly(first, last int) []int {
	var list []int
	for i := first; i < last && c.reasons != 0; i++ {
		if c.accepted.has(i) {
			list = append(list, i)
		}
	}
	return list
}

// newCoverage counts events, reasons and decisions.
func newCoverage(opt Options, tallied []enumerate.Tallied[covered]) Coverage {
	c := Coverage{Unreached: []string{}}
	for _, e := range append(model.Chain(), model.Environment()...) {
		c.Events = append(c.Events, Reached{Name: e.String()})
	}
	c.Reachable = []Reached{{Name: "the request is eligible"}, {Name: "the request is not eligible"}}
	for _, r := range scheduledReasons.Each() {
		c.Reachable = append(c.Reachable, Reached{Name: r.Sentences()[0]})
	}
	for _, m := range opt.Mechanisms {
		c.Mechanisms = append(c.Mechanisms, MechanismCoverage{Name: m.Name, Undiscerning: m.Requires == 0 && m.Rule == nil})
	}
	for i, t := range tallied {
		schedules := t.Schedules.Big().Uint64()
		c.Schedules += schedules
		for j := range c.Events {
			if e, err := model.ParseEvent(c.Events[j].Name); err == nil && opt.Scenarios[i].Index(e) >= 0 {
				c.Events[j].Schedules += schedules
			}
		}
		for _, o := range t.Observed {
			c.count(o.Value, o.Count.Big().Uint64())
		}
	}
	c.complain()
	return c
}

// scheduledReasons are those that schedules can have; only the directed controls name
// another task or contract.
const scheduledReasons = oracle.Reassigned | oracle.LeaseExpired | oracle.Revoked |
	oracle.InputChanged | oracle.ArtifactChanged | oracle.Unsupported

func (c *Coverage) count(o covered, n uint64) {
	if o.reasons == 0 {
		c.Reachable[0].Schedules += n
	} else {
		c.Reachable[1].Schedules += n
	}
	for i, r := range scheduledReasons.Each() {
		if o.reasons&r != 0 {
			c.Reachable[2+i].Schedules += n
		}
	}
	for i := range c.Mechanisms {
		if o.accepted.has(i) {
			c.Mechanisms[i].Accepts += n
		} else {
			c.Mechanisms[i].Refuses += n
		}
	}
}

// complain lists what ought to have happened and did not.
func (c *Coverage) complain() {
	for _, e := range c.Events {
		if e.Schedules == 0 {
			c.Unreached = append(c.Unreached, "event "+e.Name+" happens in no schedule")
		}
	}
	for _, r := range c.Reachable {
		if r.Schedules == 0 {
			c.Unreached = append(c.Unreached, "never reached: "+r.Name)
		}
	}
	for _, m := range c.Mechanisms {
		if m.Accepts == 0 {
			c.Unreached = append(c.Unreached, m.Name+" accepts nothing")
		}
		if m.Refuses == 0 && !m.Undiscerning {
			c.Unreached = append(c.Unreached, m.Name+" refuses nothing")
		}
	}
}
