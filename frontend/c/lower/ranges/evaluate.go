package ranges

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// Of returns the interval of an expression before a statement; outside of statements that of its type.
func (r *Analysis) Of(at ast.Stmt, e ast.Expr) interval.Interval {
	if n, ok := machine.Numeral(e); ok {
		return interval.Point(n)
	}
	if !r.o.Bounded {
		return interval.Interval{}
	}
	s := r.before[at]
	if s == nil {
		s = &state{}
	}
	if r.lowered != at {
		// Lowering asks for an expression and all of its subexpressions: without the cache that is quadratic.
		r.lowered = at
		clear(r.values)
	}
	return r.eval(s, e)
}

// Decided returns the value of a condition before a statement, and whether it is known.
func (r *Analysis) Decided(at ast.Stmt, cond ast.Expr) (value, known bool) {
	s := r.before[at]
	if s == nil || !r.o.Bounded {
		return false, false
	}
	if !r.assume(s.clone(), cond, false) {
		return false, true
	}
	return true, !r.assume(s.clone(), cond, true)
}

// evaluated is an expression with the state that it is evaluated in.
type evaluated struct {
	facts *facts
	e     ast.Expr
}

// eval returns an interval of an expression's values.
func (r *Analysis) eval(s *state, e ast.Expr) interval.Interval {
	_, choice := e.(*ast.IfThenElse)
	if _, ok := e.(*ast.Application); !choice && (!ok || r.lowered == nil) {
		return r.evaluate(s, e)
	}
	// Without the cache, if-then-else in conditions of if-then-else is exponential.
	key := evaluated{s.facts, e}
	in, ok := r.values[key]
	if !ok {
		in = r.evaluate(s, e)
		r.values[key] = in
	}
	return in
}

