package term

import (
	"math/big"
	"slices"

	"pgregory.net/rapid"
)

// The reference for bit-vectors works on slices of bits, least significant first, and on big.Int; it shares nothing
// with the evaluator.

func mod2(x *big.Int, w int) *big.Int {
	return new(big.Int).Mod(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
}

func toSigned(x *big.Int, w int) *big.Int {
	if x.Bit(w-1) == 1 {
		return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return x
}

func bitsOf(x *big.Int, w int) []uint {
	out := make([]uint, w)
	for i := range w {
		out[i] = x.Bit(i)
	}
	return out
}

func ofBits(bits []uint) *big.Int {
	x := new(big.Int)
	for i, b := range bits {
		x.SetBit(x, i, b)
	}
	return x
}

// negBV, udiv and urem are SMT-LIB's bvneg, bvudiv and bvurem.
func negBV(x *big.Int, w int) *big.Int { return mod2(new(big.Int).Neg(x), w) }

func udiv(x, y *big.Int, w int) *big.Int {
	if y.Sign() == 0 {
		return mod2(big.NewInt(-1), w)
	}
	return new(big.Int).Quo(x, y)
}

func urem(x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return x
	}
	return new(big.Int).Rem(x, y)
}

// refBV2 is SMT-LIB's definition of a binary operator.
func refBV2(op Op, x, y *big.Int, w int) *big.Int {
	xb, yb := bitsOf(x, w), bitsOf(y, w)
	bitwise := func(f func(a, b uint) uint) *big.Int {
		out := make([]uint, w)
		for i := range out {
			out[i] = f(xb[i], yb[i]) & 1
		}
		return ofBits(out)
	}
	nx, ny := x.Bit(w-1) == 1, y.Bit(w-1) == 1
	ax, ay := x, y
	if nx {
		ax = negBV(x, w)
	}
	if ny {
		ay = negBV(y, w)
	}
	shift := w // how far the bits move
	if y.IsInt64() && y.Int64() < int64(w) {
		shift = int(y.Int64())
	}
	shifted := func(from int, fill uint) *big.Int { // bit i of the result is bit i+from of x
		out := make([]uint, w)
		for i := range out {
			if j := i + from; 0 <= j && j < w {
				out[i] = xb[j]
			} else {
				out[i] = fill
			}
		}
		return ofBits(out)
	}
	switch op {
	case BVAnd:
		return bitwise(func(a, b uint) uint { return a & b })
	case BVOr:
		return bitwise(func(a, b uint) uint { return a | b })
	case BVXor:
		return bitwise(func(a, b uint) uint { return a ^ b })
	case BVNand:
		return bitwise(func(a, b uint) uint { return ^(a & b) })
	case BVNor:
		return bitwise(func(a, b uint) uint { return ^(a | b) })
	case BVXnor:
		return bitwise(func(a, b uint) uint { return ^(a ^ b) })
	case BVAdd:
		return mod2(new(big.Int).Add(x, y), w)
	case BVSub:
		return mod2(new(big.Int).Sub(x, y), w)
	case BVMul:
		return mod2(new(big.Int).Mul(x, y), w)
	case BVUdiv:
		return udiv(x, y, w)
	case BVUrem:
		return urem(x, y)
	case BVSdiv:
		q := udiv(ax, ay, w)
		if nx != ny {
			q = negBV(q, w)
		}
		return q
	case BVSrem:
		r := urem(ax, ay)
		if nx {
			r = negBV(r, w)
		}
		return r
	case BVSmod:
		u := urem(ax, ay)
		switch {
		case u.Sign() == 0 || !nx && !ny:
			return u
		case nx && !ny:
			return mod2(new(big.Int).Add(negBV(u, w), y), w)
		case !nx && ny:
			return mod2(new(big.Int).Add(u, y), w)
		}
		return negBV(u, w)
	case BVShl:
		return shifted(-shift, 0)
	case BVLshr:
		return shifted(shift, 0)
	case BVAshr:
		return shifted(shift, xb[w-1])
	}
	panic("no reference for " + op.String())
}

// refCompare is SMT-LIB's definition of a comparison.
func refCompare(o Op, x, y *big.Int, w int) bool {
	if o >= BVSle {
		x, y = toSigned(x, w), toSigned(y, w)
	}
	c := x.Cmp(y)
	switch o {
	case BVUle, BVSle:
		return c <= 0
	case BVUlt, BVSlt:
		return c < 0
	case BVUge, BVSge:
		return c >= 0
	}
	return c > 0
}

func (w *world) genBVCompare(t *rapid.T, d int) expr {
	s := w.p.BitVec(rapid.SampledFrom(w.widths).Draw(t, "width"))
	a, b := w.gen(t, s, d), w.gen(t, s, d)
	o := rapid.SampledFrom([]Op{BVUle, BVUlt, BVUge, BVUgt, BVSle, BVSlt, BVSge, BVSgt}).Draw(t, "comparison")
	return op(w.p.BV(o, a.t, b.t), func(v []naive) naive {
		return refCompare(o, v[0].(*big.Int), v[1].(*big.Int), s.Width)
	}, a, b)
}

// genBV draws a bit-vector of sort s. Operators that change the width start from or pass through other widths.
func (w *world) genBV(t *rapid.T, s *Sort, d int) expr {
	p, n := w.p, s.Width
	bits := func(f func([]uint) []uint) func([]naive) naive {
		return func(v []naive) naive { return ofBits(f(bitsOf(v[0].(*big.Int), n))) }
	}
	switch rapid.IntRange(0, 12).Draw(t, "bvop") {
	case 0:
		a := w.gen(t, s, d)
		return op(p.BV(BVNot, a.t), bits(func(b []uint) []uint {
			for i := range b {
				b[i] ^= 1
			}
			return b
		}), a)
	case 1:
		a := w.gen(t, s, d)
		return op(p.BV(BVNeg, a.t), func(v []naive) naive { return negBV(v[0].(*big.Int), n) }, a)
	case 2:
		if n == 1 {
			a, b := w.gen(t, p.BitVec(4), d), w.gen(t, p.BitVec(4), d)
			return op(p.BV(BVComp, a.t, b.t), func(v []naive) naive {
				if v[0].(*big.Int).Cmp(v[1].(*big.Int)) == 0 {
					return big.NewInt(1)
				}
				return big.NewInt(0)
			}, a, b)
		}
		// The upper part of one term in front of the lower part of another.
		a, b := w.gen(t, s, d), w.gen(t, s, d)
		k := rapid.IntRange(1, n-1).Draw(t, "cut")
		return op(p.BV(BVConcat, p.Extract(n-1, k, a.t), p.Extract(k-1, 0, b.t)), func(v []naive) naive {
			x, y := bitsOf(v[0].(*big.Int), n), bitsOf(v[1].(*big.Int), n)
			return ofBits(append(slices.Clone(y[:k]), x[k:]...))
		}, a, b)
	case 3:
		k := rapid.IntRange(0, 2*n).Draw(t, "rotate")
		a := w.gen(t, s, d)
		return op(p.RotateLeft(k, a.t), bits(func(b []uint) []uint { return append(slices.Clone(b[n-k%n:]), b[:n-k%n]...) }), a)
	case 4:
		k := rapid.IntRange(0, 2*n).Draw(t, "rotate")
		a := w.gen(t, s, d)
		return op(p.RotateRight(k, a.t), bits(func(b []uint) []uint { return append(slices.Clone(b[k%n:]), b[:k%n]...) }), a)
	case 5: // extend, then cut from the middle
		k := rapid.IntRange(0, n).Draw(t, "by")
		lo := rapid.IntRange(0, k).Draw(t, "lo")
		a := w.gen(t, s, d)
		return op(p.Extract(lo+n-1, lo, p.ZeroExtend(k, a.t)), bits(func(b []uint) []uint { return append(b, make([]uint, k)...)[lo : lo+n] }), a)
	case 6:
		k := rapid.IntRange(0, n).Draw(t, "by")
		lo := rapid.IntRange(0, k).Draw(t, "lo")
		a := w.gen(t, s, d)
		return op(p.Extract(lo+n-1, lo, p.SignExtend(k, a.t)), bits(func(b []uint) []uint {
			return append(b, slices.Repeat([]uint{b[n-1]}, k)...)[lo : lo+n]
		}), a)
	case 7:
		k := rapid.IntRange(1, 3).Draw(t, "copies")
		lo := rapid.IntRange(0, (k-1)*n).Draw(t, "lo")
		a := w.gen(t, s, d)
		return op(p.Extract(lo+n-1, lo, p.Repeat(k, a.t)), bits(func(b []uint) []uint { return slices.Repeat(b, k)[lo : lo+n] }), a)
	case 8:
		a := w.gen(t, Int, d)
		return op(p.NatToBV(n, a.t), func(v []naive) naive { return mod2(v[0].(*big.Rat).Num(), n) }, a)
	}
	a, b := w.gen(t, s, d), w.gen(t, s, d)
	o := rapid.SampledFrom([]Op{BVAnd, BVOr, BVXor, BVNand, BVNor, BVXnor, BVAdd, BVSub, BVMul, BVUdiv, BVUrem, BVSdiv, BVSrem,
		BVSmod, BVShl, BVLshr, BVAshr}).Draw(t, "binary")
	return op(p.BV(o, a.t, b.t), func(v []naive) naive { return refBV2(o, v[0].(*big.Int), v[1].(*big.Int), n) }, a, b)
}
