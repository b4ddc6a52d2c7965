package lifecycle

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/commitpoint/harness/session"
)

func TestDetached(t *testing.T) {
	first := session.Process{Role: "init", PID: 1, Leader: 1, Namespace: "pid:[2]"}
	child := session.Process{Role: "sleep", PID: 5, Leader: 5, Namespace: "pid:[2]"}
	with := func(change func(*session.Process)) []session.Process {
		c := child
		change(&c)
		return []session.Process{first, c}
	}
	for _, tt := range []struct {
		name string
		list []session.Process
		want string
	}{
		{"detached", []session.Process{first, child}, ""},
		{"in any order", []session.Process{child, first}, ""},
		{"nothing", nil, `a has no process "init"`},
		{"no child", []session.Process{first}, `a has no process "sleep"`},
		{"no first", []session.Process{child}, `a has no process "init"`},
		{"same OS session", with(func(c *session.Process) { c.Leader = 1 }), "does not lead"},
		{"somebody's OS session", with(func(c *session.Process) { c.Leader = 4 }), "does not lead"},
		{"both of one number", with(func(c *session.Process) { c.PID, c.Leader = 1, 1 }), "does not lead"},
		{"elsewhere", with(func(c *session.Process) { c.Namespace = "pid:[3]" }), "not in the PID namespace"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := detached(tt.list); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// What is not an acknowledgement of one of the two kinds is unknown.
func TestReplyOutcome(t *testing.T) {
	for _, tt := range []struct {
		name  string
		reply reply
		want  outcome
	}{
		{"removed", reply{ack: acknowledgement{Outcome: removed}}, removed},
		{"refused", reply{ack: acknowledgement{Outcome: refused}}, refused},
		{"unknown", reply{ack: acknowledgement{Outcome: unknown}}, unknown},
		{"empty", reply{}, unknown},
		{"another word", reply{ack: acknowledgement{Outcome: "done"}}, unknown},
		{"lost", reply{lost: io.EOF}, unknown},
		{"lost, after something", reply{ack: acknowledgement{Outcome: removed}, lost: io.ErrUnexpectedEOF}, unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.reply.outcome(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Where the link breaks decides what happens, and not what is heard of it.
func TestCleanupCut(t *testing.T) {
	for _, tt := range []struct {
		name    string
		at      cut
		want    outcome
		removed bool
		text    string
	}{
		{"intact", intact, removed, true, "removed: "},
		{"before", beforeRemoval, unknown, false, "UNKNOWN: no acknowledgement: EOF"},
		{"after", afterRemoval, unknown, true, "UNKNOWN: no acknowledgement: EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			w, err := f.start(t.Context(), session.Options{Run: "r"})
			if err != nil {
				t.Fatal(err)
			}
			r := cleanup(t.Context(), w, w.Identity(), tt.at)
			if r.outcome() != tt.want || r.String() != tt.text || (len(f.alive) == 0) != tt.removed {
				t.Errorf("got %v, and %d are left", r, len(f.alive))
			}
		})
	}
}

// The two silences of LC-06 have to be the same to the one who asked.
func TestSilent(t *testing.T) {
	lost, done := reply{lost: io.EOF}, reply{ack: acknowledgement{Outcome: removed}}
	for _, tt := range []struct {
		name string
		a, c reply
		want string
	}{
		{"the same", lost, lost, ""},
		{"a is heard of", done, lost, "a is said to be removed, and that of c UNKNOWN"},
		{"c is heard of", lost, done, "a is said to be UNKNOWN, and that of c removed"},
		{"both are", done, done, "a is said to be removed"},
		{"they differ", lost, reply{lost: io.ErrClosedPipe}, "differ"},
		{"an answer is no silence", lost, reply{ack: acknowledgement{Outcome: unknown, Text: "EOF"}}, "differ"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := silent(tt.a, tt.c); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// A removal that takes longer than anybody waits for it is unknown, but not under way any
// more when cleanup returns.
func TestCleanupTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.named("a", func(d *double) {
			d.remove = func(session.Identity) error { time.Sleep(2 * linkLimit); d.gone(); return nil }
		})
		w, err := f.start(t.Context(), session.Options{Session: "a"})
		if err != nil {
			t.Fatal(err)
		}
		r := cleanup(t.Context(), w, w.Identity(), intact)
		if r.outcome() != unknown || len(f.alive) != 0 {
			t.Errorf("got %v, and %d are left", r, len(f.alive))
		}
	})
}
