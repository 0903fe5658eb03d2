package intblast

import (
	"math/big"

	"hornbeam/chc/term"
)

// product translates bvmul: by a constant, or by a term few bits of which can be set.
func (b *clauseBlast) product(t *term.Term) *term.Term {
	p, x, y := b.pool, t.Arg(0), t.Arg(1)
	for range 2 {
		if r := b.residue(x); r.IsNumeral() {
			return p.Scale(r.Num(), b.residue(y))
		}
		x, y = y, x
	}
	if len(setBits(b.mask(x))) > len(setBits(b.mask(y))) {
		x, y = y, x
	}
	bits := setBits(b.mask(x))
	if len(bits) > b.opts.Bitwise {
		return b.refuse(t, "a product of variables")
	}
	r, sum := b.residue(y), p.Int(0)
	for _, i := range bits {
		sum = p.Add(sum, p.Ite(b.isOne(p.Extract(i, i, x)), p.Scale(term.Pow2(i), r), p.Int(0)))
	}
	return sum
}

// bitwise translates bvand, bvor and bvxor by x or y = x + y - (x and y) and x xor y = x + y - 2*(x and y).
func (b *clauseBlast) bitwise(t *term.Term) *term.Term {
	p, x, y := b.pool, t.Arg(0), t.Arg(1)
	if x.Op() == term.BVNumeral {
		x, y = y, x
	}
	var and *term.Term
	if y.Op() == term.BVNumeral {
		and = b.masked(x, y.Num())
	} else {
		both := new(big.Int).And(b.mask(x).BigInt(), b.mask(y).BigInt())
		bits := setBits(term.NumFromBig(both))
		if len(bits) > b.opts.Bitwise {
			return b.refuse(t, "a bitwise operation on variables")
		}
		and = p.Int(0)
		for _, i := range bits {
			set := p.And(b.isOne(p.Extract(i, i, x)), b.isOne(p.Extract(i, i, y)))
			and = p.Add(and, p.Ite(set, p.IntNum(term.Pow2(i)), p.Int(0)))
		}
	}
	switch t.Op() {
	case term.BVAnd:
		return and
	case term.BVOr:
		return p.Sub(p.Add(b.residue(x), b.residue(y)), and)
	}
	return p.Sub(p.Add(b.residue(x), b.residue(y)), p.Scale(term.NewInt(2), and))
}

// masked returns a residue of the bits of x that the constant has: for each run of ones the bits of x there.
func (b *clauseBlast) masked(x *term.Term, mask term.Num) *term.Term {
	p, w := b.pool, x.Sort().Width
	sum := p.Int(0)
	m := mask.BigInt()
	for lo := 0; lo < w; lo++ {
		if m.Bit(lo) == 0 {
			continue
		}
		hi := lo
		for hi+1 < w && m.Bit(hi+1) == 1 {
			hi++
		}
		run := p.Extract(hi, lo, x)
		n := b.residue(run)
		if hi < w-1 {
			n = b.number(run, false)
		}
		sum = p.Add(sum, p.Scale(term.Pow2(lo), n))
		lo = hi
	}
	return sum
}

// mask returns a number whose bits include all that may be set in the bit-vector term t.
func (b *clauseBlast) mask(t *term.Term) term.Num {
	if m, ok := b.masks[t]; ok {
		return m
	}
	m := term.NumFromBig(b.computeMask(t))
	b.masks[t] = m
	return m
}

func (b *clauseBlast) computeMask(t *term.Term) *big.Int {
	arg := func(i int) *big.Int { return b.mask(t.Arg(i)).BigInt() }
	w := t.Sort().Width
	all := new(big.Int).Sub(term.Pow2(w).BigInt(), big.NewInt(1))
	switch t.Op() {
	case term.BVNumeral:
		return t.Num().BigInt()
	case term.Ite:
		return all.Or(arg(1), arg(2))
	case term.BVAnd:
		return all.And(arg(0), arg(1))
	case term.BVOr, term.BVXor:
		return all.Or(arg(0), arg(1))
	case term.BVConcat:
		high := arg(0)
		return high.Or(high.Lsh(high, uint(t.Arg(1).Sort().Width)), arg(1))
	case term.BVZeroExtend:
		return arg(0)
	case term.BVExtract:
		low := arg(0)
		return low.And(low.Rsh(low, uint(t.Indices()[1])), all)
	case term.BVShl:
		if n, ok := constantShift(t); ok {
			x := arg(0)
			return x.And(x.Lsh(x, uint(n)), all)
		}
	case term.BVLshr:
		if n, ok := constantShift(t); ok {
			x := arg(0)
			return x.Rsh(x, uint(n))
		}
	}
	return all
}

