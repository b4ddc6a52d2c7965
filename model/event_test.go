package model_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/commitpoint/model"
)

const everyEvent = "read candidate trusted-verify preflight commit " +
	"input-edit artifact-edit lease-expire reassign revoke publish-behavior-v2"

func TestEventNames(t *testing.T) {
	var names []string
	for _, e := range append(model.Chain(), model.Environment()...) {
		names = append(names, e.String())
	}
	if got := strings.Join(names, " "); got != everyEvent {
		t.Errorf("events in declaration order:\n%s\nwant\n%s", got, everyEvent)
	}
}

// Tests that print events with %#v print what people read.
func TestEventInMessages(t *testing.T) {
	history := []model.Event{{Kind: model.Read}, {Kind: model.Revoke, N: 2}}
	if got := fmt.Sprintf("%#v", history); got != "[]model.Event{read, revoke#2}" {
		t.Errorf("in a message it is %s", got)
	}
}

func TestEventRoundTrip(t *testing.T) {
	for _, name := range strings.Fields(everyEvent) {
		for _, text := range []string{name, name + "#2", name + "#17", name + "#255"} {
			e, err := model.ParseEvent(text)
			if err != nil || e.String() != text {
				t.Errorf("ParseEvent(%q) = %v, %v", text, e, err)
			}
		}
	}
}

func TestParseEventRefuses(t *testing.T) {
	number := func(text string) string {
		return `event "` + text + `" has a bad number: repeated events are revoke#2, revoke#3, … up to #255`
	}
	unknown := func(text string) string {
		return `unknown event "` + text + `": the events are ` + strings.Join(strings.Fields(everyEvent), ", ")
	}
	tests := []struct{ text, reason, want string }{
		{"", "names nothing", unknown("")},
		{"revok", "a typing error", unknown("revok")},
		{"Revoke", "names are exact", unknown("Revoke")},
		{"A:read", "the model has one submitting worker, and no actors in its events", unknown("A:read")},
		{"revoke#", "the number is missing", number("revoke#")},
		{"revoke#1", "the first event has no number", number("revoke#1")},
		{"revoke#0", "numbers start at 2", number("revoke#0")},
		{"revoke#02", "one event has one text", number("revoke#02")},
		{"revoke#256", "it would wrap to 0", number("revoke#256")},
		{"revoke#-2", "not a number of repetitions", number("revoke#-2")},
		{"revoke#2#3", "one number", number("revoke#2#3")},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if e, err := model.ParseEvent(tt.text); err == nil || err.Error() != tt.want {
				t.Errorf("ParseEvent(%q) = %v, %v\nwant %s (%s)", tt.text, e, err, tt.want, tt.reason)
			}
		})
	}
}

func TestNoEventPrintsLikeAnEvent(t *testing.T) {
	for _, e := range []model.Event{{}, {Kind: model.PublishV2 + 1}} {
		if _, err := model.ParseEvent(e.String()); err == nil {
			t.Errorf("%v, which is no event, parses", e)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	for _, name := range strings.Fields(everyEvent) {
		f.Add(name)
		f.Add(name + "#2")
	}
	f.Add("revoke#")
	f.Add("#2")
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := model.ParseEvent(text); err == nil && e.String() != text {
			t.Errorf("%q parses as %v", text, e)
		}
	})
}
