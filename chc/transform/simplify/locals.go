package simplify

import (
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// use is an occurrence of a variable in a literal: coef*x + rest rel 0, or "is not 0" when not is set.
type use struct {
	lit  int
	coef term.Num
	rest term.Linear
	rel  term.Rel
	not  bool
}

// localUses finds, for the variables that occur in literals of conj only, and there outside of opaque terms, where they
// occur; other variables of conj are blocked.
func localUses(pool *term.Pool, conj []*term.Term, roles map[*term.Term]role) (uses map[*term.Term][]use, blocked map[*term.Term]bool) {
	uses, blocked = map[*term.Term][]use{}, map[*term.Term]bool{}
	seen := map[*term.Term]bool{}
	block := func(t *term.Term) {
		term.Walk(t, func(u *term.Term) bool {
			if seen[u] {
				return false
			}
			seen[u] = true
			if u.IsVar() {
				blocked[u] = true
			}
			return true
		})
	}
	for i, c := range conj {
		atom, positive := c.Atom()
		con, ok := pool.AsConstraint(c)
		not := false
		if !ok && !positive && arithmetic(atom) {
			con, ok = pool.AsConstraint(atom)
			not = true
		}
		if !ok {
			block(c)
			continue
		}
		for _, m := range con.Monomials {
			if !m.Term.IsVar() {
				block(m.Term)
			} else if roles[m.Term] == local {
				uses[m.Term] = append(uses[m.Term], use{lit: i, coef: m.Coef, rest: con.Without(m.Term), rel: con.Rel, not: not})
			}
		}
	}
	return uses, blocked
}

// eliminateLocals removes numeric variables of the constraint that only literals restrict: from one side, so that they
// always have a value, or from both sides where the combinations of the bounds are exact and not more than the bounds
// (Fourier-Motzkin; over Int one coefficient of each pair is 1). It reports whether it removed any.
func (d *Draft) eliminateLocals() bool {
	conj := term.Conjuncts(d.Constraint)
	roles := d.roles()
	uses, blocked := localUses(d.pool, conj, roles)
	removed := make([]bool, len(conj))
	var extra []*term.Term
	eliminated := false
	for _, x := range term.Vars(d.Constraint) {
		if blocked[x] || roles[x] != local || x.Sort() != term.Int && x.Sort() != term.Real {
			continue
		}
		var lower, upper, apart []use
		exact := true
		for _, u := range uses[x] {
			switch {
			case removed[u.lit]:
			case u.not:
				apart = append(apart, u)
			case u.rel == term.EQ:
				exact = false
			case u.coef.Sign() < 0:
				lower = append(lower, u)
			default:
				upper = append(upper, u)
			}
		}
		if len(lower)+len(upper)+len(apart) == 0 {
			continue
		}
		oneSided := len(lower) == 0 || len(upper) == 0
		if !exact || !oneSided && (len(apart) > 0 || !exactPairs(x, lower, upper)) {
			continue
		}
		if !oneSided {
			for _, lo := range lower {
				for _, up := range upper {
					extra = append(extra, combine(d.pool, x, lo, up))
				}
			}
			// The new literals are not among the uses of the variables in them.
			for _, u := range append(lower, upper...) {
				for _, m := range u.rest.Monomials {
					blocked[m.Term] = true
				}
			}
		}
		for _, u := range uses[x] {
			removed[u.lit] = true
		}
		if def, ok := witnessTerm(d.pool, x, lower, upper, apart); ok {
			d.Define = append(d.Define, transform.Definition{Variable: x, Value: def})
		} // Otherwise a solver finds the value, which needs no record.
		eliminated = true
	}
	if !eliminated {
		return false
	}
	var rest []*term.Term
	for i, c := range conj {
		if !removed[i] {
			rest = append(rest, c)
		}
	}
	d.Constraint = d.pool.And(append(rest, extra...)...)
	return true
}

// exactPairs reports whether x can be eliminated from between its bounds without loss or growth.
func exactPairs(x *term.Term, lower, upper []use) bool {
	n, m := len(lower), len(upper)
	if n*m > n+m || n*m > maxCombinations {
		return false
	}
	if x.Sort() == term.Real {
		return true
	}
	for _, lo := range lower {
		for _, up := range upper {
			if !lo.coef.Abs().IsOne() && !up.coef.IsOne() {
				return false
			}
		}
	}
	return true
}

// combine returns what a lower and an upper bound on x imply without x.
func combine(pool *term.Pool, x *term.Term, lo, up use) *term.Term {
	// lo: -a*x + r <= 0 and up: b*x + s <= 0 with a, b > 0 give b*r + a*s <= 0.
	sum := lo.rest.Scale(up.coef).Add(up.rest.Scale(lo.coef.Neg()))
	rel := term.LE
	if lo.rel == term.LT || up.rel == term.LT {
		rel = term.LT
	}
	return pool.Compare(sum, rel, x.Sort())
}

// witnessTerm returns a term that satisfies x's bounds whenever they can be satisfied.
func witnessTerm(pool *term.Pool, x *term.Term, lower, upper, apart []use) (*term.Term, bool) {
	s := x.Sort()
	one := pool.Numeral(term.NewInt(1), s)
	// end is the value of x at which the literal turns: the least (or greatest) integer on its side over Int.
	end := func(u use) *term.Term {
		if s == term.Real {
			return pool.FromLinear(u.rest.Scale(u.coef.Neg().Inv()), s)
		}
		rest := pool.FromLinear(u.rest, s)
		if u.coef.Sign() < 0 { // x >= ceil(rest / -coef)
			return pool.Neg(pool.IntDiv(pool.Neg(rest), pool.IntNum(u.coef.Neg())))
		}
		return pool.IntDiv(pool.Neg(rest), pool.IntNum(u.coef))
	}
	extreme := func(us []use, pick func(a, b *term.Term) *term.Term) *term.Term {
		t := end(us[0])
		for _, u := range us[1:] {
			e := end(u)
			t = pool.Ite(pick(t, e), t, e)
		}
		return t
	}
	if len(lower)+len(upper)+len(apart) > maxBranches {
		return nil, false
	}
	switch {
	case len(apart) == 1 && len(lower) == 0 && len(upper) == 0:
		if s == term.Int && !apart[0].coef.Abs().IsOne() {
			return nil, false
		}
		return pool.Add(pool.FromLinear(apart[0].rest.Scale(apart[0].coef.Neg().Inv()), s), one), true
	case len(apart) > 0:
		return nil, false
	case len(upper) == 0:
		t := extreme(lower, pool.Ge)
		if s == term.Real {
			t = pool.Add(t, one)
		}
		return t, true
	case len(lower) == 0:
		t := extreme(upper, pool.Le)
		if s == term.Real {
			t = pool.Sub(t, one)
		}
		return t, true
	case s == term.Int:
		// With a unit coefficient on one side the other side's end is what must be met.
		for _, u := range lower {
			if !u.coef.Abs().IsOne() {
				return extreme(upper, pool.Le), true
			}
		}
		return extreme(lower, pool.Ge), true
	default:
		mid := pool.Add(extreme(lower, pool.Ge), extreme(upper, pool.Le))
		return pool.Scale(term.NewRat(1, 2), mid), true
	}
}
