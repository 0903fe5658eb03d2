package mbp

import "hornbeam/chc/term"

// solveBits solves an equation for a variable. A multiple of the variable that stands alone gives it (of an odd
// multiple), or its low bits (of an even one, beside the condition that the other side is such a multiple). Where the
// variable is inside one summand with an odd coefficient, that summand's operation is inverted; the equations of parts
// that come of it are solved in later rounds. All of it is exact.
func (s *system) solveBits(v int32) bool {
	for _, id := range s.liveOthers(v) {
		lit := s.others[id].lit
		if lit.Op() != term.Eq || !lit.Arg(0).Sort().IsBitVec() {
			continue
		}
		if s.solveSum(v, id, s.bitSum(lit.Arg(0)).minus(s.bitSum(lit.Arg(1)))) {
			s.stats.SolvedBits++
			return true
		}
	}
	return false
}

// solveSum solves sum = 0 for a variable. Exclusive ors are inverted all the way to the variable, or to what is taken
// apart into equations of fewer bits, or not at all: one that was inverted halfway could be inverted back for another
// variable, for ever.
func (s *system) solveSum(v, id int32, sum *bitSum) bool {
	x := s.vars[v].t
	for {
		switch k, alone := sum.coef(x); {
		case alone && k.IsZero():
			s.refile(id, s.isZero(sum))
			return true
		case alone:
			s.solveMultiple(v, id, sum, k)
			return true
		}
		g, rest := s.summandOf(x, sum)
		if g == nil {
			return false
		}
		switch g.Op() {
		case term.BVConcat:
			low := g.Arg(1).Sort().Width
			s.refile(id, s.p.Eq(g.Arg(0), s.p.Extract(sum.width-1, low, rest)), s.p.Eq(g.Arg(1), s.p.Extract(low-1, 0, rest)))
			return true
		case term.BVSignExtend:
			low := s.p.Extract(g.Arg(0).Sort().Width-1, 0, rest)
			s.refile(id, s.p.Eq(g.Arg(0), low), s.p.Eq(rest, s.p.SignExtend(g.Indices()[0], low)))
			return true
		case term.BVXor:
			a, b := g.Arg(0), g.Arg(1)
			if term.Contains(b, x) {
				a, b = b, a
			}
			if term.Contains(b, x) {
				return false
			}
			sum = s.bitSum(a).minus(s.bitSum(s.p.BV(term.BVXor, b, rest)))
		default:
			return false
		}
	}
}

// isZero returns that a sum is zero, as an equation of its first summand with the rest.
func (s *system) isZero(sum *bitSum) *term.Term {
	if len(sum.ents) == 0 {
		return s.p.Bool(sum.con.IsZero())
	}
	for _, e := range sum.ents {
		if isOdd(e.coef) {
			rest := sum.without(e.t).scale(inverse(e.coef, sum.width).Neg())
			return s.p.Eq(e.t, s.bitTerm(rest))
		}
	}
	return s.p.Eq(s.bitTerm(sum), s.p.BVNum(term.Num{}, sum.width))
}

// solveMultiple solves sum = 0, in which the variable stands alone with the coefficient c, for the variable.
func (s *system) solveMultiple(v, id int32, sum *bitSum, c term.Num) {
	w := sum.width
	k, odd := oddPart(c)
	others := sum.without(s.vars[v].t).scale(one.Neg())
	rest := s.bitTerm(others.scale(inverse(odd, w))) // 2^k * x = rest
	s.dropOther(id)
	if k == 0 {
		s.become(v, rest)
		return
	}
	if len(others.ents) > 0 && others.ents[0].coef.Cmp(power(w-1)) > 0 { // low bits that are zero are so in the negation
		others = others.scale(one.Neg())
	}
	s.addFormula(s.p.Eq(s.p.Extract(k-1, 0, s.bitTerm(others)), s.p.BVNum(term.Num{}, k)))
	n, ok := s.bits(s.vars[v].t)
	if !ok {
		s.fail(ErrUndetermined)
		return
	}
	high := s.p.Extract(w-1, w-k, s.p.BVNum(n, w))
	free := s.freshTerm(high.Sort(), term.TermValue(high))
	s.become(v, s.p.BV(term.BVConcat, free, s.p.Extract(w-1, k, rest)))
}

// summandOf returns the one summand that contains x, when it has an odd coefficient, and what it is equal to when the sum
// is zero; nil when there is none.
func (s *system) summandOf(x *term.Term, sum *bitSum) (g, rest *term.Term) {
	var coef term.Num
	for _, e := range sum.ents {
		if term.Contains(e.t, x) {
			if g != nil || !isOdd(e.coef) {
				return nil, nil
			}
			g, coef = e.t, e.coef
		}
	}
	if g == nil {
		return nil, nil
	}
	return g, s.bitTerm(sum.without(g).scale(inverse(coef, sum.width).Neg()))
}
