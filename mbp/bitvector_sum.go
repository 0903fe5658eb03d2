package mbp

import (
	"cmp"
	"slices"

	"hornbeam/chc/term"
)

// bitEntry is one summand of a bitSum; the coefficient is between 1 and 2^width - 1.
type bitEntry struct {
	t    *term.Term
	coef term.Num
}

// bitSum is a linear form modulo 2^width over bit-vector terms that are no sums, in order of their IDs.
type bitSum struct {
	width int
	con   term.Num
	ents  []bitEntry
}

// power returns 2^k.
func power(k int) term.Num {
	out, base := one, term.NewInt(2)
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			out = out.Mul(base)
		}
		base = base.Mul(base)
	}
	return out
}

func (l *bitSum) wrap(n term.Num) term.Num { return residue(n, power(l.width)) }

// bitSum returns a term's linear form: sums, differences, negations, complements (-t - 1), multiplications by numerals,
// shifts to the left by numerals and concatenations with numerals behind are linear.
func (s *system) bitSum(t *term.Term) *bitSum {
	l := &bitSum{width: t.Sort().Width}
	l.add(t, one)
	l.normalise()
	return l
}

func (l *bitSum) add(t *term.Term, f term.Num) {
	switch t.Op() {
	case term.BVNumeral:
		l.con = l.con.Add(f.Mul(t.Num()))
	case term.BVAdd:
		l.add(t.Arg(0), f)
		l.add(t.Arg(1), f)
	case term.BVSub:
		l.add(t.Arg(0), f)
		l.add(t.Arg(1), f.Neg())
	case term.BVNeg:
		l.add(t.Arg(0), f.Neg())
	case term.BVNot:
		l.con = l.con.Sub(f)
		l.add(t.Arg(0), f.Neg())
	case term.BVMul:
		a, b := t.Arg(0), t.Arg(1)
		if a.Op() != term.BVNumeral {
			a, b = b, a
		}
		if a.Op() == term.BVNumeral {
			l.add(b, l.wrap(f.Mul(a.Num())))
			return
		}
		l.ents = append(l.ents, bitEntry{t, f})
	case term.BVShl:
		if by := t.Arg(1); by.Op() == term.BVNumeral {
			if k, ok := by.Num().Int64(); ok && k < int64(l.width) {
				l.add(t.Arg(0), l.wrap(f.Mul(power(int(k)))))
			}
			return // all bits are shifted out
		}
		l.ents = append(l.ents, bitEntry{t, f})
	case term.BVConcat:
		if t.Arg(1).Op() != term.BVNumeral {
			l.ents = append(l.ents, bitEntry{t, f})
			return
		}
		l.con = l.con.Add(f.Mul(t.Arg(1).Num()))
		l.addShifted(t.Arg(0), t.Arg(1).Sort().Width, f)
	default:
		l.ents = append(l.ents, bitEntry{t, f})
	}
}

// addShifted adds f times the concatenation of t and k zero bits, which distributes over t's own linear form since what
// is lost above is lost below: of the lowest bits of a term it is 2^k times that term.
func (l *bitSum) addShifted(t *term.Term, k int, f term.Num) {
	p := t.Pool()
	inner := &bitSum{width: t.Sort().Width}
	inner.add(t, one)
	inner.normalise()
	l.con = l.con.Add(f.Mul(inner.con).Mul(power(k)))
	for _, e := range inner.ents {
		c := l.wrap(f.Mul(e.coef))
		switch {
		case e.t.Op() == term.BVExtract && e.t.Indices()[1] == 0 && e.t.Arg(0).Sort().Width == l.width:
			l.add(e.t.Arg(0), l.wrap(c.Mul(power(k))))
		case e.t.Op() == term.BVConcat && e.t.Arg(1).Op() == term.BVNumeral: // zeros, by the form of the inner sum
			zeros := p.BVNum(term.Num{}, e.t.Arg(1).Sort().Width+k)
			l.ents = append(l.ents, bitEntry{p.BV(term.BVConcat, e.t.Arg(0), zeros), c})
		default:
			l.ents = append(l.ents, bitEntry{p.BV(term.BVConcat, e.t, p.BVNum(term.Num{}, k)), c})
		}
	}
}

