package watch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestHTTP(t *testing.T) {
	megabyte := strings.Repeat("x", maxBody)
	tests := []struct {
		name, reason string
		service      service
		expect       Expect
		want         string // "holds", "does not", or a part of the error
	}{
		{"ok", "200 is expected by default", status(200), Expect{}, "holds"},
		{"another success", "it is not what was asked for", status(204), Expect{}, "does not"},
		{"redirect", "it is an answer, and not followed", redirects, Expect{}, "does not"},
		{"expected redirect", "it is an answer", redirects, Expect{Status: 302}, "holds"},
		{"not found", "it can be read", status(404), Expect{}, "does not"},
		{"expected absence", "a deletion is seen so", status(404), Expect{Status: 404}, "holds"},
		{"last readable", "below 500 the service answers", status(499), Expect{}, "does not"},
		{"service fails", "it says nothing of the state", status(500), Expect{}, "the status is 500"},
		{"gateway fails", "nor does this", status(599), Expect{Status: 404}, "the status is 599"},
		{"expected failure", "who expects it can read it", status(503), Expect{Status: 503}, "holds"},
		{"another failure", "it is not the one expected", status(500), Expect{Status: 503}, "the status is 500"},
		{"dropped", "there is no answer", drops, Expect{}, "EOF"},
		{"body", "the text is anywhere in it", says(`{"size": 4096}`), Expect{Body: "4096"}, "holds"},
		{"another body", "it can be read", says(`{"size": 409}`), Expect{Body: "4096"}, "does not"},
		{"body of another status", "both have to be right", notFoundSaying("4096"), Expect{Body: "4096"}, "does not"},
		{"body of an expected status", "both are", notFoundSaying("gone"), Expect{Status: 404, Body: "gone"}, "holds"},
		{"body of a failure", "what a failure says is not read", status(500), Expect{Body: "4096"}, "the status is 500"},
		{"body breaks off", "what is missing may matter", breaksOff("4096"), Expect{Body: "4096"}, "read the body: unexpected EOF"},
		{"body breaks off, unread", "nobody asked for it", breaksOff("4096"), Expect{}, "holds"},
		{"body that does not end", "nobody waits for it", drips, Expect{}, "holds"},
		{"large body", "a MiB is read", says(megabyte[4:] + "4096"), Expect{Body: "4096"}, "holds"},
		{"large body without the text", "it was read to its end", says(megabyte), Expect{Body: "4096"}, "does not"},
		{"too large a body", "the text may come later", says(megabyte + "4096"), Expect{Body: "4096"}, "longer than 1 MiB"},
		{"text across the limit", "it was not read whole", says(megabyte[1:] + "4096"), Expect{Body: "4096"}, "longer than 1 MiB"},
		{"too large a body with the text", "what was read is enough", says("4096" + megabyte), Expect{Body: "4096"}, "holds"},
		{"method", "it is sent", hasMethod("HEAD"), Expect{Method: "HEAD"}, "holds"},
		{"no method", "it is GET", hasMethod("GET"), Expect{}, "holds"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				probe, err := HTTP(serve(t, tt.service), "http://service.test/file", tt.expect)
				if err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				for range 2 { // a probe is for many times
					checkProbe(t, tt.reason, probe, tt.want)
				}
				if took := time.Since(begin); took > 0 {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// checkProbe probes once.
func checkProbe(t *testing.T, reason string, probe Probe, want string) {
	t.Helper()
	holds, err := probe(t.Context())
	got := "does not"
	switch {
	case err != nil && holds:
		t.Errorf("%s: it holds, and an error: %v", reason, err)
	case err != nil && strings.Contains(err.Error(), want):
		got = want
	case err != nil:
		got = err.Error()
	case holds:
		got = "holds"
	}
	if got != want {
		t.Errorf("%s: got %q, want %q", reason, got, want)
	}
}

func redirects(w http.ResponseWriter, r *http.Request, _ time.Duration) {
	if r.URL.Path == "/file" {
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}
}

func notFoundSaying(body string) service {
	return func(w http.ResponseWriter, _ *http.Request, _ time.Duration) {
		http.Error(w, body, http.StatusNotFound)
	}
}

// breaksOff promises more of a body than it sends.
func breaksOff(body string) service {
	return func(w http.ResponseWriter, _ *http.Request, _ time.Duration) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, body)
	}
}

// drips sends a header and then a byte now and then.
func drips(w http.ResponseWriter, r *http.Request, _ time.Duration) {
	for r.Context().Err() == nil {
		fmt.Fprint(w, ".")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-time.After(s):
		case <-r.Context().Done():
		}
	}
}

func hasMethod(method string) service {
	return func(w http.ResponseWriter, r *http.Request, _ time.Duration) {
		if r.Method != method {
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}
}

// A body has to come in time, as its header has to.
func TestBodyIsUnderTheTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		probe, err := HTTP(serve(t, drips), "http://service.test/", Expect{Body: "!"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*s)
		defer cancel()
		begin := time.Now()
		if _, err := probe(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want the time limit's", err)
		}
		if took := time.Since(begin); took != 5*s {
			t.Errorf("it took %v, want 5s", took)
		}
	})
}

// Errors are printed line by line, and a URL may hold a password.
func TestErrorHasNoURL(t *testing.T) {
	refused := errors.New("connection refused")
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, refused },
	}}
	probe, err := HTTP(client, "http://me:secret@service.test/", Expect{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := probe(t.Context()); err == nil || err.Error() != "connection refused" {
		t.Errorf("error %v", err)
	}
	if client.CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
}

func TestHTTPThatCannotBeAsked(t *testing.T) {
	for _, tt := range []struct{ name, url, method, want string }{
		{"no URL", "", "", `probe "": use a URL that begins with http`},
		{"no scheme", "localhost:8080/x", "", "use a URL that begins with http"},
		{"another scheme", "ftp://service.test/", "", "use a URL that begins with http"},
		{"no host", "http:///x", "", "and a host"},
		{"no URL at all", "http://service.test/%zz", "", "invalid URL escape"},
		{"no method", "http://service.test/", "GET IT", "invalid method"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			probe, err := HTTP(nil, tt.url, Expect{Method: tt.method})
			if err == nil || probe != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}
