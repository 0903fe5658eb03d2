package proof

import (
	"math/big"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// number writes a term of the sort Int or Real. A number that stands for a value of an uninterpreted type is the
// constant of that number.
func (x *expresser) number(t *term.Term, typ ast.Type) ast.Expr {
	switch t.Op() {
	case term.Numeral:
		if uninterpreted(t.Sort(), typ) {
			for _, n := range x.constants[typ.String()] {
				if n.number.Equal(t.Num()) {
					return x.identifier(n.constant)
				}
			}
			fail("a value of the type %s that no constant has", typ)
		}
		return x.numeral(t.Num(), t.Sort())
	case term.Add:
		l := x.pool.Linear(t)
		positive, negative := x.sides(l.Monomials, t.Sort())
		if l.Const.Sign() > 0 {
			positive = append(positive, x.numeral(l.Const, t.Sort()))
		} else if l.Const.Sign() < 0 {
			negative = append(negative, x.numeral(l.Const.Neg(), t.Sort()))
		}
		e := ast.Expr(nil)
		if len(positive) == 0 {
			e = &ast.Unary{Op: ast.Negate, X: negative[0]}
			negative = negative[1:]
		} else {
			e = join(ast.Add, true, positive)
		}
		for _, n := range negative {
			e = binary(ast.Sub, e, n)
		}
		return e
	case term.Mul:
		if t.Arg(0).IsNumeral() {
			return x.scaled(t.Arg(0).Num(), t.Arg(1), t.Sort())
		}
		factors := make([]ast.Expr, len(t.Args()))
		for i, a := range t.Args() {
			factors[i] = x.expression(a, x.ofSort(t.Sort()))
		}
		return join(ast.Mul, true, factors)
	case term.RealDiv:
		return binary(ast.RealDiv, x.expression(t.Arg(0), ast.Real), x.expression(t.Arg(1), ast.Real))
	case term.IntDiv:
		return binary(ast.Div, x.expression(t.Arg(0), ast.Int), x.expression(t.Arg(1), ast.Int))
	case term.Mod:
		return binary(ast.Mod, x.expression(t.Arg(0), ast.Int), x.expression(t.Arg(1), ast.Int))
	case term.Abs:
		e := x.expression(t.Arg(0), ast.Int)
		return &ast.IfThenElse{Cond: binary(ast.GreaterEq, e, x.zero(term.Int)), Then: e, Else: &ast.Unary{Op: ast.Negate, X: e}}
	case term.ToReal:
		return &ast.Unary{Op: ast.ToReal, X: x.expression(t.Arg(0), ast.Int)}
	case term.ToInt:
		return &ast.Unary{Op: ast.ToInt, X: x.expression(t.Arg(0), ast.Real)}
	case term.BVToNat:
		return x.operator("bv2nat", ast.Int, t.Arg(0))
	}
	fail("%s", what(t))
	return nil
}

func (x *expresser) zero(s *term.Sort) ast.Expr { return x.numeral(term.NewInt(0), s) }

func (x *expresser) numeral(n term.Num, s *term.Sort) ast.Expr {
	if s == term.Int {
		return integer(n.BigInt())
	}
	if n.Sign() < 0 && n.Denom().IsOne() {
		return &ast.Unary{Op: ast.Negate, X: x.numeral(n.Neg(), s)}
	}
	return &ast.RealLiteral{Node: ast.Node{Type: ast.Real}, Value: new(big.Rat).Set(n.Rat())}
}

// scaled is a term times a number.
func (x *expresser) scaled(c term.Num, t *term.Term, s *term.Sort) ast.Expr {
	e := x.expression(t, x.ofSort(s))
	switch {
	case c.IsOne():
		return e
	case c.Neg().IsOne():
		return &ast.Unary{Op: ast.Negate, X: e}
	}
	return binary(ast.Mul, x.numeral(c, s), e)
}

// sides are the summands of a sum that have positive coefficients, and those that have negative ones, without the sign.
func (x *expresser) sides(ms []term.Monomial, s *term.Sort) (positive, negative []ast.Expr) {
	for _, m := range ms {
		if uninterpreted(s, x.typed(m.Term)) {
			fail("arithmetic with values of the type %s", x.typed(m.Term))
		}
		if m.Coef.Sign() > 0 {
			positive = append(positive, x.scaled(m.Coef, m.Term, s))
		} else {
			negative = append(negative, x.scaled(m.Coef.Neg(), m.Term, s))
		}
	}
	return positive, negative
}

// comparison writes an atom of arithmetic, or its negation, with what is subtracted on the other side.
func (x *expresser) comparison(t *term.Term, negated bool) ast.Expr {
	s := t.Arg(0).Sort()
	ms := x.pool.Linear(t.Arg(0)).Monomials
	bound := t.Arg(1).Num()
	for _, m := range ms {
		if typ := x.typed(m.Term); uninterpreted(s, typ) {
			return x.uninterpretedComparison(t.Op(), ms, bound, typ, negated)
		}
	}
	op := map[term.Op]ast.BinaryOp{term.Eq: ast.Eq, term.Le: ast.LessEq, term.Lt: ast.Less}[t.Op()]
	if negated {
		op, _ = op.Negated()
	}
	if subject, ok := x.result(op, ms); ok {
		return x.solved(op, subject, ms, bound, s)
	}
	left, right := x.sides(ms, s)
	// For integers, a <= b - 1 is a < b, and a > b - 4 is a + 3 >= b; a <= 7 is a < 8 where the program has 8 and no 7.
	switch one := term.NewInt(1); {
	case s != term.Int:
	case len(right) == 0 && (op == ast.LessEq || op == ast.Greater) && x.literal(bound.Add(one)) && !x.literal(bound):
		op, bound = map[ast.BinaryOp]ast.BinaryOp{ast.LessEq: ast.Less, ast.Greater: ast.GreaterEq}[op], bound.Add(one)
	case op == ast.LessEq && bound.Neg().IsOne():
		op, bound = ast.Less, term.NewInt(0)
	case op == ast.Greater && (bound.Neg().IsOne() || bound.Sign() < 0 && len(right) > 0):
		op, bound = ast.GreaterEq, bound.Add(one)
	}
	switch {
	case len(right) == 0:
		right = append(right, x.numeral(bound, s))
	case bound.Sign() > 0:
		right = append(right, x.numeral(bound, s))
	case bound.Sign() < 0:
		left = append(left, x.numeral(bound.Neg(), s))
	}
	if len(left) == 0 {
		left = append(left, x.zero(s))
	}
	if x.isSubject(ms) {
		left, right, op = right, left, op.Mirrored()
	}
	return binary(op, join(ast.Add, true, left), join(ast.Add, true, right))
}

// result finds what an equality of what is ensured says the value of: the only part that changes.
func (x *expresser) result(op ast.BinaryOp, ms []term.Monomial) (int, bool) {
	if op != ast.Eq || x.claim == nil || x.claim.Kind != Ensures {
		return 0, false
	}
	subject, found := 0, 0
	for i, m := range ms {
		if term.HasAny(m.Term, x.changing) {
			subject, found = i, found+1
		}
	}
	return subject, found == 1 && ms[subject].Coef.Abs().IsOne()
}

// solved writes an equality with one of its summands alone on the left.
func (x *expresser) solved(op ast.BinaryOp, subject int, ms []term.Monomial, bound term.Num, s *term.Sort) ast.Expr {
	m := ms[subject]
	rest := slices.Delete(slices.Clone(ms), subject, subject+1)
	if m.Coef.Sign() > 0 {
		for i := range rest {
			rest[i].Coef = rest[i].Coef.Neg()
		}
	} else {
		bound = bound.Neg()
	}
	value := x.pool.FromLinear(term.Linear{Monomials: rest, Const: bound}, s)
	return binary(op, x.expression(m.Term, x.ofSort(s)), x.expression(value, x.ofSort(s)))
}

// isSubject reports whether it is what is subtracted that a comparison is about: an index, or something that changes, while
// what is added is known.
func (x *expresser) isSubject(ms []term.Monomial) bool {
	for _, subjects := range []map[*term.Term]bool{x.bound, x.changing} {
		added, subtracted := false, false
		for _, m := range ms {
			if term.HasAny(m.Term, subjects) {
				added, subtracted = added || m.Coef.Sign() > 0, subtracted || m.Coef.Sign() < 0
			}
		}
		if added || subtracted {
			return !added
		}
	}
	return false
}

// uninterpretedComparison writes a comparison of values of an uninterpreted type, which are numbers in the clauses. All
// that is known of these is which constants have which, so that the other values may be taken to be larger than any
// number that is mentioned: with a number, a value is compared by saying which constants it is.
func (x *expresser) uninterpretedComparison(op term.Op, ms []term.Monomial, bound term.Num, typ ast.Type, negated bool) ast.Expr {
	one := term.NewInt(1)
	switch {
	case op == term.Eq && len(ms) == 2 && bound.IsZero() && ms[0].Coef.Equal(ms[1].Coef.Neg()):
		return relation(negated, x.expression(ms[0].Term, typ), x.expression(ms[1].Term, typ))
	case len(ms) != 1 || !ms[0].Coef.Equal(one):
		fail("an order of the values of the type %s", typ)
	}
	e := x.expression(ms[0].Term, typ)
	var cases []ast.Expr
	for _, n := range x.constants[typ.String()] {
		if c := n.number.Cmp(bound); c == 0 || op != term.Eq && c < 0 {
			cases = append(cases, relation(negated, e, x.identifier(n.constant)))
		}
	}
	if negated {
		return join(ast.And, true, cases)
	}
	return join(ast.Or, false, cases)
}

// byZero writes a quotient or remainder that is some function of the dividend where the divisor is zero, as the encoding
// makes them; nil for other terms.
func (x *expresser) byZero(t *term.Term) ast.Expr {
	cond, zero, quotient := t.Arg(0), t.Arg(1), t.Arg(2)
	op, ok := map[term.Op]ast.BinaryOp{term.IntDiv: ast.Div, term.Mod: ast.Mod, term.RealDiv: ast.RealDiv}[quotient.Op()]
	if !ok {
		return nil
	}
	dividend, divisor := quotient.Arg(0), quotient.Arg(1)
	if zero.Op() != term.Select || zero.Arg(1) != dividend || !zero.Arg(0).IsVar() || cond != x.pool.Eq(divisor, x.pool.Numeral(term.NewInt(0), divisor.Sort())) {
		return nil
	}
	v := x.variables[zero.Arg(0)]
	if v == nil || v.function == nil {
		return nil
	}
	if by, ok := v.function.ByZero(); !ok || by != op {
		return nil
	}
	typ := x.ofSort(t.Sort())
	return binary(op, x.expression(dividend, typ), x.expression(divisor, typ))
}
