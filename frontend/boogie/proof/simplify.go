package proof

import (
	"cmp"
	"slices"

	"hornbeam/chc/term"
)

// Parts returns formulas that together say what a claim does, simplified, the shorter ones first.
func (c *Claim) Parts(p *term.Pool) []*term.Term {
	parts := c.reduced
	if !c.isReduced {
		parts = tightest(conjuncts(p, simplify(p, c.Formula), true, nil))
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b *term.Term) int { return cmp.Compare(a.Size(), b.Size()) })
	return parts
}

// tightest drops of the parts of a conjunction the bounds that follow from others: a <= 10 beside a <= 8 or a == 3.
func tightest(parts []*term.Term) []*term.Term {
	return slices.DeleteFunc(slices.Clone(parts), func(t *term.Term) bool {
		s, lower, c, ok := bound(t)
		return ok && slices.ContainsFunc(parts, func(u *term.Term) bool {
			if u == t {
				return false
			}
			if u.Op() == term.Eq && u.Arg(1).IsNumeral() && u.Arg(0) == s {
				d := u.Arg(1).Num().Cmp(c)
				return d == 0 || (d > 0) == lower
			}
			s2, lower2, c2, ok := bound(u)
			return ok && s2 == s && lower2 == lower && c2.Cmp(c) != 0 && (c2.Cmp(c) > 0) == lower
		})
	})
}

// bound takes a term for a bound c of the term s, if it is one: s <= c, or s >= c, whose form is that s <= c - 1, or s < c, is not so.
func bound(t *term.Term) (s *term.Term, lower bool, c term.Num, ok bool) {
	atom := t
	if lower = t.IsNot(); lower {
		atom = t.Arg(0)
	}
	switch op := atom.Op(); {
	case op != term.Le && op != term.Lt || !atom.Arg(1).IsNumeral() || (op == term.Lt) != (lower && atom.Arg(0).Sort() == term.Real):
		return nil, false, term.Num{}, false
	case lower && op == term.Le:
		return atom.Arg(0), true, atom.Arg(1).Num().Add(term.NewInt(1)), true
	}
	return atom.Arg(0), lower, atom.Arg(1).Num(), true
}

// simplify returns an equivalent formula that is shorter: x <= c && x >= c becomes x == c, x < c || x > c becomes x
// != c, and (a || b) && (!a || !b) becomes an equivalence.
func simplify(p *term.Pool, t *term.Term) *term.Term {
	return simplified(p, t, map[*term.Term]*term.Term{})
}

func simplified(p *term.Pool, t *term.Term, done map[*term.Term]*term.Term) *term.Term {
	if u := done[t]; u != nil {
		return u
	}
	u := t
	switch t.Op() {
	case term.And, term.Or, term.Not, term.Ite:
		if !t.IsBool() {
			break
		}
		u = p.MapArgs(t, func(a *term.Term) *term.Term { return simplified(p, a, done) })
	case term.Forall:
		u = p.Forall(t.Bound(), simplified(p, t.Arg(0), done))
	case term.Exists:
		u = p.Exists(t.Bound(), simplified(p, t.Arg(0), done))
	}
	switch u.Op() {
	case term.And:
		u = p.And(equivalences(p, meetingBounds(p, slices.Clone(u.Args()), false), true)...)
	case term.Or:
		u = p.Or(equivalences(p, meetingBounds(p, slices.Clone(u.Args()), true), false)...)
	}
	done[t] = u
	return u
}

// meetingBounds replaces, of the parts of a conjunction, a <= c and a >= c by a == c, and of those of a disjunction a < c
// and a > c by a != c.
func meetingBounds(p *term.Pool, ts []*term.Term, disjunction bool) []*term.Term {
	for i := 0; i < len(ts); i++ {
		upper := ts[i]
		if upper.Op() != term.Le || !upper.Arg(1).IsNumeral() {
			continue
		}
		s, c := upper.Arg(0), upper.Arg(1).Num()
		exact := c
		other := p.Ge(s, upper.Arg(1))
		if disjunction {
			if s.Sort() != term.Int {
				continue
			}
			exact = c.Add(term.NewInt(1))
			other = p.Gt(s, p.Numeral(exact, s.Sort()))
		}
		j := slices.Index(ts, other)
		if j < 0 {
			continue
		}
		ts[i] = p.Eq(s, p.Numeral(exact, s.Sort()))
		if disjunction {
			ts[i] = p.Not(ts[i])
		}
		ts = slices.Delete(ts, j, j+1)
		if j < i {
			i--
		}
	}
	return ts
}

// equivalences replaces two parts like a || b and !a || !b of a conjunction, or a && b and !a && !b of a disjunction, by
// an equivalence.
func equivalences(p *term.Pool, ts []*term.Term, conjunction bool) []*term.Term {
	op := term.And
	if conjunction {
		op = term.Or
	}
	for i := 0; i < len(ts); i++ {
		a, b, ok := twoParts(p, ts[i], op)
		if !ok {
			continue
		}
		other := p.And(p.Not(a), p.Not(b))
		if conjunction {
			other = p.Or(p.Not(a), p.Not(b))
		}
		j := slices.IndexFunc(ts, func(t *term.Term) bool {
			c, d, ok := twoParts(p, t, op)
			return ok && (p.And(c, d) == other || conjunction && p.Or(c, d) == other)
		})
		if j <= i {
			continue
		}
		if conjunction {
			b = p.Not(b)
		}
		ts[i] = p.Eq(a, b)
		ts = slices.Delete(ts, j, j+1)
	}
	return ts
}

// twoParts returns the parts of a conjunction or disjunction of two; a negated one of the other kind is one, too.
func twoParts(p *term.Pool, t *term.Term, op term.Op) (a, b *term.Term, ok bool) {
	opposite := map[term.Op]term.Op{term.And: term.Or, term.Or: term.And}[op]
	switch {
	case t.Op() == op && len(t.Args()) == 2:
		return t.Arg(0), t.Arg(1), true
	case t.IsNot() && t.Arg(0).Op() == opposite && len(t.Arg(0).Args()) == 2:
		return p.Not(t.Arg(0).Arg(0)), p.Not(t.Arg(0).Arg(1)), true
	}
	return nil, nil, false
}

// conjuncts adds the parts that a formula, or its negation, is the conjunction of.
func conjuncts(p *term.Pool, t *term.Term, positive bool, out []*term.Term) []*term.Term {
	switch {
	case t.IsNot():
		return conjuncts(p, t.Arg(0), !positive, out)
	case positive && t.IsAnd() || !positive && t.IsOr():
		for _, a := range t.Args() {
			out = conjuncts(p, a, positive, out)
		}
		return out
	case positive && t.Op() == term.Forall && t.Arg(0).IsAnd():
		for _, a := range t.Arg(0).Args() {
			out = append(out, p.Forall(t.Bound(), a))
		}
		return out
	case t.IsTrue() && positive || t.IsFalse() && !positive:
		return out
	}
	if !positive {
		t = p.Not(t)
	}
	return append(out, t)
}
