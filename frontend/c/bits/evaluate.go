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
	s := r.before[at]
	if s == nil {
		s = &state{}
	}
	if r.lowered != at {
		// An expression is asked for with all that is in it, and each of these would look at all that is in it in turn.
		r.lowered = at
		clear(r.values)
	}
	return r.eval(s, e)
}

// decided tells whether a condition is known where a statement is executed, and what it is.
func (r *ranges) decided(at ast.Stmt, cond ast.Expr) (value, known bool) {
	s := r.before[at]
	if s == nil || !r.o.bounded() {
		return false, false
	}
	if !r.assume(s.clone(), cond, false) {
		return false, true
	}
	return true, !r.assume(s.clone(), cond, true)
}

// evaluated is an expression with what is known where it is evaluated.
type evaluated struct {
	facts *facts
	e     ast.Expr
}

// eval is an interval that an expression's value is in.
func (r *ranges) eval(s *state, e ast.Expr) interval {
	_, choice := e.(*ast.IfThenElse)
	if _, ok := e.(*ast.Application); !choice && (!ok || r.lowered == nil) {
		return r.evalAnew(s, e)
	}
	// Choices in the conditions of choices would be looked at again and again.
	key := evaluated{s.facts, e}
	in, ok := r.values[key]
	if !ok {
		in = r.evalAnew(s, e)
		r.values[key] = in
	}
	return in
}

func (r *ranges) evalAnew(s *state, e ast.Expr) interval {
	switch e := e.(type) {
	case *ast.Identifier:
		at := r.slot(e.Decl)
		if at == nil {
			return wholeOf(e)
		}
		f := s.facts.get(at.number)
		switch {
		case f == nil:
			return at.whole
		case f.ones == nil && f.in(at.whole):
			return f.interval
		}
		return f.meet(at.whole)
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
		switch e.Op {
		case ast.Add:
			return r.eval(s, e.X).add(r.eval(s, e.Y))
		case ast.Sub:
			return r.eval(s, e.X).add(r.eval(s, e.Y).negate())
		case ast.Mul:
			return r.eval(s, e.X).mul(r.eval(s, e.Y))
		}
	case *ast.Application:
		if o, args, ok := machine.Recognise(e); ok && !o.Fits && !o.Op.Comparison() {
			return r.operation(s, o, args, wholeOf(e))
		}
	}
	return wholeOf(e)
}

// wholeOf is the interval of an expression's type.
func wholeOf(e ast.Expr) interval {
	if t := sortOfExpr(e); t.shape == word {
		return span(t.word)
	}
	return interval{}
}

// operation is the interval of an operation's result: that of the unbounded operation where it fits into the type, else
// the type's.
func (r *ranges) operation(s *state, o machine.Operation, args []ast.Expr, whole interval) interval {
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
