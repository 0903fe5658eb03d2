package simplify

import "hornbeam/chc/term"

// bound is one end of a span: the sum is at least (or at most) num, or beyond it when strict. lit is the literal that
// said so.
type bound struct {
	num    term.Num
	strict bool
	lit    *term.Term
}

// span is what a conjunction's literals say of one normalised sum.
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
	atom, positive := lit.Atom()
	if !arithmetic(atom) {
		return nil, nil, nil
	}
	sum, c := atom.Arg(0), atom.Arg(1).Num()
	switch {
	case atom.Op() == term.Eq && positive:
		return sum, &bound{num: c, lit: lit}, &bound{num: c, lit: lit}
	case atom.Op() == term.Eq:
		return nil, nil, nil
	case atom.Op() == term.Le && positive:
		return sum, nil, &bound{num: c, lit: lit}
	case atom.Op() == term.Lt && positive:
		return sum, nil, &bound{num: c, strict: true, lit: lit}
	case atom.Op() == term.Le && sum.Sort() == term.Int:
		return sum, &bound{num: c.Add(term.NewInt(1)), lit: lit}, nil
	default:
		return sum, &bound{num: c, strict: atom.Op() == term.Le, lit: lit}, nil
	}
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
	if lo != nil && (sp.lo == nil || tighter(lo, sp.lo, 1) || eq && lo.num.Equal(sp.lo.num) && !sp.lo.strict) {
		sp.lo = lo
	}
	if hi != nil && (sp.hi == nil || tighter(hi, sp.hi, -1) || eq && hi.num.Equal(sp.hi.num) && !sp.hi.strict) {
		sp.hi = hi
	}
	return true
}

// tighter reports whether a excludes more than b; dir is 1 for lower bounds and -1 for upper bounds.
func tighter(a, b *bound, dir int) bool {
	c := a.num.Cmp(b.num) * dir
	return c > 0 || c == 0 && a.strict && !b.strict
}

// empty reports whether no number is in the span.
func (sp *span) empty() bool {
	if sp.lo == nil || sp.hi == nil {
		return false
	}
	c := sp.lo.num.Cmp(sp.hi.num)
	return c > 0 || c == 0 && (sp.lo.strict || sp.hi.strict)
}

// point reports whether exactly one number is in the span.
func (sp *span) point() bool {
	return sp.lo != nil && sp.hi != nil && !sp.lo.strict && !sp.hi.strict && sp.lo.num.Equal(sp.hi.num)
}

// excludes reports whether the number c is outside of the span.
func (sp *span) excludes(c term.Num) bool {
	at := &bound{num: c}
	return sp.lo != nil && tighter(sp.lo, at, 1) || sp.hi != nil && tighter(sp.hi, at, -1)
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
	case sp.hi != nil && !tighter(hi, sp.hi, -1):
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
			extra = append(extra, pool.Eq(sp.sum, pool.Numeral(sp.lo.num, sp.sum.Sort())))
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
	case sum.Sort() == term.Int && sp.lo != nil && sp.lo.num.Equal(c.Num()):
		return s.pool.Gt(sum, c)
	case sum.Sort() == term.Int && sp.hi != nil && sp.hi.num.Equal(c.Num()):
		return s.pool.Lt(sum, c)
	default:
		return lit
	}
}
