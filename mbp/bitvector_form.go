package mbp

import "hornbeam/chc/term"

// rewriteBits brings the literals with a variable into the form that the rules for bit-vectors know; it is the same
// literal, but for bvcomp, which the model decides.
func (s *system) rewriteBits(v int32) bool {
	for _, id := range s.liveOthers(v) {
		lit := s.others[id].lit
		if s.inForm.Has(lit) {
			continue
		}
		f := bitForm{s: s, p: s.p}
		out := f.literal(lit)
		s.inForm.Put(out, true)
		if out == lit {
			continue
		}
		if len(f.conds) > 0 {
			s.exact = false
		}
		s.refile(id, append(f.conds, out)...)
		return true
	}
	return false
}

// bitForm rewrites terms: zero extensions, repetitions, rotations, shifts to the right and masks by numerals become
// concatenations, which lean to the right; extracts move down to what they are of; comparisons lose equal ends.
type bitForm struct {
	s     *system
	p     *term.Pool
	memo  term.Map[*term.Term]
	conds []*term.Term
}

func (f *bitForm) literal(lit *term.Term) *term.Term {
	atom, positive := lit.Atom()
	var out *term.Term
	if c, n, ok := comparedBit(atom); ok {
		out = f.p.Eq(f.term(c.Arg(0)), f.term(c.Arg(1)))
		if !n {
			out = f.p.Not(out)
		}
	} else {
		out = f.term(atom)
	}
	if !positive {
		return f.p.Not(out)
	}
	return out
}

// comparedBit reads bvcomp(a, b) = n.
func comparedBit(atom *term.Term) (c *term.Term, n, ok bool) {
	if atom.Op() != term.Eq {
		return nil, false, false
	}
	for i := range 2 {
		c, k := atom.Arg(i), atom.Arg(1-i)
		if c.Op() == term.BVComp && k.Op() == term.BVNumeral {
			return c, k.Num().IsOne(), true
		}
	}
	return nil, false, false
}

func (f *bitForm) term(t *term.Term) *term.Term {
	if len(t.Args()) == 0 || t.IsGround() || t.IsQuantifier() {
		return t
	}
	if u, ok := f.memo.Get(t); ok {
		return u
	}
	u := f.p.MapArgs(t, f.term)
	if len(u.Args()) > 0 {
		u = f.top(u)
	}
	f.memo.Put(t, u)
	return u
}

// zeros returns n zero bits.
func (f *bitForm) zeros(n int) *term.Term { return f.p.BVNum(term.Num{}, n) }

// top rewrites a term whose arguments are in form.
func (f *bitForm) top(t *term.Term) *term.Term {
	a := t.Arg(0)
	w := a.Sort().Width
	switch t.Op() {
	case term.BVZeroExtend:
		return f.concat(f.zeros(t.Indices()[0]), a)
	case term.BVRepeat:
		out := a
		for range t.Indices()[0] - 1 {
			out = f.concat(a, out)
		}
		return out
	case term.BVRotateLeft, term.BVRotateRight:
		n := t.Indices()[0]
		if t.Op() == term.BVRotateLeft {
			n = w - n
		}
		return f.concat(f.extract(n-1, 0, a), f.extract(w-1, n, a))
	case term.BVLshr, term.BVAshr:
		return f.shiftRight(t)
	case term.BVAnd, term.BVOr:
		return f.mask(t)
	case term.BVConcat:
		return f.concat(a, t.Arg(1))
	case term.BVExtract:
		part := t.Indices()
		return f.extract(part[0], part[1], a)
	case term.BVComp:
		if n, ok := f.s.bits(t); ok {
			eq := f.p.Eq(a, t.Arg(1))
			if n.IsZero() {
				eq = f.p.Not(eq)
			}
			f.conds = append(f.conds, eq)
			return f.p.BVNum(n, 1)
		}
	case term.Eq, term.BVUle, term.BVSle:
		return f.compare(t.Op(), a, t.Arg(1))
	}
	return t
}

func (f *bitForm) shiftRight(t *term.Term) *term.Term {
	a, by := t.Arg(0), t.Arg(1)
	if by.Op() != term.BVNumeral {
		return t
	}
	w := a.Sort().Width
	k := w
	if n, ok := by.Num().Int64(); ok && n < int64(w) {
		k = int(n)
	}
	switch {
	case t.Op() == term.BVAshr:
		k = min(k, w-1)
		return f.p.SignExtend(k, f.extract(w-1, k, a))
	case k == w:
		return f.zeros(w)
	}
	return f.concat(f.zeros(k), f.extract(w-1, k, a))
}

