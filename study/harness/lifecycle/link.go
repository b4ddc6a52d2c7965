package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"example.com/commitpoint/harness/session"
)

// An outcome is what the one who asked for a cleanup may say of it.
type outcome string

// The outcomes. No acknowledgement is no outcome of its own: it is unknown.
const (
	removed outcome = "removed"
	refused outcome = "refused"
	unknown outcome = "UNKNOWN"
)

// An acknowledgement is what is answered to a request for a cleanup.
type acknowledgement struct {
	Outcome outcome `json:"outcome"`
	Text    string  `json:"text,omitempty"`
}

// A cut says where the link between the two breaks.
type cut int

const (
	intact        cut = iota
	beforeRemoval     // the request is lost: nothing happens
	afterRemoval      // the acknowledgement is lost: it has happened
)

// linkLimit bounds a removal, and how long a request waits for its acknowledgement.
const linkLimit = 30 * time.Second

// A reply is what the one who asked has in hands in the end.
type reply struct {
	ack  acknowledgement
	lost error // why there is no acknowledgement
}

// outcome returns what may be said. It can't tell a lost request from a lost answer.
func (r reply) outcome() outcome {
	if r.lost != nil {
		return unknown
	}
	switch o := r.ack.Outcome; o {
	case removed, refused:
		return o
	}
	return unknown
}

func (r reply) String() string {
	if r.lost != nil {
		return fmt.Sprintf("%s: no acknowledgement: %v", unknown, r.lost)
	}
	return fmt.Sprintf("%s: %s", r.outcome(), r.ack.Text)
}

// cleanup asks a controller, over a link, to remove a workload. It returns after the
// controller has come to its end, so that the effect of a request is there or never will be.
func cleanup(ctx context.Context, w workload, want session.Identity, at cut) (r reply) {
	ctx, cancel := context.WithTimeout(ctx, linkLimit)
	defer cancel()
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer theirs.Close()
		control(ctx, theirs, w, at)
	}()
	r.ack, r.lost = request(ours, want)
	ours.Close()
	<-done
	return r
}

// request sends the request and waits for the acknowledgement.
func request(link net.Conn, want session.Identity) (ack acknowledgement, err error) {
	if err := link.SetDeadline(time.Now().Add(linkLimit)); err != nil {
		return ack, err
	}
	if err := json.NewEncoder(link).Encode(want); err != nil {
		return ack, err
	}
	err = json.NewDecoder(link).Decode(&ack)
	return ack, err
}

// control takes one request from the link and carries it out. Where the link breaks is
// the only thing here that is simulated.
func control(ctx context.Context, link net.Conn, w workload, at cut) {
	var want session.Identity
	if json.NewDecoder(link).Decode(&want) != nil || at == beforeRemoval {
		return
	}
	ack := carryOut(ctx, w, want)
	if at == afterRemoval {
		return
	}
	_ = json.NewEncoder(link).Encode(ack) // who asked finds out that there is none
}

// carryOut removes a workload. A panic is no reason to be silent, nor to take the
// program along: it is unknown what it left.
func carryOut(ctx context.Context, w workload, want session.Identity) acknowledgement {
	err := guard(func() error { return w.Remove(ctx, want) })
	switch {
	case err == nil:
		return acknowledgement{Outcome: removed}
	case errors.Is(err, session.ErrRefused):
		return acknowledgement{refused, err.Error()}
	}
	return acknowledgement{unknown, err.Error()}
}

// guard makes an error of a panic.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}
