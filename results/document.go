package results

import (
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// Schema is the schema of results.json. It changes when a key changes its name
// or its meaning.
const Schema = "commitpoint/results/v1"

// A Document is results.json. The order of its fields is the order of the keys.
type Document struct {
	Schema          string           `json:"schema"`
	SourceDigest    string           `json:"source_digest"`
	Bounds          bounds           `json:"bounds"`
	Totals          totals           `json:"totals"`
	Mechanisms      []mechanism      `json:"mechanisms"`
	Scenarios       []scenario       `json:"scenarios"`
	Controls        []control        `json:"controls"`
	Replays         replays          `json:"replays"`
	Counterexamples []counterexample `json:"counterexamples"`
}

type bounds struct {
	Chain                []string    `json:"chain"`
	Environment          []string    `json:"environment"`
	MaxEnvironmentEvents int         `json:"max_environment_events"`
	Order                [][2]string `json:"order"`
}

type totals struct {
	Scenarios         int    `json:"scenarios"`
	Schedules         uint64 `json:"schedules"`
	Executions        uint64 `json:"executions"`
	ControlExecutions int    `json:"control_executions"`
	Eligible          uint64 `json:"eligible"`
	Ineligible        uint64 `json:"ineligible"`
}

type mechanism struct {
	Name           string   `json:"name"`
	Checks         []string `json:"checks"`
	EvaluatedAt    string   `json:"evaluated_at"`
	SafeAccept     uint64   `json:"safe_accept"`
	UnsafeAccept   uint64   `json:"unsafe_accept"`
	UnsafeReject   uint64   `json:"unsafe_reject"`
	EligibleReject uint64   `json:"eligible_reject"`
}

// A scenario's counts leave out mechanisms whose count is zero.
type scenario struct {
	Events         []string          `json:"events"`
	Schedules      uint64            `json:"schedules"`
	Eligible       uint64            `json:"eligible"`
	UnsafeAccept   map[string]uint64 `json:"unsafe_accept"`
	EligibleReject map[string]uint64 `json:"eligible_reject"`
}

type control struct {
	Name       string   `json:"name"`
	AcceptedBy []string `json:"accepted_by"`
}

type replays struct {
	Identical             uint64 `json:"identical"`
	IdenticalSameReceipt  uint64 `json:"identical_same_receipt"`
	ChangedDigest         uint64 `json:"changed_digest"`
	ChangedDigestRejected uint64 `json:"changed_digest_rejected"`
}

type counterexample struct {
	Mechanism    string   `json:"mechanism"`
	Kind         string   `json:"kind"`
	Schedule     []string `json:"schedule"`
	FailedChecks []string `json:"failed_checks"`
	Reasons      []string `json:"reasons"`
}

// New returns the document of a report that was computed by sources with the
// given digest.
func New(r study.Report, sourceDigest string) Document {
	d := Document{
		Schema:       Schema,
		SourceDigest: sourceDigest,
		Bounds: bounds{
			Chain:                model.Names(r.Bounds.Chain),
			Environment:          model.Names(r.Bounds.Environment),
			MaxEnvironmentEvents: r.Bounds.MaxEnvironment,
			Order:                [][2]string{},
		},
		Totals: totals{
			Scenarios:         len(r.Scenarios),
			Schedules:         r.Schedules,
			ControlExecutions: len(r.Controls) * len(r.Mechanisms),
			Eligible:          r.Eligible,
			Ineligible:        r.Schedules - r.Eligible,
		},
		Replays: replays(r.Replays),
	}
	for _, p := range r.Bounds.Precedence {
		d.Bounds.Order = append(d.Bounds.Order, [2]string{p[0].String(), p[1].String()})
	}
	for i, m := range r.Mechanisms {
		s := r.Scores[i]
		d.Totals.Executions += s.Total()
		d.Mechanisms = append(d.Mechanisms, mechanism{
			m.Name, m.Requires.Names(), m.At.String(), s.SafeAccept, s.UnsafeAccept, s.UnsafeReject, s.EligibleReject,
		})
	}
	for _, s := range r.Scenarios {
		d.Scenarios = append(d.Scenarios, newScenario(s, r))
	}
	for _, c := range r.Controls {
		d.Controls = append(d.Controls, control{c.Control.Name, c.AcceptedBy})
	}
	for _, c := range r.Counterexamples {
		d.Counterexamples = append(d.Counterexamples, counterexample{
			c.Mechanism, string(c.Kind), model.Names(c.Schedule), c.Failed.Names(), c.Reasons.Names(),
		})
	}
	return d
}

func newScenario(s study.ScenarioScore, r study.Report) scenario {
	out := scenario{
		Events:         model.Names(s.Events),
		Schedules:      s.Schedules,
		Eligible:       s.Eligible,
		UnsafeAccept:   map[string]uint64{},
		EligibleReject: map[string]uint64{},
	}
	for i, score := range s.Scores {
		name := r.Mechanisms[i].Name
		if score.UnsafeAccept > 0 {
			out.UnsafeAccept[name] = score.UnsafeAccept
		}
		if score.EligibleReject > 0 {
			out.EligibleReject[name] = score.EligibleReject
		}
	}
	return out
}
