// Package results holds the figures as they are published: JSON documents, results.json
// of the study, contract.json of the whole contract, deadline.json of contracts with a
// deadline, harness.json of harness operations and episode.json of service episodes, that are
// checked in, embedded, and reproduced byte for byte. It embeds, encodes and compares what package study and those
// below it compute.
package results

import (
	_ "embed"
	"slices"
)

//go:embed results.json
var published []byte

//go:embed contract.json
var publishedContract []byte

// PublishedContract returns the checked-in contract.json.
func PublishedContract() []byte { return slices.Clone(publishedContract) }

//go:embed deadline.json
var publishedDeadline []byte

// PublishedDeadline returns the checked-in deadline.json.
func PublishedDeadline() []byte { return slices.Clone(publishedDeadline) }

//go:embed harness.json
var publishedHarness []byte

// PublishedHarness returns the checked-in harness.json.
func PublishedHarness() []byte { return slices.Clone(publishedHarness) }

//go:embed episode.json
var publishedEpisode []byte

// PublishedEpisode returns the checked-in episode.json.
func PublishedEpisode() []byte { return slices.Clone(publishedEpisode) }

// Published returns the checked-in results.json.
func Published() []byte { return slices.Clone(published) }
