package bits

import (
	"math/big"
	"slices"
)

// interval is a set of numbers: those from low to high that are congruent. A nil bound is none. The zero interval is all
// numbers. Where ones is set, none of the numbers is negative, and it has every bit that one of them has. Where nonzero is set,
// 0 is none of them.
type interval struct {
	low, high, ones *big.Int
	congruence      congruence
	nonzero         bool
}

func between(low, high *big.Int) interval { return interval{low: low, high: high} }

func point(n *big.Int) interval { return between(n, n) }

// bits are those that a number of the interval may have, nil if one may be negative or of any size.
func (i interval) bits() *big.Int {
	switch {
	case i.ones != nil:
		return i.ones
	case i.isPoint() && i.low.Sign() >= 0:
		return i.low
	case i.notNegative() && i.high != nil:
		return new(big.Int).Sub(power(i.high.BitLen()), one)
	}
	return nil
}

// congruences is what is known of divisibility: by itself, as it is one number, or by bits that none has.
func (i interval) congruences() congruence {
	switch {
	case i.isPoint():
		return congruence{zero, i.low}
	case !i.congruence.known() && i.ones != nil && i.ones.Sign() > 0:
		return congruent(power(int(i.ones.TrailingZeroBits())), new(big.Int))
	}
	return i.congruence
}

// has0 tells whether 0 is in the interval.
func (i interval) has0() bool {
	return !i.nonzero && (i.low == nil || i.low.Sign() <= 0) && (i.high == nil || i.high.Sign() >= 0) && i.congruences().has(zero)
}

// without0 is the interval without 0.
func (i interval) without0() interval {
	switch {
	case i.isPoint() && i.low.Sign() == 0:
		return between(big.NewInt(1), new(big.Int))
	case i.low != nil && i.low.Sign() == 0:
		i.low = big.NewInt(1)
	case i.high != nil && i.high.Sign() == 0:
		i.high = big.NewInt(-1)
	}
	i.nonzero = i.low == nil || i.high == nil || i.low.Sign() < 0 && i.high.Sign() > 0
	return i
}

// congruentTo is the interval with a congruence that its numbers have.
func (i interval) congruentTo(c congruence) interval {
	if i.isPoint() || c.known() && c.step.Sign() == 0 {
		c = congruence{}
	}
	i.congruence = c
	return i
}

// withBits is the interval with what is known of its bits, where that says more than its bounds.
func (i interval) withBits(ones *big.Int) interval {
	if ones == nil || !i.notNegative() {
		return i
	}
	if i.high == nil || i.high.Cmp(ones) > 0 {
		i.high = ones
	}
	i.ones = ones
	return i
}

func (i interval) isPoint() bool { return i.low != nil && i.high != nil && i.low.Cmp(i.high) == 0 }

// empty tells whether no number is in the interval.
func (i interval) empty() bool { return i.low != nil && i.high != nil && i.low.Cmp(i.high) > 0 }

// in tells whether all of i is in j.
func (i interval) in(j interval) bool {
	if i.empty() {
		return true
	}
	return (j.low == nil || i.low != nil && i.low.Cmp(j.low) >= 0) && (j.high == nil || i.high != nil && i.high.Cmp(j.high) <= 0)
}

func (i interval) equal(j interval) bool {
	same := i.ones == nil && j.ones == nil || i.ones != nil && j.ones != nil && i.ones.Cmp(j.ones) == 0
	return i.in(j) && j.in(i) && same && i.congruence.equal(j.congruence) && i.nonzero == j.nonzero
}

// join is the least interval with both in it.
func (i interval) join(j interval) interval {
	switch {
	case i.empty():
		return j
	case j.empty():
		return i
	}
	var r interval
	if i.low != nil && j.low != nil {
		r.low = least(i.low, j.low)
	}
	if i.high != nil && j.high != nil {
		r.high = greatest(i.high, j.high)
	}
	if x, y := i.bits(), j.bits(); x != nil && y != nil && (i.ones != nil || j.ones != nil) {
		r.ones = new(big.Int).Or(x, y)
	}
	r = r.congruentTo(i.congruences().join(j.congruences()))
	if !i.has0() && !j.has0() {
		r = r.without0()
	}
	return r
}

// meet is what both have.
func (i interval) meet(j interval) interval {
	r := i
	if j.low != nil && (r.low == nil || r.low.Cmp(j.low) < 0) {
		r.low = j.low
	}
	if j.high != nil && (r.high == nil || r.high.Cmp(j.high) > 0) {
		r.high = j.high
	}
	if r.ones == nil {
		r.ones = j.ones
	}
	c, possible := i.congruences().meet(j.congruences())
	switch {
	case !possible:
		return between(big.NewInt(1), new(big.Int))
	case r.isPoint() && !c.has(r.low):
		return between(big.NewInt(1), new(big.Int))
	}
	r = r.congruentTo(c)
	if i.nonzero || j.nonzero {
		r = r.without0()
	}
	return r
}

// widen is i with the bounds that j moves outwards replaced by the next of the thresholds, which are ascending, or
// one further away if stride is more than 1.
func (i interval) widen(j interval, thresholds []*big.Int, stride int) interval {
	if i.empty() {
		return j
	}
	j = i.join(j)
	r := j
	if i.ones != nil && (j.ones == nil || i.ones.Cmp(j.ones) != 0) {
		r.ones = nil
	}
	if r.low != nil && i.low != nil && r.low.Cmp(i.low) < 0 {
		r.low = nil
		at, found := slices.BinarySearchFunc(thresholds, j.low, (*big.Int).Cmp)
		if !found {
			at--
		}
		if at -= stride - 1; at >= 0 {
			r.low = thresholds[at]
		}
	}
	if r.high != nil && i.high != nil && r.high.Cmp(i.high) > 0 {
		r.high = nil
		at, _ := slices.BinarySearchFunc(thresholds, j.high, (*big.Int).Cmp)
		if at += stride - 1; at < len(thresholds) {
			r.high = thresholds[at]
		}
	}
	return r
}

func (i interval) add(j interval) interval {
	var r interval
	if i.low != nil && j.low != nil {
		r.low = new(big.Int).Add(i.low, j.low)
	}
	if i.high != nil && j.high != nil {
		r.high = new(big.Int).Add(i.high, j.high)
	}
	return r.congruentTo(i.congruences().add(j.congruences()))
}

func (i interval) negate() interval {
	var r interval
	if i.high != nil {
		r.low = new(big.Int).Neg(i.high)
	}
	if i.low != nil {
		r.high = new(big.Int).Neg(i.low)
	}
	return r.congruentTo(i.congruences().negate())
}

func (i interval) mul(j interval) interval {
	r := interval{}.congruentTo(i.congruences().mul(j.congruences()))
	if i.low == nil || i.high == nil || j.low == nil || j.high == nil {
		return r
	}
	for _, x := range []*big.Int{i.low, i.high} {
		for _, y := range []*big.Int{j.low, j.high} {
			p := new(big.Int).Mul(x, y)
			if r.low == nil || p.Cmp(r.low) < 0 {
				r.low = p
			}
			if r.high == nil || p.Cmp(r.high) > 0 {
				r.high = p
			}
		}
	}
	return r
}

// notNegative tells whether all numbers of the interval are at least 0.
func (i interval) notNegative() bool { return i.low != nil && i.low.Sign() >= 0 }

func least(x, y *big.Int) *big.Int {
	if x.Cmp(y) <= 0 {
		return x
	}
	return y
}

func greatest(x, y *big.Int) *big.Int {
	if x.Cmp(y) >= 0 {
		return x
	}
	return y
}
