package ownership_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
	model "example.com/commitpoint/model/harness/ownership"
	oracle "example.com/commitpoint/oracle/harness/ownership"
	study "example.com/commitpoint/study/harness/ownership"
)

// A policy is what is decided at each event, whatever the state.
type policy [model.Requests][2]model.Decision

func (p policy) decide(e model.Event) model.Decision {
	switch e.Kind {
	case model.Take:
		return p[e.Request-1][0]
	case model.Report:
		return p[e.Request-1][1]
	}
	return model.NoDecision
}

var policies = map[string]policy{
	"all":           {{model.Remove, model.SayRemoved}, {model.Remove, model.SayRemoved}},
	"nothing":       {{model.Refuse, model.SayUnknown}, {model.Refuse, model.SayUnknown}},
	"the run":       {{model.RemoveRun, model.SayRemoved}, {model.RemoveRun, model.SayUnknown}},
	"only first":    {{model.Remove, model.SayUnknown}, {model.Refuse, model.SayRemoved}},
	"only at retry": {{model.Refuse, model.SayRemoved}, {model.Remove, model.SayUnknown}},
}

// histories are restrictions that have every event somewhere, small enough for looking at
// every prefix.
var histories = []struct{ name, events string }{
	{"lease", "first:ask first:look first:remove a:advance a:exit approve prior-expiry final-expiry renew"},
	{"report", "first:ask first:look first:remove first:report first:acked first:list a:exit b:reuse inventory-down inventory-up"},
	{"slot", "first:ask first:look first:remove retry:ask retry:look retry:remove a:advance a:exit b:reuse other:reuse"},
	{"retry", "first:ask first:look first:remove first:acked retry:ask retry:look retry:remove retry:acked retry:list retry:report a:advance approve"},
}

func restricted(events string) enumerate.Order[model.Event] {
	names := strings.Fields(events)
	return study.Order().Restrict(func(e model.Event) bool { return slices.Contains(names, e.String()) })
}

// A past is a whole history: everything is looked up in it, from the end.
type past struct {
	events []model.Event
	policy policy
}

func (p past) until(i int) past { return past{p.events[:i], p.policy} }

func (p past) index(request uint8, k model.Kind) int {
	return slices.Index(p.events, model.Event{Request: request, Kind: k})
}

func (p past) has(k model.Kind) bool { return p.index(0, k) >= 0 }

// occupant goes back to whatever happened to the slot last.
func (p past) occupant() model.Workload {
	if len(p.events) == 0 {
		return model.A1
	}
	last := p.events[len(p.events)-1]
	was := p.until(len(p.events) - 1).occupant()
	ofA, empty := was == model.A1 || was == model.A2, was == model.Nothing
	switch {
	case last.Kind == model.Exit && ofA, last.Kind == model.Take && p.policy.decide(last) == model.Remove,
		last.Kind == model.Take && p.policy.decide(last) == model.RemoveRun && was != model.Other1:
		return model.Nothing
	case last.Kind == model.Advance && (ofA || empty):
		return model.A2
	case last.Kind == model.ReuseByB && empty:
		return model.B2
	case last.Kind == model.ReuseByRun && empty:
		return model.Other1
	}
	return was
}

// latest is A2 from when it started.
func (p past) latest() model.Workload {
	if i := p.index(0, model.Advance); i >= 0 && p.until(i+1).occupant() == model.A2 {
		return model.A2
	}
	return model.A1
}

// retained is what was approved in time, for as long as that lasts.
func (p past) retained() model.Workload {
	approved, renewed, prior, final := p.index(0, model.Approve), p.index(0, model.Renew), p.index(0, model.PriorExpiry), p.index(0, model.FinalExpiry)
	switch {
	case approved < 0, prior >= 0 && prior < approved, final >= 0 && (renewed < 0 || renewed > final):
		return model.Nothing
	}
	return p.until(approved).latest()
}

func (p past) target(request uint8) model.Workload {
	return p.until(p.index(request, model.Ask)).latest()
}

// hit reports whether the request removed what it asked for.
func (p past) hit(request uint8) bool {
	i := p.index(request, model.Take)
	return p.until(i).occupant() == p.target(request) && p.policy.decide(p.events[i]).Accepts()
}

// down reports whether inventories fail.
func (p past) down() bool { return p.has(model.Down) && !p.has(model.Up) }

func (p past) evidenced(request uint8) bool {
	listed := p.index(request, model.List)
	return p.index(request, model.Acked) >= 0 && p.hit(request) ||
		listed >= 0 && !p.until(listed).down() && p.until(listed).occupant() != p.target(request)
}

