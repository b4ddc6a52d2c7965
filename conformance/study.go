package conformance

import (
	"fmt"
	"iter"
	"slices"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/oracle"
	"example.com/commitpoint/study"
)

// Study returns the scenarios of the study: its 42, and its seven directed controls, each
// followed by the same request again and by another candidate under its id. They have
// 6,694 + 7 schedules.
func Study() Set { return Of(studyProtocol()) }

// The events that the study's model does not have: the controls go by their names.
const (
	retry      = "retry"
	retryOther = "retry-other"
)

func studyProtocol() Protocol[studied, string] {
	return Protocol[studied, string]{
		Name:      "study",
		Orders:    studyOrders(),
		Machine:   studyMachine{},
		Expect:    studied.expect,
		World:     studied.world,
		Essential: func(e string) bool { return e == name(model.Commit) },
		Implied:   []string{name(model.Read), name(model.Snapshot), name(model.TrustedVerify)},
		Needs:     studyNeeds(),
		Probes:    []string{retry, retryOther},
		Narrator: counterexamples.Narrator[studied, string]{
			Event:  studyEvent,
			Fields: func(s studied) iter.Seq2[string, string] { return s.model.Fields() },
			Effect: studied.effect,
			Marked: func(e string) bool { return !slices.Contains(model.Names(model.Chain()), e) },
			Checks: func(s studied) (holds, fails []string) {
				failed := mechanisms.Failed(s.model, s.request(retry)) & model.All
				return (model.All &^ failed).Names(), failed.Names()
			},
		},
		Explain: func(s studied, e string, accepted bool) (failed, notes []string) {
			r := s.request(e)
			checks := mechanisms.Failed(s.model, r) & model.All
			if s.model.Ledger.Writes > 0 {
				return []string{}, identityNotes(r == s.model.Ledger.Bound)
			}
			return checks.Names(), study.Notes(s.history.Judge(r).Reasons, checks, accepted)
		},
	}
}

func identityNotes(same bool) []string {
	if same {
		return []string{"eligible: it is the request that was recorded, and asks for its receipt"}
	}
	return []string{"not eligible: another request was recorded under this id"}
}

func name(k model.Kind) string { return model.Event{Kind: k}.String() }

// studyOrders returns the scenarios, as restrictions of one order.
func studyOrders() []enumerate.Order[string] {
	var environment, controls []string
	for _, e := range model.Environment() {
		environment = append(environment, e.String())
	}
	for _, c := range study.Controls() {
		controls = append(controls, c.Name)
	}
	chain := model.Names(model.Chain())
	b := enumerate.NewOrder[string]().Chain("", chain...).Free("", environment...).Free("", controls...).Chain("", retry, retryOther)
	for _, p := range study.Precedence() {
		b.Before(p[0].String(), p[1].String())
	}
	for _, c := range controls {
		b.Before(name(model.TrustedVerify), c).Before(c, name(model.Preflight))
	}
	for _, e := range append(environment, name(model.Commit)) {
		b.Before(e, retry)
	}
	all, err := b.Build()
	if err != nil {
		panic(fmt.Sprintf("conformance: the study's events are declared wrongly: %v", err))
	}
	keep := func(more []string) enumerate.Order[string] {
		return all.Restrict(func(e string) bool {
			return slices.Contains(chain, e) || e == retry || e == retryOther || slices.Contains(more, e)
		})
	}
	var orders []enumerate.Order[string]
	for _, o := range study.Scenarios(study.MaxEnvironment) {
		orders = append(orders, keep(model.Names(o.Events())))
	}
	for _, c := range controls {
		orders = append(orders, keep([]string{c}))
	}
	return orders
}

// studyNeeds says which events say nothing without others.
func studyNeeds() map[string][]string {
	needs := map[string][]string{
		name(model.InputEdit):    {name(model.Read)},
		name(model.ArtifactEdit): {name(model.Snapshot)},
	}
	for _, c := range study.Controls() {
		needs[c.Name] = []string{name(model.TrustedVerify)}
	}
	return needs
}

func studyEvent(e string) (actor, name, object string) {
	switch event, err := model.ParseEvent(e); {
	case err == nil:
		return event.Kind.Actor(), e, event.Kind.Object()
	case e == retry || e == retryOther:
		return model.WorkerA.String(), e, "task"
	}
	return "control", e, "request"
}

// A studied is the reference's state: the model's, the oracle's, and what looking at the
// request at preflight showed, so that a service which looks then is in one situation in
// equal states.
type studied struct {
	model   model.State
	history oracle.History
	early   model.Checks
	control uint8 // 1 + position
}

// request returns the request that an event submits.
func (s studied) request(e string) model.Request {
	r := s.model.Request()
	if s.control > 0 {
		r = study.Controls()[s.control-1].AlterRequest(r)
	}
	if e == retryOther {
		r.Candidate = changed.Digest()
	}
	return r
}

// changed is what a changed request names as its candidate.
var changed = model.NewBlob("another candidate under the same request id\n")

func (s studied) expect(e string) (x Expected, submits bool) {
	if e != name(model.Commit) && e != retry && e != retryOther {
		return x, false
	}
	r := s.request(e)
	switch {
	case s.model.Ledger.Writes == 0: // for a changed candidate, too: it repairs nothing
		x.Reasons = s.history.Judge(s.request(retry)).Reasons.Names()
	case r == s.model.Ledger.Bound:
		x.Replay = true
	default:
		x.Reasons = []string{"identity"}
	}
	return x, true
}

func (s studied) world() World {
	if s.model.Ledger.Writes > 0 {
		return World{Writes: int(s.model.Ledger.Writes), Status: "completed"}
	}
	return World{Status: "running"}
}

func (s studied) effect(e string) string {
	if event, err := model.ParseEvent(e); err == nil {
		if event.Kind == model.Preflight {
			return "the service looks at the request that would be made now"
		}
		return study.Effect(s.model, event)
	}
	if s.control > 0 {
		return study.Controls()[s.control-1].Meaning
	}
	return ""
}

// A studyMachine decides every request as it ought to be.
type studyMachine struct{}

func (studyMachine) Init() studied {
	return studied{model: model.Initial(), history: oracle.Begin()}
}

func (studyMachine) Next(s studied, e string) studied {
	if x, submits := s.expect(e); submits {
		s.model.Ledger, _, _ = s.model.Ledger.Complete(s.request(e), x.Eligible())
	}
	for i, c := range study.Controls() {
		if c.Name == e {
			s.control = uint8(i + 1)
			s.model = c.AlterState(s.model)
			s.history = s.history.Record(s.model.Evidence)
		}
	}
	event, err := model.ParseEvent(e)
	if err != nil {
		return s
	}
	if event.Kind == model.Preflight {
		s.early = mechanisms.Failed(s.model, s.request(e))
	}
	s.model.Step(event)
	s.history.Step(event)
	if event.Kind == model.TrustedVerify {
		s.history = s.history.Record(s.model.Evidence)
	}
	return s
}
