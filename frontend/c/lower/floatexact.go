package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// cheapBinades is in how many binades an integer may be that is converted exactly without anybody asking for it.
const cheapBinades = 8

func times(n *big.Int, bits int) *big.Int { return new(big.Int).Lsh(n, uint(bits)) }

// even is a/2^bits, rounded to the nearest integer, and to an even one between two; bits is positive.
func (f floats) even(a ast.Expr, bits int) ast.Expr {
	return f.names.with(f.builder, f.modulo(a, machine.Power(bits+1)), func(r ast.Expr) ast.Expr {
		half := machine.Power(bits - 1)
		up := f.builder.choose(f.builder.atMost(r, f.builder.number(half)), f.small(0),
			f.builder.choose(f.builder.less(r, f.builder.number(new(big.Int).Mul(half, big.NewInt(3)))), f.small(1), f.small(2)))
		return f.add(f.mul(f.small(2), f.builder.floor(a, machine.Power(bits+1))), up)
	})
}

// plus is a sum with a constant.
func (f floats) plus(x ast.Expr, n *big.Int) ast.Expr {
	switch n.Sign() {
	case 0:
		return x
	case -1:
		return f.sub(x, f.builder.number(new(big.Int).Neg(n)))
	}
	return f.add(x, f.builder.number(n))
}

// scale is x times two to the power of bits.
func (f floats) scale(x ast.Expr, bits int) ast.Expr {
	if bits == 0 {
		return x
	}
	return f.mul(f.builder.number(machine.Power(bits)), x)
}

// signed is a magnitude with the sign of x.
func (f floats) signed(x operand, magnitude ast.Expr) ast.Expr {
	return f.names.with(f.builder, magnitude, func(m ast.Expr) ast.Expr {
		return f.choice(f.positive(x), m, f.sub(f.small(-1), m))
	})
}

func (f floats) named(x operand, body func(operand) ast.Expr) ast.Expr {
	return f.names.with(f.builder, x.e, func(e ast.Expr) ast.Expr { return body(operand{e, x.in}) })
}

// conversion is a number in another format: linear between the normal numbers of both, and rest where it is something else.
func (f floats) conversion(x operand, in interval.Interval, exact bool, rest func() ast.Expr, with func(func([]operand) ast.Expr) ast.Expr) ast.Expr {
	m := f.magnitude(x)
	border, infinity := f.border(), f.format.Infinity()
	wide := f.to.Fraction > f.format.Fraction
	// Where x is known to be one of these nothing is left over.
	var other ast.Expr
	below := !isTruth(f.atLeast(m, border), true)
	subnormal := below && !isTruth(f.upTo(m, zero), true) && !(wide && exact)
	nan := !isTruth(f.number(x), true)
	if subnormal || nan {
		other = rest()
	}
	return with(func(xs []operand) ast.Expr {
		x := xs[0]
		return f.named(f.magnitude(x), func(m operand) ast.Expr {
			shift := new(big.Int).Lsh(big.NewInt(int64(f.to.Bias()-f.format.Bias())), uint(f.to.Fraction))
			bits := f.to.Fraction - f.format.Fraction
			var normal ast.Expr
			if wide {
				normal = f.choice(f.atLeast(m, infinity), f.builder.number(f.to.Infinity()), f.plus(f.scale(m.e, bits), shift))
			} else {
				shift = new(big.Int).Lsh(big.NewInt(int64(f.to.Bias()-f.format.Bias())), uint(f.format.Fraction))
				// From half a step below the end of the format on it is infinite.
				least := new(big.Int).Sub(times(f.to.Infinity(), -bits), machine.Power(-bits-1))
				normal = f.choice(f.atLeast(m, least.Sub(least, shift)), f.builder.number(f.to.Infinity()), f.even(f.plus(m.e, shift), -bits))
			}
			e := normal
			if below {
				small := f.builder.small(0)
				if wide && exact {
					small = f.subnormal(m)
				}
				e = f.choice(f.atLeast(m, border), normal, small)
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

// subnormal is a subnormal magnitude in a format in which it is normal, or 0.
func (f floats) subnormal(m operand) ast.Expr {
	e := f.builder.small(0)
	for k := range f.format.Fraction {
		// Numbers from 2^k steps on.
		exponent := k + 1 - f.format.Bias() - f.format.Fraction
		e = f.choice(f.atLeast(m, machine.Power(k)), f.plus(f.scale(m.e, f.to.Fraction-k), new(big.Int).Sub(f.to.Binade(exponent), machine.Power(f.to.Fraction))), e)
	}
	return e
}

// binades are the exponents that the magnitude of an integer within an interval can have, -1 for 0.
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

func (f floats) fewBinades(in interval.Interval) bool {
	if in.Empty() {
		return true
	}
	from, to := f.binades(in)
	return to-from < cheapBinades
}

// fromInteger is the number that an integer becomes.
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
			var piece ast.Expr
			if bits := f.format.Fraction - k; bits >= 0 {
				piece = f.plus(f.scale(a, bits), new(big.Int).Sub(f.format.Binade(k), machine.Power(f.format.Fraction)))
			} else {
				piece = f.plus(f.even(a, -bits), new(big.Int).Sub(f.format.Binade(k), machine.Power(f.format.Fraction)))
			}
			if k == max(from, 0) && from >= 0 {
				e = piece
				continue
			}
			e = f.builder.choose(f.builder.atMost(f.builder.number(machine.Power(k)), a), piece, e)
		}
		return f.names.with(f.builder, e, func(m ast.Expr) ast.Expr {
			return f.choice(negative, f.sub(f.small(-1), m), m)
		})
	})
}

// toInteger is the integer that a number becomes, truncated, and any where that is not within the type.
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
			piece := f.scale(significand, max(k-f.format.Fraction, 0))
			if k < f.format.Fraction {
				piece = f.builder.floor(significand, machine.Power(f.format.Fraction-k))
			}
			e = f.choice(f.atLeast(m, f.format.Binade(k)), piece, e)
		}
		return f.names.with(f.builder, e, func(n ast.Expr) ast.Expr {
			return f.choice(f.positive(x), n, f.builder.negate(n))
		})
	})
	return f.choice(fits, value, any)
}

