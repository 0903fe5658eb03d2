package ranges

import (
	"math/big"

	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// FloatResult returns the interval of the result of an operation on floating-point numbers. Rounding is monotone, so that the bounds are
// results for bounds of the operands. If a result may be NaN or is undefined, it is any word (whole).
func FloatResult(o machine.Operation, x, y, whole interval.Interval) interval.Interval {
	if x.Empty() || o.Op.Arity() == 2 && y.Empty() {
		return interval.Between(big.NewInt(1), new(big.Int))
	}
	if x.IsPoint() && (o.Op.Arity() == 1 || y.IsPoint()) {
		args := []*big.Int{x.Low}
		if o.Op.Arity() == 2 {
			args = append(args, y.Low)
		}
		if r := o.Compute(args...); r != nil {
			return interval.Point(r)
		}
		return whole
	}
	if o.Op == machine.FloatFrom {
		x = x.Meet(interval.OfType(o.Type))
		return interval.Between(o.Compute(x.Low), o.Compute(x.High))
	}
	f, _ := machine.FormatOf(o.Type)
	if !numbersOf(f, x) || o.Op.Arity() == 2 && !numbersOf(f, y) {
		return whole
	}
	ends := [][]*big.Int{{x.Low}, {x.High}}
	switch o.Op {
	case machine.FloatSub:
		y = interval.Between(machine.Negate(y.High), machine.Negate(y.Low))
		o.Op = machine.FloatAdd
		fallthrough
	case machine.FloatAdd:
		if hasInfinity(f, x, false) && hasInfinity(f, y, true) || hasInfinity(f, x, true) && hasInfinity(f, y, false) {
			return whole
		}
		ends = [][]*big.Int{{x.Low, y.Low}, {x.High, y.High}}
	case machine.FloatMul, machine.FloatDiv:
		infinite := func(i interval.Interval) bool { return hasInfinity(f, i, false) || hasInfinity(f, i, true) }
		switch {
		case o.Op == machine.FloatMul && (infinite(x) && hasZero(y) || infinite(y) && hasZero(x)):
			return whole
		case o.Op == machine.FloatDiv && (infinite(x) && infinite(y) || hasZero(y)):
			return whole
		}
		ends = [][]*big.Int{{x.Low, y.Low}, {x.Low, y.High}, {x.High, y.Low}, {x.High, y.High}}
	case machine.FloatSqrt:
		if x.Low.Cmp(big.NewInt(-1)) < 0 {
			return whole
		}
	case machine.FloatMod, machine.FloatRemainder:
		return remainderOf(f, o, x, y, whole)
	}
	var r interval.Interval
	for _, e := range ends {
		z := o.Compute(e...)
		if z == nil {
			return whole
		}
		if r.Low == nil || z.Cmp(r.Low) < 0 {
			r.Low = z
		}
		if r.High == nil || z.Cmp(r.High) > 0 {
			r.High = z
		}
	}
	return r
}

// numbersOf reports whether an interval is without NaN.
func numbersOf(f machine.Format, i interval.Interval) bool {
	return i.Low != nil && i.High != nil && !f.IsNaN(i.Low) && !f.IsNaN(i.High)
}

func hasInfinity(f machine.Format, i interval.Interval, negative bool) bool {
	if negative {
		return f.IsInfinite(i.Low) && i.Low.Sign() < 0
	}
	return f.IsInfinite(i.High) && i.High.Sign() >= 0
}

// hasZero reports whether +0 or -0 is in an interval.
func hasZero(i interval.Interval) bool { return i.Low.Sign() <= 0 && i.High.Cmp(big.NewInt(-1)) >= 0 }

// remainderOf returns the interval of a remainder, which is no larger than the dividend and smaller than the divisor.
func remainderOf(f machine.Format, o machine.Operation, x, y, whole interval.Interval) interval.Interval {
	if hasInfinity(f, x, false) || hasInfinity(f, x, true) || hasZero(y) {
		return whole
	}
	size := interval.Greatest(machine.Magnitude(x.Low), machine.Magnitude(x.High))
	size = interval.Least(size, new(big.Int).Sub(interval.Greatest(machine.Magnitude(y.Low), machine.Magnitude(y.High)), big.NewInt(1)))
	r := interval.Between(machine.Negate(size), size)
	if o.Op == machine.FloatMod && x.Low.Sign() >= 0 {
		r.Low = new(big.Int)
	}
	if o.Op == machine.FloatMod && x.High.Sign() < 0 {
		r.High = big.NewInt(-1)
	}
	return r
}
