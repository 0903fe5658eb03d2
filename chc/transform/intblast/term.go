package intblast

import (
	"hornbeam/chc/term"
)

// A bit-vector term of w bits is translated into an Int term that is congruent to its value modulo 2^w, its residue.
// Sums, products by constants and the low bits need no more than that; number reduces a residue to the range of an
// unsigned or a signed number for what does.

// formula translates a term of any sort but bit-vectors.
func (b *clauseBlast) formula(t *term.Term) *term.Term {
	if out := b.formulas[t]; out != nil {
		return out
	}
	out := b.translateFormula(t)
	b.formulas[t] = out
	return out
}

func (b *clauseBlast) translateFormula(t *term.Term) *term.Term {
	if t.Sort().ContainsFunc((*term.Sort).IsBitVec) {
		return b.refuse(t, "a sort built from bit-vectors")
	}
	switch t.Op() {
	case term.Eq:
		if t.Arg(0).Sort().IsBitVec() {
			return b.congruent(b.residue(t.Arg(0)), b.residue(t.Arg(1)), t.Arg(0).Sort().Width)
		}
	case term.BVUle, term.BVSle:
		return b.atMost(t.Arg(0), t.Arg(1), t.Op() == term.BVSle)
	case term.BVToNat:
		return b.number(t.Arg(0), false)
	case term.Forall, term.Exists:
		found := false
		term.Walk(t, func(u *term.Term) bool {
			found = found || u.Sort().IsBitVec() || u.Sort().ContainsFunc((*term.Sort).IsBitVec)
			return !found
		})
		if found {
			return b.refuse(t, "a quantifier over bit-vectors")
		}
		return t
	}
	if len(t.Args()) == 0 {
		return t
	}
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		if a.Sort().IsBitVec() {
			return b.refuse(t, "a function of bit-vectors")
		}
		args[i] = b.formula(a)
	}
	if b.obstacle != "" {
		return t
	}
	return b.pool.Rebuild(t, args)
}

// residue translates a bit-vector term.
func (b *clauseBlast) residue(t *term.Term) *term.Term {
	if out := b.residues[t]; out != nil {
		return out
	}
	out := b.translateResidue(t)
	if b.obstacle != "" {
		return b.pool.Int(0) // nothing comes of it, and what was refused is Boolean when it has one bit
	}
	out = b.reduce(out, t.Sort().Width)
	b.residues[t] = out
	return out
}

func (b *clauseBlast) translateResidue(t *term.Term) *term.Term {
	p, w := b.pool, t.Sort().Width
	switch t.Op() {
	case term.BVNumeral:
		return p.IntNum(t.Num())
	case term.Var:
		if y := b.variable(t); y.Sort() == term.Int {
			return y
		}
		return b.bit(b.variable(t))
	case term.Ite:
		return p.Ite(b.formula(t.Arg(0)), b.residue(t.Arg(1)), b.residue(t.Arg(2)))
	case term.BVNot:
		return p.Sub(p.Int(-1), b.residue(t.Arg(0)))
	case term.BVNeg:
		return p.Neg(b.residue(t.Arg(0)))
	case term.BVAdd:
		return p.Add(b.residue(t.Arg(0)), b.residue(t.Arg(1)))
	case term.BVSub:
		return p.Sub(b.residue(t.Arg(0)), b.residue(t.Arg(1)))
	case term.BVMul:
		return b.product(t)
	case term.BVAnd, term.BVOr, term.BVXor:
		return b.bitwise(t)
	case term.BVUdiv, term.BVUrem:
		return b.divideUnsigned(t)
	case term.BVSdiv, term.BVSrem, term.BVSmod:
		return b.divideSigned(t)
	case term.BVShl, term.BVLshr, term.BVAshr:
		return b.shift(t)
	case term.BVComp:
		return b.bit(b.congruent(b.residue(t.Arg(0)), b.residue(t.Arg(1)), t.Arg(0).Sort().Width))
	case term.BVConcat:
		return p.Add(p.Scale(term.Pow2(t.Arg(1).Sort().Width), b.residue(t.Arg(0))), b.number(t.Arg(1), false))
	case term.BVExtract:
		// The quotient of any residue modulo 2^n by 2^lo is right modulo 2^(n-lo), and hi is below n.
		return b.quotient(b.residue(t.Arg(0)), term.Pow2(t.Indices()[1]))
	case term.BVZeroExtend:
		return b.number(t.Arg(0), false)
	case term.BVSignExtend:
		return b.number(t.Arg(0), true)
	case term.BVRotateLeft:
		return b.rotate(t.Arg(0), t.Indices()[0])
	case term.BVRotateRight:
		return b.rotate(t.Arg(0), w-t.Indices()[0])
	case term.BVRepeat:
		n := t.Arg(0).Sort().Width
		factor := term.Num{}
		for i := range t.Indices()[0] {
			factor = factor.Add(term.Pow2(i * n))
		}
		return p.Scale(factor, b.number(t.Arg(0), false))
	case term.NatToBV:
		return b.formula(t.Arg(0))
	}
	return b.refuse(t, "a term without linear meaning")
}