// rounded is an integer beside a number, nan if it is none.
func (f floats) rounded(x operand, nan ast.Expr) ast.Expr {
	value := f.named(f.magnitude(x), func(m operand) ast.Expr {
		e := f.belowOne(x, m)
		for k := range f.format.Fraction {
			e = f.choice(f.atLeast(m, f.format.Binade(k)), f.roundedIn(x, m, f.format.Fraction-k), e)
		}
		return f.signed(x, f.choice(f.atLeast(m, f.format.Binade(f.format.Fraction)), m.e, e))
	})
	return f.choice(f.number(x), value, nan)
}

// roundedIn is a magnitude without its last bits.
func (f floats) roundedIn(x, m operand, bits int) ast.Expr {
	unit := machine.Power(bits)
	down := func() ast.Expr { return f.sub(m.e, f.modulo(m.e, unit)) }
	up := func() ast.Expr { return f.add(m.e, f.modulo(f.builder.negate(m.e), unit)) }
	switch f.op.Op {
	case machine.FloatFloor:
		return f.choice(f.positive(x), down(), up())
	case machine.FloatCeiling:
		return f.choice(f.positive(x), up(), down())
	case machine.FloatRound:
		half := f.plus(m.e, machine.Power(bits-1))
		return f.sub(half, f.modulo(half, unit))
	case machine.FloatNearest:
		return f.scale(f.even(m.e, bits), bits)
	}
	return down()
}

// belowOne is a magnitude below 1 as 0 or 1.
func (f floats) belowOne(x, m operand) ast.Expr {
	unit, nothing := f.builder.number(f.format.Binade(0)), f.builder.small(0)
	half := f.format.Binade(-1)
	up := f.choice(f.atLeast(m, one), unit, nothing)
	switch f.op.Op {
	case machine.FloatFloor:
		return f.choice(f.positive(x), nothing, up)
	case machine.FloatCeiling:
		return f.choice(f.positive(x), up, nothing)
	case machine.FloatRound:
		return f.choice(f.atLeast(m, half), unit, nothing)
	case machine.FloatNearest:
		return f.choice(f.atLeast(m, next(half)), unit, nothing)
	}
	return nothing
}
