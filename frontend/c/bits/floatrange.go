package bits

import (
	"math/big"

	"hornbeam/frontend/c/machine"
)

// floatRange is the interval of the result of an operation on floating numbers: rounding is monotonous, so that the results at
// the ends are the ends. Where a result may be no number, or is not defined, it is any word.
func floatRange(o machine.Operation, x, y, whole interval) interval {
	if x.empty() || o.Op.Arity() == 2 && y.empty() {
		return between(big.NewInt(1), new(big.Int))
	}
	if x.isPoint() && (o.Op.Arity() == 1 || y.isPoint()) {
		args := []*big.Int{x.low}
		if o.Op.Arity() == 2 {
			args = append(args, y.low)
		}
		if r := o.Compute(args...); r != nil {
			return point(r)
		}
		return whole
	}
	if o.Op == machine.FloatFrom {
		x = x.meet(span(o.Type))
		return between(o.Compute(x.low), o.Compute(x.high))
	}
	f, _ := machine.FormatOf(o.Type)
	if !numbersOf(f, x) || o.Op.Arity() == 2 && !numbersOf(f, y) {
		return whole
	}
	ends := [][]*big.Int{{x.low}, {x.high}}
	switch o.Op {
	case machine.FloatSub:
		y = between(machine.Negate(y.high), machine.Negate(y.low))
		o.Op = machine.FloatAdd
		fallthrough
	case machine.FloatAdd:
		if hasInfinity(f, x, false) && hasInfinity(f, y, true) || hasInfinity(f, x, true) && hasInfinity(f, y, false) {
			return whole
		}
		ends = [][]*big.Int{{x.low, y.low}, {x.high, y.high}}
	case machine.FloatMul, machine.FloatDiv:
		infinite := func(i interval) bool { return hasInfinity(f, i, false) || hasInfinity(f, i, true) }
		switch {
		case o.Op == machine.FloatMul && (infinite(x) && hasZero(y) || infinite(y) && hasZero(x)):
			return whole
		case o.Op == machine.FloatDiv && (infinite(x) && infinite(y) || hasZero(y)):
			return whole
		}
		ends = [][]*big.Int{{x.low, y.low}, {x.low, y.high}, {x.high, y.low}, {x.high, y.high}}
	case machine.FloatSqrt:
		if x.low.Cmp(big.NewInt(-1)) < 0 {
			return whole
		}
	case machine.FloatMod, machine.FloatRemainder:
		return remainderOf(f, o, x, y, whole)
	}
	var r interval
	for _, e := range ends {
		z := o.Compute(e...)
		if z == nil {
			return whole
		}
		if r.low == nil || z.Cmp(r.low) < 0 {
			r.low = z
		}
		if r.high == nil || z.Cmp(r.high) > 0 {
			r.high = z
		}
	}
	return r
}

// numbersOf tells whether there is no NaN in an interval.
func numbersOf(f machine.Format, i interval) bool {
	return i.low != nil && i.high != nil && !f.IsNaN(i.low) && !f.IsNaN(i.high)
}

func hasInfinity(f machine.Format, i interval, negative bool) bool {
	if negative {
		return f.IsInfinite(i.low) && i.low.Sign() < 0
	}
	return f.IsInfinite(i.high) && i.high.Sign() >= 0
}

// hasZero tells whether +0 or -0 is in an interval.
func hasZero(i interval) bool { return i.low.Sign() <= 0 && i.high.Cmp(big.NewInt(-1)) >= 0 }

// remainderOf is what a remainder is at most: no larger than the dividend, and smaller than the divisor.
func remainderOf(f machine.Format, o machine.Operation, x, y, whole interval) interval {
	if hasInfinity(f, x, false) || hasInfinity(f, x, true) || hasZero(y) {
		return whole
	}
	size := greatest(machine.Magnitude(x.low), machine.Magnitude(x.high))
	size = least(size, new(big.Int).Sub(greatest(machine.Magnitude(y.low), machine.Magnitude(y.high)), big.NewInt(1)))
	r := between(machine.Negate(size), size)
	if o.Op == machine.FloatMod && x.low.Sign() >= 0 {
		r.low = new(big.Int)
	}
	if o.Op == machine.FloatMod && x.high.Sign() < 0 {
		r.high = big.NewInt(-1)
	}
	return r
}
