package recordings

import (
	"slices"
	"strings"
	"unicode"

	"example.com/commitpoint/model/deadline"
)

// What a condensed trial can have, by its task, and what is in it.
var (
	placementFields = slices.Concat(trialFields, []string{"expected_bytes", "physical", "transfer_status"})
	deletionFields  = slices.Concat(trialFields, []string{"final_answer", "residue"})
	trialFields     = []string{"trial", "population", "model", "deadline_s", "setup_invalid", "calls", "self_reported",
		"reported_done_at_s", "agent_error", "health_false", "judge", "fault"}
	callFields  = []string{"t", "tool", "ok", "target", "path", "error"}
	faultFields = []string{"condition", "injected_at_s", "cleared_at_s", "verified"}
)

// maxName is how long the name of a population can be: it is printed above tables.
const maxName = 80

func list(names []string) string { return strings.Join(names, ", ") }

// condensed takes a condensed trial out of the tree.
func (d *decoder) condensed() (r Recording) {
	const root = 0
	t := &r.Trial
	physical, residue := d.find(root, "physical"), d.find(root, "residue")
	switch {
	case physical == none && residue == none:
		d.fail(root, "neither physical nor residue is there: a trial is observed by one of them")
	case residue != none:
		t.Task = deadline.Deletion
		d.only(root, deletionFields)
	default:
		d.only(root, placementFields)
	}
	population := d.need(root, "population")
	r.ID, r.Population = d.name(d.need(root, "trial")), d.name(population)
	if len(r.Population) > maxName || strings.ContainsFunc(r.Population, unicode.IsControl) {
		d.fail(population, "%.40q can't be the name of a population: use at most %d bytes that can be printed", r.Population, maxName)
	}
	if r.Excluded = d.boolean(d.may(root, "setup_invalid")); r.Excluded {
		return r
	}
	t.Deadline = d.seconds(d.need(root, "deadline_s"))
	d.condensedCalls(t, d.need(root, "calls"))
	d.condensedReport(t, root)
	switch t.Task {
	case deadline.Placement:
		d.physical(t, physical, d.bytes(d.need(root, "expected_bytes")))
		d.condensedStatuses(t, d.may(root, "transfer_status"))
	case deadline.Deletion:
		d.condensedResidue(t, residue)
	}
	health := clock{what: "times"}
	d.each(d.may(root, "health_false"), func(_, n int) { t.Unhealthy = append(t.Unhealthy, d.next(&health, n)) })
	if judge := d.may(root, "judge"); judge != none {
		t.Judge = deadline.Judgement{Made: true, Verdict: d.verdict(judge)}
	}
	fault := d.need(root, "fault")
	if fault = d.unlessNull(fault); fault != none {
		d.only(fault, faultFields)
		d.boolean(d.may(fault, "verified"))
		_, t.Condition = d.condition(fault, "injected_at_s", "cleared_at_s")
	}
	return r
}

func (d *decoder) condensedReport(t *deadline.Trial, root int) {
	for _, name := range []string{"model", "agent_error"} {
		d.text(d.may(root, name))
	}
	said := d.text(d.unlessNull(d.need(root, "self_reported")))
	t.Report.Claim = claim(said)
	if at := d.unlessNull(d.need(root, "reported_done_at_s")); at != none {
		t.Report.Made, t.Report.At = true, d.seconds(at)
	}
	if t.Task == deadline.Deletion {
		t.Report.Words = said + " " + d.text(d.unlessNull(d.need(root, "final_answer")))
	}
}

func (d *decoder) condensedCalls(t *deadline.Trial, calls int) {
	order := clock{what: "calls"}
	d.each(calls, func(_, n int) {
		d.only(n, callFields)
		c := deadline.Call{At: d.next(&order, d.need(n, "t")), Accepted: d.boolean(d.need(n, "ok"))}
		c.Required = d.name(d.need(n, "tool")) == required[t.Task]
		d.text(d.may(n, "error"))
		target, path := d.may(n, "target"), d.may(n, "path")
		if c.Required && t.Task == deadline.Placement && target == none {
			d.fail(n, "the call names no target: it has to be target, label, source or other:…")
		}
		if c.Required && path == none {
			d.fail(n, "the call has no path: it has to be exact, id or other:…")
		}
		c.Target, c.Path = d.callTarget(target), d.callPath(path)
		t.Calls = append(t.Calls, c)
	})
}

func (d *decoder) callTarget(n int) deadline.Target {
	switch word := d.text(n); {
	case n == none:
		return deadline.NoTarget
	case word == "target":
		return deadline.Contracted
	case word == "label":
		return deadline.Label
	case word == "source":
		return deadline.Source
	case !strings.HasPrefix(word, "other:"):
		d.fail(n, "%.40q is no target: it has to be target, label, source or other:…", word)
	}
	return deadline.OtherTarget
}

func (d *decoder) callPath(n int) deadline.Path {
	switch word := d.text(n); {
	case n == none:
		return deadline.NoPath
	case word == "exact":
		return deadline.Exact
	case word == "id":
		return deadline.ByID
	case !strings.HasPrefix(word, "other:"):
		d.fail(n, "%.40q is no path: it has to be exact, id or other:…", word)
	}
	return deadline.OtherPath
}

func (d *decoder) physical(t *deadline.Trial, samples int, expected int64) {
	order := clock{what: "samples"}
	d.each(samples, func(_, n int) {
		pair := d.tuple(n, 2)
		o := deadline.Observation{At: d.next(&order, pair[0])}
		if there := d.unlessNull(pair[1]); there != none {
			o = sized(o, d.bytes(there), expected)
		}
		t.Observations = append(t.Observations, o)
	})
}

// sized returns the observation of so many bytes.
func sized(o deadline.Observation, there, expected int64) deadline.Observation {
	o.Readable, o.Holds, o.Short = true, there == expected, there < expected
	return o
}

func (d *decoder) condensedStatuses(t *deadline.Trial, samples int) {
	order := clock{what: "statuses"}
	d.each(samples, func(_, n int) {
		pair := d.tuple(n, 2)
		s := deadline.Status{At: d.next(&order, pair[0])}
		s.Signal = signal(d.text(d.unlessNull(pair[1])))
		t.Statuses = append(t.Statuses, s)
	})
}

func (d *decoder) condensedResidue(t *deadline.Trial, samples int) {
	order := clock{what: "samples"}
	d.each(samples, func(_, n int) {
		triple := d.tuple(n, 3)
		o := deadline.Observation{At: d.next(&order, triple[0])}
		absent, left := d.unlessNull(triple[1]), d.unlessNull(triple[2])
		switch {
		case (absent == none) != (left == none):
			d.fail(n, "one of the two values is null: a probe that failed has neither, and any other both")
		case absent != none:
			o.Readable = true
			gone, bytes := d.boolean(absent), d.bytes(left)
			o.Holds = gone && bytes == 0
		}
		t.Observations = append(t.Observations, o)
	})
}
