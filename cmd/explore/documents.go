package main

import (
	"context"

	"example.com/commitpoint"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contract"
	"example.com/commitpoint/study/deadline"
	"example.com/commitpoint/study/episode"
	"example.com/commitpoint/study/harness"
)

// A published is a file of results with the command that checks and writes it.
type published struct {
	command  string
	schema   string
	file     string // below the module's root
	data     func() []byte
	document func(ctx context.Context, workers int) (any, error)
}

// documents are all that is published, the study's first.
var documents = []published{
	{
		"explore", results.Schema, "results/results.json", results.Published,
		func(ctx context.Context, workers int) (any, error) {
			r, err := study.Compute(ctx, workers)
			return results.New(r, commitpoint.SourceDigest()), err
		},
	},
	{
		"explore contract", contract.Schema, "results/contract.json", results.PublishedContract,
		func(ctx context.Context, workers int) (any, error) {
			return contract.Compute(ctx, enumerate.Options{Workers: workers})
		},
	},
	{
		"explore deadline", deadline.Schema, "results/deadline.json", results.PublishedDeadline,
		func(ctx context.Context, workers int) (any, error) {
			return deadline.Compute(ctx, enumerate.Options{Workers: workers})
		},
	},
	{
		"explore harness", harness.Schema, "results/harness.json", results.PublishedHarness,
		func(ctx context.Context, workers int) (any, error) {
			return harness.Compute(ctx, enumerate.Options{Workers: workers})
		},
	},
	{
		"explore episode", episode.Schema, "results/episode.json", results.PublishedEpisode,
		func(ctx context.Context, workers int) (any, error) {
			return episode.Compute(ctx, enumerate.Options{Workers: workers})
		},
	},
}

// documentOf returns the results that a command publishes.
func documentOf(command string) published {
	for _, p := range documents {
		if p.command == command {
			return p
		}
	}
	panic("the command " + command + " publishes nothing")
}

// canonical computes the results and returns their canonical JSON.
func (p published) canonical(ctx context.Context, workers int) ([]byte, error) {
	d, err := p.document(ctx, workers)
	if err != nil {
		return nil, err
	}
	return results.Encode(d)
}
