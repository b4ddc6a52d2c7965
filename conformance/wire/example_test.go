package wire_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/conformance/wire"
)

// A service that accepts every completion, and can do nothing else.
type service struct{ receipts []string }

func (*service) About() conformance.About {
	return conformance.About{Name: "credulous", Events: []string{"commit"}}
}

func (s *service) Reset(context.Context) error {
	s.receipts = nil
	return nil
}

func (*service) Apply(_ context.Context, event string) error {
	return fmt.Errorf("there is no event %q here", event)
}

func (s *service) Submit(context.Context, string) (conformance.Decision, error) {
	s.receipts = append(s.receipts, fmt.Sprintf("completion %d", len(s.receipts)+1))
	return conformance.Decision{Accepted: true, Receipt: s.receipts[len(s.receipts)-1]}, nil
}

func (s *service) Recorded(context.Context) (conformance.Record, error) {
	return conformance.Record{Receipts: s.receipts}, nil
}

// The main function of an adapter has os.Stdin where this example has a text.
func ExampleServe() {
	requests := strings.NewReader(`{"id":1,"do":"hello","protocol":"commitpoint/conformance/v1"}
{"id":2,"do":"reset"}
{"id":3,"do":"submit","event":"commit"}
{"id":4,"do":"recorded"}
`)
	if err := wire.Serve(context.Background(), requests, os.Stdout, &service{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// Output:
	// {"id":1,"protocol":"commitpoint/conformance/v1","name":"credulous","events":["commit"]}
	// {"id":2}
	// {"id":3,"accepted":true,"receipt":"completion 1"}
	// {"id":4,"receipts":["completion 1"]}
}
