package term

import (
	"fmt"
	"math/big"
)

// BVNum returns the bit-vector numeral of the given width that is n modulo 2^width; n is an integer, maybe negative.
func (p *Pool) BVNum(n Num, width int) *Term {
	return p.own(BVNumeral, p.BitVec(width), &key{num: wrap(n, width)})
}

// wrap returns n modulo 2^w.
func wrap(n Num, w int) Num {
	if n.isSmallInt() && n.n >= 0 && (w >= 63 || n.n < 1<<w) {
		return n
	}
	_, r := EuclidDiv(n, Pow2(w))
	return r
}

// Pow2 returns 2^w, for w >= 0.
func Pow2(w int) Num {
	if w < 63 {
		return Num{n: 1 << w}
	}
	return NumFromBig(new(big.Int).Lsh(big.NewInt(1), uint(w)))
}

// signed returns the two's complement reading of the unsigned n.
func signed(n Num, w int) Num {
	if n.Cmp(Pow2(w-1)) >= 0 {
		return n.Sub(Pow2(w))
	}
	return n
}

// bvArity returns how many arguments the bit-vector operator op takes in a term, 0 when op is none. BV accepts more for
// the left-associative ones.
func bvArity(op Op) int {
	switch {
	case op == BVNot || op == BVNeg || op >= BVExtract && op <= BVRepeat:
		return 1
	case op >= BVAnd && op <= BVConcat:
		return 2
	}
	return 0
}

// BV returns the bit-vector operator op, one without indices, applied to its arguments: one for BVNot and BVNeg, else
// two of one width (any widths for BVConcat); BVAnd, BVOr, BVXor, BVXnor, BVAdd, BVMul and BVConcat take more and
// associate to the left. Comparisons are Boolean and become BVUle or BVSle, maybe negated. Division by zero is as in
// SMT-LIB: bvudiv gives all ones, bvurem its first argument.
func (p *Pool) BV(op Op, args ...*Term) *Term {
	switch op {
	case BVAnd, BVOr, BVXor, BVXnor, BVAdd, BVMul, BVConcat:
		if len(args) > 2 {
			t := args[0]
			for _, a := range args[1:] {
				t = p.BV(op, t, a)
			}
			return t
		}
	}
	n := bvArity(op)
	if n == 0 || op >= BVExtract || n != len(args) {
		panic(fmt.Sprintf("term: %v applied to %d terms", op, len(args)))
	}
	for _, a := range args {
		p.check(a.sort.Kind == BitVecKind && (op == BVConcat || a.sort == args[0].sort), op.String(), args...)
	}
	if n == 1 {
		return p.bvUnary(op, args[0])
	}
	a, b := args[0], args[1]
	switch op {
	case BVNand, BVNor, BVXnor:
		return p.BV(BVNot, p.BV(op-BVNand+BVAnd, a, b))
	case BVUge:
		return p.BV(BVUle, b, a)
	case BVUlt:
		return p.Not(p.BV(BVUle, b, a))
	case BVUgt:
		return p.Not(p.BV(BVUle, a, b))
	case BVSge:
		return p.BV(BVSle, b, a)
	case BVSlt:
		return p.Not(p.BV(BVSle, b, a))
	case BVSgt:
		return p.Not(p.BV(BVSle, a, b))
	}
	return p.bvBinary(op, a, b)
}

func (p *Pool) bvUnary(op Op, a *Term) *Term {
	if a.op == BVNumeral {
		return p.BVNum(bvEval1(op, a.ext.num, a.sort.Width), a.sort.Width)
	}
	if a.op == op {
		return a.args[0]
	}
	return p.intern(op, a.sort, nil, a)
}

