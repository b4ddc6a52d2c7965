package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
)

const hello = `{"id":1,"do":"hello","protocol":"commitpoint/conformance/v1"}` + "\n"

const ledgerHello = `{"id":1,"protocol":"commitpoint/conformance/v1","name":"ledger","events":["read","commit"],"parallel":true}` + "\n"

func TestServeAnswersUntilTheEnd(t *testing.T) {
	t.Parallel()
	asked := hello + `{"id":2,"do":"reset"}
{"id":3,"do":"recorded"}
{"do":"submit","event":"commit","id":4}
 { "id" : 5, "do" : "submit", "event" : "commit" } ` + "\r\n" + `{"id":6,"do":"recorded"}
`
	want := ledgerHello + `{"id":2}
{"id":3,"receipts":[],"status":"running","published":{"out":0}}
{"id":4,"accepted":true,"receipt":"completion <1>"}
{"id":5,"accepted":false,"refusal":"completed"}
{"id":6,"receipts":["completion <1>"],"status":"completed","published":{"out":1},"state":"commit commit"}
`
	var got strings.Builder
	if err := Serve(t.Context(), strings.NewReader(asked), &got, &ledger{}); err != nil || got.String() != want {
		t.Errorf("error %v, answers\n%s\nwant\n%s", err, &got, want)
	}
	if err := Serve(t.Context(), strings.NewReader(""), &got, &ledger{}); err != nil {
		t.Errorf("not asked at all: %v", err)
	}
}

// What can't be answered ends it, and whoever asked is told if the request has its id.
func TestServeStops(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, asked, told, want string }{
		{"an event fails", `{"id":2,"do":"apply","event":"fail"}`, `{"id":2,"error":"apply fail: no connection to the database"}`,
			"apply fail: no connection to the database"},
		{"an event fails without a word", `{"id":2,"do":"apply","event":"fail without a word"}`, `{"id":2,"error":"apply fail without a word: "}`,
			"apply fail without a word: "},
		{"unknown do", `{"id":2,"do":"undo"}`, "{\"id\":2,\"error\":\"request 2 is `{\\\"id\\\":2,\\\"do\\\":\\\"undo\\\"}`: do is `\\\"undo\\\"`, expected hello, reset, apply, submit or recorded\"}",
			"request 2 is `{\"id\":2,\"do\":\"undo\"}`: do is `\"undo\"`, expected hello, reset, apply, submit or recorded"},
		{"no do", `{"id":2}`, `{"id":2,"error":"`, "request 2 is `{\"id\":2}`: do is ``, expected hello, reset, apply, submit or recorded"},
		{"unknown field", `{"id":2,"do":"reset","seed":7}`, `{"id":2,"error":"`, "request 2 is `{\"id\":2,\"do\":\"reset\",\"seed\":7}`: `seed` is not a field of it, expected id, do"},
		{"no event", `{"id":2,"do":"submit"}`, `{"id":2,"error":"`, "request 2 is `{\"id\":2,\"do\":\"submit\"}`: event is missing, expected a text"},
		{"an event of another type", `{"id":2,"do":"apply","event":1}`, `{"id":2,"error":"`, "request 2 is `{\"id\":2,\"do\":\"apply\",\"event\":1}`: event is `1`, expected a text"},
		{"hello again", `{"id":2,"do":"hello","protocol":"commitpoint/conformance/v1"}`, `{"id":2,"error":"`,
			"request 2 is `{\"id\":2,\"do\":\"hello\",\"protocol\":\"commitpoint/conformance/v1\"}`: hello comes first, and once"},
		{"an id left out", `{"id":3,"do":"reset"}`, "", "request 2 is `{\"id\":3,\"do\":\"reset\"}`: id is not 2, and requests are counted from 1"},
		{"no id", `{"do":"reset"}`, "", "request 2 is `{\"do\":\"reset\"}`: id is not 2, and requests are counted from 1"},
		{"no JSON", `reset`, "", "request 2 is `reset`: it is not JSON (invalid character 'r' looking for beginning of value), expected one JSON object on the line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got strings.Builder
			l := &ledger{}
			err := Serve(t.Context(), strings.NewReader(hello+tt.asked+"\n"+`{"id":3,"do":"apply","event":"read"}`+"\n"), &got, l)
			told, greeted := strings.CutPrefix(got.String(), ledgerHello)
			if !greeted || !strings.HasPrefix(told, tt.told) || (told == "") != (tt.told == "") || strings.Count(told, "\n") > 1 {
				t.Errorf("it answered %s\nwant %s", told, tt.told)
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
			if strings.Contains(strings.Join(l.calls, " "), "read") {
				t.Error("it went on")
			}
		})
	}
}

