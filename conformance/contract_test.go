package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/internal/wrapped"
	mechanisms "example.com/commitpoint/mechanisms/contract"
	study "example.com/commitpoint/study/contract"
)

// In the fewest schedules that cover the contract's families, some 28,000 of four
// million, the complete mechanism is right as a service, and each that lacks something is
// wrong: its wrong decision is found with a schedule as short as the published one.
func TestContractInCoveringMode(t *testing.T) {
	r := check(t, wrapped.Contract(mechanisms.Complete), conformance.Options{Mode: conformance.Covering, Sets: conformance.Contract()})
	ran := uint64(0)
	for _, s := range r.Sets {
		ran += s.Ran
	}
	if len(r.Failures) > 0 || ran != 28452 || len(r.Sets) != 13 {
		t.Errorf("%d schedules of %d sets, failures %q", ran, len(r.Sets), reasons(r))
	}
	published, err := study.Compute(t.Context(), enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range published.Obligations {
		t.Run("without-"+o.Predicate, func(t *testing.T) { foundAsPublished(t, "without-"+o.Predicate, o.Family, o.Shortest) })
	}
	for _, h := range published.Hybrids {
		if len(h.Shortest) > 0 { // the others are wrong in what they record
			t.Run(h.Name, func(t *testing.T) { foundAsPublished(t, h.Name, h.Family, h.Shortest) })
		}
	}
}

func foundAsPublished(t *testing.T, mechanism, inFamily string, shortest []string) {
	t.Helper()
	m, err := mechanisms.Named(mechanism)
	if err != nil {
		t.Fatal(err)
	}
	r := check(t, wrapped.Contract(m), conformance.Options{Mode: conformance.Covering, Sets: family(t, inFamily)})
	least := -1
	for _, f := range r.Failures {
		if n := len(f.Schedule); f.Kind != conformance.WrongRecord && (least < 0 || n < least) {
			least = n
		}
	}
	// A service that ends the task on a refusal is wrong before it decides wrongly.
	if least != len(shortest) && mechanism != "fail-on-refusal" {
		t.Errorf("the shortest schedule has %d events, and published is %v; found: %q", least, shortest, reasons(r))
	}
	if len(r.Failures) == 0 {
		t.Error("it is not found wrong")
	}
}

// The invariants beyond decisions show in what is recorded.
func TestContractRecords(t *testing.T) {
	for _, tt := range []struct{ mechanism, family, want string }{
		{"unguarded-sweeper", "writers", "wrong-record status: sweep-read sweep-write a:report-failure"},
		{"unguarded-failure", "writers", "wrong-record status: b:claim a:report-failure"},
		{"fail-on-refusal", "other-spelling", "wrong-record refusal-writes: a:read a:candidate-case a:verify-tests a:verify-review a:preflight foreign-publish a:commit"},
		{"torn-publication", "authority", "wrong-record published: a:read a:candidate-pair a:verify-tests a:verify-review a:preflight a:commit"},
		{"any-caller", "identity", "unsafe-accept identity: a:read a:candidate a:verify-tests a:verify-review a:preflight a:commit a:impersonate"},
	} {
		t.Run(tt.mechanism, func(t *testing.T) {
			m, err := mechanisms.Named(tt.mechanism)
			if err != nil {
				t.Fatal(err)
			}
			r := check(t, wrapped.Contract(m), conformance.Options{Mode: conformance.Covering, Sets: family(t, tt.family)})
			if got := reasons(r); !slices.Contains(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// family returns one of the contract's sets.
func family(t *testing.T, name string) []conformance.Set {
	t.Helper()
	for _, s := range conformance.Contract() {
		if s.Name() == "contract/"+name {
			return []conformance.Set{s}
		}
	}
	t.Fatalf("there is no family %q", name)
	return nil
}

// Covering finds what all finds in the families that are small enough to run all of.
func TestContractCoveringFindsWhatAllFinds(t *testing.T) {
	few := map[string]bool{"complete": true, "without-grant": true, "without-binding": true, "without-identity": true, "preflight": true}
	for _, name := range []string{"unclean-path", "other-spelling", "resent"} {
		for _, m := range mechanisms.All() {
			if name == "resent" && !few[m.Name] {
				continue // it has 17,125 schedules
			}
			var found [2]string
			for i, mode := range []conformance.Mode{conformance.All, conformance.Covering} {
				r := check(t, wrapped.Contract(m), conformance.Options{Mode: mode, Sets: family(t, name)})
				found[i] = strings.Join(reasons(r), "\n")
			}
			if found[0] != found[1] {
				t.Errorf("%s in %s:\nall\n%s\ncovering\n%s", m.Name, name, found[0], found[1])
			}
		}
	}
}

// A service is driven through the families that it has all chains of, and the others are
// named as not run.
func TestContractLacksAFamily(t *testing.T) {
	var events []string
	for _, e := range wrapped.ContractEvents() {
		if !strings.Contains(e, "pair") && !strings.Contains(e, "preflight") && e != "cancel" {
			events = append(events, e)
		}
	}
	r := check(t, hookContract(events), conformance.Options{Mode: conformance.Covering, Sets: conformance.Contract()})
	for _, s := range r.Sets {
		if (s.Ran == 0) != (s.Name == "contract/authority") {
			t.Errorf("%s: %d schedules", s.Name, s.Ran)
		}
		if s.Name == "contract/authority" && (s.Scenarios != 0 || !slices.Contains(s.Unexercised, "unsafe-accept/contract")) {
			t.Errorf("%+v", s)
		}
		if s.Name == "contract/unclean-path" && fmt.Sprint(s.LeftOut, s.Unexercised) != "[a:preflight cancel] [unsafe-accept/active]" {
			t.Errorf("%+v", s)
		}
	}
	if len(r.Failures) > 0 {
		t.Errorf("failures %q", reasons(r))
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "contract/authority: not run, because the system lacks a:candidate-pair, a:preflight\n") {
		t.Errorf("%v, %s", err, text.String())
	}
}

func hookContract(events []string) func() (conformance.System, error) {
	open := wrapped.Contract(mechanisms.Complete)
	return func() (conformance.System, error) {
		s, err := open()
		return hooked{System: s, about: func(a conformance.About) conformance.About { a.Events = events; return a }}, err
	}
}
