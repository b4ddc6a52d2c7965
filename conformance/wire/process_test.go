package wire

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/conformance"
)

// A process is to its user what the system behind it is.
func TestProcessIsTheSystemBehindIt(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var behind conformance.System = &ledger{}
	p := start(t, "right", "")
	for _, s := range []conformance.System{p, behind} {
		if err := errors.Join(s.Apply(ctx, "before"), s.Reset(ctx), s.Apply(ctx, "read")); err != nil {
			t.Fatal(err)
		}
	}
	about := p.About()
	about.Events[0] = "written over"
	if got, want := p.About(), behind.About(); !reflect.DeepEqual(got, want) {
		t.Errorf("about %+v, want %+v", got, want)
	}
	for range 2 { // accepted, refused
		before, _ := behind.Recorded(ctx)
		if got, err := p.Recorded(ctx); err != nil || !reflect.DeepEqual(got, withList(before)) {
			t.Errorf("recorded %+v, %v, want %+v", got, err, before)
		}
		want, _ := behind.Submit(ctx, "commit")
		if got, err := p.Submit(ctx, "commit"); err != nil || got != want {
			t.Errorf("decision %+v, %v, want %+v", got, err, want)
		}
	}
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if err := p.Reset(ctx); !errors.Is(err, errClosed) {
		t.Errorf("asked after it was closed: %v", err)
	}
}

func withList(r conformance.Record) conformance.Record {
	r.Receipts = append([]string{}, r.Receipts...)
	return r
}

// Whatever an adapter does instead of answering is an error that says so. The error
// stays, and the adapter is gone when it is returned.
func TestAdapterThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	tests := []struct{ behavior, detail, reason, want string }{
		{"exits with 3", "", "a crash", `the adapter exited with status 3 before it answered "submit commit"`},
		{"panics", "", "a crash in Go", `the adapter exited with status 2 before it answered "submit commit"`},
		{"says and exits", "", "an early end", `the adapter exited with status 0 before it answered "submit commit"`},
		{"says and exits", `{"id":2`, "an end in the middle of a line",
			"the adapter exited with status 0 before it answered \"submit commit\", having written `{\"id\":2` without a line feed"},
		{"closes its output", "", "it can't answer any more", `the adapter closed its standard output before it answered "submit commit"`},
		{"closes its input", "", "it can't be asked any more", `the adapter closed its standard input before it answered "submit commit"`},
		{"too long", "", "more than 1 MiB in a line",
			"the adapter answered \"submit commit\" with `" + strings.Repeat("x", maxShown) + "`…: a line is longer than 1048576 bytes, expected that at most"},
		{"says", "accepted\n", "no JSON", "the adapter answered \"submit commit\" with `accepted`: " +
			"it is not JSON (invalid character 'a' looking for beginning of value), expected one JSON object on the line"},
		{"says", `{"id":3,"accepted":false}` + "\n", "not the answer to this",
			"the adapter answered \"submit commit\" with `{\"id\":3,\"accepted\":false}`: id is 3, expected 2, that of the request"},
		{"says", "{\"id\":2,\"error\":\"no connection\\nto the database\"}\n", "it gives up",
			`the adapter can't go on after "submit commit": it says "no connection\nto the database"`},
		{"says", `{"id":2,"accepted":false}` + "\n{}\n", "two answers", "the adapter answered \"submit commit\" with more than one line: " +
			`"{}\n" comes behind ` + "`{\"id\":2,\"accepted\":false}`, expected nothing before the next request"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			p := start(t, tt.behavior, tt.detail)
			_, err := p.Submit(t.Context(), "commit")
			checkLastWord(t, p, err, tt.want)
		})
	}
}

// checkLastWord checks an error and that nothing comes after it.
func checkLastWord(t *testing.T, p *Process, err error, want string) {
	t.Helper()
	var final *Error
	if !errors.As(err, &final) || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	select {
	case <-p.child.exited:
	default:
		t.Error("the adapter still runs")
	}
	if again := p.Reset(t.Context()); again != err {
		t.Errorf("the next call returns %v", again)
	}
	if again := p.Close(); again != err {
		t.Errorf("Close returns %v", again)
	}
}

func TestAdapterThatAnswersBeforeItIsAsked(t *testing.T) {
	t.Parallel()
	address, accept := lingerers(t)
	p := start(t, "answers early", address)
	accept().Close()
	o := <-p.output // it is there
	go func() { p.output <- o }()
	checkLastWord(t, p, p.Reset(t.Context()),
		"the adapter wrote `{\"id\":2}` before it was asked for \"reset\", expected nothing between an answer and the next request")
}

func TestAdapterThatEndedWhileNobodyAsked(t *testing.T) {
	t.Parallel()
	p := start(t, "right", "")
	p.child.kill()
	<-p.child.exited
	if err := p.Reset(t.Context()); err == nil || !strings.HasSuffix(err.Error(), `before it answered "reset"`) {
		t.Errorf("error %v, want that it ended", err)
	}
}

func TestSilentAdapterIsGivenUp(t *testing.T) {
	t.Parallel()
	const limit = 500 * time.Millisecond // enough to begin an answer
	tests := []struct{ name, behavior, detail, want string }{
		{"nothing", "silent after hello", "", `the adapter did not answer "reset" within 500ms: answer sooner, or raise the time limit`},
		{"no line feed", "says", `{"id":2}`,
			"the adapter did not answer \"reset\" within 500ms, having written `{\"id\":2}` without a line feed: answer sooner, or raise the time limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, tt.behavior, tt.detail)
			p.timeout = limit
			checkLastWord(t, p, p.Reset(t.Context()), tt.want)
		})
	}
}

