package unfold

import "hornbeam/chc/term"

// sameIndex says that two indices are equal. An element of a matrix that is stored row by row has the index c*x + y, with 0 <= y < c:
// it is a number at one x and one y only, which a solver learns from the equation by trying one x after the other.
func sameIndex(p *term.Pool, a, b *term.Term) *term.Term {
	if a.Sort() != term.Int {
		return p.Eq(a, b)
	}
	return isZero(p, p.Linear(a).Sub(p.Linear(b)))
}

// isZero says that a form over integers is 0. Where one coefficient c is larger than all others, which are positive, what these make is
// its remainder by c, if it is less than c.
func isZero(p *term.Pool, l term.Linear) *term.Term {
	equation := p.Compare(l, term.EQ, term.Int)
	if len(l.Monomials) < 2 {
		return equation
	}
	row := l.Monomials[0]
	for _, m := range l.Monomials[1:] {
		if m.Coef.Abs().Cmp(row.Coef.Abs()) > 0 {
			row = m
		}
	}
	if row.Coef.Sign() < 0 {
		l, row.Coef = l.Scale(term.NewInt(-1)), row.Coef.Neg()
	}
	for _, m := range l.Monomials {
		if m.Term != row.Term && (m.Coef.Sign() < 0 || m.Coef.Cmp(row.Coef) >= 0) {
			return equation
		}
	}
	number := l.Const.Neg()
	quotient := number.Div(row.Coef).Floor()
	column := l.Without(row.Term)
	column.Const = term.Num{}
	rest := number.Sub(quotient.Mul(row.Coef)).Neg()
	inRow := p.And(p.Ge(p.FromLinear(column, term.Int), p.Int(0)), p.Lt(p.FromLinear(column, term.Int), p.IntNum(row.Coef)))
	column.Const = rest
	return p.Ite(inRow, p.And(p.Eq(row.Term, p.IntNum(quotient)), isZero(p, column)), equation)
}