func (p *Pool) bvBinary(op Op, a, b *Term) *Term {
	w := a.sort.Width
	s := a.sort
	switch op {
	case BVUle, BVSle:
		s = Bool
	case BVComp:
		s = p.BitVec(1)
	case BVConcat:
		s = p.BitVec(w + b.sort.Width)
	}
	if a.op == BVNumeral && b.op == BVNumeral {
		if s == Bool {
			return p.Bool(bvCompare(op, a.ext.num, b.ext.num, w))
		}
		if op == BVConcat {
			return p.BVNum(a.ext.num.Mul(Pow2(b.sort.Width)).Add(b.ext.num), s.Width)
		}
		return p.BVNum(bvEval2(op, a.ext.num, b.ext.num, w), s.Width)
	}
	switch op {
	case BVAnd, BVOr, BVXor, BVAdd, BVMul, BVComp:
		if a.id > b.id {
			a, b = b, a
		}
	}
	if t := p.bvSimplify(op, a, b); t != nil {
		return t
	}
	return p.intern(op, s, nil, a, b)
}

// bvSimplify applies the laws of units, zeros and equal arguments; nil when none applies. Commutative operators have
// their arguments in order already.
func (p *Pool) bvSimplify(op Op, a, b *Term) *Term {
	w := a.sort.Width
	num := func(t *Term, n Num) bool { return t.op == BVNumeral && t.ext.num.Equal(n) }
	zero := func(t *Term) bool { return t.op == BVNumeral && t.ext.num.IsZero() }
	one := func(t *Term) bool { return t.op == BVNumeral && t.ext.num.IsOne() }
	ones := func(t *Term) bool { return num(t, Pow2(w).Sub(Num{n: 1})) }
	zeros := func() *Term { return p.BVNum(Num{}, w) }
	switch op {
	case BVAnd:
		switch {
		case a == b || ones(b):
			return a
		case ones(a):
			return b
		case zero(a) || zero(b):
			return zeros()
		}
	case BVOr:
		switch {
		case a == b || zero(b):
			return a
		case zero(a):
			return b
		case ones(a):
			return a
		case ones(b):
			return b
		}
	case BVXor:
		switch {
		case a == b:
			return zeros()
		case zero(b):
			return a
		case zero(a):
			return b
		}
	case BVAdd:
		switch {
		case zero(b):
			return a
		case zero(a):
			return b
		}
	case BVSub:
		switch {
		case a == b:
			return zeros()
		case zero(b):
			return a
		}
	case BVMul:
		switch {
		case one(b) || zero(a):
			return a
		case one(a) || zero(b):
			return b
		}
	case BVUdiv, BVSdiv:
		if one(b) && w > 1 || one(b) && op == BVUdiv {
			return a
		}
	case BVUrem:
		switch {
		case zero(b):
			return a
		case one(b):
			return zeros()
		}
	case BVShl, BVLshr, BVAshr:
		switch {
		case zero(b) || zero(a):
			return a
		}
	case BVComp:
		if a == b {
			return p.BVNum(Num{n: 1}, 1)
		}
	case BVUle:
		if a == b || zero(a) || ones(b) {
			return p.tru
		}
	case BVSle:
		if a == b || num(a, Pow2(w-1)) || num(b, Pow2(w-1).Sub(Num{n: 1})) {
			return p.tru
		}
	}
	return nil
}

func (p *Pool) bvIndexed(op Op, w int, t *Term, hi, lo int) *Term {
	s := p.BitVec(w)
	if t.op == BVNumeral {
		return p.BVNum(bvEvalIndexed(op, t.ext.num, t.sort.Width, hi, lo), w)
	}
	return p.own(op, s, &key{hi: hi, lo: lo}, t)
}

func (p *Pool) checkBV(t *Term, what string, ok bool) {
	if t.sort.Kind != BitVecKind || !ok {
		panic("term: ill-sorted " + what + " of a term of sort " + t.sort.String())
	}
}

