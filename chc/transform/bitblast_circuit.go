package transform

import (
	"slices"

	"hornbeam/chc/term"
)

// Circuits are lists of Boolean terms, one for each bit, the least significant first.

// bits translates a narrow bit-vector term to its bits.
func (x *circuits) bits(t *term.Term) []*term.Term {
	if out := x.byTerm[t]; out != nil {
		return out
	}
	out := x.circuit(t)
	x.byTerm[t] = out
	return out
}

func (x *circuits) circuit(t *term.Term) []*term.Term {
	p := x.pool
	arg := func(i int) []*term.Term { return x.bits(t.Arg(i)) }
	switch t.Op() {
	case term.BVNumeral:
		n := t.Num().BigInt()
		out := make([]*term.Term, t.Sort().Width)
		for i := range out {
			out[i] = p.Bool(n.Bit(i) == 1)
		}
		return out
	case term.Var:
		return x.variable(t)
	case term.Ite:
		return x.choose(x.formula(t.Arg(0)), arg(1), arg(2))
	case term.BVNot:
		return x.not(arg(0))
	case term.BVNeg:
		return x.negate(arg(0))
	case term.BVAnd:
		return zip(arg(0), arg(1), func(a, b *term.Term) *term.Term { return p.And(a, b) })
	case term.BVOr:
		return zip(arg(0), arg(1), func(a, b *term.Term) *term.Term { return p.Or(a, b) })
	case term.BVXor:
		return zip(arg(0), arg(1), p.Xor)
	case term.BVAdd:
		return x.add(arg(0), arg(1), p.False())
	case term.BVSub:
		return x.add(arg(0), x.not(arg(1)), p.True())
	case term.BVMul:
		return x.multiply(arg(0), arg(1))
	case term.BVUdiv:
		q, _ := x.divide(arg(0), arg(1))
		return q
	case term.BVUrem:
		_, r := x.divide(arg(0), arg(1))
		return r
	case term.BVSdiv, term.BVSrem, term.BVSmod:
		return x.divideSigned(t.Op(), arg(0), arg(1))
	case term.BVShl, term.BVLshr, term.BVAshr:
		return x.shift(t.Op(), arg(0), arg(1))
	case term.BVConcat:
		return slices.Concat(arg(1), arg(0))
	case term.BVZeroExtend:
		return append(slices.Clone(arg(0)), x.copies(t.Indices()[0], p.False())...)
	case term.BVSignExtend:
		return append(slices.Clone(arg(0)), x.copies(t.Indices()[0], top(arg(0)))...)
	case term.BVRotateLeft:
		n := t.Sort().Width - t.Indices()[0]
		return slices.Concat(arg(0)[n:], arg(0)[:n])
	case term.BVRotateRight:
		return slices.Concat(arg(0)[t.Indices()[0]:], arg(0)[:t.Indices()[0]])
	case term.BVRepeat:
		return slices.Repeat(arg(0), t.Indices()[0])
	case term.BVComp:
		if x.narrow(t.Arg(0).Sort()) {
			return []*term.Term{x.equal(arg(0), arg(1))}
		}
		return []*term.Term{p.Eq(x.vector(t.Arg(0)), x.vector(t.Arg(1)))}
	case term.BVExtract:
		if x.narrow(t.Arg(0).Sort()) {
			return arg(0)[t.Indices()[1] : t.Indices()[0]+1]
		}
	}
	// A part of a wide vector, or a term of another theory: its bits are atoms.
	whole := x.rebuild(t)
	out := make([]*term.Term, t.Sort().Width)
	for i := range out {
		out[i] = bitOf(p, whole, i)
	}
	return out
}

func zip(a, b []*term.Term, op func(a, b *term.Term) *term.Term) []*term.Term {
	out := make([]*term.Term, len(a))
	for i := range a {
		out[i] = op(a[i], b[i])
	}
	return out
}

// top is the sign bit.
func top(a []*term.Term) *term.Term { return a[len(a)-1] }

func (x *circuits) copies(n int, b *term.Term) []*term.Term {
	return slices.Repeat([]*term.Term{b}, n)
}

func (x *circuits) not(a []*term.Term) []*term.Term {
	out := make([]*term.Term, len(a))
	for i, b := range a {
		out[i] = x.pool.Not(b)
	}
	return out
}

