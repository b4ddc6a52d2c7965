package recordings

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"testing"
	"time"
)

// The recorded placements if they are there, and otherwise as many of our own making.
func benchTrials(b *testing.B) (all []Recording) {
	if dir := os.Getenv("COMMITPOINT_RECORDINGS"); dir != "" {
		return read(b, dir+"/placement-trials")
	}
	lines, _ := write(b, makeTrials(112))
	return read(b, lines)
}

// BenchmarkRescore is scoring 112 trials at 35 deadlines, everything at each of them: it is
// to take 50 ms at most.
func BenchmarkRescore(b *testing.B) {
	trials := benchTrials(b)
	if len(trials) != 112 {
		b.Fatalf("%d trials, want 112", len(trials))
	}
	late := seconds(10, 20, 25, 30, 35, 40)
	b.ReportAllocs()
	for b.Loop() {
		for at := range 35 {
			s := NewScorer(Options{Deadline: time.Duration(at+10) * time.Second, Late: late})
			for _, r := range trials {
				s.Add(r)
			}
			if r := s.Result(); len(r.Populations) == 0 {
				b.Fatal("nothing was scored")
			}
		}
	}
}

// rows is an endless file of one trial a line, each with an id of its own: a good file is
// larger than memory.
type rows struct {
	before, after []byte // of the id
	id, left      int
	line          bytes.Buffer
}

func newRows(t testing.TB, n int) *rows {
	parts := bytes.SplitN(makeTrials(1)[0].condensed(t), []byte("ours-000000"), 2)
	return &rows{before: parts[0], after: parts[1], left: n}
}

func (r *rows) Read(p []byte) (int, error) {
	if r.line.Len() == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left--
		r.id++
		r.line.Reset()
		fmt.Fprintf(&r.line, "%sours-%06d%s\n", r.before, r.id, r.after)
	}
	return r.line.Read(p)
}

// streamed scores so many trials and returns the memory that they retain.
func streamed(t testing.TB, n int) (bytes, retained uint64) {
	t.Helper()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	source, s := newRows(t, n), NewScorer(Options{Late: seconds(10, 30)})
	r := reader{seen: make(map[string]place), yield: func(r Recording, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(r)
		return true
	}}
	before := heap()
	if err := r.read("rows.jsonl", source); err != nil {
		t.Fatal(err)
	}
	after := heap()
	if got := s.Result().Populations[0].Trials; got != n || len(r.seen) != n {
		t.Fatalf("%d trials, want %d", got, n)
	}
	return uint64(n) * uint64(len(source.before)+len(source.after)+len("ours-000000\n")), max(after, before) - before
}

// What stays of a trial is its id, and where it came from.
func TestStreams(t *testing.T) {
	const n = 20000
	size, retained := streamed(t, n)
	if perTrial := retained / n; perTrial > 200 {
		t.Errorf("%d bytes stay of each trial of %d", perTrial, size/n)
	}
}

// BenchmarkStream is reading and scoring trials of a file, one by one.
func BenchmarkStream(b *testing.B) {
	size, retained := streamed(b, b.N)
	b.SetBytes(int64(size) / int64(b.N))
	b.ReportMetric(float64(retained)/float64(b.N), "retained-B/op")
}

// BenchmarkReadOriginal is reading one trial as the replication package has them.
func BenchmarkReadOriginal(b *testing.B) {
	text := makeTrials(1)[0].original(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := reader{seen: make(map[string]place), yield: func(_ Recording, err error) bool { return err == nil }}
		if err := r.read("trial.json", bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
