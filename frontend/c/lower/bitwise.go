package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// and returns x & c for a constant c, exactly: the sum over the runs of ones in the mask.
func (b integers) and(k machine.Type, x ast.Expr, c *big.Int) ast.Expr {
	if c.Sign() < 0 {
		// x & c = x - (x & ~c), where ~c is not negative.
		return b.names.with(b.builder, x, func(x ast.Expr) ast.Expr {
			return b.sub(x, b.and(k, x, new(big.Int).Not(c)))
		})
	}
	if !k.Signed && c.Cmp(k.Max()) == 0 {
		return x
	}
	if !k.Signed {
		// For a mask with more runs of ones than of zeros the complement is shorter.
		if rest := new(big.Int).Xor(c, k.Max()); runs(rest) < runs(c) {
			return b.names.with(b.builder, x, func(x ast.Expr) ast.Expr { return b.sub(x, b.and(k, x, rest)) })
		}
	}
	return b.names.with(b.builder, x, func(x ast.Expr) ast.Expr {
		var sum ast.Expr
		for low := 0; low < c.BitLen(); {
			if c.Bit(low) == 0 {
				low++
				continue
			}
			high := low
			for c.Bit(high) == 1 {
				high++
			}
			// The bits low to high-1 of x in their place: x mod 2^high, without what is below.
			run := b.modulo(x, machine.Power(high))
			if low > 0 {
				run = b.mul(b.number(machine.Power(low)), b.modulo(b.floor(x, machine.Power(low)), machine.Power(high-low)))
			}
			if sum == nil {
				sum = run
			} else {
				sum = b.add(sum, run)
			}
			low = high
		}
		if sum == nil {
			return b.small(0)
		}
		return sum
	})
}

// runs returns the number of runs of ones in c.
func runs(c *big.Int) int {
	n := 0
	for i := range c.BitLen() {
		if c.Bit(i) == 1 && c.Bit(i+1) == 0 {
			n++
		}
	}
	return n
}

// fromAnd returns x & y, x | y or x ^ y, given z = x & y.
func (b integers) fromAnd(op machine.Op, x, y, z ast.Expr) ast.Expr {
	switch op {
	case machine.Or:
		return b.sub(b.add(x, y), z)
	case machine.Xor:
		return b.sub(b.add(x, y), b.mul(b.small(2), z))
	}
	return z
}

// andFacts returns facts about z = x & y: bounds, signs, and the values for equal and extreme operands.
func (b integers) andFacts(k machine.Type, x, y, z ast.Expr) []ast.Expr {
	zero := b.small(0)
	facts := []ast.Expr{b.implies(b.equal(x, y), b.equal(z, x)), b.implies(b.equal(x, zero), b.equal(z, zero)), b.implies(b.equal(y, zero), b.equal(z, zero))}
	if !k.Signed {
		// 0 <= z <= min(x, y), and x + y - z, which is x | y, fits into the type.
		return append(facts, b.atMost(zero, z), b.atMost(z, x), b.atMost(z, y), b.atMost(b.sub(b.add(x, y), z), b.number(k.Max())))
	}
	xNegative, yNegative := b.less(x, zero), b.less(y, zero)
	ones := b.small(-1)
	return append(facts,
		b.implies(b.equal(x, ones), b.equal(z, y)), b.implies(b.equal(y, ones), b.equal(z, x)),
		b.binary(ast.Iff, b.less(z, zero), b.all(xNegative, yNegative)),
		b.implies(b.not(yNegative), b.atMost(z, y)), b.implies(b.not(xNegative), b.atMost(z, x)),
		b.implies(b.all(xNegative, yNegative), b.all(b.atMost(z, x), b.atMost(z, y), b.atMost(b.sub(b.add(x, y), z), ones), b.atMost(b.number(k.Min()), z))),
		// The disjunction x | y = x + y - z is within the type, too, and at least as large as both where neither is negative.
		b.atMost(b.sub(b.add(x, y), z), b.number(k.Max())), b.atMost(b.number(k.Min()), b.sub(b.add(x, y), z)))
}

// andBits returns x & y exactly, as a sum over the bits; over those of the narrower operand if one is known to be small and not
// negative.
func (b integers) andBits(k machine.Type, x, y ast.Expr, inX, inY interval.Interval) ast.Expr {
	width := k.Bits
	for _, in := range []interval.Interval{inX, inY} {
		if in.NotNegative() && in.High != nil {
			width = min(width, in.High.BitLen())
		}
	}
	bit := func(x ast.Expr, i int) ast.Expr {
		if i > 0 {
			x = b.floor(x, machine.Power(i))
		}
		return b.equal(b.modulo(x, big.NewInt(2)), b.small(1))
	}
	return b.names.with(b.builder, x, func(x ast.Expr) ast.Expr {
		return b.names.with(b.builder, y, func(y ast.Expr) ast.Expr {
			var sum ast.Expr = b.small(0)
			for i := range width {
				weight := machine.Power(i)
				if k.Signed && i == k.Bits-1 {
					weight = new(big.Int).Neg(weight)
				}
				sum = b.add(sum, b.choose(b.all(bit(x, i), bit(y, i)), b.number(weight), b.small(0)))
			}
			return sum
		})
	})
}

// complement returns ~x.
func (b integers) complement(k machine.Type, x ast.Expr) ast.Expr {
	if k.Signed {
		return b.sub(b.small(-1), x)
	}
	return b.sub(b.number(k.Max()), x)
}

// shiftLeft returns x << n for a constant n, shiftRight x >> n, which rounds down for negative numbers too.
func (b integers) shiftLeft(k machine.Type, x ast.Expr, in interval.Interval, n int) ast.Expr {
	factor := machine.Power(n)
	return b.any(k, b.mul(b.number(factor), x), in.Mul(interval.Point(factor)))
}

func (b integers) shiftRight(x ast.Expr, n int) ast.Expr {
	if n == 0 {
		return x
	}
	return b.floor(x, machine.Power(n))
}

// shiftCases returns a shift by a count between from and to, as a case distinction.
func (b integers) shiftCases(k machine.Type, left bool, x, count ast.Expr, in interval.Interval, from, to int) ast.Expr {
	return b.names.with(b.builder, x, func(x ast.Expr) ast.Expr {
		return b.names.with(b.builder, count, func(count ast.Expr) ast.Expr {
			by := func(n int) ast.Expr {
				if left {
					return b.shiftLeft(k, x, in, n)
				}
				return b.shiftRight(x, n)
			}
			r := by(to)
			for n := to - 1; n >= from; n-- {
				r = b.choose(b.equal(count, b.small(int64(n))), by(n), r)
			}
			return r
		})
	})
}

// shiftFacts returns facts about z = x << count or z = x >> count.
func (b integers) shiftFacts(left bool, x, count, z ast.Expr) []ast.Expr {
	zero := b.small(0)
	facts := []ast.Expr{b.implies(b.equal(count, zero), b.equal(z, x)), b.implies(b.equal(x, zero), b.equal(z, zero))}
	if left {
		return facts
	}
	return append(facts,
		b.implies(b.atMost(zero, x), b.all(b.atMost(zero, z), b.atMost(z, x))),
		b.implies(b.all(b.less(zero, count), b.less(zero, x)), b.less(z, x)),
		b.implies(b.less(x, zero), b.all(b.less(z, zero), b.atMost(x, z))))
}
