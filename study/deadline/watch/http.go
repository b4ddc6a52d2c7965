package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// maxBody is how much of a body is read.
const maxBody = 1 << 20

// Expect says what is asked of an endpoint, and which answer satisfies.
type Expect struct {
	Method string // empty is GET
	Status int    // zero is 200
	Body   string // the body also has to contain it; the body is not read if it is empty
}

// HTTP returns a probe of an endpoint; a nil client is http.DefaultClient. It refuses a
// URL or a method that can't be asked for. Redirects are not followed: they are answers.
//
//   - The expected status and body: the predicate holds.
//   - Another status below 500, or the expected status and another body: it does not.
//   - Another status from 500 on, no answer, a body that breaks off, or one that does not
//     contain what is expected in its first MiB and is longer: the probe failed.
func HTTP(client *http.Client, endpoint string, expect Expect) (Probe, error) {
	if expect.Status == 0 {
		expect.Status = http.StatusOK
	}
	request, err := http.NewRequest(expect.Method, endpoint, nil)
	if err != nil {
		return nil, fmt.Errorf("probe %q: %w", endpoint, plain(err))
	}
	if u := request.URL; u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("probe %q: use a URL that begins with http:// or https:// and a host", endpoint)
	}
	if client == nil {
		client = http.DefaultClient
	}
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return func(ctx context.Context) (bool, error) {
		response, err := direct.Do(request.Clone(ctx))
		if err != nil {
			return false, plain(err)
		}
		defer response.Body.Close()
		return expect.satisfied(response)
	}, nil
}

// satisfied reports whether a response is as expected.
func (e Expect) satisfied(r *http.Response) (bool, error) {
	switch {
	case r.StatusCode != e.Status && r.StatusCode >= 500:
		return false, fmt.Errorf("the status is %d", r.StatusCode)
	case r.StatusCode != e.Status:
		return false, nil
	case e.Body == "":
		return true, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return false, fmt.Errorf("read the body: %w", err)
	}
	found := bytes.Contains(body, []byte(e.Body))
	if !found && len(body) > maxBody {
		return false, errors.New("the body is longer than 1 MiB, and what is expected is not in its first MiB")
	}
	return found, nil
}

// plain returns the part of an error that does not repeat the URL, which may hold a
// password.
func plain(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
