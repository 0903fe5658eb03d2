package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// facts returns facts about the result z of an operation on x. They follow from rounding to the nearest number being monotone and the
// identity on numbers of the format.
func (f floats) facts(z operand, x []operand) []ast.Expr {
	switch f.op.Op {
	case machine.FloatAdd:
		return f.differenceFacts(z, x[0], f.negate(x[1]))
	case machine.FloatSub:
		return f.differenceFacts(z, x[0], x[1])
	case machine.FloatMul, machine.FloatDiv:
		return f.productFacts(z, x[0], x[1])
	case machine.FloatMod, machine.FloatRemainder:
		return f.remainderFacts(z, x[0], x[1])
	case machine.FloatSqrt:
		return f.rootFacts(z, x[0])
	case machine.FloatTruncate, machine.FloatFloor, machine.FloatCeiling, machine.FloatRound, machine.FloatNearest:
		return f.roundingFacts(z, x[0])
	case machine.FloatFrom:
		return f.fromFacts(z, x[0])
	case machine.FloatTo:
		return f.toFacts(z, x[0])
	case machine.FloatConvert:
		return f.conversionFacts(z, x[0])
	}
	return nil
}

// differenceFacts returns facts about z = x - y.
func (f floats) differenceFacts(z, x, y operand) []ast.Expr {
	n := f.number(z)
	minus := f.negate(y)
	return []ast.Expr{
		f.iff(n, f.and(f.number(x), f.number(y), f.or(f.or(f.finite(x), f.finite(y)), f.negation(f.iff(f.positive(x), f.positive(y)))))),
		f.when(n, f.and(
			f.when(f.below(y, zero), f.builder.atMost(x.e, z.e)),
			f.when(f.positive(y), f.builder.atMost(z.e, x.e)),
			f.when(f.positive(x), f.builder.atMost(minus.e, z.e)),
			f.when(f.below(x, zero), f.builder.atMost(z.e, minus.e)),
			// The difference of different numbers is not 0, thanks to subnormal numbers.
			f.when(f.and(f.builder.less(y.e, x.e), f.or(f.atLeast(x, one), f.below(y, big.NewInt(-1)))), f.atLeast(z, one)),
			f.when(f.and(f.builder.less(x.e, y.e), f.or(f.atLeast(y, one), f.below(x, big.NewInt(-1)))), f.below(z, big.NewInt(-1))),
			f.when(f.builder.equal(x.e, y.e), f.builder.equal(z.e, f.small(0))),
		)),
	}
}

// productFacts returns facts about z = x * y and z = x / y.
func (f floats) productFacts(z, x, y operand) []ast.Expr {
	n := f.number(z)
	unit := f.format.Binade(0)
	divides := f.op.Op == machine.FloatDiv
	defined := f.and(f.number(x), f.number(y))
	if divides {
		defined = f.and(defined, f.or(f.finite(x), f.finite(y)), f.negation(f.and(f.isZero(x), f.isZero(y))))
	} else {
		defined = f.and(defined, f.or(f.finite(x), f.negation(f.isZero(y))), f.or(f.finite(y), f.negation(f.isZero(x))))
	}
	return []ast.Expr{
		f.iff(n, defined),
		f.magnitudes([]operand{x, y, z}, func(m []operand) ast.Expr {
			mx, my, mz := m[0], m[1], m[2]
			facts := []ast.Expr{f.iff(f.positive(z), f.iff(f.positive(x), f.positive(y)))}
			smaller := func(c ast.Expr, a, b operand) { facts = append(facts, f.when(c, f.builder.atMost(a.e, b.e))) }
			if divides {
				smaller(f.atLeast(my, unit), mz, mx)
				smaller(f.upTo(my, unit), mx, mz)
				facts = append(facts, f.when(f.builder.atMost(mx.e, my.e), f.upTo(mz, unit)), f.when(f.builder.atMost(my.e, mx.e), f.atLeast(mz, unit)))
			} else {
				smaller(f.upTo(mx, unit), mz, my)
				smaller(f.upTo(my, unit), mz, mx)
				smaller(f.atLeast(mx, unit), my, mz)
				smaller(f.atLeast(my, unit), mx, mz)
			}
			return f.when(n, f.and(facts...))
		}),
	}
}

func (f floats) negation(e ast.Expr) ast.Expr {
	switch {
	case isTruth(e, true):
		return f.truth(false)
	case isTruth(e, false):
		return f.truth(true)
	}
	return f.not(e)
}

// magnitudes binds the magnitudes of operands.
func (f floats) magnitudes(x []operand, body func([]operand) ast.Expr) ast.Expr {
	m := make([]operand, len(x))
	for i := range x {
		m[i] = f.magnitude(x[i])
	}
	return f.each(m, nil, body)
}

// remainderFacts returns facts about the remainders of fmod and remainder.
func (f floats) remainderFacts(z, x, y operand) []ast.Expr {
	n := f.number(z)
	return []ast.Expr{
		f.iff(n, f.and(f.finite(x), f.number(y), f.negation(f.isZero(y)))),
		f.magnitudes([]operand{x, y, z}, func(m []operand) ast.Expr {
			facts := []ast.Expr{f.builder.atMost(m[2].e, m[0].e), f.builder.less(m[2].e, m[1].e)}
			if f.op.Op == machine.FloatMod {
				facts = append(facts, f.iff(f.positive(x), f.positive(z)), f.when(f.builder.less(m[0].e, m[1].e), f.builder.equal(z.e, x.e)))
			}
			return f.when(n, f.and(facts...))
		}),
	}
}

