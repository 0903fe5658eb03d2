package term

// Solve reads a formula as a variable and the term, without that variable, that it equals: of the variables that may be solved for,
// all where may is nil. It returns nil when the formula says no such thing.
func (p *Pool) Solve(f *Term, may func(*Term) bool) (x, t *Term) {
	can := func(x, t *Term) bool { return x.IsVar() && (may == nil || may(x)) && !Contains(t, x) }
	switch f.Op() {
	case Var:
		if can(f, p.True()) {
			return f, p.True()
		}
	case Not:
		if can(f.Arg(0), p.False()) {
			return f.Arg(0), p.False()
		}
	case Eq:
		a, b := f.Arg(0), f.Arg(1)
		switch {
		case can(a, b):
			return a, b
		case can(b, a):
			return b, a
		case a.Sort().IsArith():
			l := p.Linear(p.Sub(a, b))
			for _, m := range l.Monomials {
				c := m.Coef.Neg()
				if a.Sort() == Int && !c.Abs().IsOne() {
					continue
				}
				if t := p.FromLinear(l.Without(m.Term).Scale(c.Inv()), a.Sort()); can(m.Term, t) {
					return m.Term, t
				}
			}
		}
	}
	return nil, nil
}
