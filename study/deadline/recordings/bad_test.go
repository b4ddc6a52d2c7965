package recordings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Trials that are right, and that the tests break. One line of each is the second.
const (
	goodPlacement = `{"trial":"p1","population":"placement-healthy","model":"m","deadline_s":30.0,"expected_bytes":4096,"setup_invalid":null,` +
		`"calls":[{"t":1.5,"tool":"get_transfer","ok":true,"target":null},{"t":2,"tool":"schedule_file_replication","ok":true,"target":"target","path":"exact"}],` +
		`"self_reported":"done","reported_done_at_s":9.5,"agent_error":null,"physical":[[0.5,0],[3.5,null],[6.5,4096]],"health_false":[1,2],` +
		`"transfer_status":[[4,"scheduled"],[5,"completed"]],"judge":"Violated","fault":{"condition":"slow","injected_at_s":1,"cleared_at_s":45,"verified":true}}`
	goodDeletion = `{"trial":"d1","population":"deletion-healthy","model":"m","deadline_s":30.0,"setup_invalid":null,` +
		`"calls":[{"t":2,"tool":"delete_file","ok":false,"path":"id","error":"no"}],"self_reported":"done","reported_done_at_s":null,"agent_error":null,` +
		`"final_answer":"Gone.","residue":[[0,false,8192],[3,null,null],[6,true,0]],"health_false":null,"judge":null,"fault":{"condition":"none"}}`
	goodOriginal = `{
  "trial_id": "o1",
  "scenario_id": "E1",
  "fault": {
    "condition": "slow",
    "target_provider": "site-b",
    "injected_at_rel_s": 1,
    "cleared_at_rel_s": 45
  },
  "contract": {"terms": [
    {"term_id": "T1", "t_max_s": 30.0}
  ]},
  "expected": {"per_term": {"T1": {
    "expected_size": 4096,
    "target_providers": ["site-b"],
    "expected_paths": ["/f"]
  }}},
  "agent": {
    "tool_calls": [
      {"name": "schedule_file_replication", "args": {}, "ts_rel_s": 2, "ok": true}
    ],
    "self_reported": "done",
    "reported_done_at_rel_s": 9.5
  },
  "state_timeline": {"samples": [
    {"t_rel_s": 0, "term_id": "T1", "sli_name": "physicalSize", "value": 0, "provider": "site-b", "probe_ok": true},
    {"t_rel_s": 3, "term_id": "T1", "sli_name": "physicalSize", "value": null, "provider": "site-b", "probe_ok": false},
    {"t_rel_s": 3, "term_id": "T1", "sli_name": "provider_health", "value": true, "provider": "site-b", "probe_ok": true}
  ], "transfer_status_samples": [
    {"t_rel_s": 31, "term_id": "T1", "value": "active"}
  ]},
  "a2_result": {"verdict_per_term": {"T1": "Violated"}, "parse_error": false}
}`
	goodResidue = `{"trial_id":"e1","scenario_id":"E3","contract":{"terms":[{"term_id":"T1","t_max_s":30}]},
"expected":{"per_term":{"T1":{"expected_size":0,"target_providers":["a","b"],"expected_paths":["/f"]}}},
"agent":{"tool_calls":[],"self_reported":null,"final_answer":null,"reported_done_at_rel_s":null},
"state_timeline":{"samples":[],"residue_samples":[{"t_rel_s":0,"probe_ok":true,"path_absent":false,"total_residue":1},{"t_rel_s":3,"probe_ok":false,"path_absent":null}]}}`
)

