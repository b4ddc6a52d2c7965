package wire

import (
	"bytes"
	"strings"
	"sync"
)

// maxTail is how much of an adapter's standard error is kept, in bytes.
const maxTail = 8 << 10

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool // something before what is kept was dropped
}

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, text...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
		t.cut = true
	}
	return len(text), nil
}

// String returns the last whole lines, or the end of the last line if it is all that
// there is room for. What is not UTF-8 is replaced.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	if t.cut {
		if _, after, found := bytes.Cut(kept, []byte("\n")); found && len(after) > 0 {
			kept = after
		}
	}
	return strings.ToValidUTF8(string(kept), "\uFFFD")
}
