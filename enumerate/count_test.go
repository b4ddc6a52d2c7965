package enumerate_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"example.com/commitpoint/enumerate"
)

// drawCount draws counts of all sizes, through their text.
func drawCount(t *rapid.T, label string) (enumerate.Count, *big.Int) {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(rapid.Uint64().Draw(t, label)), uint(rapid.IntRange(0, 64).Draw(t, label+" shift")))
	n.Add(n, big.NewInt(int64(rapid.IntRange(0, 2).Draw(t, label+" low"))))
	var c enumerate.Count
	if err := c.UnmarshalText([]byte(n.String())); err != nil {
		t.Fatal(err)
	}
	return c, n
}

func TestCountAgreesWithBigIntegers(t *testing.T) {
	overflows := 0
	rapid.Check(t, func(t *rapid.T) {
		a, x := drawCount(t, "a")
		b, y := drawCount(t, "b")
		if a.String() != x.String() || a.Big().Cmp(x) != 0 || a.Cmp(b) != x.Cmp(y) {
			t.Fatalf("%v and %v: %v, %v, compared %d", x, y, a, b, a.Cmp(b))
		}
		for name, op := range map[string]struct {
			got  func(enumerate.Count) (enumerate.Count, error)
			want *big.Int
		}{
			"plus":  {a.Plus, new(big.Int).Add(x, y)},
			"times": {a.Times, new(big.Int).Mul(x, y)},
		} {
			got, err := op.got(b)
			if op.want.BitLen() > 128 {
				overflows++
				if !errors.Is(err, enumerate.ErrOverflow) || got != (enumerate.Count{}) {
					t.Fatalf("%v %s %v = %v, %v; want an overflow", x, name, y, got, err)
				}
			} else if err != nil || got.Big().Cmp(op.want) != 0 {
				t.Fatalf("%v %s %v = %v, %v; want %v", x, name, y, got, err, op.want)
			}
		}
	})
	if overflows == 0 {
		t.Error("nothing overflowed")
	}
}

func TestCountText(t *testing.T) {
	largest := "340282366920938463463374607431768211455"
	var c enumerate.Count
	if err := c.UnmarshalText([]byte(largest)); err != nil || c.String() != largest {
		t.Errorf("2^128-1 reads as %v, %v", c, err)
	}
	if _, err := c.Plus(enumerate.NewCount(1)); !errors.Is(err, enumerate.ErrOverflow) {
		t.Errorf("2^128-1 plus 1: %v", err)
	}
	for _, text := range []string{"", "-1", "1.5", "1e3", "0x10", "+5", "-0", "007", "340282366920938463463374607431768211456"} {
		if err := c.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %v", text, c)
		}
	}
	if data, err := json.Marshal(enumerate.NewCount(7)); err != nil || string(data) != `"7"` {
		t.Errorf("JSON of 7 = %s, %v; want a string", data, err)
	}
}
