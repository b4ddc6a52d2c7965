package adapter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/commitpoint/harness"
)

func TestRegister(t *testing.T) {
	nothing := func(Value) (r harness.Receipt) { return r }
	tests := []struct {
		name, why, adapter string
		read               Adapter
		want               string
		names              []string
	}{
		{"own", "it is new", "own", nothing, "", []string{"fixture-a", "fixture-b", "own"}},
		{"own again", "the name is taken", "own", nothing, `register adapter "own": the name is taken; use another one`, []string{"fixture-a", "fixture-b", "own"}},
		{"a fixture", "the name is taken", FixtureA, nothing, `the name is taken`, []string{"fixture-a", "fixture-b", "own"}},
		{"no name", "it cannot be asked for", "", nothing, "it has no name; give it one", []string{"fixture-a", "fixture-b", "own"}},
		{"nil", "it reads nothing", "none", nil, `register adapter "none": it is nil; pass a function`, []string{"fixture-a", "fixture-b", "own"}},
		{"before others", "names are sorted", "earlier", nothing, "", []string{"earlier", "fixture-a", "fixture-b", "own"}},
	}
	r := Fixtures()
	for _, tt := range tests {
		err := r.Register(tt.adapter, tt.read)
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q: %s", tt.name, err, tt.want, tt.why)
		}
		if got := r.Names(); !slices.Equal(got, tt.names) {
			t.Errorf("%s: the names are %q", tt.name, got)
		}
	}
	if _, err := r.Normalize(FixtureA, encode(t, payloadA(done))); err != nil {
		t.Errorf("the fixture was replaced: %v", err)
	}
	if got := Fixtures().Names(); !slices.Equal(got, []string{FixtureA, FixtureB}) {
		t.Errorf("another registry has %q, too", got)
	}
	var empty Registry
	if _, err := empty.Normalize(FixtureA, nil); err == nil || !strings.Contains(err.Error(), "register it, or use one of []") {
		t.Errorf("an empty registry: %v", err)
	}
}

// An adapter's own times become comparable, too.
func TestTimesAreCanonical(t *testing.T) {
	read := time.Now()
	east := read.In(time.FixedZone("", 3600))
	var r Registry
	r.Register("east", func(v Value) harness.Receipt {
		v.Ignore()
		return harness.Receipt{Retained: true, Now: east, Lease: harness.Lease{Approved: east, PriorExpiry: east, Expiry: east}}
	})
	got, err := r.Normalize("east", []byte("0"))
	at := read.Round(0).UTC()
	want := harness.Receipt{Retained: true, Now: at, Lease: harness.Lease{Approved: at, PriorExpiry: at, Expiry: at}}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestNormalizeConcurrently(t *testing.T) {
	r, payload := Fixtures(), encode(t, payloadA(kept))
	was := bytes.Clone(payload)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if got, err := r.Normalize(FixtureA, payload); err != nil || got != kept {
					t.Errorf("%+v, %v", got, err)
				}
			}
		})
	}
	group.Wait()
	if !bytes.Equal(payload, was) {
		t.Error("the payload was changed")
	}
}

func FuzzNormalize(f *testing.F) {
	for _, shape := range fixtures {
		for _, r := range []harness.Receipt{done, kept} {
			f.Add(shape.name, encode(f, shape.write(r)))
			f.Add(shape.name, append(encode(f, shape.write(r)), '1'))
		}
	}
	for _, text := range []string{"", "null", "[]", `{"outcome": []}`, `{"outcome": {"status": "\ud800"}}`, `{"a": 1, "a": 2}`, `{"":{"":[[[]]]}}`, "{\"\xff\": 1e999}"} {
		f.Add(FixtureA, []byte(text))
		f.Add("fixture-c", []byte(text))
	}
	f.Fuzz(func(t *testing.T, adapter string, payload []byte) {
		got, err := Fixtures().Normalize(adapter, payload)
		if err != nil {
			text := err.Error()
			start := fmt.Sprintf("adapter %.40q: ", adapter)
			rest, ok := strings.CutPrefix(text, start)
			if !ok || got != (harness.Receipt{}) {
				t.Fatalf("%q does not start with %q, or is beside the receipt %+v", text, start, got)
			}
			named := strings.HasPrefix(rest, "$") || strings.Contains(rest, "payload") || strings.HasPrefix(rest, "unknown")
			if !named || !strings.Contains(rest, "; ") || strings.Contains(text, "\n") {
				t.Fatalf("%q does not name a path and a remedy on one line", text)
			}
			return
		}
		// The facts of an accepted payload can be written in both shapes.
		for _, shape := range fixtures {
			again, err := Fixtures().Normalize(shape.name, encode(t, shape.write(got)))
			if err != nil || again != got {
				t.Fatalf("%s: %+v, %v, want %+v", shape.name, again, err, got)
			}
		}
		harness.Classify(got)
	})
}
