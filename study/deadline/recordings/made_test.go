package recordings

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// A made trial is one of our own making, which is written in both formats.
type made struct {
	ID, Population string
	Deletion       bool
	Deadline       float64
	Expected       int
	Calls          []madeCall
	Said, Final    string
	Reported       any // seconds, or nil
	Seen           []madeSample
	Unhealthy      []float64
	Statuses       []madeStatus
	Judge          any // a text, or nil
	From, Until    any // of the condition; nil if there is none
}

type madeCall struct {
	T                  float64
	Tool               string
	OK                 bool
	Target, Path       string
	Provider, Argument string // what the two were called with
}

type madeSample struct {
	T     float64
	Bytes any // nil if the probe failed
	Gone  bool
}

type madeStatus struct {
	T      float64
	Status any
}

type object map[string]any

func encode(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// condensed returns the trial as a line.
func (m made) condensed(t testing.TB) []byte {
	calls := []any{}
	for _, c := range m.Calls {
		call := object{"t": c.T, "tool": c.Tool, "ok": c.OK}
		if c.Path != "" {
			call["path"] = c.Path
		}
		if !m.Deletion {
			call["target"] = any(nil)
			if c.Target != "" {
				call["target"] = c.Target
			}
		}
		if !c.OK {
			call["error"] = "no such thing"
		}
		calls = append(calls, call)
	}
	o := object{"trial": m.ID, "population": m.Population, "model": "ours", "deadline_s": m.Deadline, "setup_invalid": nil,
		"calls": calls, "self_reported": m.Said, "reported_done_at_s": m.Reported, "agent_error": nil, "judge": m.Judge,
		"health_false": m.Unhealthy, "fault": object{"condition": "none"}}
	if m.From != nil {
		o["fault"] = object{"condition": "slow", "injected_at_s": m.From, "cleared_at_s": m.Until, "verified": true}
	}
	samples := []any{}
	for _, s := range m.Seen {
		switch {
		case !m.Deletion:
			samples = append(samples, []any{s.T, s.Bytes})
		case s.Bytes == nil:
			samples = append(samples, []any{s.T, nil, nil})
		default:
			samples = append(samples, []any{s.T, s.Gone, s.Bytes})
		}
	}
	if m.Deletion {
		o["residue"], o["final_answer"] = samples, m.Final
		return encode(t, o)
	}
	statuses := []any{}
	for _, s := range m.Statuses {
		statuses = append(statuses, []any{s.T, s.Status})
	}
	o["physical"], o["expected_bytes"], o["transfer_status"] = samples, m.Expected, statuses
	return encode(t, o)
}

const ourTarget, ourPath = "site-b", "/space/file.bin"

// original returns the trial as a document, with much in it that is not needed.
func (m made) original(t testing.TB) []byte {
	calls := []any{}
	for _, c := range m.Calls {
		args := object{"file_id_or_path": c.Argument, "overwrite": false}
		if c.Provider != "" {
			args["target_provider_id"] = c.Provider
		}
		calls = append(calls, object{"name": c.Tool, "args": args, "result": "{\"id\": \"x\"}", "ts_rel_s": c.T, "ok": c.OK})
	}
	fault := object{"condition": "none", "target_provider": nil, "injected_at_rel_s": nil, "cleared_at_rel_s": nil}
	if m.From != nil {
		fault = object{"condition": "slow", "target_provider": ourTarget, "injected_at_rel_s": m.From, "cleared_at_rel_s": m.Until, "inject_verified": true}
	}
	timeline := object{"poll_interval_s": 3, "samples": []any{}}
	m.timeline(timeline)
	per := object{"expected_size": m.Expected, "target_providers": []string{ourTarget}, "target_provider_labels": []string{"b"}, "expected_paths": []string{ourPath}}
	o := object{"trial_id": m.ID, "sweep_id": "s", "scenario_id": "E1", "model_leg": "ours", "fault": fault,
		"contract": object{"obligated_party": "agent", "terms": []any{object{"term_id": "T1", "guarantee": "g", "t_max_s": m.Deadline}}},
		"expected": object{"per_term": object{"T1": per}, "poll_until_rel_s": 45},
		"agent": object{"tool_calls": calls, "messages": []any{object{"role": "user", "content": nil}}, "self_reported": m.Said,
			"final_answer": m.Final, "reported_done_at_rel_s": m.Reported, "error": nil},
		"state_timeline": timeline}
	if m.Deletion {
		o["scenario_id"] = "E3"
	}
	if m.Judge != nil {
		o["a2_result"] = object{"verdict_per_term": object{"T1": m.Judge}, "parse_error": false}
	}
	return encode(t, o)
}

func (m made) timeline(timeline object) {
	var samples, residue, statuses []any
	for i, s := range m.Seen {
		if m.Deletion {
			o := object{"t_rel_s": s.T, "probe_ok": s.Bytes != nil, "path_absent": nil, "total_residue": s.Bytes}
			if s.Bytes != nil {
				o["path_absent"] = s.Gone
			}
			residue = append(residue, o)
			continue
		}
		sample := func(sli, provider string, value any) object {
			return object{"t_rel_s": s.T, "term_id": "T1", "sli_name": sli, "value": value, "provider": provider, "probe_ok": value != nil}
		}
		samples = append(samples, sample("physicalSize", "site-a", m.Expected), sample("physicalSize", ourTarget, s.Bytes))
		for len(m.Unhealthy) > 0 && (i == len(m.Seen)-1 || m.Unhealthy[0] < m.Seen[i+1].T) {
			bad := sample("provider_health", ourTarget, false)
			bad["t_rel_s"], m.Unhealthy = m.Unhealthy[0], m.Unhealthy[1:]
			samples = append(samples, sample("provider_health", "site-a", false), bad)
		}
	}
	for _, s := range m.Statuses {
		statuses = append(statuses, object{"t_rel_s": s.T, "term_id": "T1", "value": s.Status})
	}
	if m.Deletion {
		timeline["residue_samples"] = residue
		return
	}
	timeline["samples"], timeline["transfer_status_samples"] = samples, statuses
}

// makeTrial makes a trial of about the size that recorded ones have.
func makeTrial(random *rand.Rand, id int) made {
	m := made{ID: fmt.Sprintf("ours-%06d", id), Deletion: random.IntN(3) == 0, Deadline: 30, Expected: 4096, Unhealthy: []float64{}}
	time := func(limit float64) float64 { return float64(random.IntN(int(limit*1000))) / 1000 }
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	tool, other := "schedule_file_replication", "get_file_distribution"
	if m.Deletion {
		tool, m.Expected = "delete_file", 0
	}
	at := 0.0
	for range random.IntN(7) {
		at += time(12)
		c := madeCall{T: at, Tool: pick(tool, tool, other), OK: random.IntN(5) > 0}
		c.Path = pick("exact", "exact", "exact", "id", "other:/else")
		c.Argument = map[string]string{"exact": ourPath, "id": "0ab1", "other:/else": "/else"}[c.Path]
		if !m.Deletion && c.Tool == tool {
			c.Target = pick("target", "target", "target", "label", "other:c")
			c.Provider = map[string]string{"target": ourTarget, "label": "b", "other:c": "site-c"}[c.Target]
		}
		if c.Tool != tool {
			c.Path, c.Target = "", ""
		}
		m.Calls = append(m.Calls, c)
	}
	m.Said, m.Final = pick("done", "refused", "no_final_answer"), pick("It is gone.", "I could not do it.", "Scheduled.")
	if random.IntN(6) > 0 {
		m.Reported = time(50)
	}
	m.observe(random, time(60))
	if !m.Deletion && random.IntN(2) == 0 {
		m.Judge = pick("Fulfilled", "Violated", "NotDetermined")
	}
	m.Population = map[bool]string{true: "deletion", false: "placement"}[m.Deletion] + "-healthy"
	if random.IntN(2) == 0 {
		m.From, m.Until = time(40), any(nil)
		if random.IntN(2) == 0 {
			m.Until = m.From.(float64) + time(20)
		}
		m.Population = m.Population[:len(m.Population)-len("healthy")] + "fault"
	}
	return m
}

// observe makes what is seen of a trial whose predicate holds from a time on.
func (m *made) observe(random *rand.Rand, holds float64) {
	for i := range 16 {
		s := madeSample{T: float64(i)*3.137 + float64(random.IntN(100))/1000, Bytes: 0, Gone: true}
		there := s.T >= holds
		if m.Deletion && !there {
			s.Bytes, s.Gone = 8192*random.IntN(2), false
		}
		if !m.Deletion && there {
			s.Bytes = 4096 + random.IntN(20)/19
		}
		if random.IntN(9) == 0 {
			s.Bytes = nil
		}
		m.Seen = append(m.Seen, s)
		if !m.Deletion && random.IntN(40) == 0 {
			m.Unhealthy = append(m.Unhealthy, s.T)
		}
		if !m.Deletion && i > 12 && random.IntN(2) == 0 {
			m.Statuses = append(m.Statuses, madeStatus{s.T, []any{"scheduled", "active", "enqueued", "completed", "", nil}[random.IntN(6)]})
		}
	}
}

// makeTrials makes so many trials, the same every time.
func makeTrials(n int) (trials []made) {
	random := rand.New(rand.NewPCG(7, uint64(n)))
	for i := range n {
		trials = append(trials, makeTrial(random, i))
	}
	return trials
}

// write writes trials in both formats: a file of lines, and a directory of documents.
func write(t testing.TB, trials []made) (lines, documents string) {
	t.Helper()
	dir := t.TempDir()
	lines, documents = filepath.Join(dir, "trials.jsonl"), filepath.Join(dir, "runs")
	var text []byte
	if err := os.Mkdir(documents, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, m := range trials {
		text = append(append(text, m.condensed(t)...), '\n')
		if err := os.WriteFile(filepath.Join(documents, "trial-"+m.ID+".json"), m.original(t), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(lines, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return lines, documents
}