// A call ends with its context, and all of it with the context of Start.
func TestContextsEndIt(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	soon, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		cause error
	}{{"cancelled", cancelled, context.Canceled}, {"deadline", soon, context.DeadlineExceeded}} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, "silent after hello", "")
			err := p.Reset(tt.ctx)
			checkLastWord(t, p, err, `the adapter was stopped before it answered "reset": `+tt.cause.Error())
			if !errors.Is(err, tt.cause) {
				t.Errorf("error %v is not %v", err, tt.cause)
			}
		})
	}
	for _, name := range []string{"in a call", "between calls"} {
		t.Run("of Start, "+name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			p, err := command(t, "silent after hello", "").Start(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if name == "in a call" {
				time.AfterFunc(50*time.Millisecond, cancel)
			} else {
				cancel()
				<-p.child.exited
			}
			err = p.Reset(t.Context())
			checkLastWord(t, p, err, "the adapter was stopped: context canceled")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v is not a cancellation", err)
			}
		})
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(plain, []byte("not a program\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	silent := command(t, "silent", "")
	silent.Timeout = 50 * time.Millisecond
	otherVersion := `{"id":1,"protocol":"commitpoint/conformance/v2","names":["peer"]}` + "\n"
	tests := []struct {
		name    string
		command Command
		want    string
	}{
		{"nothing to start", Command{}, `start the adapter "" with a time limit of 0s: give a program, and a limit above 0 or none`},
		{"a limit below 0", Command{Path: "cat", Timeout: -1}, `start the adapter "cat" with a time limit of -1ns: give a program, and a limit above 0 or none`},
		{"no such program", Command{Path: "no-such-adapter"}, `start the adapter "no-such-adapter": executable file not found in `},
		{"not a program", Command{Path: plain}, `start the adapter "` + plain + `": `},
		{"silence", silent, `the adapter did not answer "hello" within 50ms: answer sooner, or raise the time limit`},
		{"an early end", command(t, "exits before hello", ""), `the adapter exited with status 3 before it answered "hello"`},
		{"another version", command(t, "says at once", otherVersion), "the adapter answered \"hello\" with `" + strings.TrimSpace(otherVersion) +
			"`: it speaks `commitpoint/conformance/v2`, expected \"commitpoint/conformance/v1\": use an adapter and a kit of the same version"},
		{"no version", command(t, "says at once", `{"id":1,"name":"peer","events":[]}`+"\n"),
			"the adapter answered \"hello\" with `{\"id\":1,\"name\":\"peer\",\"events\":[]}`: protocol is missing, expected a text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if p, err := tt.command.Start(t.Context()); p != nil || err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Command{Path: "no-such-adapter"}.Start(ctx)
	if !errors.Is(err, context.Canceled) || err.Error() != `start the adapter "no-such-adapter": context canceled` {
		t.Errorf("started in a context that had ended: %v", err)
	}
}

func TestCloseSaysWhatWasWrong(t *testing.T) {
	t.Parallel()
	tests := []struct{ behavior, want string }{
		{"ignores the end", `the adapter did not exit within 50ms after its standard input was closed: exit when it ends`},
		{"exits with 3 at last", `the adapter exited with status 3 after its standard input was closed, expected status 0`},
		{"has last words", "the adapter wrote `bye` after its last answer, expected that it exits when its standard input ends"},
	}
	for _, tt := range tests {
		t.Run(tt.behavior, func(t *testing.T) {
			t.Parallel()
			p := start(t, tt.behavior, "")
			if tt.behavior == "ignores the end" {
				p.timeout = 50 * time.Millisecond
			}
			checkLastWord(t, p, p.Close(), tt.want)
		})
	}
}

// A failure shows what the adapter complained of, at any time of its life.
func TestErrorsCarryStandardError(t *testing.T) {
	t.Parallel()
	_, err := command(t, "exits before hello", "").Start(t.Context())
	var failed *Error
	if !errors.As(err, &failed) || failed.Stderr != "no configuration\n" {
		t.Errorf("error %+v, want one with the adapter's complaint", err)
	}
	p := start(t, "panics", "")
	if err := p.Reset(t.Context()); !errors.As(err, &failed) || !strings.HasPrefix(failed.Stderr, "panic: out of order\n") {
		t.Errorf("error %+v, want one with the adapter's panic", err)
	}
	if p.Stderr() != failed.Stderr {
		t.Errorf("Stderr returns %q, and the error has %q", p.Stderr(), failed.Stderr)
	}
}

// However much it is, it is read on, and the end of it is there in the end.
func TestStandardErrorHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	p := start(t, "complains", "")
	if err := errors.Join(p.Reset(t.Context()), p.Close()); err != nil {
		t.Fatal(err)
	}
	crashed := start(t, "complains and exits", "")
	var failed *Error
	if err := crashed.Reset(t.Context()); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	for _, kept := range []string{p.Stderr(), failed.Stderr} {
		if !strings.HasPrefix(kept, "complaint ") || !strings.HasSuffix(kept, "\ncomplaint 99999\n") || len(kept) > maxTail || len(kept) < maxTail-20 {
			t.Errorf("%d bytes are kept: %.20q… %.40q", len(kept), kept, kept[max(0, len(kept)-40):])
		}
	}
}
