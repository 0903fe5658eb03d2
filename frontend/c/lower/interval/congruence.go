package interval

import (
	"math/big"

	"hornbeam/frontend/c/machine"
)

// Congruence is a set of numbers: those that leave the remainder rest when they are divided by step, which is at least 2; the
// one number rest if step is 0, and all numbers if it is nil. A remainder is not negative. It is Granger's domain.
type Congruence struct{ Modulus, Remainder *big.Int }

// congruent is the congruence of a step that is not negative and any rest.
func congruent(step, rest *big.Int) Congruence {
	switch {
	case step.Sign() == 0:
		return Congruence{step, rest}
	case step.Cmp(one) == 0:
		return Congruence{}
	}
	return Congruence{step, new(big.Int).Mod(rest, step)}
}

// Known tells whether it is less than all numbers.
func (c Congruence) Known() bool { return c.Modulus != nil }

// parts are the step and the rest, of all numbers 1 and 0.
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

// Has tells whether a number is in it.
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

// join is the least congruence with both in it.
func (c Congruence) join(d Congruence) Congruence {
	if c.Modulus == nil || d.Modulus == nil {
		return Congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(m, n, new(big.Int).Sub(r, s)), r)
}

// meet is one with all that both have in it: that with the larger step. It reports false if both have nothing in common.
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

// mul is that of products: (m i + r) (n j + s) is r s, up to multiples of m n, m s and n r.
func (c Congruence) mul(d Congruence) Congruence {
	if c.Modulus == nil && d.Modulus == nil {
		return Congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(new(big.Int).Mul(m, n), new(big.Int).Mul(m, s), new(big.Int).Mul(n, r)), new(big.Int).Mul(r, s))
}

// Modulo is what remains known if multiples of n are added: by wrap-around, or by taking a remainder.
func (c Congruence) Modulo(n *big.Int) Congruence {
	if c.Modulus == nil {
		return c
	}
	return congruent(gcd(c.Modulus, n), c.Remainder)
}

// Floor is that of the numbers divided by n, which is positive, and rounded down: known where n divides the step.
func (c Congruence) Floor(n *big.Int) Congruence {
	m, r := c.parts()
	if new(big.Int).Mod(m, n).Sign() != 0 {
		return Congruence{}
	}
	// The Euclidean quotient by what is positive is the floor.
	return congruent(new(big.Int).Div(m, n), new(big.Int).Div(r, n))
}

// Low is how many of the lowest bits of a number are known, up to most.
func (c Congruence) Low(most int) int {
	m, _ := c.parts()
	if m.Sign() == 0 {
		return most
	}
	return min(int(m.TrailingZeroBits()), most)
}

// Bitwise is that of an operation on bits of words, by their lowest bits: those of the result are known as long as those of
// both operands are, or one is known to decide alone: 0 for a conjunction, 1 for a disjunction.
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