func TestServeIsGreetedFirst(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	err := Serve(t.Context(), strings.NewReader(`{"id":1,"do":"reset"}`+"\n"), &got, &ledger{})
	if want := "request 1 is `{\"id\":1,\"do\":\"reset\"}`: hello comes first, and once"; err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

// Whoever speaks another version is told which one is spoken here.
func TestServeNamesItsVersion(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	err := Serve(t.Context(), strings.NewReader(`{"id":1,"do":"hello","protocol":"commitpoint/conformance/v2","seed":7}`+"\n"), &got, &ledger{})
	if err != nil || got.String() != ledgerHello {
		t.Errorf("error %v, answer %s", err, &got)
	}
}

func TestServeReadsAndWritesWholeLines(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, asked, want string }{
		{"no line feed", hello + `{"id":2,"do":"reset"}`, "read request 2, which begins `{\"id\":2,\"do\":\"reset\"}`: EOF"},
		{"too long", hello + `{"id":2,` + strings.Repeat(" ", maxLine) + "\n",
			"read request 2, which begins `{\"id\":2," + strings.Repeat(" ", maxShown-8) + "`…: a line is longer than 1048576 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := Serve(t.Context(), strings.NewReader(tt.asked), io.Discard, &ledger{}); err == nil || err.Error() != tt.want {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
		})
	}
	failing := writer(func([]byte) (int, error) { return 0, errors.New("nobody reads") })
	if err := Serve(t.Context(), strings.NewReader(hello), failing, &ledger{}); err == nil || err.Error() != "hello: nobody reads" {
		t.Errorf("error %v, want the writer's", err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(text []byte) (int, error) { return w(text) }

// talker is a ledger that says what a test wants it to.
type talker struct {
	ledger
	record   conformance.Record
	decision conformance.Decision
}

func (s *talker) Recorded(context.Context) (conformance.Record, error) { return s.record, nil }

func (s *talker) Submit(context.Context, string) (conformance.Decision, error) {
	return s.decision, nil
}

// What the encoder would make something else of is not sent.
func TestServeSendsWhatTheSystemSaid(t *testing.T) {
	t.Parallel()
	const remedy = ` is not UTF-8: encode it, as hexadecimal digits for instance`
	recorded := hello + `{"id":2,"do":"recorded"}` + "\n"
	submit := hello + `{"id":2,"do":"submit","event":"commit"}` + "\n"
	tests := []struct {
		name, asked string
		system      talker
		want        string
	}{
		{"state", recorded, talker{record: conformance.Record{State: "\xff"}}, `recorded: "\xff"` + remedy},
		{"receipts", recorded, talker{record: conformance.Record{Receipts: []string{"\xfe"}}}, `recorded: "\xfe"` + remedy},
		{"target", recorded, talker{record: conformance.Record{Published: map[string]int{"\xfd": 1}}}, `recorded: "\xfd"` + remedy},
		{"receipt", submit, talker{decision: conformance.Decision{Accepted: true, Receipt: "\xfc"}}, `submit commit: "\xfc"` + remedy},
		{"too long", recorded, talker{record: conformance.Record{State: strings.Repeat("x", maxLine)}},
			"recorded: a message of 1048609 bytes is longer than the protocol's 1048576: send less, a hash for instance"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			err := Serve(t.Context(), strings.NewReader(tt.asked), &got, &tt.system)
			if err == nil || err.Error() != tt.want || !strings.Contains(got.String(), `{"id":2,"error":"`) {
				t.Errorf("error %v\nwant  %s\nanswers %.300s", err, tt.want, &got)
			}
		})
	}
}

func TestServeStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var got strings.Builder
	err := Serve(ctx, strings.NewReader(hello), &got, &ledger{})
	if want := `{"id":1,"error":"hello: context canceled"}` + "\n"; !errors.Is(err, context.Canceled) || got.String() != want {
		t.Errorf("error %v, answer %s", err, &got)
	}
}
