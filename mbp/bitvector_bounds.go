package mbp

import (
	"slices"

	"hornbeam/chc/term"
)

// bitRange says that a variable is in the cyclic interval from lo to hi of the numbers modulo 2^width. Every comparison
// of linear forms, one side or both with the variable times 1 or -1, is one.
type bitRange struct {
	lo, hi *bitSum
	plain  bool       // the comparison is of variable + shift with a term without the variable
	shift  *bitSum    // of a plain one
	other  *term.Term // of a plain one: what is compared with
	upper  bool       // of a plain one: variable + shift <= other, else other <= variable + shift
	strict bool
	signed bool
	differ bool // variable + shift != other
}

// boundBits eliminates a variable that only comparisons mention, and extracts of its low bits. Bounds of one form, all
// signed or all unsigned, are resolved like those of numbers, exactly when all pairs are; else the variable becomes the
// end of an interval that is nearest to its value on one side, which is in all intervals: the model-based choice of 4.3
// in a cyclic order. With extracts of the low k bits it becomes the nearest number beyond that end with these bits of
// the model. Comparisons of concatenations are first split by the model.
func (s *system) boundBits(v int32) bool {
	ids, ok := s.onlyOthers(v)
	if !ok {
		return false
	}
	x := s.vars[v].t
	low := 0
	var ranges []bitRange
	for _, id := range ids {
		lit := s.others[id].lit
		if without := s.normalBits(lit); !term.Contains(without, x) { // it has the coefficient zero
			s.refile(id, without)
			return true
		}
		if r, ok := s.bitRange(lit, x); ok {
			ranges = append(ranges, r)
			continue
		}
		if s.splitComparison(id, x) {
			return true
		}
		cuts, only := reads(lit, x)
		if !only || len(cuts) == 0 {
			return false
		}
		low = max(low, slices.Max(cuts))
	}
	if len(ranges) == 0 {
		return false
	}
	s.stats.BoundBits++
	if low == 0 && alike(ranges) {
		s.resolveBits(v, ids, ranges)
		return true
	}
	end, ok := s.nearestEnd(x, ranges, low)
	if !ok {
		return false
	}
	s.exact = false
	s.vars[v].done = true
	m := map[*term.Term]*term.Term{x: s.bitTerm(end)}
	for _, id := range ids {
		s.refile(id, s.normalBits(s.p.Substitute(s.others[id].lit, m)))
	}
	return true
}

// normalBits returns a comparison with both sides as linear forms in order; an equation of forms that differ in their
// constants only is decided.
func (s *system) normalBits(lit *term.Term) *term.Term {
	atom, positive := lit.Atom()
	op := atom.Op()
	if op != term.BVUle && op != term.BVSle && op != term.Eq || !atom.Arg(0).Sort().IsBitVec() {
		return lit
	}
	a, b := s.bitSum(atom.Arg(0)), s.bitSum(atom.Arg(1))
	var out *term.Term
	if op != term.Eq {
		out = s.p.BV(op, s.bitTerm(a), s.bitTerm(b))
	} else if d := a.minus(b); len(d.ents) == 0 {
		out = s.p.Bool(d.con.IsZero())
	} else {
		out = s.p.Eq(s.bitTerm(a), s.bitTerm(b))
	}
	if !positive {
		out = s.p.Not(out)
	}
	return out
}