// reduce makes the coefficients and the constant of a residue modulo 2^w the smallest in absolute value.
func (b *clauseBlast) reduce(t *term.Term, w int) *term.Term {
	l := b.pool.Linear(t)
	m := term.Pow2(w)
	l.Const = symmetric(l.Const, m)
	for i := range l.Monomials {
		l.Monomials[i].Coef = symmetric(l.Monomials[i].Coef, m)
	}
	out := b.pool.Int(0)
	for _, mono := range l.Monomials {
		out = b.pool.Add(out, b.pool.Scale(mono.Coef, mono.Term))
	}
	return b.pool.Add(out, b.pool.IntNum(l.Const))
}

// symmetric returns the number congruent to n modulo m that is above -m/2 and at most m/2.
func symmetric(n, m term.Num) term.Num {
	_, r := term.EuclidDiv(n, m)
	if r.Add(r).Cmp(m) > 0 {
		r = r.Sub(m)
	}
	return r
}

// bit is 1 when the condition holds, else 0.
func (b *clauseBlast) bit(condition *term.Term) *term.Term {
	return b.pool.Ite(condition, b.pool.Int(1), b.pool.Int(0))
}

// isOne returns the condition that a vector of one bit is 1.
func (b *clauseBlast) isOne(t *term.Term) *term.Term {
	return b.congruent(b.residue(t), b.pool.Int(1), 1)
}

// number returns the signed or unsigned number that a bit-vector term stands for.
func (b *clauseBlast) number(t *term.Term, signed bool) *term.Term {
	return b.wrap(b.residue(t), numberRange(t.Sort().Width, signed))
}

// wrap returns the number in the range that is congruent to t modulo the size of the range.
func (b *clauseBlast) wrap(t *term.Term, to term.Interval) *term.Term {
	p := b.pool
	iv := b.intervals.of(t)
	if iv.Within(to) {
		return t
	}
	m := to.High.Sub(*to.Low).Add(term.NewInt(1))
	first, last, few := b.turns(iv, *to.Low, m)
	if !few {
		return p.Add(p.Mod(p.Sub(t, p.IntNum(*to.Low)), p.IntNum(m)), p.IntNum(*to.Low))
	}
	out := p.Sub(t, p.IntNum(m.Mul(last)))
	for c := last.Sub(term.NewInt(1)); c.Cmp(first) >= 0; c = c.Sub(term.NewInt(1)) {
		end := to.High.Add(m.Mul(c))
		out = p.Ite(p.Le(t, p.IntNum(end)), p.Sub(t, p.IntNum(m.Mul(c))), out)
	}
	b.intervals.set(out, to)
	return out
}

// turns returns the first and the last c for which a number of the interval lies between base + c*m and base + (c+1)*m;
// few reports whether there are few of them.
func (b *clauseBlast) turns(iv term.Interval, base, m term.Num) (first, last term.Num, few bool) {
	if !iv.Bounded() {
		return first, last, false
	}
	first, last = iv.Low.Sub(base).Div(m).Floor(), iv.High.Sub(base).Div(m).Floor()
	return first, last, last.Sub(first).Cmp(term.NewInt(int64(b.opts.Cases))) < 0
}

// congruent returns the condition that x and y are equal modulo 2^w.
func (b *clauseBlast) congruent(x, y *term.Term, w int) *term.Term {
	p, m := b.pool, term.Pow2(w)
	d := b.reduce(p.Sub(x, y), w)
	iv := b.intervals.of(d)
	// d is a multiple of m: c*m for the c whose turn of d-m+1 .. d it is in.
	first, last, few := b.turns(iv, term.NewInt(1).Sub(m), m)
	if !few {
		return p.Divides(m, d)
	}
	var cases []*term.Term
	for c := first; c.Cmp(last) <= 0; c = c.Add(term.NewInt(1)) {
		if at := c.Mul(m); iv.Has(at) {
			cases = append(cases, p.Eq(d, p.IntNum(at)))
		}
	}
	return p.Or(cases...)
}

