package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// plus returns a sum with a constant.
func (f floats) plus(x ast.Expr, n *big.Int) ast.Expr {
	switch n.Sign() {
	case 0:
		return x
	case -1:
		return f.sub(x, f.builder.number(new(big.Int).Neg(n)))
	}
	return f.add(x, f.builder.number(n))
}

// scale returns x times two to the power of bits.
func (f floats) scale(x ast.Expr, bits int) ast.Expr {
	if bits == 0 {
		return x
	}
	return f.mul(f.builder.number(machine.Power(bits)), x)
}

// signed returns a magnitude with the sign of x.
func (f floats) signed(x operand, magnitude ast.Expr) ast.Expr {
	return f.names.with(f.builder, magnitude, func(m ast.Expr) ast.Expr {
		return f.choice(f.positive(x), m, f.sub(f.small(-1), m))
	})
}

func (f floats) named(x operand, body func(operand) ast.Expr) ast.Expr {
	return f.names.with(f.builder, x.e, func(e ast.Expr) ast.Expr { return body(operand{e, x.in}) })
}

// widened returns a number in a format with more digits. NaN, and subnormal numbers unless exact is set, become rest, which is called if
// x may be one of them.
func (f floats) widened(x operand, exact bool, rest func() ast.Expr, with func(func([]operand) ast.Expr) ast.Expr) ast.Expr {
	m, border := f.magnitude(x), f.border()
	below := !isTruth(f.atLeast(m, border), true)
	subnormal := below && !isTruth(f.upTo(m, zero), true) && !exact
	nan := !isTruth(f.number(x), true)
	var other ast.Expr
	if subnormal || nan {
		other = rest()
	}
	shift := new(big.Int).Lsh(big.NewInt(int64(f.to.Bias()-f.format.Bias())), uint(f.to.Fraction))
	return with(func(xs []operand) ast.Expr {
		x := xs[0]
		return f.named(f.magnitude(x), func(m operand) ast.Expr {
			// The ordinals of normal numbers are a linear function of each other.
			e := f.choice(f.atLeast(m, f.format.Infinity()), f.builder.number(f.to.Infinity()), f.plus(f.scale(m.e, f.to.Fraction-f.format.Fraction), shift))
			if below {
				small := f.builder.small(0)
				if exact {
					small = f.subnormal(m)
				}
				e = f.choice(f.atLeast(m, border), e, small)
			}
			e = f.signed(x, e)
			if subnormal {
				e = f.choice(f.or(f.atLeast(m, border), f.isZero(x)), e, other)
			}
			if nan {
				e = f.choice(f.number(x), e, other)
			}
			return e
		})
	})
}

// subnormal converts a subnormal magnitude, or 0, to a format in which it is normal.
func (f floats) subnormal(m operand) ast.Expr {
	e := f.builder.small(0)
	for k := range f.format.Fraction {
		// Magnitudes from the ordinal 2^k on.
		exponent := k + 1 - f.format.Bias() - f.format.Fraction
		e = f.choice(f.atLeast(m, machine.Power(k)), f.plus(f.scale(m.e, f.to.Fraction-k), new(big.Int).Sub(f.to.Binade(exponent), machine.Power(f.to.Fraction))), e)
	}
	return e
}

// binades returns the least and greatest exponent of the magnitudes of integers within an interval; that of 0 is -1.
func (f floats) binades(in interval.Interval) (from, to int) {
	t := interval.OfType(f.op.Type)
	in = in.Meet(t)
	size := interval.Greatest(new(big.Int).Abs(in.Low), new(big.Int).Abs(in.High))
	least := new(big.Int)
	if in.Low.Sign() > 0 || in.High.Sign() < 0 {
		least = new(big.Int).Abs(in.Low)
		if in.High.Sign() < 0 {
			least = new(big.Int).Abs(in.High)
		}
	}
	return least.BitLen() - 1, size.BitLen() - 1
}

// representable reports whether all integers within an interval are numbers of the format, and whether they are in few binades.
func (f floats) representable(in interval.Interval) (all, few bool) {
	if in.Empty() {
		return true, true
	}
	from, to := f.binades(in)
	return to <= f.format.Fraction, to-from < cheapBinades
}

// fromInteger converts an integer whose interval is representable.
func (f floats) fromInteger(x operand) ast.Expr {
	from, to := 0, -1
	if !x.in.Empty() {
		from, to = f.binades(x.in)
	}
	negative := f.below(x, zero)
	size := f.choice(negative, f.builder.negate(x.e), x.e)
	return f.names.with(f.builder, size, func(a ast.Expr) ast.Expr {
		e := f.builder.small(0)
		for k := max(from, 0); k <= to; k++ {
			number := f.plus(f.scale(a, f.format.Fraction-k), new(big.Int).Sub(f.format.Binade(k), machine.Power(f.format.Fraction)))
			if k == max(from, 0) && from >= 0 {
				e = number
				continue
			}
			e = f.builder.choose(f.builder.atMost(f.builder.number(machine.Power(k)), a), number, e)
		}
		return f.names.with(f.builder, e, func(m ast.Expr) ast.Expr {
			return f.choice(negative, f.sub(f.small(-1), m), m)
		})
	})
}

// toInteger truncates a number to an integer; the result is any where that does not fit into the type.
func (f floats) toInteger(x operand, any ast.Expr) ast.Expr {
	least := new(big.Int).Sub(f.op.To.Min(), one)
	beyond := next(f.op.To.Max())
	fits := f.and(f.atLeast(x, next(f.floor(least))), f.below(x, f.ceiling(beyond)))
	value := f.named(f.magnitude(x), func(m operand) ast.Expr {
		e := f.builder.small(0)
		for k := range f.op.To.Bits {
			if k > f.format.Bias() {
				break
			}
			significand := f.plus(m.e, new(big.Int).Sub(machine.Power(f.format.Fraction), f.format.Binade(k)))
			whole := f.scale(significand, max(k-f.format.Fraction, 0))
			if k < f.format.Fraction {
				whole = f.builder.floor(significand, machine.Power(f.format.Fraction-k))
			}
			e = f.choice(f.atLeast(m, f.format.Binade(k)), whole, e)
		}
		return f.names.with(f.builder, e, func(n ast.Expr) ast.Expr {
			return f.choice(f.positive(x), n, f.builder.negate(n))
		})
	})
	return f.choice(fits, value, any)
}
