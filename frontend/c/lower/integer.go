package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// integers builds operations of machine types on integers that are within the ranges of their types.
type integers struct {
	builder
	names *namer
	// wraps says that results wrap around; unbounded integers do not, and conversions do not change them.
	wraps bool
}

// once returns the value of a type that is congruent to e, which is within in and at most one modulus out of range.
func (b integers) once(k machine.Type, e ast.Expr, in interval.Interval) ast.Expr {
	if !b.wraps || in.In(interval.OfType(k)) {
		return e
	}
	modulus := b.number(machine.Power(k.Bits))
	return b.names.with(b.builder, e, func(e ast.Expr) ast.Expr {
		r := e
		if in.Low == nil || in.Low.Cmp(k.Min()) < 0 {
			r = b.choose(b.less(e, b.number(k.Min())), b.add(e, modulus), r)
		}
		if in.High == nil || in.High.Cmp(k.Max()) > 0 {
			r = b.choose(b.less(b.number(k.Max()), e), b.sub(e, modulus), r)
		}
		return r
	})
}

// any returns the value of a type that is congruent to e, which is within in.
func (b integers) any(k machine.Type, e ast.Expr, in interval.Interval) ast.Expr {
	switch {
	case !b.wraps || in.In(interval.OfType(k)):
		return e
	case in.In(interval.Between(new(big.Int).Sub(k.Min(), machine.Power(k.Bits)), new(big.Int).Add(k.Max(), machine.Power(k.Bits)))):
		return b.once(k, e, in)
	case !k.Signed:
		return b.modulo(e, machine.Power(k.Bits))
	}
	half := b.number(machine.Power(k.Bits - 1))
	return b.sub(b.modulo(b.add(e, half), machine.Power(k.Bits)), half)
}

// product returns x * y. The values of a factor with few are told apart by cases, each of which is linear; where intervals do not apply
// to unbounded integers, what is outside of them is the last case.
func (l *lowering) product(i integers, x, y ast.Expr, inX, inY interval.Interval) ast.Expr {
	if inX.IsPoint() || inY.IsPoint() || !l.few(inX) && !l.few(inY) {
		return i.mul(x, y)
	}
	if !l.few(inY) {
		x, y, inY = y, x, inX
	}
	var other func(x, y ast.Expr) ast.Expr
	if !i.wraps {
		other = i.mul
	}
	return i.byCases(x, y, inY, other, func(x ast.Expr, n *big.Int) ast.Expr { return i.mul(i.number(n), x) })
}

// few reports whether the numbers of an interval are told apart by cases. In copies of a loop's body they are not: powers have few values in
// the first of them, and their products are better left as they are.
func (l *lowering) few(in interval.Interval) bool {
	_, copied := l.Copies[l.source()]
	return in.AtMost(cheapFactors) && !copied
}

// byCases returns what an operation yields of x and y, where y is one of the few numbers of an interval: of x and that number. If other is not
// nil, y may be outside of the interval, and other is the operation.
func (b integers) byCases(x, y ast.Expr, in interval.Interval, other func(x, y ast.Expr) ast.Expr, by func(x ast.Expr, n *big.Int) ast.Expr) ast.Expr {
	return b.names.with(b.builder, x, func(x ast.Expr) ast.Expr {
		return b.names.with(b.builder, y, func(y ast.Expr) ast.Expr {
			var z ast.Expr
			if other != nil {
				z = other(x, y)
			}
			for n := in.High; n.Cmp(in.Low) >= 0; n = new(big.Int).Sub(n, big.NewInt(1)) {
				if z == nil {
					z = by(x, n)
				} else {
					z = b.choose(b.equal(y, b.number(n)), by(x, n), z)
				}
			}
			return z
		})
	})
}

// quotient returns C's quotient, which truncates, by a constant that is not 0.
func (b integers) quotient(k machine.Type, x ast.Expr, in interval.Interval, n *big.Int) ast.Expr {
	size := new(big.Int).Abs(n)
	q := func(x ast.Expr) ast.Expr { return b.floor(x, size) }
	var r ast.Expr
	if in.NotNegative() {
		r = q(x)
	} else {
		r = b.names.with(b.builder, x, func(x ast.Expr) ast.Expr {
			return b.choose(b.atMost(b.small(0), x), q(x), b.negate(q(b.negate(x))))
		})
	}
	if n.Sign() < 0 {
		r = b.negate(r)
		if n.Cmp(big.NewInt(-1)) == 0 {
			return b.once(k, r, in.Negate())
		}
	}
	return r
}

// remainder returns C's remainder, with the sign of the dividend, by a constant that is not 0.
func (b integers) remainder(x ast.Expr, in interval.Interval, n *big.Int) ast.Expr {
	size := new(big.Int).Abs(n)
	if in.NotNegative() {
		return b.modulo(x, size)
	}
	return b.names.with(b.builder, x, func(x ast.Expr) ast.Expr {
		return b.choose(b.atMost(b.small(0), x), b.modulo(x, size), b.negate(b.modulo(b.negate(x), size)))
	})
}
