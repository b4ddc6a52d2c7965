package ownership

import (
	"strings"
	"testing"

	model "example.com/commitpoint/model/harness/ownership"
)

// marks are what is decided, behind the text of an event.
var marks = map[string]model.Decision{"-": model.Refuse, "+": model.Remove, "*": model.RemoveRun, "?": model.SayUnknown, "!": model.SayRemoved}

// A heard is an event with what was decided.
type heard struct {
	event    model.Event
	decision model.Decision
}

// hear reads events with their decisions, as in first:remove+.
func hear(t *testing.T, history string) (list []heard) {
	t.Helper()
	for text := range strings.FieldsSeq(history) {
		d := model.NoDecision
		if last := text[len(text)-1:]; marks[last] != model.NoDecision {
			d, text = marks[last], text[:len(text)-1]
		}
		e, err := model.ParseEvent(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, heard{e, d})
	}
	return list
}

// What the oracle says of the last event of a history, if it is decided as it is.
func TestJudgements(t *testing.T) {
	const ask, removed = "first:ask first:look ", "first:ask first:look first:remove+ "
	for _, tt := range []struct {
		history, why string
		due          bool
		against      string
	}{
		{ask + "first:remove+", "what was asked for is there", true, "none"},
		{ask + "first:remove-", "a refusal harms nobody", true, "none"},
		{ask + "first:remove*", "B is removed too", true, "bystander"},
		{ask + "a:exit first:remove+", "nothing is there: either is right", false, "none"},
		{ask + "a:exit first:remove*", "B is still there", false, "bystander"},
		{ask + "a:advance first:remove+", "another generation", false, "generation"},
		{ask + "a:advance first:remove-", "a refusal harms nobody", false, "none"},
		{"a:advance " + ask + "first:remove+", "the generation that was asked for", true, "none"},
		{ask + "a:exit b:reuse first:remove+", "B's", false, "owner"},
		{ask + "a:exit b:reuse first:remove*", "both of B's", false, "owner, bystander"},
		{ask + "a:exit other:reuse first:remove+", "another run's", false, "run"},
		{ask + "a:exit other:reuse first:remove*", "another run's stays, B's does not", false, "bystander"},
		{ask + "b:reuse first:remove+", "B could not bind the slot", true, "none"},
		{ask + "other:reuse first:remove+", "nor could another run", true, "none"},
		{ask + "a:exit b:reuse a:exit first:remove+", "A's exit ends nothing of B's", false, "owner"},
		{ask + "a:exit b:reuse a:advance first:remove+", "A could not bind the slot", false, "owner"},
		{ask + "a:exit a:advance first:remove+", "A's next generation is in the free slot", false, "generation"},

		{ask + "approve first:remove+", "retained", false, "retained"},
		{ask + "approve first:remove*", "retained, and B", false, "retained, bystander"},
		{ask + "approve prior-expiry first:remove+", "it was approved in time", false, "retained"},
		{ask + "prior-expiry approve first:remove+", "it was approved too late", true, "none"},
		{ask + "prior-expiry approve renew first:remove+", "there is nothing to renew", true, "none"},
		{ask + "approve prior-expiry final-expiry first:remove+", "it has run out", true, "none"},
		{ask + "approve renew prior-expiry final-expiry first:remove+", "it was renewed", false, "retained"},
		{ask + "approve prior-expiry final-expiry renew first:remove+", "it was renewed too late", true, "none"},
		{"approve a:advance " + ask + "first:remove+", "another generation was retained", true, "none"},
		{ask + "a:advance approve first:remove+", "the other generation is retained", false, "generation, retained"},
		{ask + "approve a:exit b:reuse first:remove+", "A's lease says nothing of B", false, "owner"},
		{ask + "a:exit other:reuse approve first:remove+", "the approval is for A's, whoever is in the slot", false, "run"},
		{ask + "approve a:exit first:remove+", "nothing is there to retain", false, "none"},

		{removed + "first:acked first:report!", "the answer is evidence", true, "none"},
		{removed + "first:acked first:report?", "evidence is not used", true, "none"},
		{removed + "first:report!", "no evidence", false, "unanswered, no-inventory"},
		{removed + "first:report?", "no evidence is needed", false, "none"},
		{removed + "first:list first:report!", "an inventory is evidence", true, "none"},
		{removed + "inventory-down first:list first:report!", "one that failed is not", false, "unanswered, outage"},
		{removed + "inventory-down inventory-up first:list first:report!", "the outage is over", true, "none"},
		{removed + "inventory-down first:list first:acked first:report!", "the answer still is", true, "none"},
		{ask + "first:remove- first:acked first:report!", "it was refused and still runs", false, "not-removed, no-inventory, running"},
		{ask + "first:remove- first:list first:report!", "it is listed and still runs", false, "unanswered, listed, running"},
		{ask + "first:remove- first:list a:exit first:report!", "it was listed and is gone since", false, "unanswered, listed"},
		{ask + "a:exit first:remove+ first:acked first:report!", "it was gone before", false, "not-removed, no-inventory"},
		{ask + "a:exit first:remove+ first:list first:report!", "gone before, as the inventory shows", true, "none"},
		{ask + "a:exit b:reuse first:remove+ first:acked first:report!", "B's was removed", false, "not-removed, no-inventory"},
		{ask + "a:exit other:reuse first:remove* first:acked first:report!", "nothing was, in the slot", false, "not-removed, no-inventory"},
		{ask + "first:remove* first:acked first:report!", "it was removed, with others", true, "none"},
		{"first:ask a:advance first:look first:remove- first:list first:report!", "another generation is listed, not what was asked for", true, "none"},

		{removed + "retry:ask retry:look retry:remove+", "it is gone by the first request", false, "none"},
		{removed + "retry:ask retry:look a:advance retry:remove+", "the next generation has come", false, "generation"},
		{removed + "a:advance retry:ask retry:look retry:remove+", "the next generation was asked for", true, "none"},
		{removed + "retry:ask retry:look retry:remove+ retry:acked retry:report!", "the first request removed it", false, "not-removed, no-inventory"},
		{removed + "retry:ask retry:look retry:remove+ first:acked retry:report!", "the answer was to the first request", false, "unanswered, no-inventory"},
		{removed + "b:reuse retry:ask retry:look retry:remove+", "B took the slot after the removal", false, "owner"},
		{ask + "first:remove* retry:ask retry:look retry:remove*", "B is gone already", false, "none"},
	} {
		t.Run(tt.history, func(t *testing.T) {
			list := hear(t, tt.history)
			h := Begin()
			for _, x := range list[:len(list)-1] {
				h = h.Observe(x.event, x.decision)
			}
			last := list[len(list)-1]
			if due, against := h.Due(last.event), h.Against(last.event, last.decision); due != tt.due || against.String() != tt.against {
				t.Errorf("due %v, against %v; want %v, %s: %s", due, against, tt.due, tt.against, tt.why)
			}
		})
	}
}

