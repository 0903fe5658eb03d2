package mbp

import (
	"slices"

	"hornbeam/chc/term"
)

// bitVectors eliminates one variable of a bit-vector sort: by an equation that can be solved for it (bitvector_solve.go),
// by dropping it beside few enough disequalities, by its bounds (bitvector_bounds.go), or, when only parts of it are
// read, by cutting it into variables for the parts. Before that its literals are brought into the form that these rules
// know (bitvector_form.go). What stays is left to the last resort, the value. It reports whether it did something.
func (s *system) bitVectors() bool {
	for i := 0; i < len(s.bitVars) && s.err == nil; i++ {
		v := s.bitVars[i]
		switch {
		case s.vars[v].done:
		case s.clean(v):
			s.vars[v].done = true
		case s.rewriteBits(v), s.solveBits(v), s.dropDistinct(v), s.slice(v), s.boundBits(v):
			return true
		}
	}
	return false
}

// onlyOthers returns the live literals that a variable occurs in; false when it also occurs in terms of rows.
func (s *system) onlyOthers(v int32) ([]int32, bool) {
	for _, c := range s.vars[v].opaque {
		if len(s.live(c)) > 0 {
			return nil, false
		}
	}
	return s.liveOthers(v), true
}

func (s *system) liveOthers(v int32) []int32 {
	var ids []int32
	for _, id := range s.vars[v].others {
		if !s.others[id].dead {
			ids = append(ids, id)
		}
	}
	return ids
}

// refile replaces a literal outside the rows by formulas that imply it.
func (s *system) refile(id int32, fs ...*term.Term) {
	s.dropOther(id)
	for _, f := range fs {
		s.addFormula(f)
	}
}

// become replaces a variable by a term without it.
func (s *system) become(v int32, t *term.Term) {
	s.vars[v].done = true
	s.replaceTerm(v, t)
}

// bits returns the number that a bit-vector term is under the model.
func (s *system) bits(t *term.Term) (term.Num, bool) {
	val, ok := s.ev.Eval(t)
	if !ok {
		return term.Num{}, false
	}
	return val.Num(), true
}

// dropDistinct drops a variable that only disequalities with an odd multiple of it mention, when they are fewer than its
// values: each forbids exactly one.
func (s *system) dropDistinct(v int32) bool {
	ids, ok := s.onlyOthers(v)
	x := s.vars[v].t
	if !ok || len(ids) >= cardinality(x.Sort(), nil) {
		return false
	}
	for _, id := range ids {
		atom, positive := s.others[id].lit.Atom()
		if positive || atom.Op() != term.Eq || !atom.Arg(0).Sort().IsBitVec() {
			return false
		}
		sum := s.bitSum(atom.Arg(0)).minus(s.bitSum(atom.Arg(1)))
		if k, alone := sum.coef(x); !alone || !isOdd(k) {
			return false
		}
	}
	for _, id := range ids {
		s.dropOther(id)
	}
	s.vars[v].done = true
	s.stats.Dropped++
	return true
}

// slice cuts a variable into a variable for each part that an extract reads, exactly: when only parts of it are read,
// or when equations give some parts and otherwise it is compared as a whole.
func (s *system) slice(v int32) bool {
	ids, ok := s.onlyOthers(v)
	x := s.vars[v].t
	w := x.Sort().Width
	if !ok {
		return false
	}
	cuts := []int{0, w}
	solved, whole := 0, false
	for _, id := range ids {
		lit := s.others[id].lit
		if n := s.solvesPart(lit, x); n > 0 {
			solved += n
		} else if comparesWhole(lit, x) {
			whole = true
			continue
		}
		parts, only := reads(lit, x)
		if !only {
			return false
		}
		cuts = append(cuts, parts...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts) == 2 || whole && solved == 0 {
		return false
	}
	return s.cut(v, cuts)
}

// cut puts a concatenation of fresh variables for a variable, cut at the given bits.
func (s *system) cut(v int32, cuts []int) bool {
	x := s.vars[v].t
	n, ok := s.bits(x)
	if !ok {
		return false
	}
	var whole *term.Term
	for i := 1; i < len(cuts); i++ {
		lo, hi := cuts[i-1], cuts[i]-1
		val := s.p.Extract(hi, lo, s.p.BVNum(n, x.Sort().Width))
		part := s.freshTerm(val.Sort(), term.TermValue(val))
		if whole == nil {
			whole = part
		} else {
			whole = s.p.BV(term.BVConcat, part, whole)
		}
	}
	s.stats.Sliced++
	s.become(v, whole)
	return true
}

// solvesPart returns how many bits of x an equation gives: it has an extract of x as one side and no x on the other.
func (s *system) solvesPart(lit, x *term.Term) int {
	if lit.Op() != term.Eq {
		return 0
	}
	for i := range 2 {
		if a, b := lit.Arg(i), lit.Arg(1-i); a.Op() == term.BVExtract && a.Arg(0) == x && !term.Contains(b, x) {
			return a.Sort().Width
		}
	}
	return 0
}

// comparesWhole reports whether a literal compares x with a term without it.
func comparesWhole(lit, x *term.Term) bool {
	atom, _ := lit.Atom()
	if op := atom.Op(); op != term.Eq && op != term.BVUle && op != term.BVSle {
		return false
	}
	for i := range 2 {
		if atom.Arg(i) == x && !term.Contains(atom.Arg(1-i), x) {
			return true
		}
	}
	return false
}

// reads returns the ends of the parts of x that extracts read in t, each first bit and the bit after the last; only is
// false when x occurs elsewhere.
func reads(t, x *term.Term) (cuts []int, only bool) {
	only = true
	term.Walk(t, func(u *term.Term) bool {
		if u.Op() == term.BVExtract && u.Arg(0) == x {
			part := u.Indices()
			cuts = append(cuts, part[1], part[0]+1)
			return false
		}
		only = only && u != x
		return true
	})
	return cuts, only
}

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
