package wire

import "testing"

// A round trip to an adapter that does nothing: one request, one answer.
func BenchmarkRoundTrip(b *testing.B) {
	p := start(b, "right", "")
	for b.Loop() {
		if err := p.Reset(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// What starting an adapter costs, hello and the end included.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if err := start(b, "right", "").Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeAnswer(b *testing.B) {
	line := []byte(`{"id":3,"accepted":true,"receipt":"completion 1"}`)
	for b.Loop() {
		if _, err := decodeAnswer(line, asked["submit"]); err != nil {
			b.Fatal(err)
		}
	}
}
