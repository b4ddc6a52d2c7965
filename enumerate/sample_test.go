package enumerate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"example.com/commitpoint/enumerate"
)

// whole observes the whole schedule, at its last event.
func whole(events int) enumerate.Observer[string, int, string] {
	return enumerate.Observe(func(_ string, _ int, after string) (string, bool) { return after, len(after) == 2*events })
}

// The schedules of 1 < 2 with 3 and 4 free, twelve in all, are drawn about as
// often as each other: within five standard deviations, for a fixed seed.
func TestSampleIsUniform(t *testing.T) {
	o, err := enumerate.NewOrder[int]().Chain("", 1, 2).Free("", 3, 4).Build()
	if err != nil {
		t.Fatal(err)
	}
	const samples = 60_000
	got, err := enumerate.Sample(t.Context(), o, tracer{}, whole(4), samples, 7, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Schedules.String() != "12" || len(got.Observed) != 12 || got.Samples != samples {
		t.Fatalf("%v schedules, %d different ones in %d samples", got.Schedules, len(got.Observed), got.Samples)
	}
	share := 1.0 / 12
	deviation := math.Sqrt(samples * share * (1 - share))
	covered := 0
	for _, f := range got.Observed {
		if math.Abs(float64(f.Samples)-samples*share) > 5*deviation {
			t.Errorf("schedule %s was drawn %d times, want about %d", f.Value, f.Samples, samples/12)
		}
		if f.Low < share && share < f.High {
			covered++
		}
	}
	if covered < 9 {
		t.Errorf("only %d of 12 intervals cover the true share", covered)
	}
	if got.Verdict() != enumerate.Incomplete {
		t.Errorf("the verdict on a sample is %v", got.Verdict())
	}
}

func TestSampleIsReproducible(t *testing.T) {
	o := free(t, 9)[0]
	draw := func(seed uint64) string {
		got, err := enumerate.Sample(t.Context(), o, mixer{3, 5, 31}, enumerate.Observe(look), 500, seed, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(got)
	}
	first, again, other := draw(1), draw(1), draw(2)
	if first != again || first == other {
		t.Error("a seed does not decide the sample")
	}
}

// The interval agrees with a published example: 2 of 10, Wilson (1927) at 95 %.
func TestWilson(t *testing.T) {
	o := free(t, 1)[0]
	calls := 0
	got, err := enumerate.Sample(t.Context(), o, mixer{1, 1, 2}, enumerate.Observe(func(uint16, int, uint16) (bool, bool) {
		calls++
		return true, calls <= 2
	}), 10, 1, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := got.Observed[0]
	if f.Samples != 2 || math.Abs(f.Low-0.0567) > 0.0001 || math.Abs(f.High-0.5098) > 0.0001 {
		t.Errorf("2 of 10: %+v, want 0.0567 to 0.5098", f)
	}
}

func TestSampleRefuses(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	o := free(t, 3)[0]
	_, err := enumerate.Sample(t.Context(), o, maze{mixer{1, 1, 2}, 5, 3}, enumerate.Observe(look), 5, 1, enumerate.Options{})
	if want := "sample: the machine blocks events, and its schedules are not those of the order; use Tally"; err == nil || err.Error() != want {
		t.Errorf("a guarded machine: %v, want %s", err, want)
	}
	_, err = enumerate.Sample(t.Context(), o, mixer{1, 1, 2}, enumerate.Observe(look), 0, 1, enumerate.Options{})
	if want := "sample: 0 schedules to draw; use 1 or more"; err == nil || err.Error() != want {
		t.Errorf("no samples: %v, want %s", err, want)
	}
	var incomplete *enumerate.IncompleteError
	if _, err = enumerate.Sample(cancelled, o, mixer{1, 1, 2}, enumerate.Observe(look), 5, 1, enumerate.Options{}); !errors.As(err, &incomplete) {
		t.Errorf("cancelled: %v, want an incomplete run", err)
	}
	if _, err = enumerate.Sample(t.Context(), free(t, 12)[0], mixer{1, 1, 2}, enumerate.Observe(look), 5, 1, enumerate.Options{MaxNodes: 100}); !errors.Is(err, enumerate.ErrLimit) {
		t.Errorf("more down-sets than nodes: %v, want a limit", err)
	}
}
