package wrapped

import (
	"context"
	"fmt"
	"strings"

	"example.com/commitpoint/conformance"
	mechanisms "example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
	study "example.com/commitpoint/study/contract"
)

// A contractual system is a mechanism of the whole contract on the model's state.
type contractual struct {
	mechanism mechanisms.Mechanism
	state     model.State
	early     [2]early
	receipts  []string
}

type early struct {
	request model.Request
	failed  model.Checks
}

// Contract returns a function that opens systems of a mechanism of the whole contract.
func Contract(m mechanisms.Mechanism) func() (conformance.System, error) {
	return func() (conformance.System, error) { return &contractual{mechanism: m}, nil }
}

// ContractEvents returns all events of the contract's families.
func ContractEvents() []string {
	var names []string
	seen := make(map[string]bool)
	for _, f := range study.Families() {
		o, err := f.Order()
		if err != nil {
			panic(err)
		}
		for _, e := range o.Events() {
			if !seen[e.String()] {
				seen[e.String()] = true
				names = append(names, e.String())
			}
		}
	}
	return names
}

func (c *contractual) About() conformance.About {
	return conformance.About{Name: c.mechanism.Name, Events: ContractEvents(), Parallel: true}
}

func (c *contractual) Reset(context.Context) error {
	*c = contractual{mechanism: c.mechanism, state: model.Initial(model.Setup{})}
	return nil
}

func (c *contractual) Apply(_ context.Context, event string) error {
	e, err := model.ParseEvent(event)
	switch {
	case err != nil:
		return err
	case e.Kind == model.Preflight:
		r := c.state.Request(model.Event{Worker: e.Worker, Kind: model.Commit})
		c.early[e.Worker-1] = early{r, c.mechanism.Look(&c.state, &r)}
	case e.Kind == model.SweepWrite:
		c.state.Sweep(!c.mechanism.Has(mechanisms.UnguardedSweep))
	case e.Kind == model.Report:
		c.state.Report(e.Worker, !c.mechanism.Has(mechanisms.UnguardedFail))
	default:
		c.state.Step(e)
	}
	return nil
}

func (c *contractual) Submit(_ context.Context, event string) (conformance.Decision, error) {
	e, err := model.ParseEvent(event)
	if err != nil {
		return conformance.Decision{}, err
	}
	r := c.state.Request(e)
	known := c.early[e.Worker-1].failed
	if c.early[e.Worker-1].request != r {
		known = model.All
	}
	d := c.mechanism.Decide(&c.state, &r, known)
	if d.Accepted && !d.Replayed {
		c.state.Complete(r, c.mechanism.Has(mechanisms.TornPublish))
		c.receipts = append(c.receipts, fmt.Sprint("completion ", len(c.receipts)+1))
	}
	if !d.Accepted && c.mechanism.Has(mechanisms.FailOnRefusal) {
		c.state.Report(e.Worker, false)
	}
	c.state.Step(e)
	if !d.Accepted {
		return conformance.Decision{Refusal: strings.Join(d.Failed.Names()[:min(1, len(d.Failed.Names()))], "")}, nil
	}
	return conformance.Decision{Accepted: true, Receipt: c.receipts[len(c.receipts)-1]}, nil
}

func (c *contractual) Recorded(context.Context) (conformance.Record, error) {
	r := conformance.Record{Receipts: c.receipts, Status: c.state.Status.String(), Published: make(map[string]int)}
	for i, revision := range c.state.Revisions {
		r.Published[model.Target(i).String()] = int(revision) - 1
	}
	r.State = fmt.Sprint(r.Published)
	return r, nil
}
