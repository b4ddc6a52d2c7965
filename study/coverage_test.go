package study_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

func cover(t testing.TB, opt study.Options) study.Coverage {
	t.Helper()
	c, err := study.ComputeCoverage(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reached says what was reached in how many schedules, in one text.
func reached(list []study.Reached) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "%d %s\n", r.Schedules, r.Name)
	}
	return b.String()
}

// Of each check, how many schedules need it, by which it is shown, and why none does.
func TestCoverageOfChecks(t *testing.T) {
	const before = "[read candidate trusted-verify preflight "
	want := []struct {
		check     string
		schedules uint64
		witness   string
		controls  string
		why       string // a part of it
	}{
		{"attempt", 667, before + "reassign commit]", "", ""},
		{"fence", 0, "[]", "", "attempt ids never come again"},
		{"lease", 517, before + "lease-expire commit]", "", ""},
		{"grant", 512, before + "revoke commit]", "", ""},
		{"inputs", 328, before + "input-edit commit]", "", ""},
		{"artifact", 134, before + "artifact-edit commit]", "", ""},
		{"evidence", 0, "[]", "forged-receipt other-candidate other-digest checker-rejected", "receipts are not forged"},
		{"contract", 0, "[]", "other-task other-contract", "the pinned task and contract"},
	}
	c := cover(t, study.Options{})
	if c.Schedules != 6694 || len(c.Checks) != len(want) || len(c.Unreached) != 0 || c.Unreached == nil {
		t.Errorf("%d schedules, %d checks, unreached %q; want 6,694, eight, and an empty list", c.Schedules, len(c.Checks), c.Unreached)
	}
	for i, w := range want {
		got := c.Checks[i]
		if got.Check != w.check || got.Schedules != w.schedules || fmt.Sprint(got.Witness) != w.witness ||
			strings.Join(got.Controls, " ") != w.controls || !strings.Contains(got.Why, w.why) || (got.Why == "") != (got.Schedules > 0) {
			t.Errorf("check %d: %+v\nwant %+v", i+1, got, w)
		}
	}
}

// The same a second way: a check is needed where the published mechanism without it
// accepts unsafely.
func TestCoverageAgreesWithTheReport(t *testing.T) {
	c, r := cover(t, study.Options{}), compute(t, 0)
	for _, check := range c.Checks {
		i := slices.IndexFunc(r.Mechanisms, func(m mechanisms.Mechanism) bool { return m.Name == "without-"+check.Check })
		var witness []model.Event
		for _, x := range r.Counterexamples {
			if x.Mechanism == "without-"+check.Check && x.Kind == study.UnsafeAccept {
				witness = x.Schedule
			}
		}
		if check.Schedules != r.Scores[i].UnsafeAccept || !slices.Equal(check.Witness, witness) {
			t.Errorf("%s: needed in %d schedules, shown by %v; without it %d unsafe accepts, the shortest %v",
				check.Check, check.Schedules, check.Witness, r.Scores[i].UnsafeAccept, witness)
		}
		controls := []string{}
		for _, control := range r.Controls {
			if slices.Contains(control.AcceptedBy, "without-"+check.Check) && !control.Verdict.Eligible() {
				controls = append(controls, control.Control.Name)
			}
		}
		if !slices.Equal(check.Controls, controls) {
			t.Errorf("%s: needed in the controls %v, without it %v are accepted", check.Check, check.Controls, controls)
		}
	}
	for i, m := range c.Mechanisms {
		s := r.Scores[i]
		want := study.MechanismCoverage{Name: r.Mechanisms[i].Name, Accepts: s.SafeAccept + s.UnsafeAccept,
			Refuses: s.UnsafeReject + s.EligibleReject, Undiscerning: m.Name == "self-report"}
		if m != want {
			t.Errorf("%+v, by the report %+v", m, want)
		}
	}
	if len(c.Mechanisms) != len(r.Mechanisms) {
		t.Errorf("%d mechanisms, want %d", len(c.Mechanisms), len(r.Mechanisms))
	}
	var events []study.Reached
	for _, e := range append(model.Chain(), model.Environment()...) {
		n := uint64(0)
		for _, s := range r.Scenarios {
			if e.Kind <= model.Commit || slices.Contains(s.Events, e) {
				n += s.Schedules
			}
		}
		events = append(events, study.Reached{Name: e.String(), Schedules: n})
	}
	if got, want := reached(c.Events), reached(events); got != want {
		t.Errorf("events:\n%sby the scenarios\n%s", got, want)
	}
}