// yields returns what a file of that name and text gives, its directory left out.
func yields(t testing.TB, name, text string) (good []Recording, errs []string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for r, err := range All(file) {
		if err == nil {
			good = append(good, r)
			continue
		}
		if r.ID != "" || r.Trial.Observations != nil {
			t.Errorf("a bad trial comes with %+v", r)
		}
		if !errors.As(err, new(*BadTrial)) {
			t.Errorf("%v is not about a trial", err)
		}
		errs = append(errs, strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	return good, errs
}

func TestGood(t *testing.T) {
	for name, text := range map[string]string{"p.jsonl": goodPlacement, "d.jsonl": goodDeletion, "o.json": goodOriginal, "e.json": goodResidue} {
		if good, errs := yields(t, name, text); len(good) != 1 || len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// What is wrong with a trial is said with its line and field, and the trials around it are
// read all the same.
func TestBadCondensed(t *testing.T) {
	const p, d = goodPlacement, goodDeletion
	for _, tt := range []struct{ name, base, old, with, want string }{
		{"cut off", p, `"cleared_at_s":45,"verified":true}}`, `"cleared_at_s":4`, "the trial ends in the middle: it was cut off, record or copy it again"},
		{"NaN", p, `[6.5,4096]`, `[NaN,4096]`, "NaN is no number: write one, or null where there is none"},
		{"negative infinity", p, `[6.5,4096]`, `[-Infinity,4096]`, "Infinity is no number: write one, or null where there is none"},
		{"NaN in quotes", p, `[6.5,4096]`, `["NaN",4096]`, "physical[2][0]: this is a text: it has to be a number"},
		{"not JSON", p, `{"trial"`, `{'trial'`, "this is no JSON (invalid character '\\'' looking for beginning of object key string): write one object a trial"},
		{"two in a line", p, `"verified":true}}`, `"verified":true}}{}`, "this is no JSON (invalid character '{' after top-level value): write one object a trial"},
		{"not UTF-8", p, `"m"`, "\"\xff\"", "this is not UTF-8: write the trial in that encoding"},
		{"a list", p, p, `[1]`, "this is a list: it has to be an object"},
		{"nothing known", p, p, `{"id":1}`, "neither trial nor trial_id is there: this is no recorded trial"},
		{"nothing observed", p, `"physical":`, `"physikal":`, "neither physical nor residue is there: a trial is observed by one of them"},
		{"both observed", p, `"health_false":[1,2]`, `"residue":[]`, "expected_bytes: unknown field: a condensed trial has here trial, population, model, deadline_s, setup_invalid, calls, self_reported, reported_done_at_s, agent_error, health_false, judge, fault, final_answer, residue"},
		{"an unknown field", p, `"model":"m"`, `"modle":"m"`, "modle: unknown field: a condensed trial has here trial, population, model, deadline_s, setup_invalid, calls, self_reported, reported_done_at_s, agent_error, health_false, judge, fault, expected_bytes, physical, transfer_status"},
		{"in another case", p, `"model":"m"`, `"Model":"m"`, "Model: unknown field: a condensed trial has here "},
		{"an unknown name that is none", p, `"model":"m"`, `"mo.del\n":"m"`, `"mo.del\n": unknown field: a condensed trial has here `},
		{"a field twice", p, `"model":"m"`, `"model":"m","deadline_s":30`, "deadline_s: the field comes twice: leave one out"},
		{"no id", p, `"trial":"p1",`, `"trial":"",`, "trial: the text is empty: give it a value"},
		{"an id that is a number", p, `"p1"`, `1`, "trial: this is a number: it has to be a text"},
		{"no population", p, `"population":"placement-healthy",`, ``, "the field population is missing: a trial without it can't be scored"},
		{"a population with an escape", p, `placement-healthy`, `\u001b[2J`, `population: "\x1b[2J" can't be the name of a population: use at most 80 bytes that can be printed`},
		{"a long population", p, `placement-healthy`, strings.Repeat("p", 81), `population: "` + strings.Repeat("p", 40) + `" can't be the name of a population: use at most 80 bytes that can be printed`},
		{"no deadline", p, `"deadline_s":30.0,`, ``, "the field deadline_s is missing: a trial without it can't be scored"},
		{"a deadline of null", p, `30.0`, `null`, "deadline_s: this is null: it has to be a number"},
		{"a negative deadline", p, `30.0`, `-30`, "deadline_s: -30 is before the start: give seconds after it"},
		{"no expected bytes", p, `"expected_bytes":4096,`, ``, "the field expected_bytes is missing: a trial without it can't be scored"},
		{"half a byte", p, `4096,"setup`, `4096.5,"setup`, "expected_bytes: 4096.5 is no number of bytes: give a whole one below 2^53"},
		{"less than no bytes", p, `4096,"setup`, `-1,"setup`, "expected_bytes: -1 is less than no bytes: give a number that is not negative"},
		{"too many bytes", p, `4096,"setup`, `1e400,"setup`, "expected_bytes: 1e400 is no number of bytes: give a whole one below 2^53"},
		{"samples out of order", p, `[3.5,null]`, `[0.25,null]`, "physical[1][0]: 250ms comes after 500ms: list samples in the order of their times"},
		{"a negative time", p, `[0.5,0]`, `[-0.5,0]`, "physical[0][0]: -0.5 is before the start: give seconds after it"},
		{"a time just before the start", p, `[0.5,0]`, `[-1e-12,0]`, "physical[0][0]: -1e-12 is before the start: give seconds after it"},
		{"a time that is too large", p, `[6.5,4096]`, `[1e300,4096]`, "physical[2][0]: 1e300 is no time: give seconds, fewer than 9223372036"},
		{"a time that is just too large", p, `[6.5,4096]`, `[9.23e9,4096]`, "physical[2][0]: 9.23e9 is no time: give seconds, fewer than 9223372036"},
		{"a time that overflows", p, `[6.5,4096]`, `[1e999,4096]`, "physical[2][0]: 1e999 is no time: give seconds, fewer than 9223372036"},
		{"three values in a pair", p, `[0.5,0]`, `[0.5,0,1]`, "physical[0]: there are 3 values: a sample has 2"},
		{"a sample that is a number", p, `[0.5,0]`, `0.5`, "physical[0]: this is a number: it has to be a list"},
		{"bytes that are a text", p, `[0.5,0]`, `[0.5,"0"]`, "physical[0][1]: this is a text: it has to be a number"},
		{"samples of null", p, `[[0.5,0],[3.5,null],[6.5,4096]]`, `null`, "physical: this is null: it has to be a list"},
		{"calls out of order", p, `"t":2,`, `"t":1.25,`, "calls[1].t: 1.25s comes after 1.5s: list calls in the order of their times"},
		{"no calls", p, `"calls":[`, `"kalls":[`, "kalls: unknown field: "},
		{"a call without a time", p, `{"t":1.5,`, `{`, "calls[0]: the field t is missing: a trial without it can't be scored"},
		{"a call with more", p, `{"t":1.5,`, `{"t":1.5,"args":{},`, "calls[0].args: unknown field: a condensed trial has here t, tool, ok, target, path, error"},
		{"a call neither accepted nor not", p, `"ok":true,"target":"target"`, `"ok":1,"target":"target"`, "calls[1].ok: this is a number: it has to be true or false"},
		{"a missing target", p, `"target":"target",`, ``, "calls[1]: the call names no target: it has to be target, label, source or other:…"},
		{"a target of null", p, `"target":"target",`, `"target":null,`, "calls[1]: the call names no target: it has to be target, label, source or other:…"},
		{"an unknown target", p, `"target":"target"`, `"target":"site-b"`, `calls[1].target: "site-b" is no target: it has to be target, label, source or other:…`},
		{"a missing path", p, `,"path":"exact"`, ``, "calls[1]: the call has no path: it has to be exact, id or other:…"},
		{"an unknown path", p, `"exact"`, `"/f"`, `calls[1].path: "/f" is no path: it has to be exact, id or other:…`},
		{"no report time", p, `"reported_done_at_s":9.5,`, ``, "the field reported_done_at_s is missing: "},
		{"a negative report", p, `9.5`, `-9.5`, "reported_done_at_s: -9.5 is before the start: "},
		{"no claim", p, `"self_reported":"done",`, ``, "the field self_reported is missing: "},
		{"health out of order", p, `[1,2]`, `[2,1]`, "health_false[1]: 1s comes after 2s: list times in the order of their times"},
		{"a status out of order", p, `[5,"completed"]`, `[3,"completed"]`, "transfer_status[1][0]: 3s comes after 4s: list statuses in the order of their times"},
		{"a status that is none", p, `"completed"`, `5`, "transfer_status[1][1]: this is a number: it has to be a text"},
		{"a judge's own words", p, `"Violated"`, `"violated"`, `judge: "violated" is no verdict: a judge says Fulfilled, Violated or NotDetermined`},
		{"setup neither", p, `"setup_invalid":null`, `"setup_invalid":"no"`, "setup_invalid: this is a text: it has to be true or false"},
		{"no fault", p, `,"fault":{"condition":"slow","injected_at_s":1,"cleared_at_s":45,"verified":true}`, ``, "the field fault is missing: "},
		{"a fault without a time", p, `"injected_at_s":1,`, ``, "fault: the field injected_at_s is missing: "},
		{"a fault that ends too early", p, `"cleared_at_s":45`, `"cleared_at_s":0.5`, "fault.cleared_at_s: the condition ends before it begins: give a time after 1s, or null"},
		{"a fault with more", p, `"verified":true`, `"target":"x"`, "fault.target: unknown field: a condensed trial has here condition, injected_at_s, cleared_at_s, verified"},

		{"a deletion without words", d, `"final_answer":"Gone.",`, ``, "the field final_answer is missing: "},
		{"a deletion of bytes", d, `"judge":null`, `"expected_bytes":1`, "expected_bytes: unknown field: "},
		{"half a failed probe", d, `[3,null,null]`, `[3,true,null]`, "residue[1]: one of the two values is null: a probe that failed has neither, and any other both"},
		{"residue out of order", d, `[6,true,0]`, `[2,true,0]`, "residue[2][0]: 2s comes after 3s: list samples in the order of their times"},
		{"residue of a pair", d, `[6,true,0]`, `[6,true]`, "residue[2]: there are 2 values: a sample has 3"},
		{"residue of a number", d, `[6,true,0]`, `[6,1,0]`, "residue[2][1]: this is a number: it has to be true or false"},
		{"less than no residue", d, `[6,true,0]`, `[6,true,-1]`, "residue[2][2]: -1 is less than no bytes: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := broken(t, tt.base, tt.old, tt.with)
			first, last := strings.Replace(p, `"p1"`, `"first"`, 1), strings.Replace(d, `"d1"`, `"last"`, 1)
			good, errs := yields(t, "t.jsonl", first+"\n"+bad+"\n"+last+"\n")
			if len(errs) != 1 || !strings.HasPrefix(errs[0], "t.jsonl:2: "+tt.want) {
				t.Errorf("%q\nwant %q", errs, "t.jsonl:2: "+tt.want)
			}
			if len(good) != 2 || good[0].ID != "first" || good[1].ID != "last" {
				t.Errorf("the trials around it: %+v", good)
			}
		})
	}
}

// broken replaces a text that has to be there.
func broken(t *testing.T, base, old, with string) string {
	t.Helper()
	if !strings.Contains(base, old) {
		t.Fatalf("there is no %q to break", old)
	}
	return strings.Replace(base, old, with, 1)
}

func TestBadOriginal(t *testing.T) {
	const o, e = goodOriginal, goodResidue
	for _, tt := range []struct{ name, base, old, with, want string }{
		{"cut off", o, `"parse_error": false}` + "\n}", ``, "32: the trial ends in the middle: "},
		{"empty", o, o, ``, "1: the trial ends in the middle: "},
		{"NaN", o, `"t_rel_s": 3, "term_id": "T1", "sli_name": "physicalSize"`, `"t_rel_s": NaN, "term_id": "T1", "sli_name": "physicalSize"`, "27: NaN is no number: "},
		{"no id", o, `"o1"`, `""`, "2: trial_id: the text is empty: "},
		{"another scenario", o, `"E1"`, `"E2"`, `3: scenario_id: "E2" is no scenario: E1, a placement, and E3, a deletion, can be scored`},
		{"no scenario", o, `"scenario_id": "E1",`, ``, "1: the field scenario_id is missing: "},
		{"a condition of nothing", o, `"target_provider": "site-b",`, ``, "4: fault: the field target_provider is missing: "},
		{"a condition at no time", o, `"injected_at_rel_s": 1`, `"injected_at_rel_s": null`, "7: fault.injected_at_rel_s: this is null: it has to be a number"},
		{"a condition that ends too early", o, `45`, `0`, "8: fault.cleared_at_rel_s: the condition ends before it begins: "},
		{"no terms", o, `{"term_id": "T1", "t_max_s": 30.0}`, ``, "10: contract.terms: there are 0 terms: a contract of one can be scored"},
		{"two terms", o, `{"term_id": "T1", "t_max_s": 30.0}`, `{"term_id": "T0", "t_max_s": 3},{"term_id": "T1", "t_max_s": 30.0}`, "10: contract.terms: there are 2 terms: "},
		{"a negative deadline", o, `30.0`, `-1`, "11: contract.terms[0].t_max_s: -1 is before the start: "},
		{"a term that is not expected", o, `{"T1": {`, `{"T2": {`, "13: expected.per_term: the field T1 is missing: "},
		{"no targets", o, `"target_providers": ["site-b"],`, ``, "13: expected.per_term.T1: the field target_providers is missing: "},
		{"an empty list of targets", o, `["site-b"]`, `[]`, "15: expected.per_term.T1.target_providers: there are 0 targets: a placement at one can be scored"},
		{"two targets", o, `["site-b"]`, `["site-b", "site-c"]`, "15: expected.per_term.T1.target_providers: there are 2 targets: "},
		{"a target without a name", o, `["site-b"]`, `[""]`, "15: expected.per_term.T1.target_providers[0]: the text is empty: "},
		{"no size", o, `4096`, `null`, "14: expected.per_term.T1.expected_size: this is null: "},
		{"no paths", o, `"expected_paths"`, `"paths"`, "13: expected.per_term.T1: the field expected_paths is missing: "},
		{"a call without a time", o, `"ts_rel_s": 2, `, ``, "20: agent.tool_calls[0]: the field ts_rel_s is missing: "},
		{"a call out of order", o, `"ok": true}` + "\n    ]", `"ok": true}, {"name": "n", "ts_rel_s": 1, "ok": true}]`, "20: agent.tool_calls[1].ts_rel_s: 1s comes after 2s: "},
		{"arguments twice", o, `"args": {}`, `"args": {"target_provider_id": "a", "target_provider_id": "site-b"}`, "20: agent.tool_calls[0].args.target_provider_id: the field comes twice: "},
		{"no report time", o, `,` + "\n" + `    "reported_done_at_rel_s": 9.5`, ``, "18: agent: the field reported_done_at_rel_s is missing: "},
		{"a sample out of order", o, `{"t_rel_s": 0,`, `{"t_rel_s": 4,`, "27: state_timeline.samples[1].t_rel_s: 3s comes after 4s: list samples in the order of their times"},
		{"a negative sample", o, `{"t_rel_s": 0,`, `{"t_rel_s": -4,`, "26: state_timeline.samples[0].t_rel_s: -4 is before the start: "},
		{"a sample of nothing", o, `"value": 0`, `"value": null`, "26: state_timeline.samples[0].value: this is null: it has to be a number"},
		{"health that is a number", o, `"value": true`, `"value": 1`, "28: state_timeline.samples[2].value: this is a number: it has to be true or false"},
		{"samples of another site", o, `"value": 0, "provider": "site-b", "probe_ok": true},`, `"value": 0, "provider": "b", "probe_ok": true}, null],"x":[`, "26: state_timeline.samples[1]: this is null: it has to be an object"},
		{"samples by the label", strings.ReplaceAll(o, `"provider": "site-b"`, `"provider": "b"`), `"t_max_s": 30.0`, `"t_max_s": 30`, "27: state_timeline.samples[1]: no sample is of the target site-b: name the target as the samples do"},
		{"no samples", o, `"samples"`, `"probes"`, "25: state_timeline: the field samples is missing: "},
		{"a status that is none", o, `"active"`, `true`, "30: state_timeline.transfer_status_samples[0].value: this is true: it has to be a text"},
		{"a judge's own words", o, `"Violated"`, `"yes"`, `32: a2_result.verdict_per_term.T1: "yes" is no verdict: `},
		{"a judge of another term", o, `{"T1": "Violated"}`, `{"T2": "Violated"}`, "32: a2_result.verdict_per_term: the field T1 is missing: "},
		{"the id twice", o, `"trial_id": "o1",`, `"trial_id": "o1", "trial_id": "o2",`, "2: trial_id: the field comes twice: "},

		{"no residue samples", e, `"residue_samples"`, `"residues"`, "4: state_timeline: the field residue_samples is missing: "},
		{"residue of null", e, `"total_residue":1`, `"total_residue":null`, "4: state_timeline.residue_samples[0].total_residue: this is null: "},
		{"residue out of order", e, `{"t_rel_s":0`, `{"t_rel_s":4`, "4: state_timeline.residue_samples[1].t_rel_s: 3s comes after 4s: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			good, errs := yields(t, "trial-1.json", broken(t, tt.base, tt.old, tt.with))
			if len(good) > 0 || len(errs) != 1 || !strings.HasPrefix(errs[0], "trial-1.json:"+tt.want) {
				t.Errorf("%q\nwant %q", errs, "trial-1.json:"+tt.want)
			}
		})
	}
}

// What an original may lack, or have otherwise, without being bad.
func TestLenientOriginal(t *testing.T) {
	const o = goodOriginal
	for _, tt := range []struct{ name, old, with, population string }{
		{"no fault", `"condition": "slow"`, `"condition": "none"`, "placement-healthy"},
		{"a fault of nothing", `"condition": "slow",`, `"note": 1,`, "placement-healthy"},
		{"a fault elsewhere", `"target_provider": "site-b"`, `"target_provider": "site-a"`, "placement-fault"},
		{"a gate", `"scenario_id": "E1",`, `"scenario_id": "E1", "a4_result": {},`, "placement-fault-gated"},
		{"an argument that is a number", `"args": {}`, `"args": {"target_provider_id": 1, "file_id_or_path": ["/f"]}`, "placement-fault"},
		{"arguments that are a list", `"args": {}`, `"args": []`, "placement-fault"},
		{"no arguments", `"args": {}, `, ``, "placement-fault"},
		{"another term's samples", `"transfer_status_samples": [`, `"transfer_status_samples": [{"t_rel_s": 90, "term_id": "T0", "value": "x"},`, "placement-fault"},
		{"an unparseable judge", `{"T1": "Violated"}, "parse_error": false`, `{}, "parse_error": true`, "placement-fault"},
		{"an unknown sample", `"provider_health", "value": true`, `"speed", "value": "fast"`, "placement-fault"},
		{"the source's health", `"provider_health", "value": true, "provider": "site-b"`, `"provider_health", "value": false, "provider": "site-a"`, "placement-fault"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			good, errs := yields(t, "o.json", broken(t, o, tt.old, tt.with))
			if len(errs) > 0 || len(good) != 1 || good[0].Population != tt.population {
				t.Fatalf("%+v, %q; want one of %s", good, errs, tt.population)
			}
			trial := good[0].Trial
			if want := strings.HasPrefix(tt.population, "placement-fault") && tt.name != "a fault elsewhere"; trial.Condition.Present != want {
				t.Errorf("a condition: %v, want %v", trial.Condition.Present, want)
			}
			if len(trial.Unhealthy) != 0 || len(trial.Statuses) != 1 || !trial.Judge.Made {
				t.Errorf("%+v", trial)
			}
		})
	}
}

// An id that comes twice is named with where it was before, in whichever format.
func TestDuplicates(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.jsonl":        goodDeletion + "\n\n" + goodPlacement + "\n" + goodPlacement,
		"b/trial-x.json": strings.Replace(goodOriginal, `"o1"`, `"d1"`, 1),
		"b/trial-y.json": goodOriginal,
		"c.jsonl":        strings.Replace(strings.Replace(goodPlacement, `"p1"`, `"\u006f1"`, 1), "4096", "-1", 1) + "\n" + strings.Replace(goodPlacement, `"p1"`, `"\u006f1"`, 1),
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	good := 0
	for _, err := range All(dir) {
		if err == nil {
			good++
			continue
		}
		got = append(got, strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	want := []string{
		`a.jsonl:4: trial: the trial "p1" is in a.jsonl:3 already: leave one out`,
		`b/trial-x.json:2: trial_id: the trial "d1" is in a.jsonl:1 already: leave one out`,
		`c.jsonl:1: expected_bytes: -1 is less than no bytes: give a number that is not negative`,
		`c.jsonl:2: trial: the trial "o1" is in b/trial-y.json:1 already: leave one out`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || good != 3 {
		t.Errorf("%d good trials, and\n%s\nwant 3, and\n%s", good, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A trial that is too large is let go, and the next one read.
func TestTooLarge(t *testing.T) {
	large := strings.Replace(goodPlacement, `"m"`, `"`+strings.Repeat("m", maxTrial)+`"`, 1)
	const want = "more than 16777216 bytes are no trial: choose another file"
	good, errs := yields(t, "t.jsonl", large+"\n"+goodDeletion)
	if len(good) != 1 || len(errs) != 1 || errs[0] != "t.jsonl:1: "+want {
		t.Errorf("%d good trials, %q", len(good), errs)
	}
	// What is let go is not kept: the line is twice as long, the buffer is not.
	r := reader{seen: make(map[string]place), yield: func(Recording, error) bool { return true }}
	if err := r.rows("t.jsonl", strings.NewReader(large+large)); err != nil || len(r.text) > maxTrial+64<<10 {
		t.Errorf("%d bytes are kept of a line of %d: %v", len(r.text), 2*len(large), err)
	}
	if _, errs := yields(t, "t.json", large); len(errs) != 1 || errs[0] != "t.json:1: "+want {
		t.Errorf("%q", errs)
	}
}
