package bits

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// of is the interval of an expression where a statement is executed; outside of statements it is that of its type.
func (r *ranges) of(at ast.Stmt, e ast.Expr) interval {
	if n, ok := numeral(e); ok {
		return point(n)
	}
	if !r.o.bounded() {
		return interval{}
	}
	return r.eval(r.before[at], e)
}

// decided tells whether a condition is known where a statement is executed, and what it is.
func (r *ranges) decided(at ast.Stmt, cond ast.Expr) (value, known bool) {
	s, ok := r.before[at]
	if !ok || !r.o.bounded() {
		return false, false
	}
	if !r.assume(s.clone(), cond, false) {
		return false, true
	}
	return true, !r.assume(s.clone(), cond, true)
}

// eval is an interval that an expression's value is in.
func (r *ranges) eval(s state, e ast.Expr) interval {
	whole := interval{}
	if t := sortOfExpr(e); t.shape == word {
		whole = span(t.word)
	}
	switch e := e.(type) {
	case *ast.Identifier:
		if i, ok := s[e.Decl]; ok {
			return i.meet(whole)
		}
	case *ast.IntLiteral:
		return point(e.Value)
	case *ast.Unary:
		if e.Op == ast.Negate {
			return r.eval(s, e.X).negate()
		}
	case *ast.Coercion:
		return r.eval(s, e.X)
	case *ast.IfThenElse:
		then, otherwise := s.clone(), s.clone()
		switch {
		case !r.assume(then, e.Cond, false):
			return r.eval(otherwise, e.Else)
		case !r.assume(otherwise, e.Cond, true):
			return r.eval(then, e.Then)
		}
		return r.eval(then, e.Then).join(r.eval(otherwise, e.Else))
	case *ast.Binary:
		x, y := r.eval(s, e.X), r.eval(s, e.Y)
		switch e.Op {
		case ast.Add:
			return x.add(y)
		case ast.Sub:
			return x.add(y.negate())
		case ast.Mul:
			return x.mul(y)
		}
	case *ast.Application:
		if o, args, ok := machine.Recognise(e); ok && !o.Fits && !o.Op.Comparison() {
			return r.operation(s, o, args, whole)
		}
	}
	return whole
}

// operation is the interval of an operation's result: that of the unbounded operation where it fits into the type, else
// the type's.
func (r *ranges) operation(s state, o machine.Operation, args []ast.Expr, whole interval) interval {
	x, y := r.eval(s, args[0]), interval{}
	if len(args) > 1 {
		y = r.eval(s, args[1])
	}
	if o.Op.Floats() {
		return floatRange(o, x, y, whole)
	}
	raw := interval{}
	switch o.Op {
	case machine.Add:
		raw = x.add(y)
	case machine.Sub:
		raw = x.add(y.negate())
	case machine.Mul:
		raw = x.mul(y)
	case machine.Neg:
		raw = x.negate()
	case machine.Not:
		if o.Type.Signed {
			raw = x.negate().add(point(big.NewInt(-1)))
		} else {
			raw = point(o.Type.Max()).add(x.negate())
		}
	case machine.Convert, machine.Integer:
		raw = x
	case machine.Index:
		return x
	case machine.Address:
		if x.in(interval{low: new(big.Int)}) {
			return x
		}
		return between(new(big.Int), machine.Type{Bits: r.o.PointerBits}.Max())
	case machine.And:
		if a, b := x.bits(), y.bits(); a != nil && b != nil {
			return between(new(big.Int), whole.high).withBits(new(big.Int).And(a, b)).congruentTo(bitwise(o, x, y))
		}
		// A conjunction is no larger than an operand that is not negative.
		for _, i := range []interval{x, y} {
			if i.notNegative() {
				raw = raw.meet(between(new(big.Int), i.high))
			}
		}
		raw = raw.congruentTo(bitwise(o, x, y))
	case machine.Or, machine.Xor:
		if x.notNegative() && y.notNegative() && x.high != nil && y.high != nil {
			n := max(x.high.BitLen(), y.high.BitLen())
			raw = between(new(big.Int), new(big.Int).Sub(power(n), big.NewInt(1))).withBits(new(big.Int).Or(x.bits(), y.bits()))
		}
		raw = raw.congruentTo(bitwise(o, x, y))
	case machine.Shl:
		if n, ok := shiftCount(o.Type, y); ok {
			raw = x.mul(point(power(n)))
			if ones := x.bits(); ones != nil {
				raw = raw.withBits(new(big.Int).Lsh(ones, uint(n)))
			}
		}
	case machine.Shr:
		raw = shifted(x, y)
	case machine.Div, machine.Rem:
		raw = quotientRange(o.Op, x, y)
	}
	if raw.in(whole) {
		return raw
	}
	// What wraps around is off by a multiple of the modulus.
	return whole.congruentTo(raw.congruences().modulo(power(wordOf(o).Bits)))
}

// wordOf is the type of an operation's result.
func wordOf(o machine.Operation) machine.Type {
	switch o.Op {
	case machine.Convert, machine.FloatConvert, machine.FloatFrom, machine.FloatTo:
		return o.To
	}
	return o.Type
}

func bitwise(o machine.Operation, x, y interval) congruence {
	return x.congruences().bitwise(o.Op.String(), y.congruences(), o.Type.Bits)
}

func shifted(x, count interval) interval {
	n := count.low
	if !count.isPoint() || n.Sign() < 0 || !n.IsInt64() || n.Int64() > 128 || x.low == nil || x.high == nil {
		if x.notNegative() {
			return between(new(big.Int), x.high)
		}
		return interval{}
	}
	out := between(new(big.Int).Rsh(x.low, uint(n.Int64())), new(big.Int).Rsh(x.high, uint(n.Int64())))
	out = out.congruentTo(x.congruences().floor(power(int(n.Int64()))))
	if ones := x.bits(); ones != nil {
		out = out.withBits(new(big.Int).Rsh(ones, uint(n.Int64())))
	}
	return out
}

// quotientRange is the interval of a quotient or remainder by what is not 0.
func quotientRange(op machine.Op, x, y interval) interval {
	if x.low == nil || x.high == nil {
		return interval{}
	}
	if op == machine.Div {
		if y.low != nil && y.low.Sign() > 0 {
			// The least divisor leaves most, and large ones nothing.
			q := between(new(big.Int).Quo(x.low, y.low), new(big.Int).Quo(x.high, y.low))
			if y.isPoint() {
				if x.notNegative() {
					q = q.congruentTo(x.congruences().floor(y.low))
				}
				return q
			}
			return between(least(q.low, new(big.Int)), greatest(q.high, new(big.Int)))
		}
		size := greatest(new(big.Int).Abs(x.low), new(big.Int).Abs(x.high))
		return between(new(big.Int).Neg(size), size)
	}
	size := greatest(new(big.Int).Abs(x.low), new(big.Int).Abs(x.high))
	if y.low != nil && y.high != nil {
		most := new(big.Int).Sub(greatest(new(big.Int).Abs(y.low), new(big.Int).Abs(y.high)), big.NewInt(1))
		if most.Sign() >= 0 {
			size = least(size, most)
		}
	}
	out := between(new(big.Int).Neg(size), size)
	if x.notNegative() {
		out.low = new(big.Int)
	}
	if y.isPoint() {
		// The remainder is off by a multiple of the divisor.
		out = out.congruentTo(x.congruences().modulo(y.low))
	}
	return out
}
