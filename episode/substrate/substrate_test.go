package substrate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/episode"
)

func bound(object string, kind Kind, capabilities ...Capability) Binding {
	b := Binding{Object: object, Substrate: kind, Adapter: "ad", Version: "1.0", Capabilities: capabilities, Semantics: map[Dimension]string{}}
	for d := range Dimension(dimensions) {
		b.Semantics[d] = "the usual " + d.String()
	}
	return b
}

func TestPlan(t *testing.T) {
	machine := bound("machine", Software, Observe, Act, Rollback)
	need := func(object string, capabilities ...Capability) []Requirement {
		return []Requirement{{Object: object, Capabilities: capabilities}}
	}
	without := func(change func(*Binding)) []Binding {
		b := machine.clone()
		change(&b)
		return []Binding{b}
	}
	one := []Binding{machine}
	tests := []struct {
		name     string
		needs    []Requirement
		bindings []Binding
		want     string // the error; empty if there is none
	}{
		{"all there", need("machine", Observe, Act, Rollback), one, ""},
		{"nothing required", nil, one, ""},
		{"an object without capabilities", need("machine"), one, ""},
		{"one missing", need("machine", Observe, Snapshot), one, "object machine: ad 1.0 on software does not declare snapshot; bind it to an adapter that does, or do not require it"},
		{"two missing", need("machine", Snapshot, Reset), one, "object machine: ad 1.0 on software does not declare snapshot; bind it to an adapter that does, or do not require it\n" +
			"object machine: ad 1.0 on software does not declare reset; bind it to an adapter that does, or do not require it"},
		{"missing of the second object", append(need("machine", Act), need("stock", Act)...), []Binding{machine, bound("stock", Shadow, Observe)},
			"object stock: ad 1.0 on shadow does not declare act; bind it to an adapter that does, or do not require it"},
		{"not bound", need("stock"), one, `object "stock": nothing is bound to it; bind it`},
		{"no capability", need("machine", NoCapability), one, "object machine: ad 1.0 on software does not declare none; bind it to an adapter that does, or do not require it"},
		{"bound twice", need("machine"), []Binding{machine, bound("machine", Simulation)}, "object machine: there are two bindings, machine on software (ad 1.0) and machine on simulation (ad 1.0); leave one out"},
		{"physical that rolls back", nil, []Binding{bound("arm", Physical, Act, Rollback)}, "object arm: ad 1.0 on physical declares rollback: physical events are not undone; compensate them by an action"},
		{"physical that resets", nil, []Binding{bound("arm", Physical, Reset)}, "object arm: ad 1.0 on physical declares reset: physical events are not undone; compensate them by an action"},
		{"physical", need("arm", Observe, Act, Synchronize, Snapshot), []Binding{bound("arm", Physical, Observe, Act, Synchronize, Snapshot)}, ""},
		{"shadow that acts", nil, []Binding{bound("erp", Shadow, Observe, Act)}, "object erp: ad 1.0 on shadow declares act: a shadow is only looked at; bind what acts to another substrate"},
		{"hardware in the loop that resets", need("plc", Reset), []Binding{bound("plc", HardwareInLoop, Reset)}, ""},
		{"no object", nil, without(func(b *Binding) { b.Object = "" }), `the binding of object "" has no object, adapter or version; give all three`},
		{"no adapter", nil, without(func(b *Binding) { b.Adapter = "" }), `the binding of object "machine" has no object, adapter or version; give all three`},
		{"no version", nil, without(func(b *Binding) { b.Version = "" }), `the binding of object "machine" has no object, adapter or version; give all three`},
		{"no substrate", nil, without(func(b *Binding) { b.Substrate = NoKind }), `object machine: its substrate is none; use one of ["software" "shadow" "simulation" "hardware-in-the-loop" "physical"]`},
		{"a substrate that there is not", nil, without(func(b *Binding) { b.Substrate = Physical + 1 }), `object machine: its substrate is Kind(6); use one of ["software" "shadow" "simulation" "hardware-in-the-loop" "physical"]`},
		{"declares none", nil, without(func(b *Binding) { b.Capabilities = []Capability{NoCapability} }), `object machine: it declares none; use capabilities of ["observe" "act" "synchronize" "snapshot" "reset" "rollback"]`},
		{"declares what there is not", nil, without(func(b *Binding) { b.Capabilities = []Capability{Rollback + 1} }), `object machine: it declares Capability(7); use capabilities of ["observe" "act" "synchronize" "snapshot" "reset" "rollback"]`},
		{"semantics left out", nil, without(func(b *Binding) { delete(b.Semantics, Reversal) }), "object machine: its semantics do not say what rollback means; say it"},
		{"semantics of what there is not", nil, without(func(b *Binding) { b.Semantics[dimensions] = "x" }), `object machine: its semantics have a dimension that there is not; use those of ["time" "observation" "failure" "constraints" "rollback" "evidence"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Plan(tt.needs, tt.bindings)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want == "" && len(r.Pins()) != len(tt.bindings):
				t.Errorf("the pins are %v", r.Pins())
			case tt.want != "" && (err == nil || err.Error() != "plan a run: "+tt.want):
				t.Errorf("got %v\nwant plan a run: %s", err, tt.want)
			case tt.want != "" && len(r.Pins()) != 0:
				t.Errorf("an error, and the run %+v", r)
			}
		})
	}
}

// Each difference between two bindings changes the fingerprint, and is noticed in use.
func TestSilentRebinding(t *testing.T) {
	b := bound("machine", Software, Observe, Act)
	r, err := Plan(nil, []Binding{bound("stock", Software), b})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(r.Pins()[1]), fmt.Sprint(Pin{"machine", b.Fingerprint()}); got != want || len(b.Fingerprint()) != 64 {
		t.Errorf("the pin is %s, want %s", got, want)
	}
	changes := map[string]func(*Binding){
		"substrate":           func(b *Binding) { b.Substrate = Simulation },
		"adapter":             func(b *Binding) { b.Adapter = "other" },
		"version":             func(b *Binding) { b.Version = "1.0.1" },
		"a capability more":   func(b *Binding) { b.Capabilities = append(b.Capabilities, Reset) },
		"a capability less":   func(b *Binding) { b.Capabilities = b.Capabilities[:1] },
		"a value there isn't": func(b *Binding) { b.Substrate = 200 },
	}
	for d := range Dimension(dimensions) {
		changes[d.String()] = func(b *Binding) { b.Semantics[d] = "x" }
	}
	for name, change := range changes {
		other := b.clone()
		change(&other)
		err := r.Use(other)
		if want := fmt.Sprintf("use %v: the object was rebound silently, from machine on software (ad 1.0) with fingerprint %.12s to %.12s; declare it with Rebind",
			other, b.Fingerprint(), other.Fingerprint()); err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", name, err, want)
		}
	}
	same := b.clone()
	same.Capabilities = []Capability{Act, Observe, Act}
	if err := r.Use(same); err != nil {
		t.Errorf("the order of capabilities counts: %v", err)
	}
	if err := r.Use(bound("other", Software)); err == nil || err.Error() != "use other on software (ad 1.0): the run was planned without the object; plan it" {
		t.Errorf("got %v", err)
	}
	if err := (Run{}).Use(b); err == nil {
		t.Error("the zero run uses a binding")
	}
	if none, empty := bound("x", Software), bound("x", Software, []Capability{}...); none.Capabilities != nil || empty.Capabilities == nil ||
		none.Fingerprint() != empty.Fingerprint() {
		t.Error("no list of capabilities and an empty one are not the same")
	}
	b.Capabilities[0], b.Semantics[Time] = Reset, "x" // the run has a copy
	if err := r.Use(same); err != nil {
		t.Errorf("the run's binding has changed: %v", err)
	}
}

func TestRebind(t *testing.T) {
	from, to := bound("machine", Software, Observe, Act), bound("machine", Simulation, Observe, Act)
	to.Semantics[Time] = "integrated"
	needs := []Requirement{{"stock", []Capability{Observe}}, {"machine", []Capability{Act}}}
	plan := func() Run {
		r, err := Plan(needs, []Binding{bound("stock", Software, Observe), from})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := plan()
	delta, entry, err := r.Rebind(to, Hypothesis{Name: "h", Stances: map[Dimension]Stance{Time: Sensitive}})
	if err != nil || delta.Class != WithCaveat || delta.From != from.Fingerprint() || delta.To != to.Fingerprint() {
		t.Errorf("delta %+v, error %v", delta, err)
	}
	if entry.Kind != "rebinding" || entry.Subject != "machine" || entry.Value != delta.From+" -> "+delta.To+": comparison-with-caveat" {
		t.Errorf("the entry is %+v", entry)
	}
	e, err := episode.Begin(episode.Terms{Reconciliation: episode.Reconciliation{Sources: []string{"plant"}}, Policy: "p1", Outcome: []episode.Want{{Fact: "done"}}})
	if err != nil {
		t.Fatal(err)
	}
	entry.Seq, entry.Actor = 99, "nobody"
	if err := e.Rebound(entry); err != nil || fmt.Sprint(e.Record()) != fmt.Sprint([]episode.Entry{{Seq: 1, Kind: "rebinding", Version: 2, Subject: "machine", Value: entry.Value}}) {
		t.Errorf("the record is %+v, error %v", e.Record(), err)
	}
	if r.Use(to) != nil || r.Use(from) == nil {
		t.Error("the run still has the earlier binding")
	}
	tests := []struct {
		name string
		to   Binding
		want string
	}{
		{"lacks what is required", bound("machine", Simulation, Observe), "rebind: object machine: ad 1.0 on simulation does not declare act; bind it to an adapter that does, or do not require it"},
		{"not valid", bound("machine", Physical, Act, Reset), "rebind: classify a delta: object machine: ad 1.0 on physical declares reset: physical events are not undone; compensate them by an action"},
		{"not planned", bound("arm", Software, Act), "rebind arm on software (ad 1.0): the run was planned without the object; plan it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := plan()
			if _, entry, err := r.Rebind(tt.to, Hypothesis{}); err == nil || err.Error() != tt.want || entry.Kind != "" {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
			if err := r.Use(from); err != nil {
				t.Errorf("it has been rebound all the same: %v", err)
			}
		})
	}
}

// A copy of a run is not rebound with it.
func TestRunIsAValue(t *testing.T) {
	from, to := bound("machine", Software), bound("machine", Simulation)
	r, err := Plan(nil, []Binding{from})
	if err != nil {
		t.Fatal(err)
	}
	before := r
	if _, _, err := r.Rebind(to, Hypothesis{}); err != nil {
		t.Fatal(err)
	}
	if before.Use(from) != nil || r.Use(to) != nil {
		t.Error("the copy was rebound, or the run was not")
	}
}

// Each dimension unchanged or changed, with each stance, on a substrate of the same kind and
// on one of another: all 93312 combinations.
func TestClassifyEveryInput(t *testing.T) {
	type part struct {
		changed bool
		stance  Stance
		silent  bool // the hypothesis does not say the stance, which is then Essential
	}
	parts := []part{{false, Essential, true}, {false, Sensitive, false}, {false, Independent, false},
		{true, Essential, true}, {true, Sensitive, false}, {true, Independent, false}}
	var chosen [dimensions]part
	counts, capped := map[Class]int{}, 0
	from := bound("machine", Software)
	var walk func(d Dimension)
	walk = func(d Dimension) {
		if d < dimensions {
			for _, p := range parts {
				chosen[d] = p
				walk(d + 1)
			}
			return
		}
		to, other, h := from.clone(), from.clone(), Hypothesis{Stances: map[Dimension]Stance{}}
		other.Substrate = Physical
		var changed []Dimension
		essential, sensitive := false, false
		for d, p := range chosen {
			if !p.silent {
				h.Stances[Dimension(d)] = p.stance
			}
			if p.changed {
				to.Semantics[Dimension(d)], other.Semantics[Dimension(d)] = "other", "other"
				changed = append(changed, Dimension(d))
				essential = essential || p.stance == Essential
				sensitive = sensitive || p.stance == Sensitive
			}
		}
		delta := classify(h, from, to)
		want := Preserving
		if essential {
			want = Breaking
		} else if sensitive {
			want = WithCaveat
		}
		var got []Dimension
		for _, c := range delta.Changes {
			got = append(got, c.Dimension)
			if c.Stance != chosen[c.Dimension].stance || c.From != "the usual "+c.Dimension.String() || c.To != "other" {
				t.Fatalf("%+v: the change is %+v", chosen, c)
			}
		}
		if delta.Class != want || !slices.Equal(got, changed) || delta.Reporting != reporting[want] {
			t.Fatalf("%+v: the delta is %+v, want %v", chosen, delta, want)
		}
		counts[delta.Class]++
		moved := classify(h, from, other)
		report := reporting[want]
		if want == Preserving {
			capped++
			want = WithCaveat
			report = reporting[WithCaveat] + "; the substrate changes from software to physical, and no change that matters is declared"
		}
		if moved.Class != want || moved.Reporting != report || !slices.Equal(moved.Changes, delta.Changes) {
			t.Fatalf("%+v: to another substrate the delta is %+v, want %v", chosen, moved, want)
		}
	}
	walk(0)
	// Without an essential change 5 of 6 choices are left a dimension, and without any that
	// matters 4.
	if counts[Preserving] != 4096 || counts[WithCaveat] != 15625-4096 || counts[Breaking] != 46656-15625 || capped != 4096 {
		t.Errorf("got %v, and %d only because of the substrate", counts, capped)
	}
}

// A capability that comes or goes is a change, though the semantics say nothing of it.
func TestCapabilitiesAreChanges(t *testing.T) {
	want := map[Capability]Dimension{Observe: Observation, Act: Constraints, Synchronize: Time, Snapshot: Reversal, Reset: Reversal, Rollback: Reversal}
	for c := Observe; c <= Rollback; c++ {
		from, to := bound("machine", Software), bound("machine", Software, c)
		for _, pair := range [][2]Binding{{from, to}, {to, from}} {
			delta, err := Classify(Hypothesis{}, pair[0], pair[1])
			if err != nil || len(delta.Changes) != 1 || delta.Changes[0].Dimension != want[c] || delta.Class != Breaking {
				t.Errorf("%v: the delta is %+v, error %v", c, delta, err)
			}
		}
		delta, err := Classify(Hypothesis{}, from, to)
		if err != nil || delta.Changes[0].To != fmt.Sprintf("the usual %v [%v]", want[c], c) {
			t.Errorf("%v: the delta is %+v, error %v", c, delta, err)
		}
		// Nor can the semantics pretend to have it.
		from.Semantics[want[c]] += fmt.Sprintf(" [%v]", c)
		if delta, err := Classify(Hypothesis{}, from, to); err != nil || delta.Class != Breaking {
			t.Errorf("%v: the delta is %+v, error %v", c, delta, err)
		}
	}
}

func TestClassifyRefuses(t *testing.T) {
	ok := bound("machine", Software)
	invalid := bound("machine", Software)
	invalid.Version = ""
	tests := []struct {
		name     string
		h        Hypothesis
		from, to Binding
		want     string
	}{
		{"another object", Hypothesis{}, ok, bound("stock", Software), "the objects are machine and stock; compare two bindings of one object"},
		{"an invalid binding before", Hypothesis{}, invalid, ok, `the binding of object "machine" has no object, adapter or version; give all three`},
		{"an invalid binding after", Hypothesis{}, ok, invalid, `the binding of object "machine" has no object, adapter or version; give all three`},
		{"a stance that there is not", Hypothesis{Name: "h", Stances: map[Dimension]Stance{Time: 9, Failure: 8}}, ok, ok,
			`hypothesis "h" says Stance(9) of time; use stances of ["essential" "sensitive" "independent"] on dimensions of ["time" "observation" "failure" "constraints" "rollback" "evidence"]`},
		{"a dimension that there is not", Hypothesis{Name: "h", Stances: map[Dimension]Stance{dimensions: Essential}}, ok, ok,
			`hypothesis "h" says essential of Dimension(6); use stances of ["essential" "sensitive" "independent"] on dimensions of ["time" "observation" "failure" "constraints" "rollback" "evidence"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if delta, err := Classify(tt.h, tt.from, tt.to); err == nil || err.Error() != "classify a delta: "+tt.want || delta.Class != Breaking {
				t.Errorf("got %v\nwant classify a delta: %s", err, tt.want)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	got, err := json.Marshal([]any{
		[]Kind{NoKind, Software, Shadow, Simulation, HardwareInLoop, Physical}, []any{NoCapability, Observe, Act, Synchronize, Snapshot, Reset, Rollback},
		[]any{Time, Observation, Failure, Constraints, Reversal, Evidence}, []any{Essential, Sensitive, Independent}, []any{Breaking, WithCaveat, Preserving},
	})
	want := `[["none","software","shadow","simulation","hardware-in-the-loop","physical"],["none","observe","act","synchronize","snapshot","reset","rollback"],` +
		`["time","observation","failure","constraints","rollback","evidence"],["essential","sensitive","independent"],` +
		`["comparison-breaking","comparison-with-caveat","comparison-preserving"]]`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	for _, v := range []any{Physical + 1, Rollback + 1, Dimension(dimensions), Independent + 1, Preserving + 1} {
		if text, err := json.Marshal(v); err == nil {
			t.Errorf("%v is written as %s", v, text)
		}
	}
	var b Binding
	text, err := json.Marshal(bound("machine", HardwareInLoop, Act, Rollback))
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil || b.Fingerprint() != bound("machine", HardwareInLoop, Act, Rollback).Fingerprint() {
		t.Errorf("read %+v, %v", b, err)
	}
	if err := json.Unmarshal([]byte(`{"substrate":"Software"}`), &b); err == nil || !strings.Contains(err.Error(), `read kind: "Software" is none; use one of none, software`) {
		t.Errorf("got %v", err)
	}
	var d Delta
	if err := json.Unmarshal([]byte(`{"class":"comparison-preserving","changes":[{"stance":"sensitive","dimension":"failure"}]}`), &d); err != nil ||
		d.Class != Preserving || d.Changes[0].Stance != Sensitive || d.Changes[0].Dimension != Failure {
		t.Errorf("read %+v, %v", d, err)
	}
}