// What is to be reached, by reading every schedule up to its commit.
func TestCoverageAgreesWithDumbReading(t *testing.T) {
	counts := map[string]uint64{}
	schedules := uint64(0)
	for _, o := range study.Scenarios(study.MaxEnvironment) {
		for schedule := range o.Schedules() {
			at := func(k model.Kind) int { return slices.Index(schedule, model.Event{Kind: k}) }
			between := func(k, after model.Kind, last model.Kind) bool { return at(k) > at(after) && at(k) < at(last) }
			happened := func(k model.Kind) bool { return at(k) >= 0 && at(k) < at(model.Commit) }
			facts := map[string]bool{
				"the task was another attempt's at the commit":                                 happened(model.Reassign),
				"the lease expired before the commit":                                          happened(model.LeaseExpire),
				"the grant was revoked before the commit":                                      happened(model.Revoke),
				"the input was edited after it was read":                                       between(model.InputEdit, model.Read, model.Commit),
				"the artifact was overwritten after the candidate was prepared":                between(model.ArtifactEdit, model.Snapshot, model.Commit),
				"no admitted receipt is a pass for this task, contract, attempt and candidate": between(model.ArtifactEdit, model.Snapshot, model.TrustedVerify),
			}
			eligible := "the request is eligible"
			for fact, holds := range facts {
				if holds {
					counts[fact]++
					eligible = "the request is not eligible"
				}
			}
			counts[eligible]++
			schedules++
		}
	}
	c := cover(t, study.Options{})
	const want = `470 the request is eligible
6224 the request is not eligible
2320 the task was another attempt's at the commit
2485 the lease expired before the commit
2840 the grant was revoked before the commit
2272 the input was edited after it was read
1704 the artifact was overwritten after the candidate was prepared
568 no admitted receipt is a pass for this task, contract, attempt and candidate
`
	if got := reached(c.Reachable); got != want || c.Schedules != schedules || len(counts) != len(c.Reachable) {
		t.Errorf("%d of %d schedules; reached:\n%swant\n%s", c.Schedules, schedules, got, want)
	}
	for _, r := range c.Reachable {
		if r.Schedules != counts[r.Name] {
			t.Errorf("%s: in %d schedules, by reading %d", r.Name, r.Schedules, counts[r.Name])
		}
	}
}

// without restricts the study's universe.
func without(kinds ...model.Kind) []enumerate.Order[model.Event] {
	return []enumerate.Order[model.Event]{study.Universe().Restrict(func(e model.Event) bool { return !slices.Contains(kinds, e.Kind) })}
}