func (r *Analysis) evaluate(s *state, e ast.Expr) interval.Interval {
	switch e := e.(type) {
	case *ast.Identifier:
		at := r.slots[e.Decl]
		if at == nil {
			return typeRange(e)
		}
		f := s.facts.get(at.number)
		switch {
		case f == nil:
			return at.whole
		case f.Ones == nil && f.In(at.whole):
			return f.Interval
		}
		return f.Meet(at.whole)
	case *ast.IntLiteral:
		return interval.Point(e.Value)
	case *ast.Unary:
		if e.Op == ast.Negate {
			return r.eval(s, e.X).Negate()
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
		return r.eval(then, e.Then).Join(r.eval(otherwise, e.Else))
	case *ast.Binary:
		switch e.Op {
		case ast.Add:
			return r.eval(s, e.X).Add(r.eval(s, e.Y))
		case ast.Sub:
			return r.eval(s, e.X).Add(r.eval(s, e.Y).Negate())
		case ast.Mul:
			return r.eval(s, e.X).Mul(r.eval(s, e.Y))
		}
	case *ast.Application:
		if o, args, ok := machine.Recognise(e); ok && !o.Fits && !o.Op.Comparison() {
			return r.operation(s, o, args, typeRange(e))
		}
	}
	return typeRange(e)
}

// typeRange returns the interval of an expression's type.
func typeRange(e ast.Expr) interval.Interval {
	if t := machine.SortOfExpr(e); t.Shape == machine.WordShape {
		return interval.OfType(t.Word)
	}
	return interval.Interval{}
}

// operation returns the interval of an operation's result: that of the unbounded operation if it fits into the type, otherwise the
// type's, with the congruence that wrap-around keeps.
func (r *Analysis) operation(s *state, o machine.Operation, args []ast.Expr, whole interval.Interval) interval.Interval {
	x, y := r.eval(s, args[0]), interval.Interval{}
	if len(args) > 1 {
		y = r.eval(s, args[1])
	}
	if o.Op.Floats() {
		return FloatResult(o, x, y, whole)
	}
	raw := interval.Interval{}
	switch o.Op {
	case machine.Add:
		raw = x.Add(y)
	case machine.Sub:
		raw = x.Add(y.Negate())
	case machine.Mul:
		raw = x.Mul(y)
	case machine.Neg:
		raw = x.Negate()
	case machine.Not:
		if o.Type.Signed {
			raw = x.Negate().Add(interval.Point(big.NewInt(-1)))
		} else {
			raw = interval.Point(o.Type.Max()).Add(x.Negate())
		}
	case machine.Convert, machine.Integer:
		raw = x
	case machine.Index:
		return x
	case machine.Address:
		if x.In(interval.Interval{Low: new(big.Int)}) {
			return x
		}
		return interval.Between(new(big.Int), machine.Type{Bits: r.o.PointerBits}.Max())
	case machine.And:
		if a, b := x.Bits(), y.Bits(); a != nil && b != nil {
			return interval.Between(new(big.Int), whole.High).WithBits(new(big.Int).And(a, b)).CongruentTo(bitwise(o, x, y))
		}
		// A conjunction is no larger than an operand that is not negative.
		for _, i := range []interval.Interval{x, y} {
			if i.NotNegative() {
				raw = raw.Meet(interval.Between(new(big.Int), i.High))
			}
		}
		raw = raw.CongruentTo(bitwise(o, x, y))
	case machine.Or, machine.Xor:
		if x.NotNegative() && y.NotNegative() && x.High != nil && y.High != nil {
			n := max(x.High.BitLen(), y.High.BitLen())
			raw = interval.Between(new(big.Int), new(big.Int).Sub(machine.Power(n), big.NewInt(1))).WithBits(new(big.Int).Or(x.Bits(), y.Bits()))
		}
		raw = raw.CongruentTo(bitwise(o, x, y))
	case machine.Shl:
		if n, ok := interval.ShiftCount(o.Type, y); ok {
			raw = x.Mul(interval.Point(machine.Power(n)))
			if ones := x.Bits(); ones != nil {
				raw = raw.WithBits(new(big.Int).Lsh(ones, uint(n)))
			}
		}
	case machine.Shr:
		raw = shifted(x, y)
	case machine.Div, machine.Rem:
		raw = quotientRange(o.Op, x, y)
	}
	if raw.In(whole) {
		return raw
	}
	// What wraps around is off by a multiple of the modulus.
	return whole.CongruentTo(raw.Congruences().Modulo(machine.Power(o.Result().Bits)))
}

func bitwise(o machine.Operation, x, y interval.Interval) interval.Congruence {
	return x.Congruences().Bitwise(o.Op.String(), y.Congruences(), o.Type.Bits)
}

func shifted(x, count interval.Interval) interval.Interval {
	n := count.Low
	if !count.IsPoint() || n.Sign() < 0 || !n.IsInt64() || n.Int64() > 128 || x.Low == nil || x.High == nil {
		if x.NotNegative() {
			return interval.Between(new(big.Int), x.High)
		}
		return interval.Interval{}
	}
	out := interval.Between(new(big.Int).Rsh(x.Low, uint(n.Int64())), new(big.Int).Rsh(x.High, uint(n.Int64())))
	out = out.CongruentTo(x.Congruences().Floor(machine.Power(int(n.Int64()))))
	if ones := x.Bits(); ones != nil {
		out = out.WithBits(new(big.Int).Rsh(ones, uint(n.Int64())))
	}
	return out
}

// quotientRange returns the interval of a quotient or remainder by what is not 0.
func quotientRange(op machine.Op, x, y interval.Interval) interval.Interval {
	if x.Low == nil || x.High == nil {
		return interval.Interval{}
	}
	if op == machine.Div {
		if y.Low != nil && y.Low.Sign() > 0 {
			// The least divisor leaves most, and large ones nothing.
			q := interval.Between(new(big.Int).Quo(x.Low, y.Low), new(big.Int).Quo(x.High, y.Low))
			if y.IsPoint() {
				if x.NotNegative() {
					q = q.CongruentTo(x.Congruences().Floor(y.Low))
				}
				return q
			}
			return interval.Between(interval.Least(q.Low, new(big.Int)), interval.Greatest(q.High, new(big.Int)))
		}
		size := interval.Greatest(new(big.Int).Abs(x.Low), new(big.Int).Abs(x.High))
		return interval.Between(new(big.Int).Neg(size), size)
	}
	size := interval.Greatest(new(big.Int).Abs(x.Low), new(big.Int).Abs(x.High))
	if y.Low != nil && y.High != nil {
		most := new(big.Int).Sub(interval.Greatest(new(big.Int).Abs(y.Low), new(big.Int).Abs(y.High)), big.NewInt(1))
		if most.Sign() >= 0 {
			size = interval.Least(size, most)
		}
	}
	out := interval.Between(new(big.Int).Neg(size), size)
	if x.NotNegative() {
		out.Low = new(big.Int)
	}
	if y.IsPoint() {
		// The remainder is off by a multiple of the divisor.
		out = out.CongruentTo(x.Congruences().Modulo(y.Low))
	}
	return out
}