// mask splits a conjunction or disjunction of bits with a numeral by the numeral's runs of equal bits, and of two
// concatenations by their parts.
func (f *bitForm) mask(t *term.Term) *term.Term {
	a, b := t.Arg(0), t.Arg(1)
	if a.Op() == term.BVNumeral {
		a, b = b, a
	}
	if b.Op() == term.BVConcat && a.Op() != term.BVConcat {
		a, b = b, a
	}
	w := t.Sort().Width
	if a.Op() == term.BVConcat && (b.Op() == term.BVConcat || b.Op() == term.BVNumeral) {
		low := a.Arg(1).Sort().Width
		high := f.part(f.p.BV(t.Op(), a.Arg(0), f.extract(w-1, low, b)))
		return f.concat(high, f.part(f.p.BV(t.Op(), a.Arg(1), f.extract(low-1, 0, b))))
	}
	if b.Op() != term.BVNumeral {
		return t
	}
	bit := func(i int) bool { return !f.p.Extract(i, i, b).Num().IsZero() }
	var out *term.Term
	for lo, runs := 0, 0; lo < w; runs++ {
		hi := lo
		for hi+1 < w && bit(hi+1) == bit(lo) {
			hi++
		}
		part := f.extract(hi, lo, b)
		if bit(lo) == (t.Op() == term.BVAnd) {
			part = f.extract(hi, lo, a)
		}
		if runs == maxRuns {
			return t
		}
		if out == nil {
			out = part
		} else {
			out = f.concat(part, out)
		}
		lo = hi + 1
	}
	return out
}

// part rewrites a term that was just made of terms in form.
func (f *bitForm) part(t *term.Term) *term.Term {
	if op := t.Op(); op == term.BVAnd || op == term.BVOr {
		return f.mask(t)
	}
	return t
}

// concat joins terms, leaning to the right; neighbouring numerals and parts of one term are joined.
func (f *bitForm) concat(a, b *term.Term) *term.Term {
	if a.Op() == term.BVConcat {
		return f.concat(a.Arg(0), f.concat(a.Arg(1), b))
	}
	if b.Op() == term.BVConcat {
		if u := f.join(a, b.Arg(0)); u != nil {
			return f.concat(u, b.Arg(1))
		}
	} else if u := f.join(a, b); u != nil {
		return u
	}
	return f.p.BV(term.BVConcat, a, b)
}

// join returns the concatenation of two terms as one, nil when they are none.
func (f *bitForm) join(a, b *term.Term) *term.Term {
	if a.Op() == term.BVNumeral && b.Op() == term.BVNumeral {
		return f.p.BV(term.BVConcat, a, b)
	}
	if a.Op() == term.BVExtract && b.Op() == term.BVExtract && a.Arg(0) == b.Arg(0) {
		if x, y := a.Indices(), b.Indices(); x[1] == y[0]+1 {
			return f.p.Extract(x[0], y[1], a.Arg(0))
		}
	}
	return nil
}

// extract returns bits of a term, moved down through concatenations, extensions and the operations that work bit by bit,
// and the lowest bits through arithmetic.
func (f *bitForm) extract(hi, lo int, t *term.Term) *term.Term {
	if lo == 0 && hi == t.Sort().Width-1 {
		return t
	}
	switch op := t.Op(); op {
	case term.BVConcat:
		w := t.Arg(1).Sort().Width
		switch {
		case hi < w:
			return f.extract(hi, lo, t.Arg(1))
		case lo >= w:
			return f.extract(hi-w, lo-w, t.Arg(0))
		}
		return f.concat(f.extract(hi-w, 0, t.Arg(0)), f.extract(w-1, lo, t.Arg(1)))
	case term.BVSignExtend:
		a := t.Arg(0)
		w := a.Sort().Width
		switch {
		case hi < w:
			return f.extract(hi, lo, a)
		case lo >= w-1:
			return f.p.SignExtend(hi-lo, f.extract(w-1, w-1, a))
		}
		return f.p.SignExtend(hi-w+1, f.extract(w-1, lo, a))
	case term.BVNot, term.BVAnd, term.BVOr, term.BVXor:
		return f.part(f.each(hi, lo, t))
	case term.BVAdd, term.BVSub, term.BVNeg, term.BVMul:
		if lo == 0 {
			return f.each(hi, lo, t)
		}
	}
	return f.p.Extract(hi, lo, t)
}

func (f *bitForm) each(hi, lo int, t *term.Term) *term.Term {
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		args[i] = f.extract(hi, lo, a)
	}
	return f.p.BV(t.Op(), args...)
}