// A run in which something does not happen says so, and names just that.
func TestCoverageNamesWhatIsUnreached(t *testing.T) {
	always := mechanisms.Func("always", func(model.State, model.Request) mechanisms.Decision { return mechanisms.Decision{Accepted: true} })
	never := mechanisms.Func("never", func(model.State, model.Request) mechanisms.Decision { return mechanisms.Decision{} })
	atomic := []mechanisms.Mechanism{named(t, "atomic")}
	first, err := enumerate.NewOrder[model.Event]().Chain("", append([]model.Event{{Kind: model.Revoke}}, model.Chain()...)...).Build()
	if err != nil {
		t.Fatal(err)
	}
	missing := func(events string) (lines []string) {
		for e := range strings.FieldsSeq(events) {
			lines = append(lines, "event "+e+" happens in no schedule")
		}
		return lines
	}
	tests := []struct {
		name string
		opt  study.Options
		want []string
	}{
		{"never accepts", study.Options{Mechanisms: []mechanisms.Mechanism{never}}, []string{"never accepts nothing"}},
		{"never refuses", study.Options{Mechanisms: []mechanisms.Mechanism{always}}, []string{"always refuses nothing"}},
		{"neither", study.Options{Mechanisms: []mechanisms.Mechanism{always, atomic[0], never, mechanisms.AtPreflight(never)}},
			[]string{"always refuses nothing", "never accepts nothing", "never accepts nothing"}},
		{"asks for nothing", study.Options{Mechanisms: []mechanisms.Mechanism{{Name: "credulous"}}}, nil},
		{"all six events", study.Options{Scenarios: without()}, nil},
		{"no lease-expire", study.Options{Scenarios: without(model.LeaseExpire)},
			append(missing("lease-expire"), "never reached: the lease expired before the commit")},
		{"no reassign", study.Options{Scenarios: without(model.Reassign)},
			append(missing("reassign"), "never reached: the task was another attempt's at the commit")},
		{"no revoke", study.Options{Scenarios: without(model.Revoke)},
			append(missing("revoke"), "never reached: the grant was revoked before the commit")},
		{"no input-edit", study.Options{Scenarios: without(model.InputEdit)},
			append(missing("input-edit"), "never reached: the input was edited after it was read")},
		{"no artifact-edit", study.Options{Scenarios: without(model.ArtifactEdit)},
			append(missing("artifact-edit"), "never reached: the artifact was overwritten after the candidate was prepared",
				"never reached: no admitted receipt is a pass for this task, contract, attempt and candidate")},
		{"no publication", study.Options{Scenarios: without(model.PublishV2)}, missing("publish-behavior-v2")},
		{"a publication alone", study.Options{Mechanisms: []mechanisms.Mechanism{atomic[0], named(t, "latest-policy")},
			Scenarios: without(model.InputEdit, model.ArtifactEdit, model.LeaseExpire, model.Reassign, model.Revoke)},
			append(missing("input-edit artifact-edit lease-expire reassign revoke"), "never reached: the request is not eligible",
				"never reached: the task was another attempt's at the commit", "never reached: the lease expired before the commit",
				"never reached: the grant was revoked before the commit", "never reached: the input was edited after it was read",
				"never reached: the artifact was overwritten after the candidate was prepared",
				"never reached: no admitted receipt is a pass for this task, contract, attempt and candidate", "atomic refuses nothing")},
		{"revoked at first", study.Options{Mechanisms: atomic, Scenarios: []enumerate.Order[model.Event]{first}},
			append(missing("input-edit artifact-edit lease-expire reassign publish-behavior-v2"), "never reached: the request is eligible",
				"never reached: the task was another attempt's at the commit", "never reached: the lease expired before the commit",
				"never reached: the input was edited after it was read", "never reached: the artifact was overwritten after the candidate was prepared",
				"never reached: no admitted receipt is a pass for this task, contract, attempt and candidate", "atomic accepts nothing")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cover(t, tt.opt).Unreached; !slices.Equal(got, tt.want) {
				t.Errorf("unreached:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// A check that no schedule needs for want of an event is not explained by the study.
func TestCoverageWithoutAnEvent(t *testing.T) {
	c := cover(t, study.Options{Scenarios: without(model.LeaseExpire)})
	for _, check := range c.Checks {
		switch check.Check {
		case "lease":
			if check.Schedules != 0 || check.Witness != nil || check.Why != "" {
				t.Errorf("lease: %+v, though it never expires", check)
			}
		case "attempt":
			if want := "[read candidate trusted-verify preflight reassign commit]"; check.Schedules == 0 || fmt.Sprint(check.Witness) != want {
				t.Errorf("attempt: %+v, want %s", check, want)
			}
		}
	}
}

func TestCoverageWorkersChangeNothing(t *testing.T) {
	want := cover(t, study.Options{Workers: 1})
	for _, workers := range []int{2, 3, 8} {
		if got := cover(t, study.Options{Workers: workers}); !reflect.DeepEqual(got, want) {
			t.Errorf("the coverage differs between 1 and %d workers", workers)
		}
	}
}

// Fifty-six mechanisms and the eight ablations fit in one walk.
func TestCoverageRefuses(t *testing.T) {
	if c := cover(t, study.Options{Mechanisms: make([]mechanisms.Mechanism, 56)}); len(c.Mechanisms) != 56 || c.Checks[0].Schedules != 667 ||
		c.Mechanisms[55].Accepts != 6694 {
		t.Errorf("of 56 mechanisms: %+v", c)
	}
	crash := mechanisms.Func("crash", func(model.State, model.Request) mechanisms.Decision { panic("no idea") })
	tests := []struct {
		name string
		opt  study.Options
		want string
	}{
		{"too many for the ablations", study.Options{Mechanisms: make([]mechanisms.Mechanism, 57)},
			"57 mechanisms, at most 56 can be looked at together with the ablations: split the list"},
		{"too many", study.Options{Mechanisms: make([]mechanisms.Mechanism, 65)}, "65 mechanisms, at most 64 can be judged at once: split the list"},
		{"none", study.Options{Mechanisms: []mechanisms.Mechanism{}}, "nothing to judge: give mechanisms and scenarios, or nil for the study's"},
		{"workers", study.Options{Workers: -3}, "count what is exercised: -3 workers: use 1 or more, or 0 for one a processor"},
		{"a rule that panics", study.Options{Mechanisms: []mechanisms.Mechanism{crash}, Scenarios: study.Scenarios(0)},
			"count what is exercised: the machine panics: no idea"},
		{"more schedules than 64 bits count", study.Options{Scenarios: []enumerate.Order[model.Event]{endless(t)}},
			"count what is exercised: 450854860658132352812544 schedules, more than 64 bits can count: give fewer events"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := study.ComputeCoverage(t.Context(), tt.opt)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || !reflect.DeepEqual(c, study.Coverage{}) {
				t.Errorf("%+v, error %v\nwant %s", c, err, tt.want)
			}
		})
	}
}

// endless returns an order of 64 events that has few states and 64! / (5! 30! 29!)
// schedules.
func endless(t *testing.T) enumerate.Order[model.Event] {
	t.Helper()
	var revoke, publish []model.Event
	for n := range uint8(30) {
		revoke, publish = append(revoke, model.Event{Kind: model.Revoke, N: n + 2}), append(publish, model.Event{Kind: model.PublishV2, N: n + 2})
	}
	o, err := enumerate.NewOrder[model.Event]().Chain("", model.Chain()...).Chain("", revoke...).Chain("", publish[:29]...).Build()
	if err != nil {
		t.Fatal(err)
	}
	return o
}
