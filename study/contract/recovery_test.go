package contract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/counterexamples"
	"example.com/commitpoint/counterexamples/rapidgen"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms/contract"
	model "example.com/commitpoint/model/contract"
)

// The contract is not vacuously safe: wherever a history has led, a worker that follows
// the advice of each refusal and tries again completes the task, unless it has ended,
// once nothing else happens any more.
func TestAdviceLeadsToCompletion(t *testing.T) {
	completed, ended, rounds := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(families).Draw(t, "family")
		order, err := f.Order()
		if err != nil {
			t.Fatal(err)
		}
		history := rapidgen.History(order).Draw(t, "history")
		m := machine{mechanism: contract.Complete}
		states := counterexamples.Replay(m, history)
		s := states[len(states)-1]
		if s.model.Status != model.Running {
			ended++
			return
		}
		commit := model.Event{Worker: model.A, Kind: model.Commit}
		for range 3 {
			d := m.at(&s, commit)
			if d.wrong() {
				t.Fatalf("after %v: accepted %v, eligible %v", history, d.decision.Accepted, d.verdict.Eligible())
			}
			m.Step(&s, commit)
			if d.decision.Accepted {
				completed++
				return
			}
			rounds++
			advice, ok := contract.Recover(d.decision.Failed)
			if !ok {
				t.Fatalf("after %v: no advice for %v, and the task is %v", history, d.decision.Failed, s.model.Status)
			}
			for _, kind := range advice {
				e := model.Event{Worker: model.A, Kind: kind}
				if !kind.ByWorker() {
					e.Worker = 0
				}
				m.Step(&s, e)
			}
		}
		t.Fatalf("after %v: not completed in three tries", history)
	})
	if completed < 20 || ended < 5 || rounds < 20 {
		t.Errorf("%d completed after %d refusals, %d had ended: too few", completed, rounds, ended)
	}
}

// What a caller that is not authorized is told is one sentence, whatever else is the case;
// the audit says everything.
func TestPublicTextRevealsNothing(t *testing.T) {
	const unauthorized = "refused: the caller is not authorized to complete this task with this request"
	denied, refused := 0, 0
	for _, f := range families {
		orders, err := f.Scenarios()
		if err != nil {
			t.Fatal(err)
		}
		m := machine{mechanism: contract.Complete}
		observe := enumerate.ObserveOn(decides, func(before state, e model.Event, _ state) (bool, bool) {
			d := m.at(&before, e)
			public, audit := d.decision.Public(), d.decision.Audit(&before.model, &d.request)
			authorized := d.request.Caller == before.model.Owner.Principal &&
				before.model.Grants[d.request.Caller-1].Has(before.model.Writes(d.request.Content))
			switch {
			case d.decision.Accepted:
				return public == "recorded", true
			case !authorized || d.decision.Mismatch:
				denied++
				return public == unauthorized && strings.Contains(audit, "refused"), true
			}
			refused++
			reveals := strings.ContainsAny(public, "0123456789/") || !strings.HasPrefix(public, "refused: "+d.decision.Failed.String()+"\n")
			return !reveals && strings.Contains(audit, before.model.Owner.Identity.String()), true
		})
		tallied, err := enumerate.TallyAll(t.Context(), orders, m, observe, enumerate.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range tallied {
			if o.Count(false) != (enumerate.Count{}) {
				t.Errorf("family %s, scenario %v: a public text says too much, or an audit too little", f.Name, orders[i])
			}
		}
	}
	if denied < 100 || refused < 100 {
		t.Errorf("%d denied, %d refused: too few", denied, refused)
	}
}
