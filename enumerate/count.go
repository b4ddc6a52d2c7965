package enumerate

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
)

// ErrOverflow is the error of a count that does not fit in 128 bits. It is never
// wrapped around and never rounded.
var ErrOverflow = errors.New("the count does not fit in 128 bits")

// A Count is an exact number from 0 to 2¹²⁸ - 1. The zero value is 0.
type Count struct{ hi, lo uint64 }

// NewCount returns n as a Count.
func NewCount(n uint64) Count { return Count{lo: n} }

// Plus returns c + d, or ErrOverflow.
func (c Count) Plus(d Count) (Count, error) {
	lo, carry := bits.Add64(c.lo, d.lo, 0)
	hi, carry := bits.Add64(c.hi, d.hi, carry)
	if carry != 0 {
		return Count{}, ErrOverflow
	}
	return Count{hi, lo}, nil
}

// Times returns c × d, or ErrOverflow.
func (c Count) Times(d Count) (Count, error) {
	if c.hi != 0 && d.hi != 0 {
		return Count{}, ErrOverflow
	}
	hi, lo := bits.Mul64(c.lo, d.lo)
	over, cross := bits.Mul64(c.hi, d.lo)
	over2, cross2 := bits.Mul64(c.lo, d.hi)
	hi, carry := bits.Add64(hi, cross, 0)
	hi, carry2 := bits.Add64(hi, cross2, 0)
	if over|over2|carry|carry2 != 0 {
		return Count{}, ErrOverflow
	}
	return Count{hi, lo}, nil
}

// minus returns c - d, which must not be negative.
func (c Count) minus(d Count) Count {
	lo, borrow := bits.Sub64(c.lo, d.lo, 0)
	hi, _ := bits.Sub64(c.hi, d.hi, borrow)
	return Count{hi, lo}
}

// Cmp returns a negative number, zero or a positive number as c is less than,
// equal to or greater than d.
func (c Count) Cmp(d Count) int {
	switch {
	case c == d:
		return 0
	case c.hi < d.hi || c.hi == d.hi && c.lo < d.lo:
		return -1
	}
	return 1
}

// Big returns c as a big.Int.
func (c Count) Big() *big.Int {
	n := new(big.Int).SetUint64(c.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(c.lo))
}

// String returns c in decimal.
func (c Count) String() string { return c.Big().String() }

// MarshalText returns c in decimal, so that JSON has it as a string: numbers
// above 2⁵³ lose digits in many readers.
func (c Count) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a count as MarshalText writes it.
func (c *Count) UnmarshalText(text []byte) error {
	n, ok := new(big.Int).SetString(string(text), 10)
	if !ok || n.BitLen() > 128 || n.String() != string(text) || n.Sign() < 0 {
		return fmt.Errorf("%q is not a count: write a decimal number below 2^128", text)
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1))
	*c = Count{new(big.Int).Rsh(n, 64).Uint64(), low.Uint64()}
	return nil
}
