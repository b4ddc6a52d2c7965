package watch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	mechanisms "example.com/commitpoint/mechanisms/deadline"
	"example.com/commitpoint/model/deadline"
)

// A service answers a request that comes so long after the start.
type service func(w http.ResponseWriter, r *http.Request, at time.Duration)

// answers returns a service that is converged when the predicate holds.
func answers(holds func(at time.Duration) bool) service {
	return func(w http.ResponseWriter, _ *http.Request, at time.Duration) {
		if !holds(at) {
			w.WriteHeader(http.StatusNotFound)
		}
	}
}

func from(t time.Duration) service {
	return answers(func(at time.Duration) bool { return at >= t })
}

func between(a, b time.Duration) service {
	return answers(func(at time.Duration) bool { return a <= at && at < b })
}

func never() service { return answers(func(time.Duration) bool { return false }) }

func status(code int) service {
	return func(w http.ResponseWriter, _ *http.Request, _ time.Duration) { w.WriteHeader(code) }
}

func says(body string) service {
	return func(w http.ResponseWriter, _ *http.Request, _ time.Duration) { fmt.Fprint(w, body) }
}

// drops closes the connection without an answer.
func drops(http.ResponseWriter, *http.Request, time.Duration) { panic(http.ErrAbortHandler) }

// hangs until the connection is closed.
func hangs(_ http.ResponseWriter, r *http.Request, _ time.Duration) { <-r.Context().Done() }

// then returns a service that is another from a time on.
func (s service) then(from time.Duration, other service) service {
	return func(w http.ResponseWriter, r *http.Request, at time.Duration) {
		if at >= from {
			other(w, r, at)
			return
		}
		s(w, r, at)
	}
}

// slow returns a service that looks at once and answers after a while.
func (s service) slow(by time.Duration) service {
	return func(w http.ResponseWriter, r *http.Request, at time.Duration) {
		select {
		case <-time.After(by):
			s(w, r, at)
		case <-r.Context().Done():
		}
	}
}

// pipes is a listener and what dials it, without a network.
type pipes struct {
	dialed chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialed:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }

func (p pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.dialed <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve starts a service on connections in memory, whose start is now, and returns a client.
func serve(t *testing.T, s service) *http.Client {
	t.Helper()
	p := pipes{make(chan net.Conn), make(chan struct{})}
	start := time.Now()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s(w, r, time.Since(start))
	})}
	ended := make(chan error)
	go func() { ended <- server.Serve(p) }()
	transport := &http.Transport{DialContext: p.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return &http.Client{Transport: transport}
}

// log writes samples as a line: the time of the answer, and + if the predicate held, - if
// it did not, or ! if that could not be read; and then, of skipped points, ~ and how many.
func log(samples []Sample) string {
	var words []string
	for _, s := range samples {
		word := s.At.String()
		switch {
		case !s.Readable:
			word += "!"
		case s.Holds:
			word += "+"
		default:
			word += "-"
		}
		if s.Skipped > 0 {
			word += fmt.Sprint("~", s.Skipped)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// checkResult fails a test if a result is not what the samples come to.
func checkResult(t *testing.T, r Result, samples []Sample, limit time.Duration) {
	t.Helper()
	want := Result{Observations: len(samples)}
	trial := deadline.Trial{Deadline: limit}
	for _, s := range samples {
		trial.Observations = append(trial.Observations, s.Observation)
		want.Skipped += s.Skipped
		if !s.Readable {
			want.Unreadable++
		}
		if s.Holds && !want.Satisfied {
			want.Satisfied, want.First = true, s.At
		}
		if s.Readable != (s.Err == nil) || s.Holds && !s.Readable || s.Begun > s.At {
			t.Errorf("a sample that makes no sense: %+v", s)
		}
	}
	if want.Verdict, want.Mode = mechanisms.Verify(&trial); r != want {
		t.Errorf("result %+v, but the samples come to %+v", r, want)
	}
}
