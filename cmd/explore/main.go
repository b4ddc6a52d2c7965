// Explore prints and reproduces the results of the completion study.
//
// See 'explore --help', and the README for what the figures mean.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/commitpoint/harness/session"
)

func main() {
	session.Enter() // if this is a session's process that explore harness started

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
