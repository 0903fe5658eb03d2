package qe

import "hornbeam/chc/term"

const (
	// maxCubePairs bounds the new literals of one Fourier-Motzkin step.
	maxCubePairs = 24
	// maxResidues bounds the residues that one divisibility split tries.
	maxResidues = 12
)

// occurrence of a variable in a cube, by the kind of its literals.
type cubeUse struct {
	rest                 []*term.Term // literals without the variable
	equal, lower, upper  []term.Constraint
	unequal, divisible   []*term.Term
	unequalIn, divisorIn []term.Linear
}

// classify sorts the literals by what they say of v; it reports false when v is in one that is not linear in it.
func (p *Projector) classify(lits []*term.Term, v *term.Term) (cubeUse, bool) {
	var u cubeUse
	for _, l := range lits {
		if !term.Contains(l, v) {
			u.rest = append(u.rest, l)
			continue
		}
		if c, ok := p.pool.AsConstraint(l); ok {
			a, ok := linearIn(c.Linear, v)
			switch {
			case !ok:
				return u, false
			case c.Rel == term.EQ:
				if a.Sign() < 0 {
					c.Linear = c.Scale(term.NewInt(-1))
				}
				u.equal = append(u.equal, c)
			case a.Sign() < 0:
				u.lower = append(u.lower, c)
			default:
				u.upper = append(u.upper, c)
			}
			continue
		}
		atom, positive := l.Atom()
		switch {
		case atom.Op() == term.Eq && !positive && atom.Arg(0).Sort().IsArith():
			c, ok := p.pool.AsConstraint(atom)
			if !ok {
				return u, false
			}
			if _, ok := linearIn(c.Linear, v); !ok {
				return u, false
			}
			u.unequal = append(u.unequal, l)
			u.unequalIn = append(u.unequalIn, c.Linear)
		case atom.Op() == term.Divides:
			lin := p.pool.Linear(atom.Arg(1))
			if _, ok := linearIn(lin, v); !ok {
				return u, false
			}
			u.divisible = append(u.divisible, l)
			u.divisorIn = append(u.divisorIn, lin)
		default:
			return u, false
		}
	}
	return u, true
}

// linearIn returns v's coefficient, and false when v also occurs inside another monomial.
func linearIn(l term.Linear, v *term.Term) (term.Num, bool) {
	a := term.Num{}
	for _, m := range l.Monomials {
		switch {
		case m.Term == v:
			a = m.Coef
		case !m.Term.IsVar() && term.Contains(m.Term, v):
			return a, false
		}
	}
	return a, !a.IsZero()
}

// step returns the exact way to eliminate v from the cube, or nil when there is no cheap one.
func (p *Projector) step(lits []*term.Term, v *term.Term) *elimStep {
	if !v.Sort().IsArith() {
		return nil
	}
	u, ok := p.classify(lits, v)
	switch {
	case !ok:
		return nil
	case len(u.equal) > 0:
		return p.scaledEquality(u, v)
	case len(u.lower) == 0 || len(u.upper) == 0:
		return p.oneSided(u, v)
	case len(u.divisible) > 0:
		return nil
	case len(u.unequal) > 0:
		return p.splitUnequal(u, v)
	default:
		return p.fourierMotzkin(u, v)
	}
}

// scaledEquality replaces v by -t/c for c*v + t = 0, the other literals scaled by c > 0, and keeps that c divides t.
func (p *Projector) scaledEquality(u cubeUse, v *term.Term) *elimStep {
	best := 0
	for i, e := range u.equal {
		if e.Coef(v).Cmp(u.equal[best].Coef(v)) < 0 {
			best = i
		}
	}
	eq := u.equal[best]
	c, t := eq.Coef(v), eq.Without(v)
	scale := func(l term.Linear) term.Linear { return l.Without(v).Scale(c).Sub(t.Scale(l.Coef(v))) }
	s := &elimStep{cost: 1, rest: u.rest}
	for i, e := range u.equal {
		if i != best {
			s.added = append(s.added, p.pool.Compare(scale(e.Linear), term.EQ, eq.Sort))
		}
	}
	for _, l := range append(append([]term.Constraint(nil), u.lower...), u.upper...) {
		s.added = append(s.added, p.pool.Compare(scale(l.Linear), l.Rel, eq.Sort))
	}
	for _, l := range u.unequalIn {
		s.added = append(s.added, p.pool.Not(p.pool.Compare(scale(l), term.EQ, eq.Sort)))
	}
	if eq.Sort == term.Int {
		for i, d := range u.divisible {
			atom, positive := d.Atom()
			lit := p.pool.Divides(atom.Num().Mul(c), p.pool.FromLinear(scale(u.divisorIn[i]), term.Int))
			if !positive {
				lit = p.pool.Not(lit)
			}
			s.added = append(s.added, lit)
		}
		s.added = append(s.added, p.pool.Divides(c, p.pool.FromLinear(t, term.Int)))
	}
	return s
}

