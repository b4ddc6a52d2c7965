package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/enumerate"
)

func TestProgressLine(t *testing.T) {
	p := enumerate.Progress{Layer: 3, Layers: 16, Nodes: 40, Edges: 200, Elapsed: time.Second}
	var pipe bytes.Buffer
	silent := newProgressLine(&pipe)
	silent.last = time.Time{} // long ago
	silent.show(p)
	silent.clear()
	if pipe.Len() > 0 {
		t.Errorf("a pipe gets %q", &pipe)
	}

	var screen bytes.Buffer
	line := &progressLine{terminal: &screen}
	line.show(p)
	line.show(p) // too soon
	line.clear()
	if got := screen.String(); strings.Count(got, "3 of 16 events, 40 nodes, 200 edges, 0.0 million edges/s") != 1 || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("a terminal gets %q", got)
	}
}
