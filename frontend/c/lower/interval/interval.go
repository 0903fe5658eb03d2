package interval

import (
	"math/big"
	"slices"

	"hornbeam/frontend/c/machine"
)

// Interval is a set of integers: those from Low to High that are in Congruence. The zero Interval is all integers.
type Interval struct {
	// Low and High are the bounds; nil is none.
	Low, High *big.Int
	// Ones, if not nil, has every bit that one of the numbers has. None of them is negative then.
	Ones       *big.Int
	Congruence Congruence
	// Nonzero leaves 0 out.
	Nonzero bool
}

var zero, one = new(big.Int), big.NewInt(1)

// types are the intervals of machine types.
var types = func() map[machine.Type]Interval {
	all := map[machine.Type]Interval{}
	for _, bits := range []int{8, 16, 32, 64, 128} {
		for _, signed := range []bool{false, true} {
			t := machine.Type{Bits: bits, Signed: signed}
			all[t] = Between(t.Min(), t.Max())
		}
	}
	return all
}()

// OfType returns the interval of the values of a type.
func OfType(t machine.Type) Interval { return types[t] }

// Between returns the interval between two bounds.
func Between(low, high *big.Int) Interval { return Interval{Low: low, High: high} }

// Point returns the interval of one number.
func Point(n *big.Int) Interval { return Between(n, n) }

// Bits returns the bits that a number of the interval may have, nil if one may be negative or of any size.
func (i Interval) Bits() *big.Int {
	switch {
	case i.Ones != nil:
		return i.Ones
	case i.IsPoint() && i.Low.Sign() >= 0:
		return i.Low
	case i.NotNegative() && i.High != nil:
		return new(big.Int).Sub(machine.Power(i.High.BitLen()), one)
	}
	return nil
}

// Congruences returns the congruence of the numbers: the one stored, that of a single number, or that of low bits that are 0.
func (i Interval) Congruences() Congruence {
	switch {
	case i.IsPoint():
		return Congruence{zero, i.Low}
	case !i.Congruence.Known() && i.Ones != nil && i.Ones.Sign() > 0:
		return congruent(machine.Power(int(i.Ones.TrailingZeroBits())), new(big.Int))
	}
	return i.Congruence
}

// HasZero reports whether 0 is in the interval.
func (i Interval) HasZero() bool {
	return !i.Nonzero && (i.Low == nil || i.Low.Sign() <= 0) && (i.High == nil || i.High.Sign() >= 0) && i.Congruences().Has(zero)
}

// WithoutZero returns the interval without 0.
func (i Interval) WithoutZero() Interval {
	switch {
	case i.IsPoint() && i.Low.Sign() == 0:
		return Between(big.NewInt(1), new(big.Int))
	case i.Low != nil && i.Low.Sign() == 0:
		i.Low = big.NewInt(1)
	case i.High != nil && i.High.Sign() == 0:
		i.High = big.NewInt(-1)
	}
	i.Nonzero = i.Low == nil || i.High == nil || i.Low.Sign() < 0 && i.High.Sign() > 0
	return i
}

// CongruentTo returns the interval with a congruence that contains its numbers.
func (i Interval) CongruentTo(c Congruence) Interval {
	if i.IsPoint() || c.Known() && c.Modulus.Sign() == 0 {
		c = Congruence{}
	}
	i.Congruence = c
	return i
}

// WithBits returns the interval, which is not negative, with the bits that its numbers may have.
func (i Interval) WithBits(ones *big.Int) Interval {
	if ones == nil || !i.NotNegative() {
		return i
	}
	if i.High == nil || i.High.Cmp(ones) > 0 {
		i.High = ones
	}
	i.Ones = ones
	return i
}

// IsPoint reports whether the bounds leave one number.
func (i Interval) IsPoint() bool { return i.Low != nil && i.High != nil && i.Low.Cmp(i.High) == 0 }

// AtMost reports whether the interval has no more than n numbers between its bounds.
func (i Interval) AtMost(n int) bool {
	return i.Low != nil && i.High != nil && new(big.Int).Sub(i.High, i.Low).Cmp(big.NewInt(int64(n))) < 0
}

// Empty reports whether no number is in the interval.
func (i Interval) Empty() bool { return i.Low != nil && i.High != nil && i.Low.Cmp(i.High) > 0 }

// In reports whether i is within the bounds of j.
func (i Interval) In(j Interval) bool {
	if i.Empty() {
		return true
	}
	return (j.Low == nil || i.Low != nil && i.Low.Cmp(j.Low) >= 0) && (j.High == nil || i.High != nil && i.High.Cmp(j.High) <= 0)
}

// Equal reports whether i and j are given by the same bounds, bits and congruence.
func (i Interval) Equal(j Interval) bool {
	same := i.Ones == nil && j.Ones == nil || i.Ones != nil && j.Ones != nil && i.Ones.Cmp(j.Ones) == 0
	return i.In(j) && j.In(i) && same && i.Congruence.equal(j.Congruence) && i.Nonzero == j.Nonzero
}