// oneSided drops v, which is unbounded on one side: far enough out every bound and disequality holds, and each residue
// recurs.
func (p *Projector) oneSided(u cubeUse, v *term.Term) *elimStep {
	s := &elimStep{cost: -1, rest: u.rest}
	if len(u.divisible) == 0 {
		return s
	}
	if len(u.divisible) == 1 {
		atom, positive := u.divisible[0].Atom()
		k, a, t := atom.Num(), u.divisorIn[0].Coef(v), u.divisorIn[0].Without(v)
		g := term.GCD(k, a)
		if positive {
			s.added = append(s.added, p.pool.Divides(g, p.pool.FromLinear(t, term.Int)))
			return s
		}
		if !g.Equal(k) { // some residue of v avoids k, since a*v is not constant modulo k
			return s
		}
	}
	m := term.NewInt(1)
	for _, d := range u.divisible {
		atom, _ := d.Atom()
		m = term.LCM(m, atom.Num())
	}
	n, ok := m.Int64()
	if !ok || n > maxResidues {
		return nil
	}
	s.cost = int(n)
	for r := range n {
		sub := map[*term.Term]*term.Term{v: p.pool.Int(r)}
		lits := make([]*term.Term, len(u.divisible))
		for i, d := range u.divisible {
			lits[i] = p.pool.Substitute(d, sub)
		}
		s.split = append(s.split, p.pool.And(lits...))
	}
	return s
}

// splitUnequal branches on one disequality: below or above.
func (p *Projector) splitUnequal(u cubeUse, v *term.Term) *elimStep {
	lin, sort := u.unequalIn[0], v.Sort()
	one := term.Linear{}
	rel := term.LT
	if sort == term.Int {
		one.Const, rel = term.NewInt(1), term.LE
	}
	s := &elimStep{cost: 2 * maxCubePairs, rest: u.rest}
	for _, c := range append(append([]term.Constraint(nil), u.lower...), u.upper...) {
		s.rest = append(s.rest[:len(s.rest):len(s.rest)], p.pool.Compare(c.Linear, c.Rel, c.Sort))
	}
	s.rest = append(s.rest, u.unequal[1:]...)
	s.split = []*term.Term{
		p.pool.Compare(lin.Add(one), rel, sort),
		p.pool.Compare(lin.Scale(term.NewInt(-1)).Add(one), rel, sort),
	}
	return s
}

// fourierMotzkin joins each lower with each upper bound. Over the integers that is exact when in each pair one of the
// coefficients is 1.
func (p *Projector) fourierMotzkin(u cubeUse, v *term.Term) *elimStep {
	pairs := len(u.lower) * len(u.upper)
	if pairs > maxCubePairs {
		return nil
	}
	s := &elimStep{cost: pairs - len(u.lower) - len(u.upper), rest: u.rest}
	for _, lo := range u.lower {
		for _, up := range u.upper {
			a, b := lo.Coef(v).Neg(), up.Coef(v)
			if v.Sort() == term.Int && !a.IsOne() && !b.IsOne() {
				return nil
			}
			rel := term.LE
			if lo.Rel == term.LT || up.Rel == term.LT {
				rel = term.LT
			}
			s.added = append(s.added, p.pool.Compare(lo.Scale(b).Add(up.Scale(a)), rel, v.Sort()))
		}
	}
	return s
}
