package wire

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/commitpoint/conformance"
)

// Serve is an adapter: it reads requests from r, has s perform them and writes the
// answers to w, until r ends. It returns nil if r ended where a request could have begun
// and every request was answered.
//
// It stops at the first error and returns it: of r, of w, of s, of a request that the
// protocol does not have, and of ctx, which the calls of s get. Whoever asked is told,
// if it is known which request to answer. While it waits for a request it does not
// notice that ctx ends: close r.
//
// Serve does not close s. Nothing else may write to w meanwhile.
func Serve(ctx context.Context, r io.Reader, w io.Writer, s conformance.System) error {
	in := newLines(r)
	for id := uint64(1); ; id++ {
		line, err := in.next()
		switch {
		case err == io.EOF && len(line) == 0:
			return nil
		case err != nil:
			return fmt.Errorf("read request %d, which begins %s: %w", id, shown(line), err)
		}
		asked, err := parseRequest(line, id)
		if err != nil {
			err = fmt.Errorf("request %d is %s: %w", id, shown(line), err)
			refuse(w, asked.ID, err)
			return err
		}
		if err := answerTo(ctx, w, s, asked); err != nil {
			refuse(w, id, err)
			return err
		}
	}
}

// answerTo has s perform a request and writes the answer. The error is never empty.
func answerTo(ctx context.Context, w io.Writer, s conformance.System, r request) error {
	err := ctx.Err()
	a := answer{ID: r.ID}
	if err == nil {
		a, err = perform(ctx, s, r)
	}
	if err == nil {
		err = a.checkText()
	}
	if err == nil {
		err = write(w, a)
	}
	if err != nil {
		return fmt.Errorf("%v: %w", r, err)
	}
	return nil
}

func perform(ctx context.Context, s conformance.System, r request) (answer, error) {
	a := answer{ID: r.ID}
	switch r.Do {
	case doHello:
		about := s.About()
		a.Protocol, a.About = protocol, &about
		return a, nil
	case doReset:
		return a, s.Reset(ctx)
	case doApply:
		return a, s.Apply(ctx, r.Event)
	case doSubmit:
		d, err := s.Submit(ctx, r.Event)
		a.Decision = &d
		return a, err
	default: // parseRequest lets nothing else through
		record, err := s.Recorded(ctx)
		a.Record = &record
		return a, err
	}
}

func write(w io.Writer, a answer) error {
	line, err := encode(a.complete())
	if err != nil {
		return err
	}
	_, err = w.Write(line)
	return err
}

// refuse tells whoever asked that the adapter can't go on, and why, if that can be told:
// without an id there is nothing to answer, and the error to return is why in any case.
func refuse(w io.Writer, id uint64, why error) {
	if id != 0 {
		text := why.Error()
		_ = write(w, answer{ID: id, Error: text[:min(len(text), 4*maxShown)]})
	}
}

// parseRequest reads the request that should have this id. With an error it returns what
// could be read of it; hello asks in any version, to be told which one is spoken here.
func parseRequest(line []byte, id uint64) (request, error) {
	var r request
	o, err := parseObject(line)
	if err != nil {
		return r, err
	}
	if !decode(o["id"], &r.ID) || r.ID != id {
		return request{}, fmt.Errorf("id is not %d, and requests are counted from 1", id)
	}
	fields := []field{{"id", &r.ID, true}, {"do", &r.Do, true}}
	decode(o["do"], &r.Do)
	switch r.Do {
	case doHello:
		fields = append(fields, field{"protocol", &r.Protocol, true})
		if decode(o["protocol"], &r.Protocol) && r.Protocol != protocol {
			break
		}
		err = o.fill(fields...)
	case doApply, doSubmit:
		err = o.fill(append(fields, field{"event", &r.Event, true})...)
	case doReset, doRecorded:
		err = o.fill(fields...)
	default:
		err = fmt.Errorf("do is %s, expected hello, reset, apply, submit or recorded", shown(o["do"]))
	}
	if err == nil && (r.Do == doHello) != (id == 1) {
		err = errors.New("hello comes first, and once")
	}
	return r, err
}