// bitRange reads a literal as an interval of x.
func (s *system) bitRange(lit, x *term.Term) (bitRange, bool) {
	atom, positive := lit.Atom()
	op := atom.Op()
	if op != term.BVUle && op != term.BVSle && (op != term.Eq || positive || !atom.Arg(0).Sort().IsBitVec()) {
		return bitRange{}, false
	}
	a, b := s.bitSum(atom.Arg(0)), s.bitSum(atom.Arg(1))
	ka, aloneA := a.coef(x)
	kb, aloneB := b.coef(x)
	if !aloneA || !aloneB {
		return bitRange{}, false
	}
	minus := power(a.width).Sub(one)
	if op == term.Eq {
		return s.bitDistinct(x, a.minus(b))
	}
	r := bitRange{signed: op == term.BVSle, strict: !positive}
	sa, sb := a.without(x), b.without(x)
	switch {
	case ka.IsOne() && kb.IsZero():
		r.plain, r.shift, r.other, r.upper = true, sa, s.cancelled(atom.Arg(1), sb, x), positive
	case ka.IsZero() && kb.IsOne():
		r.plain, r.shift, r.other, r.upper = true, sb, s.cancelled(atom.Arg(0), sa, x), !positive
	}
	if r.signed { // a <=s b is a + half <=u b + half
		sa, sb = sa.offset(power(a.width-1)), sb.offset(power(a.width-1))
	}
	zero := &bitSum{width: a.width}
	neg := func(l *bitSum) *bitSum { return zero.minus(l) }
	unit := func(k term.Num) int {
		switch {
		case k.IsZero():
			return 0
		case k.IsOne():
			return 1
		case k.Equal(minus):
			return -1
		}
		return 2
	}
	switch [2]int{unit(ka), unit(kb)} {
	case [2]int{1, 0}: // x + sa <= sb
		r.lo, r.hi = neg(sa), sb.minus(sa)
	case [2]int{-1, 0}: // sa - x <= sb
		r.lo, r.hi = sa.minus(sb), sa
	case [2]int{0, 1}: // sa <= x + sb
		r.lo, r.hi = sa.minus(sb), neg(sb).offset(minus)
	case [2]int{0, -1}: // sa <= sb - x
		r.lo, r.hi = sb.offset(one), sb.minus(sa)
	case [2]int{1, 1}: // y <= y + d for y = x + sa: no overflow, y <= -1 - d
		r.lo, r.hi = neg(sa), neg(sb).offset(minus)
	case [2]int{-1, -1}: // the same for -x
		r.lo, r.hi = sb.offset(one), sa
	default:
		return bitRange{}, false
	}
	if !positive {
		r.lo, r.hi = r.hi.offset(one), r.lo.offset(minus)
	}
	return r, true
}

// cancelled returns a term with the given sum without x; t itself, unless x occurs in it with the coefficient zero.
func (s *system) cancelled(t *term.Term, sum *bitSum, x *term.Term) *term.Term {
	if term.Contains(t, x) {
		return s.bitTerm(sum)
	}
	return t
}

// bitDistinct reads sum != 0 as an interval of x, which has an odd coefficient.
func (s *system) bitDistinct(x *term.Term, sum *bitSum) (bitRange, bool) {
	k, _ := sum.coef(x)
	if !isOdd(k) {
		return bitRange{}, false
	}
	t := sum.without(x).scale(inverse(k, sum.width).Neg())
	minus := power(sum.width).Sub(one)
	return bitRange{lo: t.offset(one), hi: t.offset(minus), plain: true, differ: true, shift: &bitSum{width: sum.width}, other: s.bitTerm(t)}, true
}

// alike reports whether bounds are of one form, so that they can be resolved with each other.
func alike(rs []bitRange) bool {
	var first *bitRange
	for i := range rs {
		r := &rs[i]
		switch {
		case !r.plain:
			return false
		case r.differ:
		case first == nil:
			first = r
		case r.signed != first.signed || !sameBits(r.shift, first.shift):
			return false
		}
	}
	return first != nil
}

func sameBits(a, b *bitSum) bool {
	return a.con.Equal(b.con) && slices.EqualFunc(a.ents, b.ents, func(x, y bitEntry) bool { return x.t == y.t && x.coef.Equal(y.coef) })
}

// nearestEnd returns the end of an interval that is nearest to the value of x, moved towards it until its bits below low
// are those of x. A constant end is preferred, since it leaves least behind.
func (s *system) nearestEnd(x *term.Term, rs []bitRange, low int) (*bitSum, bool) {
	n, ok := s.bits(x)
	if !ok {
		return nil, false
	}
	nearest := func(end func(r *bitRange) *bitSum, distance func(at term.Num) term.Num) (best *bitSum, least term.Num) {
		for i := range rs {
			e := end(&rs[i])
			at, ok := s.bits(s.bitTerm(e))
			if !ok {
				return nil, term.Num{}
			}
			d := e.wrap(distance(at))
			if best == nil || d.Cmp(least) < 0 || d.Equal(least) && len(e.ents) < len(best.ents) {
				best, least = e, d
			}
		}
		return best, least
	}
	lo, up := nearest(func(r *bitRange) *bitSum { return r.lo }, func(at term.Num) term.Num { return n.Sub(at) })
	hi, down := nearest(func(r *bitRange) *bitSum { return r.hi }, func(at term.Num) term.Num { return at.Sub(n) })
	switch {
	case lo == nil || hi == nil:
		return nil, false
	case len(hi.ents) == 0 && len(lo.ents) > 0:
		return hi.offset(residue(down, power(low)).Neg()), true
	}
	return lo.offset(residue(up, power(low))), true
}