// setBits lists the ones of a number, the least significant first.
func setBits(n term.Num) []int {
	var out []int
	b := n.BigInt()
	for i := range b.BitLen() {
		if b.Bit(i) == 1 {
			out = append(out, i)
		}
	}
	return out
}

// constantShift returns by how much a shift by a constant shifts, at most the width.
func constantShift(t *term.Term) (int, bool) {
	if t.Arg(1).Op() != term.BVNumeral {
		return 0, false
	}
	w := t.Sort().Width
	if n, ok := t.Arg(1).Num().Int64(); ok && n < int64(w) {
		return int(n), true
	}
	return w, true
}

// shift translates bvshl, bvlshr and bvashr, by a variable amount bit by bit of the amount.
func (b *clauseBlast) shift(t *term.Term) *term.Term {
	p, w, x := b.pool, t.Sort().Width, t.Arg(0)
	if n, ok := constantShift(t); ok {
		return b.shiftBy(t.Op(), b.shifted(t.Op(), x), n, w)
	}
	amount := setBits(b.mask(t.Arg(1)))
	if w > b.opts.Bitwise {
		return b.refuse(t, "a shift by a variable amount")
	}
	out := b.shifted(t.Op(), x)
	for _, i := range amount {
		n := w
		if i < 16 {
			n = min(w, 1<<i)
		}
		far := b.shiftBy(t.Op(), out, n, w)
		out = p.Ite(b.isOne(p.Extract(i, i, t.Arg(1))), far, out)
	}
	return out
}

// shifted returns the number that a shift multiplies or divides.
func (b *clauseBlast) shifted(op term.Op, x *term.Term) *term.Term {
	if op == term.BVShl {
		return b.residue(x)
	}
	return b.number(x, op == term.BVAshr)
}

// shiftBy shifts a number of w bits by n <= w positions.
func (b *clauseBlast) shiftBy(op term.Op, x *term.Term, n, w int) *term.Term {
	switch {
	case op == term.BVShl:
		return b.reduce(b.pool.Scale(term.Pow2(n), x), w)
	case op == term.BVAshr:
		n = min(n, w-1)
	}
	return b.quotient(x, term.Pow2(n))
}

// rotate translates a rotation to the left by n positions.
func (b *clauseBlast) rotate(x *term.Term, n int) *term.Term {
	w := x.Sort().Width
	if n %= w; n == 0 {
		return b.residue(x)
	}
	return b.pool.Add(b.pool.Scale(term.Pow2(n), b.residue(x)), b.quotient(b.number(x, false), term.Pow2(w-n)))
}

// divideUnsigned translates bvudiv and bvurem by a constant. Division by zero gives all ones and the dividend.
func (b *clauseBlast) divideUnsigned(t *term.Term) *term.Term {
	if t.Arg(1).Op() != term.BVNumeral {
		return b.refuse(t, "a division by a variable")
	}
	k := t.Arg(1).Num()
	switch {
	case k.IsZero() && t.Op() == term.BVUdiv:
		return b.pool.Int(-1)
	case k.IsZero():
		return b.residue(t.Arg(0))
	case t.Op() == term.BVUdiv:
		return b.quotient(b.number(t.Arg(0), false), k)
	}
	return b.remainder(b.number(t.Arg(0), false), k)
}

// divideSigned translates bvsdiv, which rounds to zero, bvsrem, whose sign is the dividend's, and bvsmod, whose sign is
// the divisor's, by a constant.
func (b *clauseBlast) divideSigned(t *term.Term) *term.Term {
	p := b.pool
	if t.Arg(1).Op() != term.BVNumeral {
		return b.refuse(t, "a division by a variable")
	}
	x := b.number(t.Arg(0), true)
	k := t.Arg(1).Num()
	if w := t.Sort().Width; k.Cmp(term.Pow2(w-1)) >= 0 {
		k = k.Sub(term.Pow2(w))
	}
	nonNegative := p.Ge(x, p.Int(0))
	size := k.Abs()
	switch {
	case k.IsZero() && t.Op() == term.BVSdiv:
		return p.Ite(nonNegative, p.Int(-1), p.Int(1))
	case k.IsZero():
		return x
	case t.Op() == term.BVSdiv:
		q := p.Ite(nonNegative, b.quotient(x, size), p.Neg(b.quotient(p.Neg(x), size)))
		if k.Sign() < 0 {
			return p.Neg(q)
		}
		return q
	case t.Op() == term.BVSrem:
		return p.Ite(nonNegative, b.remainder(x, size), p.Neg(b.remainder(p.Neg(x), size)))
	case k.Sign() > 0:
		return b.remainder(x, size)
	}
	return p.Neg(b.remainder(p.Neg(x), size))
}