// compare rewrites a comparison: signed ones of terms with a zero in front are unsigned, equal ends vanish.
func (f *bitForm) compare(op term.Op, a, b *term.Term) *term.Term {
	if !a.Sort().IsBitVec() {
		return f.p.Eq(a, b)
	}
	if op == term.BVSle && nonNegative(a) && nonNegative(b) {
		op = term.BVUle
	}
	if x, y, ok := f.unextended(a, b); ok {
		return f.compare(op, x, y)
	}
	if low := split(a, b); low > 0 {
		w := a.Sort().Width
		a1, a2 := f.extract(w-1, low, a), f.extract(low-1, 0, a)
		b1, b2 := f.extract(w-1, low, b), f.extract(low-1, 0, b)
		switch {
		case op == term.Eq:
			return f.p.And(f.compare(op, a1, b1), f.compare(op, a2, b2))
		case a1 == b1:
			return f.compare(term.BVUle, a2, b2)
		case a1.Op() == term.BVNumeral && b1.Op() == term.BVNumeral:
			return f.p.BV(op, a1, b1)
		}
	}
	if op == term.Eq {
		return f.p.Eq(a, b)
	}
	return f.p.BV(op, a, b)
}

// split returns where two terms of one sort can be cut, concatenations at one place or a concatenation and a numeral: the
// width of the lower parts, 0 when there is no such place.
func split(a, b *term.Term) int {
	if a.Op() != term.BVConcat {
		a, b = b, a
	}
	if a.Op() != term.BVConcat {
		return 0
	}
	low := a.Arg(1).Sort().Width
	if b.Op() == term.BVNumeral || b.Op() == term.BVConcat && b.Arg(1).Sort().Width == low {
		return low
	}
	return 0
}

// nonNegative reports whether a term's highest bit is known to be zero.
func nonNegative(t *term.Term) bool {
	for t.Op() == term.BVConcat {
		t = t.Arg(0)
	}
	return t.Op() == term.BVNumeral && t.Num().Cmp(power(t.Sort().Width-1)) < 0
}

// unextended returns what two terms are sign extensions of, which compares in the same way; a numeral may be one.
func (f *bitForm) unextended(a, b *term.Term) (x, y *term.Term, ok bool) {
	narrow := func(t *term.Term, w int) *term.Term {
		switch {
		case t.Op() == term.BVSignExtend && t.Arg(0).Sort().Width == w:
			return t.Arg(0)
		case t.Op() == term.BVNumeral:
			if n := f.p.Extract(w-1, 0, t); f.p.SignExtend(t.Sort().Width-w, n) == t {
				return n
			}
		}
		return nil
	}
	w := 0
	for _, t := range []*term.Term{a, b} {
		if t.Op() == term.BVSignExtend {
			w = t.Arg(0).Sort().Width
		}
	}
	if w == 0 {
		return nil, nil, false
	}
	x, y = narrow(a, w), narrow(b, w)
	return x, y, x != nil && y != nil
}

// splitComparison replaces a comparison with a concatenation that has the variable on one side, by the model: of the
// higher parts where they decide, else of the lower ones beside the equality of the higher ones.
func (s *system) splitComparison(id int32, x *term.Term) bool {
	lit := s.others[id].lit
	atom, positive := lit.Atom()
	op := atom.Op()
	if op != term.BVUle && op != term.BVSle && (op != term.Eq || positive || !atom.Arg(0).Sort().IsBitVec()) {
		return false
	}
	a, b := atom.Arg(0), atom.Arg(1)
	c := a
	if c.Op() != term.BVConcat || !term.Contains(c, x) {
		c = b
	}
	if c.Op() != term.BVConcat || !term.Contains(c, x) {
		return false
	}
	f := bitForm{s: s, p: s.p}
	w, low := c.Sort().Width, c.Arg(1).Sort().Width
	a1, a2 := f.extract(w-1, low, a), f.extract(low-1, 0, a)
	b1, b2 := f.extract(w-1, low, b), f.extract(low-1, 0, b)
	same := s.p.Eq(a1, b1)
	s.exact = false
	switch {
	case op == term.Eq && s.ev.False(same):
		s.refile(id, s.p.Not(same))
	case op == term.Eq:
		s.refile(id, s.p.Not(s.p.Eq(a2, b2)))
	case s.ev.False(same) && positive:
		s.refile(id, s.below(op == term.BVSle, true, a1, b1))
	case s.ev.False(same):
		s.refile(id, s.below(op == term.BVSle, true, b1, a1))
	case positive:
		s.refile(id, same, s.below(false, false, a2, b2))
	default:
		s.refile(id, same, s.below(false, true, b2, a2))
	}
	return true
}