// resolveBits eliminates a variable by bounds of one form; y is the variable plus their common shift. The values of y
// are totally ordered, so some y is between all bounds when each pair leaves room: one number between two strict bounds
// needs t + 1 < u, and a strict bound alone excludes the last number on its side.
func (s *system) resolveBits(v int32, ids []int32, rs []bitRange) {
	var shift *bitSum
	signed := false
	for _, r := range rs {
		if !r.differ {
			shift, signed = r.shift, r.signed
		}
	}
	x := s.vars[v].t
	y := s.bitTerm(s.bitSum(x).plus(shift))
	var lower, upper []bitBound
	for _, r := range rs {
		b := bitBound{t: r.other, strict: r.strict}
		if r.differ { // the order that holds
			s.exact = false
			b = bitBound{t: s.bitTerm(s.bitSum(r.other).plus(shift)), strict: true}
			r.upper = s.ev.True(s.below(signed, true, y, b.t))
		}
		if r.upper {
			upper = append(upper, b)
		} else {
			lower = append(lower, b)
		}
	}
	for _, id := range ids {
		s.dropOther(id)
	}
	s.vars[v].done = true
	nl, nu := len(lower), len(upper)
	w := x.Sort().Width
	first, last := term.Num{}, power(w).Sub(one)
	if signed {
		first, last = power(w-1), power(w-1).Sub(one)
	}
	switch {
	case nl == 0:
		s.excludeEnd(upper, s.p.BVNum(first, w))
	case nu == 0:
		s.excludeEnd(lower, s.p.BVNum(last, w))
	case s.few(nl, nu):
		for _, l := range lower {
			for _, u := range upper {
				s.between(signed, l, u)
			}
		}
	default:
		s.exact = false
		pivot := s.tightestBits(signed, lower)
		for i, l := range lower {
			if i != pivot {
				s.addFormula(s.below(signed, l.strict && !lower[pivot].strict, l.t, lower[pivot].t))
			}
		}
		for _, u := range upper {
			s.between(signed, lower[pivot], u)
		}
	}
}

// bitBound is a bound of a variable.
type bitBound struct {
	t      *term.Term
	strict bool
}

// below returns a <= b, or a < b.
func (s *system) below(signed, strict bool, a, b *term.Term) *term.Term {
	op := term.BVUle
	if signed {
		op = term.BVSle
	}
	if strict {
		return s.p.Not(s.p.BV(op, b, a))
	}
	return s.p.BV(op, a, b)
}

// excludeEnd adds that strict bounds are not the last number on their side.
func (s *system) excludeEnd(bs []bitBound, end *term.Term) {
	for _, b := range bs {
		if b.strict {
			s.addFormula(s.p.Not(s.p.Eq(b.t, end)))
		}
	}
}

// between adds that there is a number between a lower and an upper bound.
func (s *system) between(signed bool, l, u bitBound) {
	s.addFormula(s.below(signed, l.strict || u.strict, l.t, u.t))
	if l.strict && u.strict {
		next := s.bitTerm(s.bitSum(l.t).offset(one))
		s.addFormula(s.below(signed, true, next, u.t))
	}
}

// tightestBits returns the lower bound whose first number is the greatest in the model; of a strict and another bound
// with one first number it prefers the other, whose term that number is.
func (s *system) tightestBits(signed bool, bs []bitBound) int {
	best := -1
	var most term.Num
	for i, b := range bs {
		at, ok := s.bits(b.t)
		if !ok {
			s.fail(ErrUndetermined)
			return 0
		}
		if half := power(b.t.Sort().Width - 1); signed && at.Cmp(half) >= 0 {
			at = at.Sub(half.Add(half))
		}
		if b.strict {
			at = at.Add(one)
		}
		if best < 0 || at.Cmp(most) > 0 || at.Equal(most) && bs[best].strict && !b.strict {
			best, most = i, at
		}
	}
	return best
}
