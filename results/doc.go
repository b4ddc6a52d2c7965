// Package results holds the study's figures as they are published: a JSON
// document, results.json, that is checked in, embedded, and reproduced byte for
// byte. It embeds, encodes and compares what package study computes.
package results

import (
	_ "embed"
	"slices"
)

//go:embed results.json
var published []byte

// Published returns the checked-in results.json.
func Published() []byte { return slices.Clone(published) }
