package recordings

import (
	"slices"
	"strings"

	"example.com/commitpoint/model/deadline"
)

// tasks are the scenarios of the replication package.
var tasks = map[string]deadline.Task{"E1": deadline.Placement, "E3": deadline.Deletion}

// An original is what the parts of an original trial need of each other.
type original struct {
	term            string // that is scored; there is one
	targets, labels []string
	paths           []string
	size            int64
}

// original takes an original trial out of the tree.
func (d *decoder) original() (r Recording) {
	const root = 0
	t := &r.Trial
	r.ID = d.name(d.need(root, "trial_id"))
	scenario := d.need(root, "scenario_id")
	task, known := tasks[d.text(scenario)]
	if t.Task = task; scenario != none && !known {
		d.fail(scenario, "%.40s is no scenario: E1, a placement, and E3, a deletion, can be scored", d.raw(scenario))
	}
	fault := d.may(root, "fault")
	name, condition := "", deadline.Condition{}
	if fault != none && d.may(fault, "condition") != none {
		name, condition = d.condition(fault, "injected_at_rel_s", "cleared_at_rel_s")
	}
	r.Population = population(t.Task, name != "", d.may(root, "a4_result") != none)
	var o original
	if r.Excluded = d.terms(t, &o); r.Excluded {
		return r
	}
	if condition.Present {
		// A condition elsewhere is none: nothing that the contract is about meets it.
		if on := d.need(fault, "target_provider"); slices.Contains(o.targets, d.name(on)) {
			t.Condition = condition
		}
	}
	agent, timeline := d.need(root, "agent"), d.need(root, "state_timeline")
	d.agent(t, &o, agent)
	if t.Task == deadline.Placement {
		d.samples(t, &o, d.need(timeline, "samples"))
		d.statuses(t, &o, d.may(timeline, "transfer_status_samples"))
	} else {
		d.residue(t, d.need(timeline, "residue_samples"))
	}
	d.judge(t, &o, d.may(root, "a2_result"))
	return r
}

func population(t deadline.Task, fault, gated bool) string {
	name := t.String() + "-healthy"
	if fault {
		name = t.String() + "-fault"
	}
	if gated {
		name += "-gated"
	}
	return name
}

// terms reads what the contract asks for, and reports whether the trial is excluded.
func (d *decoder) terms(t *deadline.Trial, o *original) (excluded bool) {
	const root = 0
	terms, count := d.need(d.need(root, "contract"), "terms"), 0
	d.each(terms, func(_, n int) {
		o.term, t.Deadline = d.name(d.need(n, "term_id")), d.seconds(d.need(n, "t_max_s"))
		count++
	})
	if terms != none && count != 1 {
		d.fail(terms, "there are %d terms: a contract of one can be scored", count)
	}
	per := d.need(d.need(d.need(root, "expected"), "per_term"), o.term)
	if d.boolean(d.may(per, "setup_invalid")) {
		return true
	}
	o.paths = d.names(d.need(per, "expected_paths"))
	if t.Task == deadline.Deletion {
		o.targets = d.names(d.may(per, "target_providers"))
		return false
	}
	targets := d.need(per, "target_providers")
	o.targets, o.labels = d.names(targets), d.names(d.may(per, "target_provider_labels"))
	if targets != none && len(o.targets) != 1 {
		d.fail(targets, "there are %d targets: a placement at one can be scored", len(o.targets))
	}
	o.size = d.bytes(d.need(per, "expected_size"))
	return false
}

// names returns the texts of a list, none of them empty.
func (d *decoder) names(n int) (names []string) {
	d.each(n, func(_, n int) { names = append(names, d.name(n)) })
	return names
}

func (d *decoder) agent(t *deadline.Trial, o *original, agent int) {
	order := clock{what: "calls"}
	d.each(d.need(agent, "tool_calls"), func(_, n int) {
		c := deadline.Call{At: d.next(&order, d.need(n, "ts_rel_s")), Accepted: d.boolean(d.need(n, "ok"))}
		c.Required = d.name(d.need(n, "name")) == required[t.Task]
		if args := d.may(n, "args"); c.Required && args != none {
			c.Target = o.target(d.argument(args, "target_provider_id"))
			c.Path = o.path(d.argument(args, "file_id_or_path"))
		}
		t.Calls = append(t.Calls, c)
	})
	said := d.text(d.may(agent, "self_reported"))
	t.Report.Claim = claim(said)
	if at := d.unlessNull(d.need(agent, "reported_done_at_rel_s")); at != none {
		t.Report.Made, t.Report.At = true, d.seconds(at)
	}
	if t.Task == deadline.Deletion {
		t.Report.Words = said + " " + d.text(d.may(agent, "final_answer"))
	}
}

