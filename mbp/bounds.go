package mbp

import "hornbeam/chc/term"

// resolveAll replaces the bounds of a variable by the resolvents of all pairs of a lower and an upper bound, which is
// Fourier-Motzkin and equivalent over reals, and over integers when one coefficient of each pair is a unit (4.3, full
// resolution). With strict, the resolvents are strict whatever the bounds are.
func (s *system) resolveAll(v int32, strict bool) {
	s.vars[v].done = true
	b := s.bounds(v)
	c := s.vars[v].col
	s.killAll(c)
	for _, l := range b.lower {
		for _, u := range b.upper {
			lower, upper := s.rows[l], s.rows[u]
			s.addResolvent(c, &lower, &upper, term.Num{}, strict)
		}
	}
}

// killAll removes all rows of a column.
func (s *system) killAll(c int32) {
	for _, id := range s.cols[c].rows {
		s.kill(id)
	}
}

// addResolvent adds the consequence of lower bound -b*x + s <= 0 and upper bound a*x + t <= 0 without x, a*s + b*t +
// slack <= 0, strict when one of them is or when asked for.
func (s *system) addResolvent(c int32, l, u *row, slack term.Num, strict bool) {
	rel := le
	if strict || l.rel == lt || u.rel == lt {
		rel = lt
	}
	out := combine(l.sum(), u.coef(c), u.sum(), l.coef(c).Neg(), c)
	out.con = out.con.Add(slack)
	s.addRow(out, rel, term.Num{})
}

// resolveTightest replaces the bounds of a variable by what is left when the bound on one side that is tightest in the
// model stands for the variable: it is compared with the others on its side and resolved against the other side's
// (model-based Loos-Weispfenning; 4.3). No infinitesimal is needed: a strict bound wins ties, so that the open interval
// between it and the other side is what remains.
func (s *system) resolveTightest(v int32, b bounds, strict bool) {
	s.exact = false
	s.vars[v].done = true
	c := s.vars[v].col
	pivot, other := s.tightest(c, b.lower), s.tightest(c, b.upper)
	side, opposite := b.lower, b.upper
	if s.preferUpper(c, pivot, other, len(b.lower), len(b.upper)) {
		pivot, side, opposite = other, b.upper, b.lower
	}
	s.killAll(c)
	p := s.rows[pivot]
	for _, id := range side {
		if id != pivot {
			o := s.rows[id]
			s.addComparison(c, &p, &o)
		}
	}
	if s.cols[c].integer {
		s.resolveIntegers(c, p, opposite)
		return
	}
	for _, id := range opposite {
		o := s.rows[id]
		l, u := orient(c, &p, &o)
		s.addResolvent(c, l, u, term.Num{}, strict)
	}
}

// orient returns the lower and the upper bound of two rows on opposite sides.
func orient(c int32, a, b *row) (l, u *row) {
	if a.coef(c).Sign() < 0 {
		return a, b
	}
	return b, a
}

// tightest returns the bound that is nearest to the variable in the model, a strict one among equals, the first among
// those.
func (s *system) tightest(c int32, ids []int32) int32 {
	best := int32(-1)
	var val, coef term.Num // of the best row, the distance is val/coef
	for _, id := range ids {
		r := &s.rows[id]
		v, k := r.val.Abs(), r.coef(c).Abs()
		if best >= 0 {
			d := v.Mul(coef).Cmp(val.Mul(k))
			if d > 0 || d == 0 && !(r.rel == lt && s.rows[best].rel == le) {
				continue
			}
		}
		best, val, coef = id, v, k
	}
	return best
}

// preferUpper chooses the side of the pivot: over integers the one whose tightest bound has a unit coefficient, then the
// one with fewer rows.
func (s *system) preferUpper(c, lower, upper int32, nl, nu int) bool {
	if s.cols[c].integer {
		lu, uu := s.rows[lower].coef(c).Abs().IsOne(), s.rows[upper].coef(c).Abs().IsOne()
		if lu != uu {
			return uu
		}
	}
	return nu < nl
}

// addComparison adds that the pivot's bound is at least as tight as another on its side: for upper bounds a*x + t <= 0
// and a'*x + t' <= 0 that -t/a <= -t'/a', strictly when only the other is strict.
func (s *system) addComparison(c int32, pivot, o *row) {
	a, b := pivot.coef(c).Abs(), o.coef(c).Abs()
	rel := le
	if o.rel == lt && pivot.rel == le {
		rel = lt
	}
	s.addRow(combine(o.sum(), a, pivot.sum(), b.Neg(), c), rel, term.Num{})
}

// orderDisequalities replaces a variable's disequalities by the strict bounds that hold in the model.
func (s *system) orderDisequalities(b bounds) {
	s.exact = false
	for _, id := range b.differ {
		r := s.rows[id]
		s.kill(id)
		f := one
		if r.val.Sign() > 0 {
			f = f.Neg()
		}
		s.addRow(combine(r.sum(), f, sum{}, term.Num{}, -1), lt, term.Num{})
	}
}
