package ownership

import (
	"errors"
	"strings"
	"testing"

	"example.com/commitpoint/model"
)

// The events by their text, as they are declared.
const names = `first:ask first:look first:remove first:report first:acked first:list
	retry:ask retry:look retry:remove retry:report retry:acked retry:list
	a:advance a:exit b:reuse other:reuse approve prior-expiry final-expiry renew inventory-down inventory-up end`

func TestEventRoundTrip(t *testing.T) {
	texts := strings.Fields(names)
	if all := All(); len(all) != len(texts) {
		t.Fatalf("%d events, want %d", len(all), len(texts))
	}
	for i, e := range All() {
		parsed, err := ParseEvent(texts[i])
		if err != nil || parsed != e || e.String() != texts[i] || e.GoString() != texts[i] {
			t.Errorf("%v and %q: parsed as %v, %v", e, texts[i], parsed, err)
		}
	}
}

func TestParseEventRefuses(t *testing.T) {
	list := ": the events are " + strings.Join(strings.Fields(names), ", ")
	for _, tt := range []struct{ text, why string }{
		{"", "nothing"},
		{"remove", "whose?"},
		{"second:remove", "it is called the retry"},
		{"first:renew", "it is no request's"},
		{"a:advance#2", "A has two generations"},
		{"First:ask", "names are in lower case"},
	} {
		want := `unknown event "` + tt.text + `"` + list
		if e, err := ParseEvent(tt.text); !errors.Is(err, model.ErrUnknownEvent) || err.Error() != want {
			t.Errorf("%q is %v, %v\nwant %s: %s", tt.text, e, err, want, tt.why)
		}
	}
}

func TestStringsOfWhatIsNoEvent(t *testing.T) {
	for e, want := range map[Event]string{
		{}:                      "event(0)",
		{Kind: End + 1}:         "event(18)",
		{Request: 3, Kind: Ask}: "ask",
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestActors(t *testing.T) {
	for _, tt := range []struct{ event, actor, object string }{
		{"first:ask", "first request", "workload"},
		{"retry:look", "retry request", "slot"},
		{"first:remove", "first request", "slot"},
		{"retry:report", "retry request", "report"},
		{"first:acked", "runtime", "answer"},
		{"retry:list", "runtime", "inventory"},
		{"a:advance", "session A", "slot"},
		{"b:reuse", "session B", "slot"},
		{"other:reuse", "another run", "slot"},
		{"approve", "authority", "lease"},
		{"prior-expiry", "clock", "lease"},
		{"inventory-down", "runtime", "inventory"},
		{"end", "clock", "run"},
	} {
		if e := parse(t, tt.event); e.Actor() != tt.actor || e.Object() != tt.object {
			t.Errorf("%s: %s acts on %s, want %s on %s", tt.event, e.Actor(), e.Object(), tt.actor, tt.object)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, e := range All() {
		text := e.String()
		ofRequest := strings.HasPrefix(text, "first:") || strings.HasPrefix(text, "retry:")
		decides := strings.HasSuffix(text, ":remove") || strings.HasSuffix(text, ":report")
		if e.Kind.OfRequest() != ofRequest || e.Kind.Decides() != decides {
			t.Errorf("%s is of a request: %v, and decides: %v", text, e.Kind.OfRequest(), e.Kind.Decides())
		}
	}
}

// Each workload that can be mistaken for another differs from it in exactly one part.
func TestWorkloadsDifferInOnePart(t *testing.T) {
	for _, tt := range []struct {
		a, b Workload
		part string
	}{
		{A1, A2, "generation"},
		{A2, B2, "owner"},
		{A1, B1, "owner"},
		{A1, Other1, "run"},
	} {
		a, b := tt.a.Identity(), tt.b.Identity()
		var parts []string
		if a.Run != b.Run {
			parts = append(parts, "run")
		}
		if a.Owner != b.Owner {
			parts = append(parts, "owner")
		}
		if a.Generation != b.Generation {
			parts = append(parts, "generation")
		}
		if got := strings.Join(parts, ", "); got != tt.part {
			t.Errorf("%v and %v differ in %s, want %s", tt.a, tt.b, got, tt.part)
		}
	}
	if Nothing.Identity() != (Identity{}) {
		t.Error("nothing has an identity")
	}
	for w := Nothing; w <= Other1; w++ {
		id := w.Identity()
		if w.OfA() != (id.Run == A1.Identity().Run && id.Owner == "A") {
			t.Errorf("%v is A's: %v", w, w.OfA())
		}
	}
}

func TestDecisions(t *testing.T) {
	for d, want := range map[Decision]struct {
		text    string
		accepts bool
	}{
		NoDecision: {"no decision", false},
		Refuse:     {"refused", false},
		Remove:     {"removed", true},
		RemoveRun:  {"removed all of the run's", true},
		SayUnknown: {"reported unknown", false},
		SayRemoved: {"reported removed", true},
	} {
		if d.String() != want.text || d.Accepts() != want.accepts {
			t.Errorf("%v accepts: %v; want %+v", d, d.Accepts(), want)
		}
	}
}

func parse(t *testing.T, text string) Event {
	t.Helper()
	e, err := ParseEvent(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