// Extract returns the bits lo to hi of t, both included, 0 being the least significant.
func (p *Pool) Extract(hi, lo int, t *Term) *Term {
	p.checkBV(t, "extract", 0 <= lo && lo <= hi && hi < t.sort.Width)
	switch {
	case lo == 0 && hi == t.sort.Width-1:
		return t
	case t.op == BVExtract:
		return p.Extract(hi+int(t.ext.lo), lo+int(t.ext.lo), t.args[0])
	case t.op == BVConcat:
		switch w := t.args[1].sort.Width; {
		case hi < w:
			return p.Extract(hi, lo, t.args[1])
		case lo >= w:
			return p.Extract(hi-w, lo-w, t.args[0])
		}
	}
	return p.bvIndexed(BVExtract, hi-lo+1, t, hi, lo)
}

// ZeroExtend returns t with n zero bits in front.
func (p *Pool) ZeroExtend(n int, t *Term) *Term {
	p.checkBV(t, "zero_extend", n >= 0)
	if n == 0 {
		return t
	}
	if t.op == BVZeroExtend {
		n, t = n+int(t.ext.hi), t.args[0]
	}
	return p.bvIndexed(BVZeroExtend, t.sort.Width+n, t, n, 0)
}

// SignExtend returns t with n copies of its highest bit in front.
func (p *Pool) SignExtend(n int, t *Term) *Term {
	p.checkBV(t, "sign_extend", n >= 0)
	if n == 0 {
		return t
	}
	if t.op == BVSignExtend {
		n, t = n+int(t.ext.hi), t.args[0]
	}
	return p.bvIndexed(BVSignExtend, t.sort.Width+n, t, n, 0)
}

// Resize returns the number of t modulo 2^width as a bit-vector of this width; the number is read as a signed one where signed is set.
func (p *Pool) Resize(t *Term, width int, signed bool) *Term {
	switch n := t.sort.Width; {
	case width < n:
		return p.Extract(width-1, 0, t)
	case signed:
		return p.SignExtend(width-n, t)
	default:
		return p.ZeroExtend(width-n, t)
	}
}

// RotateLeft returns t rotated by n positions towards the high bits.
func (p *Pool) RotateLeft(n int, t *Term) *Term {
	p.checkBV(t, "rotate_left", n >= 0)
	if n %= t.sort.Width; n == 0 {
		return t
	}
	return p.bvIndexed(BVRotateLeft, t.sort.Width, t, n, 0)
}

// RotateRight returns t rotated by n positions towards the low bits.
func (p *Pool) RotateRight(n int, t *Term) *Term {
	p.checkBV(t, "rotate_right", n >= 0)
	if n %= t.sort.Width; n == 0 {
		return t
	}
	return p.bvIndexed(BVRotateRight, t.sort.Width, t, n, 0)
}

// Repeat returns n >= 1 copies of t, concatenated.
func (p *Pool) Repeat(n int, t *Term) *Term {
	p.checkBV(t, "repeat", n >= 1)
	if n == 1 {
		return t
	}
	return p.bvIndexed(BVRepeat, n*t.sort.Width, t, n, 0)
}

// BVToNat returns the Int that the bit-vector t stands for as an unsigned number.
func (p *Pool) BVToNat(t *Term) *Term {
	p.checkBV(t, "bv2nat", true)
	switch t.op {
	case BVNumeral:
		return p.IntNum(t.ext.num)
	case NatToBV:
		return p.Mod(t.args[0], p.IntNum(Pow2(t.sort.Width)))
	}
	return p.intern(BVToNat, Int, nil, t)
}

// NatToBV returns the Int term t modulo 2^width as a bit-vector.
func (p *Pool) NatToBV(width int, t *Term) *Term {
	p.check(t.sort == Int, "int2bv", t)
	switch {
	case t.op == Numeral:
		return p.BVNum(t.ext.num, width)
	case t.op == BVToNat && t.args[0].sort.Width == width:
		return t.args[0]
	case t.op == Mod && t.args[1].op == Numeral && wrap(t.args[1].ext.num, width).IsZero():
		return p.NatToBV(width, t.args[0])
	}
	return p.intern(NatToBV, p.BitVec(width), nil, t)
}