// Join returns the least interval that contains both.
func (i Interval) Join(j Interval) Interval {
	switch {
	case i.Empty():
		return j
	case j.Empty():
		return i
	}
	var r Interval
	if i.Low != nil && j.Low != nil {
		r.Low = Least(i.Low, j.Low)
	}
	if i.High != nil && j.High != nil {
		r.High = Greatest(i.High, j.High)
	}
	if x, y := i.Bits(), j.Bits(); x != nil && y != nil && (i.Ones != nil || j.Ones != nil) {
		r.Ones = new(big.Int).Or(x, y)
	}
	r = r.CongruentTo(i.Congruences().join(j.Congruences()))
	if !i.HasZero() && !j.HasZero() {
		r = r.WithoutZero()
	}
	return r
}

// Meet returns an interval that contains the intersection.
func (i Interval) Meet(j Interval) Interval {
	r := i
	if j.Low != nil && (r.Low == nil || r.Low.Cmp(j.Low) < 0) {
		r.Low = j.Low
	}
	if j.High != nil && (r.High == nil || r.High.Cmp(j.High) > 0) {
		r.High = j.High
	}
	if r.Ones == nil {
		r.Ones = j.Ones
	}
	c, possible := i.Congruences().meet(j.Congruences())
	switch {
	case !possible:
		return Between(big.NewInt(1), new(big.Int))
	case r.IsPoint() && !c.Has(r.Low):
		return Between(big.NewInt(1), new(big.Int))
	}
	r = r.CongruentTo(c)
	if i.Nonzero || j.Nonzero {
		r = r.WithoutZero()
	}
	return r
}

// Widen returns the join of i and j. Bounds of i that j exceeds become the next of the ascending thresholds, or the stride-th one.
func (i Interval) Widen(j Interval, thresholds []*big.Int, stride int) Interval {
	if i.Empty() {
		return j
	}
	j = i.Join(j)
	r := j
	if i.Ones != nil && (j.Ones == nil || i.Ones.Cmp(j.Ones) != 0) {
		r.Ones = nil
	}
	if r.Low != nil && i.Low != nil && r.Low.Cmp(i.Low) < 0 {
		r.Low = nil
		at, found := slices.BinarySearchFunc(thresholds, j.Low, (*big.Int).Cmp)
		if !found {
			at--
		}
		if at -= stride - 1; at >= 0 {
			r.Low = thresholds[at]
		}
	}
	if r.High != nil && i.High != nil && r.High.Cmp(i.High) > 0 {
		r.High = nil
		at, _ := slices.BinarySearchFunc(thresholds, j.High, (*big.Int).Cmp)
		if at += stride - 1; at < len(thresholds) {
			r.High = thresholds[at]
		}
	}
	return r
}

// Add returns the interval of sums.
func (i Interval) Add(j Interval) Interval {
	var r Interval
	if i.Low != nil && j.Low != nil {
		r.Low = new(big.Int).Add(i.Low, j.Low)
	}
	if i.High != nil && j.High != nil {
		r.High = new(big.Int).Add(i.High, j.High)
	}
	return r.CongruentTo(i.Congruences().add(j.Congruences()))
}

// Negate returns the interval of negated numbers.
func (i Interval) Negate() Interval {
	var r Interval
	if i.High != nil {
		r.Low = new(big.Int).Neg(i.High)
	}
	if i.Low != nil {
		r.High = new(big.Int).Neg(i.Low)
	}
	return r.CongruentTo(i.Congruences().negate())
}

// Mul returns the interval of products.
func (i Interval) Mul(j Interval) Interval {
	r := Interval{}.CongruentTo(i.Congruences().mul(j.Congruences()))
	if i.Low == nil || i.High == nil || j.Low == nil || j.High == nil {
		return r
	}
	for _, x := range []*big.Int{i.Low, i.High} {
		for _, y := range []*big.Int{j.Low, j.High} {
			p := new(big.Int).Mul(x, y)
			if r.Low == nil || p.Cmp(r.Low) < 0 {
				r.Low = p
			}
			if r.High == nil || p.Cmp(r.High) > 0 {
				r.High = p
			}
		}
	}
	return r
}

// NotNegative reports whether all numbers of the interval are at least 0.
func (i Interval) NotNegative() bool { return i.Low != nil && i.Low.Sign() >= 0 }

// Least returns the smaller number.
func Least(x, y *big.Int) *big.Int {
	if x.Cmp(y) <= 0 {
		return x
	}
	return y
}

// Greatest returns the greater number.
func Greatest(x, y *big.Int) *big.Int {
	if x.Cmp(y) >= 0 {
		return x
	}
	return y
}

// BoundsOnly reports whether an interval is given by its bounds alone and is not one number.
func (i Interval) BoundsOnly() bool {
	return i.Ones == nil && !i.Nonzero && i.Congruence.Modulus == nil && !i.IsPoint()
}

// ShiftCount returns the count of a shift if it is constant and within the width of the type.
func ShiftCount(t machine.Type, count Interval) (int, bool) {
	if !count.IsPoint() || !count.In(Between(new(big.Int), big.NewInt(int64(t.Bits-1)))) {
		return 0, false
	}
	return int(count.Low.Int64()), true
}
