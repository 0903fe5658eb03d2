package simplify

import "hornbeam/chc/term"

// bound is one end of a span; lit is the literal with this bound.
type bound struct {
	term.Bound
	lit *term.Term
}

// span has the bounds that a conjunction's literals put on one normalised sum.
type span struct {
	sum    *term.Term
	lo, hi *bound
}

// spans collects the bounds that literals put on normalised sums.
type spans struct {
	pool  *term.Pool
	bySum map[*term.Term]*span
	order []*span
}

func newSpans(pool *term.Pool) *spans {
	return &spans{pool: pool, bySum: map[*term.Term]*span{}}
}

// arithmetic reports whether atom compares a normalised sum with a numeral.
func arithmetic(atom *term.Term) bool {
	switch atom.Op() {
	case term.Le, term.Lt:
		return true
	case term.Eq:
		s := atom.Arg(0).Sort()
		return s == term.Int || s == term.Real
	default:
		return false
	}
}

// ends returns the bounds that a literal puts on a sum. A disequality puts none.
func ends(lit *term.Term) (sum *term.Term, lo, hi *bound) {
	if b, ok := term.ReadBound(lit); ok {
		if b.Upper {
			return b.Sum, nil, &bound{b, lit}
		}
		return b.Sum, &bound{b, lit}, nil
	}
	if lit.Op() != term.Eq || !arithmetic(lit) {
		return nil, nil, nil
	}
	b := term.Bound{Sum: lit.Arg(0), N: lit.Arg(1).Num()}
	lo = &bound{b, lit}
	b.Upper = true
	return b.Sum, lo, &bound{b, lit}
}

// add takes a literal into account and reports whether it is a bound.
func (s *spans) add(lit *term.Term) bool {
	sum, lo, hi := ends(lit)
	if sum == nil {
		return false
	}
	sp := s.bySum[sum]
	if sp == nil {
		sp = &span{sum: sum}
		s.bySum[sum] = sp
		s.order = append(s.order, sp)
	}
	// An equation replaces bounds of the same strength, so that it is what is kept of them.
	eq := lo != nil && hi != nil
	if lo != nil && (sp.lo == nil || lo.Tighter(sp.lo.Bound) || eq && lo.N.Equal(sp.lo.N) && !sp.lo.Strict) {
		sp.lo = lo
	}
	if hi != nil && (sp.hi == nil || hi.Tighter(sp.hi.Bound) || eq && hi.N.Equal(sp.hi.N) && !sp.hi.Strict) {
		sp.hi = hi
	}
	return true
}

// empty reports whether no number is in the span.
func (sp *span) empty() bool {
	if sp.lo == nil || sp.hi == nil {
		return false
	}
	c := sp.lo.N.Cmp(sp.hi.N)
	return c > 0 || c == 0 && (sp.lo.Strict || sp.hi.Strict)
}

// point reports whether exactly one number is in the span.
func (sp *span) point() bool {
	return sp.lo != nil && sp.hi != nil && !sp.lo.Strict && !sp.hi.Strict && sp.lo.N.Equal(sp.hi.N)
}

// excludes reports whether the number c is outside of the span.
func (sp *span) excludes(c term.Num) bool {
	return sp.lo != nil && sp.lo.Tighter(term.Bound{N: c}) || sp.hi != nil && sp.hi.Tighter(term.Bound{N: c})
}

// decide returns an atom's truth value where the spans imply one.
func (s *spans) decide(atom *term.Term) (value, decided bool) {
	if len(s.order) == 0 || !arithmetic(atom) {
		return false, false
	}
	sp := s.bySum[atom.Arg(0)]
	if sp == nil {
		return false, false
	}
	c := atom.Arg(1).Num()
	if atom.Op() == term.Eq {
		if sp.excludes(c) {
			return false, true
		}
		return true, sp.point()
	}
	_, _, hi := ends(atom)
	switch {
	case sp.hi != nil && !hi.Tighter(sp.hi.Bound):
		return true, true
	case sp.lo != nil && (&span{lo: sp.lo, hi: hi}).empty():
		return false, true
	default:
		return false, false
	}
}

// tightenBounds drops bounds that others imply, joins two that meet to an equation and uses disequalities at the ends of
// Int spans. It reports false when the bounds contradict each other.
func tightenBounds(pool *term.Pool, conj []*term.Term) ([]*term.Term, bool) {
	s := newSpans(pool)
	isBound := make([]bool, len(conj))
	bounds := 0
	for i, c := range conj {
		if isBound[i] = s.add(c); isBound[i] {
			bounds++
		}
	}
	if bounds == 0 {
		return conj, true
	}
	keep := map[*term.Term]bool{}
	var extra []*term.Term
	for _, sp := range s.order {
		switch {
		case sp.empty():
			return nil, false
		case sp.point():
			extra = append(extra, pool.Eq(sp.sum, pool.Numeral(sp.lo.N, sp.sum.Sort())))
		default:
			if sp.lo != nil {
				keep[sp.lo.lit] = true
			}
			if sp.hi != nil {
				keep[sp.hi.lit] = true
			}
		}
	}
	var out []*term.Term
	for i, c := range conj {
		switch {
		case isBound[i]:
			if keep[c] {
				out = append(out, c)
			}
		default:
			c = s.disequality(c)
			if c.IsFalse() {
				return nil, false
			}
			out = append(out, c)
		}
	}
	return append(out, extra...), true
}

// disequality simplifies a disequality by the spans: true outside of its span, false when nothing else is in it, and a
// tighter bound at the end of an Int span. Other terms are returned as they are.
func (s *spans) disequality(lit *term.Term) *term.Term {
	atom, positive := lit.Atom()
	if positive || atom.Op() != term.Eq || !arithmetic(atom) {
		return lit
	}
	sum, c := atom.Arg(0), atom.Arg(1)
	sp := s.bySum[sum]
	if sp == nil {
		return lit
	}
	switch {
	case sp.excludes(c.Num()):
		return s.pool.True()
	case sp.point():
		return s.pool.False()
	case sum.Sort() == term.Int && sp.lo != nil && sp.lo.N.Equal(c.Num()):
		return s.pool.Gt(sum, c)
	case sum.Sort() == term.Int && sp.hi != nil && sp.hi.N.Equal(c.Num()):
		return s.pool.Lt(sum, c)
	default:
		return lit
	}
}
