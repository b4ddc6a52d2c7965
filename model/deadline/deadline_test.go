package deadline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/model"
	"example.com/commitpoint/model/deadline"
)

func parse(t *testing.T, history string) []deadline.Event {
	t.Helper()
	var events []deadline.Event
	for name := range strings.FieldsSeq(history) {
		e, err := deadline.ParseEvent(name)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func after(t *testing.T, history string) (s deadline.State) {
	t.Helper()
	for _, e := range parse(t, history) {
		s = deadline.Next(s, e)
	}
	return s
}

func TestParseEventReadsWhatStringWrites(t *testing.T) {
	for k := deadline.Observe; k <= deadline.End; k++ {
		for _, n := range []uint8{0, 2, 255} {
			e := deadline.Event{Kind: k, N: n}
			if got, err := deadline.ParseEvent(e.String()); err != nil || got != e {
				t.Errorf("%v: %v, %v", e, got, err)
			}
			if e.Actor() == "" || e.Object() == "" {
				t.Errorf("%v has no actor or no object", e)
			}
		}
	}
	for _, bad := range []string{"", "probes", "probe#1", "probe#0", "probe#02", "probe#256", "probe#x", "Probe"} {
		if e, err := deadline.ParseEvent(bad); err == nil {
			t.Errorf("%q is read as %v", bad, e)
		}
	}
	if _, err := deadline.ParseEvent("probed"); !errors.Is(err, model.ErrUnknownEvent) || !strings.Contains(err.Error(), "observe, operate, ") {
		t.Error(err)
	}
}

// What each event does, in the fields that people see.
func TestEventsChangeFields(t *testing.T) {
	for _, tt := range []struct{ name, history, field, want string }{
		{"nothing at first", "", "predicate", "does not hold"},
		{"an operation alone has no effect", "operate", "predicate", "does not hold"},
		{"it takes effect", "operate converge", "predicate", "holds"},
		{"nothing takes effect without one", "converge", "predicate", "does not hold"},
		{"nor before it", "converge operate", "predicate", "does not hold"},
		{"nor for another target", "operate-elsewhere converge", "predicate", "does not hold"},
		{"nor with a malformed path", "operate-malformed converge", "predicate", "does not hold"},
		{"what held can be undone", "operate converge undo", "predicate", "undone"},
		{"what did not, can't", "undo", "predicate", "does not hold"},
		{"and does not come back undone", "operate converge undo converge", "predicate", "holds"},
		{"samples are kept in order", "probe operate converge miss#2 deadline probe#3", "samples", "does not hold, unreadable, holds"},
		{"a fourth is not kept", "probe probe#2 probe#3 probe#4", "samples", "does not hold, does not hold, does not hold"},
		{"the deadline is between probes", "probe deadline probe#2", "deadline", "passed after 1 probes"},
		{"or at one", "probe probe-at-deadline", "deadline", "passed after 2 probes"},
		{"or at one that fails", "miss-at-deadline", "deadline", "passed after 1 probes"},
		{"it passes once", "deadline probe deadline#2", "deadline", "passed after 0 probes"},
		{"an agent that did not look claims success", "operate report", "report", "done"},
		{"so does one that did nothing", "report", "report", "done"},
		{"one that saw it claims success", "operate converge observe report", "report", "done"},
		{"one that saw that it is not there does not", "operate observe report", "report", "refused"},
		{"what it saw before its operation does not count", "observe operate report", "report", "done"},
		{"health that is bad in time", "health-bad deadline", "health", "bad in time"},
		{"or later", "deadline health-bad", "health", "good"},
		{"a job that has ended", "signal-ended", "job", "ended"},
		{"an operation", "operate", "operation", "accepted"},
		{"one elsewhere", "operate-elsewhere", "operation", "accepted, for another target"},
		{"one refused", "operate-malformed", "operation", "refused"},
		{"what the agent saw", "observe", "agent saw", "it does not hold"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, value := range after(t, tt.history).Fields() {
				if name == tt.field && value != tt.want {
					t.Errorf("%s after %q: %q, want %q", name, tt.history, value, tt.want)
				}
			}
		})
	}
}

// A trial has everything in the order in which it happened, whatever the order was.
func TestTrialKeepsTheOrder(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct{ name, history, want string }{
		{"a probe every ten seconds, the deadline between two", "probe probe#2 deadline probe#3", "deadline 25s, observed 10s 20s 30s"},
		{"the deadline at a probe", "probe probe-at-deadline probe#3", "deadline 20s, observed 10s 20s 30s"},
		{"operate, report, before everything", "operate report probe deadline", "deadline 15s, called 2s, reported 3s, observed 10s"},
		{"report, operate, before everything", "report operate probe deadline", "deadline 15s, called 4s, reported 3s, observed 10s"},
		{"after a probe", "probe operate report deadline", "deadline 15s, called 12s, reported 13s, observed 10s"},
		{"after the deadline", "probe deadline operate report probe#2", "deadline 15s, called 17s, reported 18s, observed 10s 20s"},
		{"on both sides of it", "probe operate deadline report probe#2", "deadline 15s, called 12s, reported 18s, observed 10s 20s"},
		{"after a deadline at a probe", "probe-at-deadline report", "deadline 10s, reported 18s, observed 10s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			state := after(t, tt.history)
			trial := state.Trial()
			got := fmt.Sprint("deadline ", trial.Deadline)
			for _, c := range trial.Calls {
				got += fmt.Sprint(", called ", c.At)
			}
			if trial.Report.Made {
				got += fmt.Sprint(", reported ", trial.Report.At)
			}
			got += ", observed"
			for _, o := range trial.Observations {
				got += fmt.Sprint(" ", o.At)
			}
			if got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
	state := after(t, "operate-malformed health-bad signal-ended probe deadline")
	trial := state.Trial()
	if c := trial.Calls[0]; c.Accepted || c.Path != deadline.OtherPath || !c.Required {
		t.Errorf("%+v", c)
	}
	if len(trial.Unhealthy) != 1 || len(trial.Statuses) != 1 || trial.Statuses[0].Signal != deadline.Terminal || !trial.Observations[0].Short {
		t.Errorf("%+v", trial)
	}
	if elsewhere := after(t, "operate-elsewhere"); elsewhere.Trial().Calls[0].Target != deadline.OtherTarget {
		t.Error("an operation elsewhere is aimed at the contracted target")
	}
	_ = s
}

// The judge believes what the transcript shows.
func TestJudge(t *testing.T) {
	for history, want := range map[string]deadline.Verdict{
		"":                                deadline.Violated,
		"report":                          deadline.Violated,
		"operate-malformed report":        deadline.Violated,
		"operate":                         deadline.NotDetermined,
		"operate report":                  deadline.Fulfilled,
		"operate-elsewhere report":        deadline.Fulfilled,
		"operate observe report":          deadline.Violated,
		"operate converge observe":        deadline.Fulfilled,
		"operate converge observe undo":   deadline.Fulfilled,
		"operate converge undo observe":   deadline.Violated,
		"observe operate converge report": deadline.Fulfilled,
	} {
		state := after(t, history)
		if got := state.Trial().Judge; !got.Made || got.Verdict != want {
			t.Errorf("%q: %v, want %v", history, got, want)
		}
	}
}
