package bits

import "math/big"

// congruence is a set of numbers: those that leave the remainder rest when they are divided by step, which is at least 2; the
// one number rest if step is 0, and all numbers if it is nil. A remainder is not negative. It is Granger's domain.
type congruence struct{ step, rest *big.Int }

// congruent is the congruence of a step that is not negative and any rest.
func congruent(step, rest *big.Int) congruence {
	switch {
	case step.Sign() == 0:
		return congruence{step, rest}
	case step.Cmp(one) == 0:
		return congruence{}
	}
	return congruence{step, new(big.Int).Mod(rest, step)}
}

// known tells whether it is less than all numbers.
func (c congruence) known() bool { return c.step != nil }

// parts are the step and the rest, of all numbers 1 and 0.
func (c congruence) parts() (step, rest *big.Int) {
	if c.step == nil {
		return one, zero
	}
	return c.step, c.rest
}

func (c congruence) equal(d congruence) bool {
	if c.step == nil || d.step == nil {
		return c.step == d.step
	}
	m, r := c.parts()
	n, s := d.parts()
	return m.Cmp(n) == 0 && r.Cmp(s) == 0
}

// has tells whether a number is in it.
func (c congruence) has(n *big.Int) bool {
	if c.step == nil {
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
func (c congruence) join(d congruence) congruence {
	if c.step == nil || d.step == nil {
		return congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(m, n, new(big.Int).Sub(r, s)), r)
}

// meet is one with all that both have in it: that with the larger step. It reports false if both have nothing in common.
func (c congruence) meet(d congruence) (congruence, bool) {
	switch {
	case c.step == nil:
		return d, true
	case d.step == nil:
		return c, true
	}
	m, r := c.parts()
	n, s := d.parts()
	g := gcd(m, n)
	difference := new(big.Int).Sub(r, s)
	if g.Sign() == 0 && difference.Sign() != 0 || g.Sign() > 0 && difference.Mod(difference, g).Sign() != 0 {
		return congruence{}, false
	}
	if m.Sign() == 0 || n.Sign() > 0 && m.Cmp(n) >= 0 {
		return c, true
	}
	return d, true
}

func (c congruence) add(d congruence) congruence {
	if c.step == nil || d.step == nil {
		return congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(m, n), new(big.Int).Add(r, s))
}

func (c congruence) negate() congruence {
	if c.step == nil {
		return c
	}
	return congruent(c.step, new(big.Int).Neg(c.rest))
}

// mul is that of products: (m i + r) (n j + s) is r s, up to multiples of m n, m s and n r.
func (c congruence) mul(d congruence) congruence {
	if c.step == nil && d.step == nil {
		return congruence{}
	}
	m, r := c.parts()
	n, s := d.parts()
	return congruent(gcd(new(big.Int).Mul(m, n), new(big.Int).Mul(m, s), new(big.Int).Mul(n, r)), new(big.Int).Mul(r, s))
}

// modulo is what remains known if multiples of n are added: by wrap-around, or by taking a remainder.
func (c congruence) modulo(n *big.Int) congruence {
	if c.step == nil {
		return c
	}
	return congruent(gcd(c.step, n), c.rest)
}

// floor is that of the numbers divided by n, which is positive, and rounded down: known where n divides the step.
func (c congruence) floor(n *big.Int) congruence {
	m, r := c.parts()
	if new(big.Int).Mod(m, n).Sign() != 0 {
		return congruence{}
	}
	// The Euclidean quotient by what is positive is the floor.
	return congruent(new(big.Int).Div(m, n), new(big.Int).Div(r, n))
}

// low is how many of the lowest bits of a number are known, up to most.
func (c congruence) low(most int) int {
	m, _ := c.parts()
	if m.Sign() == 0 {
		return most
	}
	return min(int(m.TrailingZeroBits()), most)
}

// bitwise is that of an operation on bits of words, by their lowest bits: those of the result are known as long as those of
// both operands are, or one is known to decide alone: 0 for a conjunction, 1 for a disjunction.
func (c congruence) bitwise(op string, d congruence, most int) congruence {
	_, r := c.parts()
	_, s := d.parts()
	knownX, knownY := c.low(most), d.low(most)
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
			return congruent(power(i), rest)
		}
		rest.SetBit(rest, i, bit)
	}
	return congruent(power(most), rest)
}
