package term

import "math/big"

// The functions here compute bit-vector operators on unsigned values of width w.

func bvEval1(op Op, a Num, w int) Num {
	if op == BVNeg {
		return wrap(a.Neg(), w)
	}
	return Pow2(w).Sub(Num{n: 1}).Sub(a)
}

// bvBits applies an operator on the bits of two values.
func bvBits(op Op, a, b Num) Num {
	if a.b == nil && b.b == nil {
		switch op {
		case BVAnd:
			return Num{n: a.n & b.n}
		case BVOr:
			return Num{n: a.n | b.n}
		}
		return Num{n: a.n ^ b.n}
	}
	x, y := a.BigInt(), b.BigInt()
	switch op {
	case BVAnd:
		return NumFromBig(x.And(x, y))
	case BVOr:
		return NumFromBig(x.Or(x, y))
	}
	return NumFromBig(x.Xor(x, y))
}

func bvEval2(op Op, a, b Num, w int) Num {
	switch op {
	case BVAnd, BVOr, BVXor:
		return bvBits(op, a, b)
	case BVNand, BVNor, BVXnor:
		return bvEval1(BVNot, bvBits(op-BVNand+BVAnd, a, b), w)
	case BVAdd:
		return wrap(a.Add(b), w)
	case BVSub:
		return wrap(a.Sub(b), w)
	case BVMul:
		return wrap(a.Mul(b), w)
	case BVUdiv:
		if b.IsZero() {
			return Pow2(w).Sub(Num{n: 1})
		}
		q, _ := EuclidDiv(a, b)
		return q
	case BVUrem:
		if b.IsZero() {
			return a
		}
		_, r := EuclidDiv(a, b)
		return r
	case BVSdiv, BVSrem, BVSmod:
		return bvSigned(op, a, b, w)
	case BVShl:
		if n, ok := shiftBy(b, w); ok {
			return wrap(a.Mul(Pow2(n)), w)
		}
		return Num{}
	case BVLshr:
		if n, ok := shiftBy(b, w); ok {
			return a.Div(Pow2(n)).Floor()
		}
		return Num{}
	case BVAshr:
		n, ok := shiftBy(b, w)
		if !ok {
			n = w - 1
		}
		return wrap(signed(a, w).Div(Pow2(n)).Floor(), w)
	case BVComp:
		if a.Equal(b) {
			return Num{n: 1}
		}
		return Num{}
	}
	panic("term: no bit-vector operator: " + op.String())
}

// shiftBy returns b when it is less than the width.
func shiftBy(b Num, w int) (int, bool) {
	n, ok := b.Int64()
	return int(n), ok && n < int64(w)
}

// bvSigned follows SMT-LIB's definitions: the quotient rounds towards zero, bvsrem has the sign of the dividend, bvsmod
// that of the divisor.
func bvSigned(op Op, a, b Num, w int) Num {
	x, y := signed(a, w), signed(b, w)
	if y.IsZero() {
		if op != BVSdiv {
			return a
		}
		if x.Sign() < 0 {
			return wrap(Num{n: 1}, w)
		}
		return wrap(Num{n: -1}, w)
	}
	q, r := EuclidDiv(x.Abs(), y.Abs())
	switch op {
	case BVSdiv:
		if (x.Sign() < 0) != (y.Sign() < 0) {
			q = q.Neg()
		}
		return wrap(q, w)
	case BVSrem:
		if x.Sign() < 0 {
			r = r.Neg()
		}
		return wrap(r, w)
	}
	if x.Sign() < 0 {
		r = r.Neg()
	}
	if !r.IsZero() && (r.Sign() < 0) != (y.Sign() < 0) {
		r = r.Add(y)
	}
	return wrap(r, w)
}

func bvCompare(op Op, a, b Num, w int) bool {
	if op == BVSle {
		a, b = signed(a, w), signed(b, w)
	}
	return a.Cmp(b) <= 0
}

// bvEvalIndexed applies an indexed operator to a value of width w.
func bvEvalIndexed(op Op, a Num, w, hi, lo int) Num {
	switch op {
	case BVExtract:
		return wrap(a.Div(Pow2(lo)).Floor(), hi-lo+1)
	case BVZeroExtend:
		return a
	case BVSignExtend:
		return wrap(signed(a, w), w+hi)
	case BVRotateLeft, BVRotateRight:
		n := hi % w
		if op == BVRotateRight {
			n = (w - n) % w
		}
		// The top n bits come down to the bottom.
		q, r := EuclidDiv(a, Pow2(w-n))
		return r.Mul(Pow2(n)).Add(q)
	case BVRepeat:
		out, x := new(big.Int), a.BigInt()
		for range hi {
			out.Lsh(out, uint(w)).Or(out, x)
		}
		return NumFromBig(out)
	}
	panic("term: no indexed bit-vector operator: " + op.String())
}
