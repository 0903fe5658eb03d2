package ranges

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// assume restricts a state to where a condition holds, or, negated, does not hold. It reports false if that is impossible.
func (r *Analysis) assume(s *state, e ast.Expr, negated bool) bool {
	switch e := e.(type) {
	case *ast.BoolLiteral:
		return e.Value != negated
	case *ast.Coercion:
		return r.assume(s, e.X, negated)
	case *ast.Unary:
		if e.Op == ast.Not {
			return r.assume(s, e.X, !negated)
		}
	case *ast.Binary:
		switch {
		case e.Op == ast.And && !negated, e.Op == ast.Or && negated:
			return r.assume(s, e.X, negated) && r.assume(s, e.Y, negated)
		case e.Op == ast.And || e.Op == ast.Or:
			// One of both: where one is not possible it is the other.
			x, y := s.clone(), s.clone()
			if !r.assume(x, e.X, negated) {
				return r.assume(s, e.Y, negated)
			}
			if !r.assume(y, e.Y, negated) {
				s.facts = x.facts
			}
		case e.Op == ast.Eq && !negated, e.Op == ast.Neq && negated:
			return r.equal(s, e.X, e.Y)
		case e.Op == ast.Neq && !negated, e.Op == ast.Eq && negated:
			return r.unequal(s, e.X, e.Y)
		case e.Op >= ast.Less && e.Op <= ast.GreaterEq:
			return r.compare(s, e.Op, e.X, e.Y, negated)
		}
	case *ast.Application:
		if o, args, ok := machine.Recognise(e); ok && o.Op.Comparison() {
			op := map[machine.Op]ast.BinaryOp{machine.Lt: ast.Less, machine.Le: ast.LessEq, machine.Gt: ast.Greater, machine.Ge: ast.GreaterEq}[o.Op]
			return r.compare(s, op, args[0], args[1], negated)
		}
	}
	return true
}

// compare narrows both sides of <, <=, > and >=.
func (r *Analysis) compare(s *state, op ast.BinaryOp, x, y ast.Expr, negated bool) bool {
	if negated {
		op = map[ast.BinaryOp]ast.BinaryOp{ast.Less: ast.GreaterEq, ast.LessEq: ast.Greater, ast.Greater: ast.LessEq, ast.GreaterEq: ast.Less}[op]
	}
	if op == ast.Greater || op == ast.GreaterEq {
		x, y = y, x
	}
	gap := big.NewInt(0)
	if op == ast.Less || op == ast.Greater {
		gap = big.NewInt(1)
	}
	inX, inY := r.eval(s, x), r.eval(s, y)
	if inY.High != nil && !r.narrow(s, x, interval.Interval{High: new(big.Int).Sub(inY.High, gap)}) {
		return false
	}
	return inX.Low == nil || r.narrow(s, y, interval.Interval{Low: new(big.Int).Add(inX.Low, gap)})
}

func (r *Analysis) equal(s *state, x, y ast.Expr) bool {
	if isMapExpr(x) {
		return true
	}
	inX, inY := r.eval(s, x), r.eval(s, y)
	return r.narrow(s, x, inY) && r.narrow(s, y, inX)
}

// unequal removes an endpoint of an interval.
func (r *Analysis) unequal(s *state, x, y ast.Expr) bool {
	if isMapExpr(x) {
		return true
	}
	for range 2 {
		if n := r.eval(s, y); n.IsPoint() {
			in := r.eval(s, x)
			if n.Low.Sign() == 0 && !r.narrow(s, x, interval.Interval{Nonzero: true}) {
				return false
			}
			if in.Low != nil && in.Low.Cmp(n.Low) == 0 && !r.narrow(s, x, interval.Interval{Low: new(big.Int).Add(n.Low, big.NewInt(1))}) {
				return false
			}
			if in.High != nil && in.High.Cmp(n.Low) == 0 && !r.narrow(s, x, interval.Interval{High: new(big.Int).Sub(n.Low, big.NewInt(1))}) {
				return false
			}
		}
		x, y = y, x
	}
	return true
}

func isMapExpr(e ast.Expr) bool {
	_, ok := e.TypeOf().(*ast.Map)
	return ok
}

// narrow meets the range of an expression with an interval, and reports false if that is empty. It narrows the operands of invertible
// operations.
func (r *Analysis) narrow(s *state, e ast.Expr, to interval.Interval) bool {
	if r.eval(s, e).Meet(to).Empty() {
		return false
	}
	switch e := e.(type) {
	case *ast.Identifier:
		if e.Decl.Kind != ast.Bound && machine.SortOf(e.Decl.Syntax).Shape != machine.OtherShape {
			if i := r.eval(s, e).Meet(to); r.slots[e.Decl] != nil && !r.slots[e.Decl].trivial(i) {
				r.put(s, e.Decl, i)
			}
		}
	case *ast.Coercion:
		return r.narrow(s, e.X, to)
	case *ast.IfThenElse:
		// Where only one of the values is possible, the condition is known.
		if r.eval(s, e.Else).Meet(to).Empty() {
			return r.assume(s, e.Cond, false) && r.narrow(s, e.Then, to)
		}
		if r.eval(s, e.Then).Meet(to).Empty() {
			return r.assume(s, e.Cond, true) && r.narrow(s, e.Else, to)
		}
	case *ast.Application:
		o, args, ok := machine.Recognise(e)
		if !ok {
			return true
		}
		switch {
		case o.Op == machine.Index, o.Op == machine.Convert && r.eval(s, args[0]).In(interval.OfType(o.To)):
			return r.narrow(s, args[0], to)
		case o.Op == machine.Add:
			// x + c in to, where it does not wrap, means x in to - c.
			x, c := r.eval(s, args[0]), r.eval(s, args[1])
			if c.IsPoint() && x.Add(c).In(interval.OfType(o.Type)) {
				return r.narrow(s, args[0], to.Add(c.Negate()))
			}
		}
	}
	return true
}