// atMost returns the condition that x is at most y as a signed or as an unsigned number. Where both are there as numbers
// of the other kind, their signs decide first: numbers of different signs are ordered the other way round.
func (b *clauseBlast) atMost(x, y *term.Term, signed bool) *term.Term {
	p, w := b.pool, x.Sort().Width
	want, other := numberRange(w, signed), numberRange(w, !signed)
	fits := func(t *term.Term, to term.Interval) bool {
		return t.Op() == term.BVNumeral || b.intervals.of(b.residue(t)).Within(to)
	}
	switch {
	case fits(x, want) && fits(y, want):
		return p.Le(b.number(x, signed), b.number(y, signed))
	case fits(x, other) && fits(y, other):
		// below
	case y.Op() == term.BVNumeral:
		return b.inside(b.residue(x), term.Between(*want.Low, b.number(y, signed).Num()), want)
	case x.Op() == term.BVNumeral:
		return b.inside(b.residue(y), term.Between(b.number(x, signed).Num(), *want.High), want)
	default:
		return p.Le(b.number(x, signed), b.number(y, signed))
	}
	u, v := b.number(x, !signed), b.number(y, !signed)
	// upper is the condition that the highest bit is set.
	upper := func(t *term.Term) *term.Term {
		if signed {
			return p.Ge(t, p.IntNum(term.Pow2(w-1)))
		}
		return p.Lt(t, p.Int(0))
	}
	xUp, yUp := upper(u), upper(v)
	if signed {
		return p.Ite(xUp, p.Or(p.Not(yUp), p.Le(u, v)), p.And(p.Not(yUp), p.Le(u, v)))
	}
	return p.Ite(xUp, p.And(yUp, p.Le(u, v)), p.Or(yUp, p.Le(u, v)))
}

// inside returns the condition that the number in the range that is congruent to t is in the part of the range: that t
// is in one of its copies.
func (b *clauseBlast) inside(t *term.Term, part, of term.Interval) *term.Term {
	p := b.pool
	iv := b.intervals.of(t)
	m := of.High.Sub(*of.Low).Add(term.NewInt(1))
	first, last, few := b.turns(iv, *of.Low, m)
	if !few {
		n := b.wrap(t, of)
		return p.And(p.Le(p.IntNum(*part.Low), n), p.Le(n, p.IntNum(*part.High)))
	}
	var cases []*term.Term
	for c := first; c.Cmp(last) <= 0; c = c.Add(term.NewInt(1)) {
		part := part.Add(term.Point(c.Mul(m)))
		if part.Meet(iv).Empty() {
			continue
		}
		bounds := []*term.Term{}
		if part.Low.Cmp(*iv.Low) > 0 {
			bounds = append(bounds, p.Le(p.IntNum(*part.Low), t))
		}
		if part.High.Cmp(*iv.High) < 0 {
			bounds = append(bounds, p.Le(t, p.IntNum(*part.High)))
		}
		cases = append(cases, p.And(bounds...))
	}
	return p.Or(cases...)
}

// quotient returns t div k, rounded down, for k > 0; as cases where it has few values.
func (b *clauseBlast) quotient(t *term.Term, k term.Num) *term.Term {
	p := b.pool
	if k.IsOne() {
		return t
	}
	first, last, few := b.turns(b.intervals.of(t), term.Num{}, k)
	if !few {
		return p.IntDiv(t, p.IntNum(k))
	}
	out := p.IntNum(last)
	for c := last.Sub(term.NewInt(1)); c.Cmp(first) >= 0; c = c.Sub(term.NewInt(1)) {
		out = p.Ite(p.Lt(t, p.IntNum(k.Mul(c.Add(term.NewInt(1))))), p.IntNum(c), out)
	}
	return out
}

// remainder returns t mod k, for k > 0.
func (b *clauseBlast) remainder(t *term.Term, k term.Num) *term.Term {
	return b.wrap(t, term.Between(term.Num{}, k.Sub(term.NewInt(1))))
}
