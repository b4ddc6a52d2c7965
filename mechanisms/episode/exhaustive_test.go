package episode

import (
	"iter"
	"slices"
	"testing"

	model "example.com/commitpoint/model/episode"
)

// Decide, for every combination of up to four answers, by a second formulation: the first
// of the decisions, the worst first, that some answer asks for.
func TestDecide(t *testing.T) {
	order := []struct {
		answer Answer
		act    model.Act
	}{{Deny, model.Deny}, {Escalate, model.Escalate}, {Hold, model.Hold}, {Pass, model.Allow}}
	combinations := [][]Answer{{}}
	for i := 0; i < len(combinations); i++ {
		c := combinations[i]
		if len(c) < 4 {
			for a := Pass; a <= Deny; a++ {
				combinations = append(combinations, append(slices.Clone(c), a))
			}
		}
		want := model.Deny // nothing was asked
		for _, o := range order {
			if slices.Contains(c, o.answer) {
				want = o.act
				break
			}
		}
		if got := Decide(c...); got != want {
			t.Errorf("Decide(%v) = %v, want %v", c, got, want)
		}
	}
	if want := 1 + 4 + 16 + 64 + 256; len(combinations) != want {
		t.Errorf("%d combinations, want %d", len(combinations), want)
	}
}

// worlds yields every combination of some facts.
func worlds(of ...model.Facts) iter.Seq[model.Facts] {
	return func(yield func(model.Facts) bool) {
		for bits := range 1 << len(of) {
			var f model.Facts
			for i, fact := range of {
				if bits>>i&1 != 0 {
					f |= fact
				}
			}
			if !yield(f) {
				return
			}
		}
	}
}

var seen = []model.Facts{model.Replaced, model.Authorized, model.Approved, model.Revoked, model.Withdrawn, model.Evidenced, model.Moved}

// An admission, from every view in every world, for each flaw that is about one, by a
// second formulation: text for what stands against it.
func TestAdmissionOfEveryView(t *testing.T) {
	decided := map[model.Act]int{}
	for _, flaw := range []Flaws{0, TrustsViews, HoldsNothing, InheritsAuthority, KeepsAllow | NeverCloses} {
		m := Mechanism{Flaws: flaw}
		for f := range worlds(seen...) {
			for view := range model.View(32) {
				for _, a := range []model.Agent{model.First, model.Successor} {
					s := model.State{Facts: f}
					s.Desk(a).View = view
					inherits := flaw == InheritsAuthority && a == model.Successor && f&model.Revoked == 0
					missing := view != s.Look(a) && flaw != TrustsViews || view&model.ShowsEvidence == 0
					var want model.Act
					switch {
					case view&model.ShowsAuthority == 0 && !inherits:
						want = model.Deny
					case view&model.ShowsApproval == 0:
						want = model.Escalate
					case missing && flaw != HoldsNothing:
						want = model.Hold
					default:
						want = model.Allow
					}
					if got := m.Act(&s, model.Event{Agent: a, Kind: model.Admit}); got != want {
						t.Fatalf("flaws %b: the %v with a view of %v in %b: %v, want %v", flaw, a, view, f, got, want)
					}
					decided[want]++
				}
			}
		}
	}
	if len(decided) != 4 {
		t.Errorf("decided were %v: not every decision", decided)
	}
}

// What was decided lasts as long as what it was decided from: for every decision and view
// in every world.
func TestCoversOfEveryDecision(t *testing.T) {
	covered := 0
	for f := range worlds(seen...) {
		for view := range model.View(32) {
			for decision := model.Nothing; decision <= model.Deny; decision++ {
				for _, a := range []model.Agent{model.First, model.Successor} {
					s := model.State{Facts: f | model.Held}
					*s.Desk(a) = model.Desk{View: view, Decision: decision}
					allowed := decision == model.Allow
					current := allowed && view == s.Look(a)
					if current {
						covered++
					}
					for _, k := range []model.Kind{model.Reserve, model.Dispatch} {
						unasked := current || k == model.Reserve
						for flaw, want := range map[Flaws]bool{0: current, KeepsAllow: allowed, NeedsNoAllow: unasked, TrustsViews | HoldsNothing: current} {
							if got := (Mechanism{Flaws: flaw}).Act(&s, model.Event{Agent: a, Kind: k}) == model.Agree; got != want {
								t.Fatalf("flaws %b: the %v with %v from %v in %b: %t, want %t", flaw, a, decision, view, f, got, want)
							}
						}
					}
				}
			}
		}
	}
	if want := 2 * 1 << len(seen); covered != want {
		t.Errorf("%d decisions were current, want %d: one a world and agent", covered, want)
	}
}

// A closure, in every state of the record, by a second formulation: what it lacks.
func TestClosureOfEveryRecord(t *testing.T) {
	fulfilled := 0
	for f := range worlds(model.Sent, model.Acked, model.Confirmed, model.Contradicted, model.Reviewed, model.Accepted, model.Settled, model.Erased,
		model.Overridden, model.Retracted) {
		for _, m := range All() {
			has := func(fact model.Facts) bool { return f&fact != 0 }
			said := has(model.Confirmed) && !has(model.Retracted) || has(model.Acked) && m.Name == "ack-is-effect" || has(model.Sent) && m.Name == "unknown-is-done"
			denied := has(model.Contradicted) && !has(model.Overridden) && m.Name != "ignores-contradiction"
			var lacks []string
			if !has(model.Reviewed) && !said {
				lacks = append(lacks, "a source")
			}
			if !has(model.Reviewed) && denied {
				lacks = append(lacks, "a review")
			}
			if accepts := m.Act(&model.State{Facts: f}, model.Event{Kind: model.Accept}) == model.Agree; accepts == (len(lacks) > 0) {
				t.Fatalf("%s with %b: accepts the outcome: %t; it lacks %v", m.Name, f, accepts, lacks)
			}
			if !has(model.Accepted) && m.Name != "output-is-outcome" {
				lacks = append(lacks, "acceptance")
			}
			if !has(model.Settled) && !has(model.Erased) && m.Name != "closes-with-open-obligation" {
				lacks = append(lacks, "a settlement")
			}
			want := len(lacks) == 0
			switch m.Name {
			case "ended-is-fulfilled":
				want = true
			case "never-closes":
				want = false
			case Complete.Name:
				if want {
					fulfilled++
				}
			}
			if got := m.Act(&model.State{Facts: f}, model.Event{Kind: model.Close}) == model.Agree; got != want {
				t.Fatalf("%s with %b: fulfilled: %t; it lacks %v", m.Name, f, got, lacks)
			}
		}
	}
	// A settlement of two kinds (3 of 4), acceptance (1 of 2), whatever was acknowledged and
	// dispatched (4 of 4); and reviewed (16 of 32), or confirmed and neither retracted nor
	// contradicted without more (3 of 32).
	if want := 3 * 4 * (16 + 3); fulfilled != want {
		t.Errorf("%d records are fulfilled, want %d", fulfilled, want)
	}
}
