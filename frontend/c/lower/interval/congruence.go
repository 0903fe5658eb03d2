package interval

import (
	"math/big"

	"hornbeam/frontend/c/machine"
)

// Congruence is the set of integers congruent to Remainder modulo Modulus, with 0 <= Remainder < Modulus and Modulus at least 2. If Modulus
// is 0 it is the one number Remainder; the zero Congruence is all integers. It is Granger's domain.
type Congruence struct{ Modulus, Remainder *big.Int }

// congruent returns the congruence of any remainder and a modulus that is not negative.
func congruent(step, rest *big.Int) Congruence {
	switch {
	case step.Sign() == 0:
		return Congruence{step, rest}
	case step.Cmp(one) == 0:
		return Congruence{}
	}
	return Congruence{step, new(big.Int).Mod(rest, step)}
}

// Known reports whether c is not all integers.
func (c Congruence) Known() bool { return c.Modulus != nil }

// parts returns modulus and remainder; those of all integers are 1 and 0.
func (c Congruence) parts() (step, rest *big.Int) {
	if c.Modulus == nil {
		return one, zero
	}
	return c.Modulus, c.Remainder
}

func (c Congruence) equal(d Congruence) bool {
	if c.Modulus == nil || d.Modulus == nil {
		return c.Modulus == d.Modulus
	}
	m, r := c.parts()
	n, s := d.parts()
	return m.Cmp(n) == 0 && r.Cmp(s) == 0
}

// Has reports whether n is in c.
func (c Congruence) Has(n *big.Int) bool {
	if c.Modulus == nil {
		return true
	}
	step, rest := c.parts()
	if step.Sign() == 0 {
		return n.Cmp(rest) == 0
	}
	return new(big.Int).Mod(new(big.Int).Sub(n, rest), step).Sign() == 0
}

func gcd(ns ...*big.Int) *big.Int {
	g := new(big.Int)
	for _, n := range ns {
		g.GCD(nil, nil, g, new(big.Int).Abs(n))
	}
	return g
}

// join returns the least congruence that contains both.
func (c Congruence) join(d Congruence) Congruence {
	if c.Modulus == nil || d.Modulus == nil {
		return Congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(m, n, new(big.Int).Sub(r, s)), r)
}

// meet returns a congruence that contains the intersection: the one with the larger modulus. It reports false if that is empty.
func (c Congruence) meet(d Congruence) (Congruence, bool) {
	switch {
	case c.Modulus == nil:
		return d, true
	case d.Modulus == nil:
		return c, true
	}
	m, r := c.parts()
	n, s := d.parts()
	g := gcd(m, n)
	difference := new(big.Int).Sub(r, s)
	if g.Sign() == 0 && difference.Sign() != 0 || g.Sign() > 0 && difference.Mod(difference, g).Sign() != 0 {
		return Congruence{}, false
	}
	if m.Sign() == 0 || n.Sign() > 0 && m.Cmp(n) >= 0 {
		return c, true
	}
	return d, true
}

func (c Congruence) add(d Congruence) Congruence {
	if c.Modulus == nil || d.Modulus == nil {
		return Congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(m, n), new(big.Int).Add(r, s))
}

func (c Congruence) negate() Congruence {
	if c.Modulus == nil {
		return c
	}
	return congruent(c.Modulus, new(big.Int).Neg(c.Remainder))
}

// mul returns the congruence of products: (m i + r) (n j + s) is r s up to multiples of m n, m s and n r.
func (c Congruence) mul(d Congruence) Congruence {
	if c.Modulus == nil && d.Modulus == nil {
		return Congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(new(big.Int).Mul(m, n), new(big.Int).Mul(m, s), new(big.Int).Mul(n, r)), new(big.Int).Mul(r, s))
}

// Modulo returns the congruence after multiples of n are added, by wrap-around or by taking a remainder.
func (c Congruence) Modulo(n *big.Int) Congruence {
	if c.Modulus == nil {
		return c
	}
	return congruent(gcd(c.Modulus, n), c.Remainder)
}

// Floor returns the congruence of quotients by a positive n, rounded down; it is known if n divides the modulus.
func (c Congruence) Floor(n *big.Int) Congruence {
	m, r := c.parts()
	if new(big.Int).Mod(m, n).Sign() != 0 {
		return Congruence{}
	}
	// The Euclidean quotient by what is positive is the floor.
	return congruent(new(big.Int).Div(m, n), new(big.Int).Div(r, n))
}

// Low returns how many of the lowest bits are the same in all numbers, up to most.
func (c Congruence) Low(most int) int {
	m, _ := c.parts()
	if m.Sign() == 0 {
		return most
	}
	return min(int(m.TrailingZeroBits()), most)
}

// Bitwise returns the congruence of the result of and, or, xor on words of most bits. Its lowest bits are known as long as those of both
// operands are, or one of them decides: 0 for and, 1 for or.
func (c Congruence) Bitwise(op string, d Congruence, most int) Congruence {
	_, r := c.parts()
	_, s := d.parts()
	knownX, knownY := c.Low(most), d.Low(most)
	rest := new(big.Int)
	for i := range most {
		x, y := r.Bit(i), s.Bit(i)
		hasX, hasY := i < knownX, i < knownY
		var bit uint
		switch {
		case op == "and" && (hasX && x == 0 || hasY && y == 0):
		case op == "or" && (hasX && x == 1 || hasY && y == 1):
			bit = 1
		case hasX && hasY && op == "and":
			bit = x & y
		case hasX && hasY && op == "or":
			bit = x | y
		case hasX && hasY:
			bit = x ^ y
		default:
			return congruent(machine.Power(i), rest)
		}
		rest.SetBit(rest, i, bit)
	}
	return congruent(machine.Power(most), rest)
}