func (x *circuits) choose(c *term.Term, a, b []*term.Term) []*term.Term {
	return zip(a, b, func(a, b *term.Term) *term.Term { return x.pool.Ite(c, a, b) })
}

func (x *circuits) equal(a, b []*term.Term) *term.Term {
	return x.pool.And(zip(a, b, x.pool.Iff)...)
}

// atMost compares from the least significant bit up: a higher bit overrules.
func (x *circuits) atMost(a, b []*term.Term) *term.Term {
	out := x.pool.True()
	for i := range a {
		out = x.pool.Or(x.pool.And(x.pool.Not(a[i]), b[i]), x.pool.And(x.pool.Or(x.pool.Not(a[i]), b[i]), out))
	}
	return out
}

// atMostSigned is atMost with the order of the sign bits turned round.
func (x *circuits) atMostSigned(a, b []*term.Term) *term.Term {
	n := len(a) - 1
	return x.atMost(append(slices.Clone(a[:n]), x.pool.Not(a[n])), append(slices.Clone(b[:n]), x.pool.Not(b[n])))
}

// add is a ripple-carry adder.
func (x *circuits) add(a, b []*term.Term, carry *term.Term) []*term.Term {
	p := x.pool
	out := make([]*term.Term, len(a))
	for i := range a {
		out[i] = p.Xor(p.Xor(a[i], b[i]), carry)
		carry = p.Or(p.And(a[i], b[i]), p.And(carry, p.Or(a[i], b[i])))
	}
	return out
}

func (x *circuits) negate(a []*term.Term) []*term.Term {
	return x.add(x.not(a), x.copies(len(a), x.pool.False()), x.pool.True())
}

// multiply adds up shifted copies.
func (x *circuits) multiply(a, b []*term.Term) []*term.Term {
	w := len(a)
	sum := x.copies(w, x.pool.False())
	for i, bit := range a {
		if bit.IsFalse() {
			continue
		}
		row := append(x.copies(i, x.pool.False()), b[:w-i]...)
		sum = x.add(sum, x.choose(bit, row, x.copies(w, x.pool.False())), x.pool.False())
	}
	return sum
}

// divide is long division. A divisor of zero can always be subtracted, so that the quotient is all ones and the
// remainder the dividend, as SMT-LIB wants it.
func (x *circuits) divide(a, b []*term.Term) (q, r []*term.Term) {
	w := len(a)
	q = make([]*term.Term, w)
	wide := append(slices.Clone(b), x.pool.False())
	r = x.copies(w+1, x.pool.False())
	for i := w - 1; i >= 0; i-- {
		r = append([]*term.Term{a[i]}, r[:w]...)
		q[i] = x.atMost(wide, r)
		r = x.choose(q[i], x.add(r, x.not(wide), x.pool.True()), r)
	}
	return q, r[:w]
}

// divideSigned follows SMT-LIB's definitions by the division of absolute values.
func (x *circuits) divideSigned(op term.Op, a, b []*term.Term) []*term.Term {
	p, s, t := x.pool, top(a), top(b)
	q, r := x.divide(x.choose(s, x.negate(a), a), x.choose(t, x.negate(b), b))
	switch op {
	case term.BVSdiv:
		return x.choose(p.Xor(s, t), x.negate(q), q)
	case term.BVSrem:
		return x.choose(s, x.negate(r), r)
	}
	zero := p.Not(p.Or(r...))
	signed := x.choose(s, x.negate(r), r)
	return x.choose(p.Or(zero, p.Iff(s, t)), signed, x.add(signed, b, p.False()))
}

// shift shifts by each power of two that the amount has; by the width and more everything is shifted out.
func (x *circuits) shift(op term.Op, a, amount []*term.Term) []*term.Term {
	w := len(a)
	fill := x.pool.False()
	if op == term.BVAshr {
		fill = top(a)
	}
	for i, bit := range amount {
		n := w
		if i < 16 {
			n = min(w, 1<<i)
		}
		var far []*term.Term
		if op == term.BVShl {
			far = append(x.copies(n, fill), a[:w-n]...)
		} else {
			far = append(slices.Clone(a[n:]), x.copies(n, fill)...)
		}
		a = x.choose(bit, far, a)
	}
	return a
}
