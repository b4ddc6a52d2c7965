package main

import (
	"context"

	"example.com/commitpoint"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
)

// A family is a protocol with published results.
type family struct {
	schema    string
	file      string // the results, below the module's root
	published func() []byte
	document  func(ctx context.Context, workers int) (any, error)
}

var families = []family{
	{
		schema:    results.Schema,
		file:      "results/results.json",
		published: results.Published,
		document: func(ctx context.Context, workers int) (any, error) {
			r, err := study.Compute(ctx, workers)
			return results.New(r, commitpoint.SourceDigest()), err
		},
	},
}

// theStudy is the family of the command without a subcommand.
var theStudy = families[0]

// canonical computes the family's results and returns their canonical JSON.
func (f family) canonical(ctx context.Context, workers int) ([]byte, error) {
	d, err := f.document(ctx, workers)
	if err != nil {
		return nil, err
	}
	return results.Encode(d)
}