// argument returns an argument of a call. An agent can give a service anything, and what
// is not a text names nothing.
func (d *decoder) argument(args int, name string) string {
	if d.nodes[args].kind != '{' {
		return ""
	}
	if n := d.find(args, name); n != none && d.nodes[n].kind == '"' {
		return d.text(n)
	}
	return ""
}

func (o *original) target(named string) deadline.Target {
	switch {
	case named == "":
		return deadline.NoTarget
	case slices.Contains(o.targets, named):
		return deadline.Contracted
	case slices.Contains(o.labels, named):
		return deadline.Label
	}
	return deadline.OtherTarget // the source, too, whose id is not told
}

// path tells ids from paths by what paths begin with. The task names one file, so that an
// id is taken to be its own.
func (o *original) path(named string) deadline.Path {
	switch {
	case named == "":
		return deadline.NoPath
	case slices.Contains(o.paths, named):
		return deadline.Exact
	case !strings.HasPrefix(named, "/"):
		return deadline.ByID
	}
	return deadline.OtherPath
}

// samples reads what was seen of the target, and whether it was healthy.
func (d *decoder) samples(t *deadline.Trial, o *original, samples int) {
	sizes, health := clock{what: "samples"}, clock{what: "samples"}
	elsewhere := none
	d.each(samples, func(_, n int) {
		if d.text(d.need(n, "term_id")) != o.term {
			return
		}
		what, of := d.text(d.need(n, "sli_name")), d.text(d.need(n, "provider"))
		ofTarget := slices.Contains(o.targets, of)
		switch ok := d.boolean(d.need(n, "probe_ok")); {
		case d.wrong != nil:
		case what == "physicalSize" && !ofTarget:
			elsewhere = n
		case what == "physicalSize":
			seen := deadline.Observation{At: d.next(&sizes, d.need(n, "t_rel_s"))}
			if ok {
				seen = sized(seen, d.bytes(d.need(n, "value")), o.size)
			}
			t.Observations = append(t.Observations, seen)
		case what == "provider_health" && ofTarget:
			if at := d.next(&health, d.need(n, "t_rel_s")); ok && !d.boolean(d.need(n, "value")) {
				t.Unhealthy = append(t.Unhealthy, at)
			}
		}
	})
	if elsewhere != none && len(t.Observations) == 0 {
		d.fail(elsewhere, "no sample is of the target %s: name the target as the samples do", list(o.targets))
	}
}

func (d *decoder) statuses(t *deadline.Trial, o *original, samples int) {
	order := clock{what: "statuses"}
	d.each(samples, func(_, n int) {
		if d.text(d.need(n, "term_id")) != o.term {
			return
		}
		s := deadline.Status{At: d.next(&order, d.need(n, "t_rel_s"))}
		s.Signal = signal(d.text(d.may(n, "value")))
		t.Statuses = append(t.Statuses, s)
	})
}

func (d *decoder) residue(t *deadline.Trial, samples int) {
	order := clock{what: "samples"}
	d.each(samples, func(_, n int) {
		o := deadline.Observation{At: d.next(&order, d.need(n, "t_rel_s"))}
		if d.boolean(d.need(n, "probe_ok")) {
			gone, left := d.boolean(d.need(n, "path_absent")), d.bytes(d.need(n, "total_residue"))
			o.Readable, o.Holds = true, gone && left == 0
		}
		t.Observations = append(t.Observations, o)
	})
}

func (d *decoder) judge(t *deadline.Trial, o *original, result int) {
	if result == none {
		return
	}
	t.Judge.Made = true
	if failed := d.may(result, "parse_error"); failed != none && d.nodes[failed].kind != 'f' {
		return // what was said is not known
	}
	t.Judge.Verdict = d.verdict(d.need(d.need(result, "verdict_per_term"), o.term))
}
