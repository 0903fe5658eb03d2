package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/lower/ranges"
	"hornbeam/frontend/c/machine"
)

// summand is the constant of a sum or a difference, as what is added to the other operand, which is returned with its number; nil
// if there is none but zeros. negated says that the other operand is subtracted.
func (f floats) summand(x []operand) (c *big.Int, other int, negated bool) {
	for k := range x {
		n := x[k].in
		if !n.IsPoint() || f.format.IsNaN(n.Low) || f.format.IsInfinite(n.Low) || ranges.HasZero(n) {
			continue
		}
		c = n.Low
		if f.op.Op == machine.FloatSub {
			if k == 1 {
				return machine.Negate(c), 0, false
			}
			return c, 1, true
		}
		return c, 1 - k, false
	}
	return nil, 0, false
}

// exactSum is x + c, exactly; nan where x is no number. In each binade of x the sum is linear before it is rounded, and it is
// rounded in the binade that it falls into. Far above c nothing changes, far below the sum is c.
func (f floats) exactSum(x operand, c *big.Int, nan ast.Expr) ast.Expr {
	ec := f.exponent(c)
	least, most := max(ec-f.format.Fraction-3, 1-f.format.Bias()), min(ec+f.format.Fraction+2, f.format.Bias())
	sides := func(x operand, negative bool) ast.Expr {
		return f.named(f.magnitude(x), func(m operand) ast.Expr {
			e := f.builder.number(c)
			for k := least; k <= most; k++ {
				low := f.format.Binade(k)
				if k == 1-f.format.Bias() {
					low = zero // with what is subnormal
				}
				high := new(big.Int).Sub(f.format.Binade(k+1), one)
				in := m.in.Meet(interval.Between(low, high))
				if in.Empty() {
					continue
				}
				e = f.choice(f.atLeast(m, low), f.sumIn(operand{m.e, in}, k, negative, c), e)
			}
			return f.choice(f.atLeast(m, f.format.Binade(most+1)), x.e, e)
		})
	}
	plus, minus := x, x
	plus.in = x.in.Meet(interval.Interval{Low: zero})
	minus.in = x.in.Meet(interval.Interval{High: big.NewInt(-1)})
	var e ast.Expr
	switch {
	case plus.in.Empty():
		e = sides(minus, true)
	case minus.in.Empty():
		e = sides(plus, false)
	default:
		e = f.builder.choose(f.builder.atMost(f.small(0), x.e), sides(plus, false), sides(minus, true))
	}
	return f.choice(f.number(x), e, nan)
}

// exponent is that of a finite number.
func (f floats) exponent(x *big.Int) int {
	e := int(new(big.Int).Rsh(machine.Magnitude(x), uint(f.format.Fraction)).Int64())
	return max(e, 1) - f.format.Bias()
}

// sumIn is the sum of c and the number of the sign whose magnitude m is in a binade.
func (f floats) sumIn(m operand, binade int, negative bool, c *big.Int) ast.Expr {
	F := f.format.Fraction
	ec := f.exponent(c)
	least := 1 - f.format.Bias()
	// Both are integers times two to the power of unit.
	unit := min(binade, ec) - F
	significand := new(big.Int).Sub(machine.Magnitude(c), f.format.Binade(ec))
	constant := times(significand.Add(significand, machine.Power(F)), ec-F-unit)
	if c.Sign() < 0 {
		constant.Neg(constant)
	}
	offset := new(big.Int).Sub(machine.Power(F), f.format.Binade(binade))
	scale := machine.Power(binade - F - unit)
	at := func(m *big.Int) *big.Int {
		n := new(big.Int).Mul(new(big.Int).Add(m, offset), scale)
		if negative {
			n.Neg(n)
		}
		return n.Add(n, constant)
	}
	low, high := at(m.in.Low), at(m.in.High)
	if negative {
		low, high = high, low
	}
	number := f.scale(f.plus(m.e, offset), binade-F-unit)
	if negative {
		number = f.builder.negate(number)
	}
	number = f.plus(number, constant)
	return f.named(operand{number, interval.Between(low, high)}, func(n operand) ast.Expr {
		side := func(a operand, from, to *big.Int) ast.Expr {
			// a is not negative; its bits say the binade of the sum.
			e := f.builder.small(0)
			for bits := max(from.BitLen(), 1); bits <= max(to.BitLen(), 1); bits++ {
				exponent := max(bits-1+unit, least)
				base := times(big.NewInt(int64(exponent-least)), F)
				cut := exponent - F - unit
				var q ast.Expr
				switch {
				case exponent > f.format.Bias():
					q, base = f.builder.number(f.format.Infinity()), zero
				case cut > 0:
					q = f.even(a.e, cut)
				default:
					q = f.scale(a.e, -cut)
				}
				e = f.choice(f.atLeast(a, machine.Power(bits-1)), f.plus(q, base), e)
			}
			return e
		}
		positive := func() ast.Expr { return side(n, interval.Greatest(low, zero), high) }
		negated := func() ast.Expr {
			in := interval.Between(new(big.Int).Neg(high), new(big.Int).Neg(low))
			a := operand{f.builder.negate(n.e), in}
			return f.named(a, func(a operand) ast.Expr {
				return f.sub(f.small(-1), side(a, interval.Greatest(in.Low, zero), in.High))
			})
		}
		switch {
		case low.Sign() >= 0:
			return positive()
		case high.Sign() < 0:
			return negated()
		}
		return f.builder.choose(f.builder.atMost(f.small(0), n.e), positive(), negated())
	})
}
