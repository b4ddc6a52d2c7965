package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
)

// A turn is a request and its answer, as PROTOCOL.md shows them.
type turn struct {
	request, answer string
	asked           request
	answered        answer
}

// workedExchange reads the example at the end of PROTOCOL.md.
func workedExchange(t *testing.T) []turn {
	t.Helper()
	_, text, found := strings.Cut(document(t), "\n## A worked exchange\n")
	_, text, fenced := strings.Cut(text, "\n```\n")
	text, _, closed := strings.Cut(text, "\n```\n")
	if !found || !fenced || !closed {
		t.Fatal("PROTOCOL.md has no worked exchange")
	}
	var turns []turn
	for line := range strings.Lines(text + "\n") {
		mark, message := line[:2], strings.TrimSuffix(line[2:], "\n")
		switch {
		case mark == "> ":
			turns = append(turns, turn{request: message})
			unmarshal(t, message, &turns[len(turns)-1].asked)
		case mark == "< " && len(turns) > 0 && turns[len(turns)-1].answer == "":
			turns[len(turns)-1].answer = message
			unmarshal(t, message, &turns[len(turns)-1].answered)
		default:
			t.Fatalf("the worked exchange has the line %q", line)
		}
	}
	if len(turns) != 12 {
		t.Fatalf("the worked exchange has %d turns, want 12", len(turns))
	}
	return turns
}

func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "PROTOCOL.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func unmarshal(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// scripted is the system of the worked exchange, which expects its requests and gives
// its answers.
type scripted struct {
	turns []turn
	next  int
}

func (s *scripted) turn(do, event string) (answer, error) {
	if s.next == len(s.turns) {
		return answer{}, errors.New("the exchange is over")
	}
	now := s.turns[s.next]
	s.next++
	if now.asked.Do != do || now.asked.Event != event {
		return answer{}, fmt.Errorf("%s %s was asked instead of %v", do, event, now.asked)
	}
	return now.answered, nil
}

func (s *scripted) About() conformance.About {
	a, err := s.turn(doHello, "")
	if err != nil {
		panic(err)
	}
	return *a.About
}

func (s *scripted) Reset(context.Context) error {
	_, err := s.turn(doReset, "")
	return err
}

func (s *scripted) Apply(_ context.Context, event string) error {
	_, err := s.turn(doApply, event)
	return err
}

func (s *scripted) Submit(_ context.Context, event string) (conformance.Decision, error) {
	a, err := s.turn(doSubmit, event)
	if err != nil {
		return conformance.Decision{}, err
	}
	return *a.Decision, nil
}

func (s *scripted) Recorded(context.Context) (conformance.Record, error) {
	a, err := s.turn(doRecorded, "")
	if err != nil {
		return conformance.Record{}, err
	}
	return *a.Record, nil
}

// An adapter of Serve's, asked as in the document, answers to the letter.
func TestServeIsAsDocumented(t *testing.T) {
	t.Parallel()
	turns := workedExchange(t)
	var asked, want, got bytes.Buffer
	for _, turn := range turns {
		fmt.Fprintln(&asked, turn.request)
		fmt.Fprintln(&want, turn.answer)
	}
	if err := Serve(t.Context(), &asked, &got, &scripted{turns: turns}); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("it answered\n%s\nwant\n%s", &got, &want)
	}
}

// followScript is the other side of the document: an adapter that expects its requests
// to the letter.
func followScript(p peer) {
	var turns []struct{ Request, Answer string }
	if err := json.Unmarshal([]byte(p.detail), &turns); err != nil {
		panic(err)
	}
	for _, turn := range turns {
		if got := p.next(); got != turn.Request {
			fmt.Fprintf(os.Stderr, "asked %s\nwant  %s\n", got, turn.Request)
			os.Exit(4)
		}
		fmt.Println(turn.Answer)
	}
	p.next()
}

func TestProcessIsAsDocumented(t *testing.T) {
	t.Parallel()
	turns := workedExchange(t)
	script := make([]struct{ Request, Answer string }, len(turns))
	for i, turn := range turns {
		script[i].Request, script[i].Answer = turn.request, turn.answer
	}
	text, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "script", string(text))
	if got, want := p.About(), *turns[0].answered.About; !reflect.DeepEqual(got, want) {
		t.Errorf("about %+v, want %+v", got, want)
	}
	for _, turn := range turns[1:] {
		got := answer{ID: turn.asked.ID}
		var err error
		switch turn.asked.Do {
		case doReset:
			err = p.Reset(t.Context())
		case doApply:
			err = p.Apply(t.Context(), turn.asked.Event)
		case doSubmit:
			d, failed := p.Submit(t.Context(), turn.asked.Event)
			got.Decision, err = &d, failed
		case doRecorded:
			r, failed := p.Recorded(t.Context())
			got.Record, err = &r, failed
		}
		if err != nil || !reflect.DeepEqual(got, turn.answered) {
			t.Fatalf("%s: %+v, %v\n%s", turn.request, got, err, p.Stderr())
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// The table of messages shows the requests as they are sent.
func TestRequestsAreAsDocumented(t *testing.T) {
	t.Parallel()
	rows := regexp.MustCompile("(?m)^\\| `(\\{.*?\\})` \\| `").FindAllStringSubmatch(document(t), -1)
	if len(rows) != 5 {
		t.Fatalf("the table has %d requests, want 5", len(rows))
	}
	for _, row := range rows {
		var r request
		unmarshal(t, row[1], &r)
		line, err := encode(r)
		if got := strings.TrimSpace(string(line)); err != nil || got != row[1] {
			t.Errorf("%s is sent as %s, %v", row[1], got, err)
		}
		if read, err := parseRequest(line, r.ID); err != nil || read != r {
			t.Errorf("%s is read as %+v, %v", row[1], read, err)
		}
	}
	for _, name := range []string{protocol, fmt.Sprint(maxLabel) + " characters", "1,048,576 bytes"} {
		if !strings.Contains(document(t), name) {
			t.Errorf("PROTOCOL.md does not say %q", name)
		}
	}
}