func (l *bitSum) normalise() {
	l.con = l.wrap(l.con)
	slices.SortStableFunc(l.ents, func(a, b bitEntry) int { return cmp.Compare(a.t.ID(), b.t.ID()) })
	out := l.ents[:0]
	for i := 0; i < len(l.ents); {
		e := l.ents[i]
		for i++; i < len(l.ents) && l.ents[i].t == e.t; i++ {
			e.coef = e.coef.Add(l.ents[i].coef)
		}
		if e.coef = l.wrap(e.coef); !e.coef.IsZero() {
			out = append(out, e)
		}
	}
	l.ents = out
}

// combine returns f*l + g*m.
func (l *bitSum) combine(f term.Num, m *bitSum, g term.Num) *bitSum {
	out := &bitSum{width: l.width, con: l.con.Mul(f).Add(m.con.Mul(g))}
	for _, e := range l.ents {
		out.ents = append(out.ents, bitEntry{e.t, e.coef.Mul(f)})
	}
	for _, e := range m.ents {
		out.ents = append(out.ents, bitEntry{e.t, e.coef.Mul(g)})
	}
	out.normalise()
	return out
}

func (l *bitSum) plus(m *bitSum) *bitSum  { return l.combine(one, m, one) }
func (l *bitSum) minus(m *bitSum) *bitSum { return l.combine(one, m, one.Neg()) }

// scale returns f*l.
func (l *bitSum) scale(f term.Num) *bitSum { return l.combine(f, &bitSum{width: l.width}, one) }

// offset returns l + n.
func (l *bitSum) offset(n term.Num) *bitSum {
	return l.plus(&bitSum{width: l.width, con: n})
}

// coef returns a variable's coefficient; alone is false when it occurs inside a summand.
func (l *bitSum) coef(x *term.Term) (k term.Num, alone bool) {
	alone = true
	for _, e := range l.ents {
		if e.t == x {
			k = e.coef
		} else if term.Contains(e.t, x) {
			alone = false
		}
	}
	return k, alone
}

// without returns l without the summand t.
func (l *bitSum) without(t *term.Term) *bitSum {
	out := &bitSum{width: l.width, con: l.con}
	for _, e := range l.ents {
		if e.t != t {
			out.ents = append(out.ents, e)
		}
	}
	return out
}

// bitTerm turns a linear form into a term: the summands with small coefficients, minus those with small negative ones,
// plus the constant.
func (s *system) bitTerm(l *bitSum) *term.Term {
	half := power(l.width - 1)
	var out *term.Term
	join := func(op term.Op, t *term.Term) {
		if out == nil {
			out = t
			if op == term.BVSub {
				out = s.p.BV(term.BVNeg, t)
			}
			return
		}
		out = s.p.BV(op, out, t)
	}
	multiple := func(k term.Num, t *term.Term) *term.Term {
		return s.p.BV(term.BVMul, s.p.BVNum(k, l.width), t)
	}
	for _, e := range l.ents {
		if e.coef.Cmp(half) <= 0 {
			join(term.BVAdd, multiple(e.coef, e.t))
		}
	}
	for _, e := range l.ents {
		switch {
		case e.coef.Cmp(half) <= 0:
		case out == nil && !l.wrap(e.coef.Neg()).IsOne():
			join(term.BVAdd, multiple(e.coef, e.t))
		default:
			join(term.BVSub, multiple(e.coef.Neg(), e.t))
		}
	}
	con := s.p.BVNum(l.con, l.width)
	if out == nil {
		return con
	}
	if l.con.IsZero() {
		return out
	}
	return s.p.BV(term.BVAdd, out, con)
}

func isOdd(n term.Num) bool { return !residue(n, term.NewInt(2)).IsZero() }

// inverse returns the inverse of an odd number modulo 2^w by Newton's iteration, which doubles the correct bits.
func inverse(n term.Num, w int) term.Num {
	mod, x := power(w), n
	for k := 3; k < w; k *= 2 {
		x = residue(x.Mul(term.NewInt(2).Sub(n.Mul(x))), mod)
	}
	return residue(x, mod)
}

// oddPart returns k and the odd m with n = 2^k * m, for n > 0.
func oddPart(n term.Num) (k int, m term.Num) {
	two := term.NewInt(2)
	for !isOdd(n) {
		n, k = n.Div(two), k+1
	}
	return k, n
}