// What decisions break, and what they could have.
func TestProperties(t *testing.T) {
	const ask = "first:ask first:look "
	for _, tt := range []struct{ history, why, broken, arose string }{
		{"", "nothing was decided", "", ""},
		{ask + "first:remove+", "as it should be, and B could have been removed, too", "", "due b"},
		{ask + "first:remove-", "what was due was not done", "due", "due b"},
		{ask + "first:remove*", "B did not survive", "b", "due b"},
		{ask + "a:exit first:remove-", "only B could go", "", "b"},
		{ask + "a:exit first:remove+", "nothing went", "", "b"},
		{ask + "a:advance first:remove+", "", "generations", "generations b"},
		{ask + "a:advance first:remove-", "", "", "generations b"},
		{ask + "a:exit b:reuse first:remove+", "", "owners b", "owners b"},
		{ask + "a:exit b:reuse first:remove-", "", "", "owners b"},
		{ask + "a:exit other:reuse first:remove+", "", "runs", "runs b"},
		{ask + "a:exit other:reuse first:remove-", "", "", "runs b"},
		{ask + "a:exit other:reuse first:remove*", "another run's stays", "b", "runs b"},
		{ask + "approve first:remove+", "", "retained", "retained b"},
		{ask + "approve first:remove-", "", "", "retained b"},
		{ask + "approve a:exit first:remove-", "nobody is there to retain", "", "b"},
		{ask + "first:remove+ first:report!", "", "unknown", "due unknown b"},
		{ask + "first:remove+ first:report?", "", "", "due unknown b"},
		{ask + "first:remove+ first:acked first:report!", "", "", "due known b"},
		{ask + "first:remove+ first:acked first:report?", "", "known", "due known b"},
		{ask + "a:advance first:remove+ first:acked retry:ask retry:look retry:remove+ first:report!", "what is broken stays so",
			"generations unknown", "generations unknown b"},
	} {
		t.Run(tt.history, func(t *testing.T) {
			h := Begin()
			for _, x := range hear(t, tt.history) {
				h.Step(x.event, x.decision)
			}
			if h.Broken != set(t, tt.broken) || h.Arose != set(t, tt.arose) {
				t.Errorf("broken %b, arose %b; want %q, %q: %s", h.Broken, h.Arose, tt.broken, tt.arose, tt.why)
			}
		})
	}
}

// set reads short names of properties.
func set(t *testing.T, words string) (p Properties) {
	t.Helper()
	short := map[string]Properties{
		"generations": OtherGenerationsStay, "owners": OtherOwnersStay, "runs": OtherRunsStay, "unknown": UnknownIsNotRemoved,
		"b": BSurvives, "retained": RetainedStays, "due": DueIsRemoved, "known": KnownIsReported,
	}
	for word := range strings.FieldsSeq(words) {
		if short[word] == 0 {
			t.Fatalf("no property %q", word)
		}
		p |= short[word]
	}
	return p
}

func TestNames(t *testing.T) {
	all := AllReasons()
	if got, want := all.String(), "generation, owner, run, retained, bystander, unanswered, not-removed, no-inventory, outage, listed, running"; got != want {
		t.Errorf("all reasons: %s\nwant %s", got, want)
	}
	if all != Running<<1-1 || len(all.Sentences()) != 11 || Reasons(0).String() != "none" || Reasons(0).Names() == nil {
		t.Errorf("%b: %q", all, all.Sentences())
	}
	if got := (Outage | Running).Sentences(); len(got) != 2 || got[0] != "the inventory failed, which proves nothing" {
		t.Errorf("%q", got)
	}
	if len(PropertyNames()) != 8 || !KnownIsReported.Has(7) || KnownIsReported.Has(6) || !OtherGenerationsStay.Has(0) {
		t.Errorf("%q", PropertyNames())
	}
	if h := Begin(); h.Due(model.Event{Request: 1, Kind: model.Look}) || h.Against(model.Event{Request: 1, Kind: model.Look}, model.Remove) != 0 {
		t.Error("an event that decides nothing is judged")
	}
}