// rootFacts returns facts about z = sqrt(x).
func (f floats) rootFacts(z, x operand) []ast.Expr {
	unit := f.format.Binade(0)
	return []ast.Expr{
		f.iff(f.number(z), f.and(f.atLeast(x, big.NewInt(-1)), f.number(x))),
		f.when(f.isZero(x), f.builder.equal(z.e, x.e)),
		f.when(f.and(f.atLeast(x, unit), f.number(x)), f.and(f.atLeast(z, unit), f.builder.atMost(z.e, x.e))),
		f.when(f.and(f.atLeast(x, one), f.upTo(x, unit)), f.and(f.builder.atMost(x.e, z.e), f.upTo(z, unit))),
	}
}

// roundingFacts returns facts about x rounded to an integer z.
func (f floats) roundingFacts(z, x operand) []ast.Expr {
	whole := f.format.Binade(f.format.Fraction)
	facts := []ast.Expr{
		f.iff(f.number(z), f.number(x)),
		f.when(f.number(x), f.iff(f.positive(z), f.positive(x))),
		f.magnitudes([]operand{x, z}, func(m []operand) ast.Expr {
			return f.and(f.when(f.and(f.atLeast(m[0], whole), f.number(x)), f.builder.equal(z.e, x.e)), f.when(f.upTo(m[0], f.format.Binade(0)), f.upTo(m[1], f.format.Binade(0))))
		}),
	}
	down, up := f.builder.atMost(z.e, x.e), f.builder.atMost(x.e, z.e)
	switch f.op.Op {
	case machine.FloatFloor:
		facts = append(facts, f.when(f.number(x), down))
	case machine.FloatCeiling:
		facts = append(facts, f.when(f.number(x), up))
	case machine.FloatTruncate:
		facts = append(facts, f.when(f.and(f.number(x), f.positive(x)), down), f.when(f.and(f.number(x), f.below(x, zero)), up))
	}
	return facts
}

// fromFacts returns facts about an integer x converted to z, toFacts about a number x truncated to an integer z.
func (f floats) fromFacts(z, x operand) []ast.Expr {
	unit := f.format.Binade(0)
	return []ast.Expr{
		f.number(z), f.iff(f.positive(z), f.positive(x)), f.when(f.builder.equal(x.e, f.small(0)), f.builder.equal(z.e, f.small(0))),
		f.when(f.atLeast(x, one), f.atLeast(z, unit)), f.when(f.below(x, zero), f.upTo(z, machine.Negate(unit))),
	}
}

func (f floats) toFacts(z, x operand) []ast.Expr {
	unit := f.format.Binade(0)
	// A result that does not fit into the type is any value.
	least, greatest := f.op.To.Min(), f.op.To.Max()
	least, greatest = f.ceiling(least), f.floor(greatest)
	fits := f.and(f.atLeast(x, least), f.upTo(x, greatest))
	return []ast.Expr{f.when(fits, f.and(
		f.when(f.positive(x), f.atLeast(z, zero)), f.when(f.below(x, zero), f.upTo(z, zero)),
		f.when(f.atLeast(x, unit), f.atLeast(z, one)), f.when(f.upTo(x, machine.Negate(unit)), f.upTo(z, big.NewInt(-1))),
		f.when(f.and(f.below(x, unit), f.atLeast(x, next(machine.Negate(unit)))), f.builder.equal(z.e, f.small(0))),
	))}
}

// ceiling and floor return the nearest number of the format that is not below, not above an integer.
func (f floats) ceiling(n *big.Int) *big.Int {
	x := f.format.Round(new(big.Rat).SetInt(n))
	if f.format.IsInfinite(x) || f.format.Value(x).Cmp(new(big.Rat).SetInt(n)) < 0 {
		return next(x)
	}
	return x
}

func (f floats) floor(n *big.Int) *big.Int {
	x := f.format.Round(new(big.Rat).SetInt(n))
	if f.format.IsInfinite(x) || f.format.Value(x).Cmp(new(big.Rat).SetInt(n)) > 0 {
		return new(big.Int).Sub(x, one)
	}
	return x
}

// conversionFacts returns facts about x converted to another format.
func (f floats) conversionFacts(z, x operand) []ast.Expr {
	return []ast.Expr{
		f.iff(f.number(x), f.numberOf(f.to, z)),
		f.when(f.number(x), f.iff(f.positive(x), f.positive(z))),
		f.when(f.builder.equal(x.e, f.small(0)), f.builder.equal(z.e, f.small(0))),
		f.when(f.builder.equal(x.e, f.small(-1)), f.builder.equal(z.e, f.small(-1))),
		f.magnitudes([]operand{x, z}, func(m []operand) ast.Expr {
			// A subnormal number does not become greater than the least normal one.
			border := f.border()
			there := f.to.Round(f.format.Value(border))
			facts := f.when(f.upTo(m[0], border), f.upTo(m[1], there))
			if f.to.Fraction > f.format.Fraction {
				facts = f.and(facts, f.when(f.atLeast(m[0], one), f.atLeast(m[1], one)))
			}
			return facts
		}),
	}
}

// border returns the least magnitude that is normal in both formats.
func (f floats) border() *big.Int {
	return f.format.Binade(max(1-f.format.Bias(), 1-f.to.Bias()))
}
