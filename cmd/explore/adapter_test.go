package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/conformance/wire"
	"example.com/commitpoint/internal/wrapped"
	"example.com/commitpoint/mechanisms"
	contract "example.com/commitpoint/mechanisms/contract"
)

// adapter is a program for the scripts: an adapter of a mechanism, which goes wrong in the
// way that its second argument says.
//
//	adapter MECHANISM [WRONG]
//	adapter contract/MECHANISM
func adapter() {
	open, err := adapted(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	system, err := open()
	if err == nil {
		err = wire.Serve(context.Background(), os.Stdin, os.Stdout, broken{system, append(os.Args, "")[2]})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "adapter:", err)
		os.Exit(1)
	}
}

func adapted(name string) (func() (conformance.System, error), error) {
	if family := "contract/"; len(name) > len(family) && name[:len(family)] == family {
		m, err := contract.Named(name[len(family):])
		return wrapped.Contract(m), err
	}
	m, err := mechanisms.Named(name)
	return wrapped.Study(m), err
}

// A broken system goes wrong when the grant is revoked.
type broken struct {
	conformance.System
	how string
}

func (f broken) Apply(ctx context.Context, event string) error {
	if event != "revoke" {
		return f.System.Apply(ctx, event)
	}
	switch f.how {
	case "errs":
		return fmt.Errorf("no connection to the database")
	case "exits":
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(7)
	case "hangs":
		time.Sleep(time.Hour)
	case "babbles":
		fmt.Println("revoking …")
	}
	return f.System.Apply(ctx, event)
}
