package enumerate

import (
	"context"
	"sync/atomic"
	"time"
	"unsafe"
)

// A meter watches the limits of a run, for all workers together.
type meter struct {
	opt      Options
	start    time.Time
	node     uint64 // bytes
	nodes    atomic.Uint64
	bytes    atomic.Int64
	progress Progress // as of the last finished layer
}

func newMeter[S any](opt Options) *meter {
	var s S
	return &meter{opt: opt, start: time.Now(), node: uint64(unsafe.Sizeof(s)) + 16}
}

// hold takes account of new nodes and of further bytes, and reports a limit that
// is reached or a context that has ended.
func (m *meter) hold(ctx context.Context, nodes, bytes uint64) error {
	if n := m.nodes.Add(nodes); n > m.opt.MaxNodes {
		return errNodes(m.opt.MaxNodes)
	}
	if b := m.bytes.Add(int64(nodes*m.node + bytes)); m.opt.MaxBytes > 0 && uint64(b) > m.opt.MaxBytes {
		return errBytes(m.opt.MaxBytes)
	}
	return context.Cause(ctx)
}

// release takes account of layers that are given up.
func (m *meter) release(nodes int) { m.free(uint64(nodes) * m.node) }

// free takes account of other bytes that are given up.
func (m *meter) free(bytes uint64) { m.bytes.Add(-int64(bytes)) }

// incomplete returns the error of a run that cause ended.
func (m *meter) incomplete(cause error, layers int) error {
	p := m.progress
	p.Layers, p.Elapsed = layers, time.Since(m.start)
	return &IncompleteError{Progress: p, Cause: cause}
}