func (p past) due(e model.Event) bool {
	if e.Kind == model.Take {
		return p.occupant() == p.target(e.Request) && p.occupant() != p.retained()
	}
	return p.evidenced(e.Request)
}

func (p past) against(e model.Event, d model.Decision) (list []string) {
	if e.Kind == model.Report {
		return p.againstReport(e.Request)
	}
	slot, target := p.occupant(), p.target(e.Request)
	switch goes := slot != target && (d == model.Remove || slot != model.Other1); {
	case goes && (slot == model.A1 || slot == model.A2):
		list = append(list, "generation")
	case goes && slot == model.B2:
		list = append(list, "owner")
	case goes && slot == model.Other1:
		list = append(list, "run")
	}
	if slot != model.Nothing && slot == p.retained() {
		list = append(list, "retained")
	}
	swept := slices.ContainsFunc(p.events, func(e model.Event) bool { return p.policy.decide(e) == model.RemoveRun })
	if d == model.RemoveRun && !swept {
		list = append(list, "bystander")
	}
	return list
}

func (p past) againstReport(request uint8) (list []string) {
	if p.evidenced(request) {
		return nil
	}
	if p.index(request, model.Acked) < 0 {
		list = append(list, "unanswered")
	} else {
		list = append(list, "not-removed")
	}
	switch listed := p.index(request, model.List); {
	case listed < 0:
		list = append(list, "no-inventory")
	case p.until(listed).down():
		list = append(list, "outage")
	default:
		list = append(list, "listed")
	}
	if p.occupant() == p.target(request) {
		list = append(list, "running")
	}
	return list
}

// A witness is the oracle alone, which hears of a policy's decisions, twice: once it
// forgets what can't matter any more.
type witness struct{ policy policy }

type pair struct{ whole, forgetful oracle.History }

func (witness) Init() pair { return pair{oracle.Begin(), oracle.Begin()} }

func (w witness) Next(s pair, e model.Event) pair {
	d := w.policy.decide(e)
	s.whole.Step(e, d)
	s.forgetful.Step(e, d)
	s.forgetful.Forget()
	return s
}

// The fold says what looking through the whole history says, at every event that decides
// of every history, and it does so too if it forgets.
func TestAgreesWithTheWholeHistory(t *testing.T) {
	judged, due := 0, 0
	for name, p := range policies {
		for _, h := range histories {
			order := restricted(h.events)
			err := enumerate.Walk(t.Context(), []enumerate.Order[model.Event]{order}, witness{p}, func(_ int, prefix []model.Event, s *pair) bool {
				if s.whole.Broken != s.forgetful.Broken || s.whole.Arose != s.forgetful.Arose {
					t.Fatalf("%s, %v: what forgets says %b of %b", name, prefix, s.forgetful.Broken, s.forgetful.Arose)
				}
				if b := s.whole.Broken; b&^s.whole.Arose != 0 {
					t.Fatalf("%s, %v: broken %b, where only %b could have been", name, prefix, b, s.whole.Arose)
				}
				for _, e := range order.Events() {
					if !e.Kind.Decides() || slices.Contains(prefix, e) || order.Validate(append(slices.Clone(prefix), e)) != nil {
						continue
					}
					judged++
					if agree(t, past{prefix, p}, e, s) {
						due++
					}
				}
				return !t.Failed()
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if judged != wantJudged || due != wantDue {
		t.Errorf("%d judgements of which %d are due, want %d and %d", judged, due, wantJudged, wantDue)
	}
}

const wantJudged, wantDue = 660_230, 167_511

// agree compares what is said of an event that decides next, and returns whether it is due.
func agree(t *testing.T, p past, e model.Event, s *pair) bool {
	t.Helper()
	due := p.due(e)
	for i, h := range []oracle.History{s.whole, s.forgetful} {
		if h.Due(e) != due {
			t.Errorf("after %v %v is due: %v, want %v (%d)", p.events, e, h.Due(e), due, i)
		}
		for _, d := range []model.Decision{model.Remove, model.RemoveRun, model.SayRemoved} {
			if (d == model.SayRemoved) != (e.Kind == model.Report) {
				continue
			}
			want, got := p.against(e, d), h.Against(e, d).Names()
			if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
				t.Errorf("after %v %q is against %v of %v, want %q (%d)", p.events, got, d, e, want, i)
			}
		}
	}
	return due
}
