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
