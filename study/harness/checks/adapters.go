package checks

import (
	"context"
	"fmt"
	"strings"

	"example.com/commitpoint/harness"
	"example.com/commitpoint/harness/adapter"
)

// The same facts, in the shapes of the two adapters.
const (
	shapeA = `{
  "outcome": {"status": "completed", "message": "all done!", "verified": true, "captured": true, "effect": "full"},
  "no_op_permitted": false,
  "workload": {"run": "r1", "owner": "a", "id": "web", "generation": 3},
  "observed_at": "2026-10-01T12:00:00Z"
}`
	shapeB = `{
  "result": {"state": "ok", "note": "fine"},
  "evidence": {"task": {"check": "passed"}, "capture": {"gaps": 0}, "change": "complete"},
  "contract": {"empty_change": "forbidden"},
  "subject": {"session": {"run": "r1", "name": "a"}, "service": {"name": "web", "epoch": 3}},
  "retention": null,
  "clock": {"now": "2026-10-01T14:00:00+02:00"}
}`
)

// refusals are the payloads of AD-02, and what their error has to name.
var refusals = []struct{ name, adapter, payload, place string }{
	{"unknown adapter", "fixture-c", shapeA, `"fixture-c"`},
	{"malformed nested shape", adapter.FixtureB, strings.Replace(shapeB, `{"gaps": 0}`, `0`, 1), "$.evidence.capture:"},
	{"absent receipt", adapter.FixtureA, "", `"fixture-a"`},
	{"null payload", adapter.FixtureA, "null", "$:"},
	{"list payload", adapter.FixtureA, "[" + shapeA + "]", "$:"},
	{"list outcome", adapter.FixtureA, `{"outcome": []}`, "$.outcome:"},
}

func adapterChecks() []contract {
	return []contract{
		{Check{"AD-01", "two adapter shapes (fixture-a, fixture-b) of the same verified task", "equal receipts, advance"}, sameFacts},
		{Check{"AD-02", "unknown adapter, malformed nested shape, absent receipt, null payload, list payload, list outcome",
			"6 of 6 refused"}, unsupported},
	}
}

// sameFacts normalizes both shapes.
func sameFacts(_ context.Context, l library) (seen, detail string) {
	a, err := l.normalize(adapter.FixtureA, []byte(shapeA))
	if err != nil {
		return "refused", line(err)
	}
	b, err := l.normalize(adapter.FixtureB, []byte(shapeB))
	if err != nil {
		return "refused", line(err)
	}
	if a != b {
		return fmt.Sprintf("different receipts, %v and %v", l.classify(a), l.classify(b)), ""
	}
	return fmt.Sprintf("equal receipts, %v", l.classify(a)), ""
}

// unsupported offers what has to be refused. A refusal counts if its error names the place,
// and nothing comes with it.
func unsupported(_ context.Context, l library) (seen, detail string) {
	var places, problems []string
	for _, r := range refusals {
		receipt, err := l.normalize(r.adapter, []byte(r.payload))
		switch {
		case err == nil:
			problems = append(problems, r.name+" is taken")
		case !strings.Contains(err.Error(), r.place):
			problems = append(problems, fmt.Sprintf("%s is refused without %s", r.name, r.place))
		case receipt != (harness.Receipt{}):
			problems = append(problems, r.name+" is refused with a receipt")
		default:
			places = append(places, fmt.Sprintf("%s (%s)", r.name, strings.TrimSuffix(r.place, ":")))
		}
	}
	detail = strings.Join(places, ", ")
	if problems != nil {
		detail = strings.Join(problems, ", ")
	}
	return fmt.Sprintf("%d of %d refused", len(places), len(refusals)), detail
}
