//go:build !linux

package session

import (
	"context"
	"fmt"
	"runtime"
)

// Enter returns: there are no sessions on this system.
func Enter() {}

// A Session can't be had on this system.
type Session struct{}

func unsupported() error {
	return fmt.Errorf("%w: sessions need Linux namespaces; this is %s", ErrUnsupported, runtime.GOOS)
}

// Start returns an error that matches ErrUnsupported, or says what is wrong with the
// options.
func Start(_ context.Context, o Options) (*Session, error) {
	if _, err := o.complete(); err != nil {
		return nil, fmt.Errorf("start a session: %w", err)
	}
	return nil, fmt.Errorf("start a session: %w", unsupported())
}

// Inventory returns an error that matches ErrUnsupported, and proves nothing.
func Inventory(context.Context, string) ([]Process, error) { return nil, unsupported() }

// Identity returns nobody's.
func (*Session) Identity() Identity { return Identity{} }

// Done returns nil.
func (*Session) Done() <-chan struct{} { return nil }

// Query returns an error that matches ErrUnsupported.
func (*Session) Query(context.Context) (Answer, error) { return Answer{}, unsupported() }

// Bind returns an error that matches ErrUnsupported.
func (*Session) Bind(context.Context) error { return unsupported() }

// Processes returns an error that matches ErrUnsupported.
func (*Session) Processes(context.Context) ([]Process, error) { return nil, unsupported() }

// Remove returns an error that matches ErrUnsupported.
func (*Session) Remove(context.Context, Identity) error { return unsupported() }
