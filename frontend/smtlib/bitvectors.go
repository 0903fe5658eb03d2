package smtlib

import "hornbeam/chc/term"

// bitVectorOperators are the operators of QF_BV without indices, those of SMT-LIB 2.7 and Z3 included that are
// abbreviations of others; terms have no operators for these.
var bitVectorOperators = []operator{
	{name: "concat", min: 1, max: -1, build: func(r *reader, f *frame, a []operand) *term.Term {
		ts, w := r.vectors(f, a, false), 0
		for _, t := range ts {
			w += t.Sort().Width
		}
		r.wantWidth(f, w)
		return left(ts, func(x, y *term.Term) *term.Term { return r.pool.BV(term.BVConcat, x, y) })
	}},
	bvUnary("bvnot", term.BVNot), bvUnary("bvneg", term.BVNeg),
	bvLeft("bvand", term.BVAnd), bvLeft("bvor", term.BVOr), bvLeft("bvxor", term.BVXor), bvLeft("bvadd", term.BVAdd), bvLeft("bvmul", term.BVMul),
	bvBinary("bvnand", term.BVNand), bvBinary("bvnor", term.BVNor), bvBinary("bvxnor", term.BVXnor), bvBinary("bvsub", term.BVSub),
	bvBinary("bvudiv", term.BVUdiv), bvBinary("bvurem", term.BVUrem), bvBinary("bvsdiv", term.BVSdiv), bvBinary("bvsrem", term.BVSrem),
	bvBinary("bvsmod", term.BVSmod),
	// Z3's own operators behind the divisions, whose value for the divisor 0 is SMT-LIB's too.
	bvBinary("bvudiv_i", term.BVUdiv), bvBinary("bvurem_i", term.BVUrem), bvBinary("bvsdiv_i", term.BVSdiv), bvBinary("bvsrem_i", term.BVSrem),
	bvBinary("bvsmod_i", term.BVSmod),
	bvBinary("bvshl", term.BVShl), bvBinary("bvlshr", term.BVLshr), bvBinary("bvashr", term.BVAshr),
	bvBinary("bvcomp", term.BVComp),
	bvBinary("bvule", term.BVUle), bvBinary("bvult", term.BVUlt), bvBinary("bvuge", term.BVUge), bvBinary("bvugt", term.BVUgt),
	bvBinary("bvsle", term.BVSle), bvBinary("bvslt", term.BVSlt), bvBinary("bvsge", term.BVSge), bvBinary("bvsgt", term.BVSgt),
	bvToInt("bv2nat"), bvToInt("ubv_to_int"), bvToInt("bv2int"),
	bvDerived("sbv_to_int", 1, 1, func(p *term.Pool, x, _ *term.Term) *term.Term {
		n, last := p.BVToNat(x), p.BVToNat(ends(p, x).ones)
		return p.Ite(p.BV(term.BVSlt, x, ends(p, x).zero), p.Sub(p.Sub(n, last), p.Int(1)), n)
	}),

	bvDerived("bvredor", 1, 1, func(p *term.Pool, x, _ *term.Term) *term.Term {
		return p.BV(term.BVNot, p.BV(term.BVComp, x, ends(p, x).zero))
	}),
	bvDerived("bvredand", 1, 1, func(p *term.Pool, x, _ *term.Term) *term.Term {
		return p.BV(term.BVComp, x, ends(p, x).ones)
	}),
	bvDerived("ext_rotate_left", 2, 1, func(p *term.Pool, x, y *term.Term) *term.Term {
		return rotateBy(p, x, y, term.BVShl, term.BVLshr)
	}),
	bvDerived("ext_rotate_right", 2, 1, func(p *term.Pool, x, y *term.Term) *term.Term {
		return rotateBy(p, x, y, term.BVLshr, term.BVShl)
	}),

	bvDerived("bvnego", 1, 1, func(p *term.Pool, x, _ *term.Term) *term.Term { return p.Eq(x, ends(p, x).min) }),
	bvDerived("bvuaddo", 2, 1, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.BV(term.BVUlt, p.BV(term.BVAdd, x, y), x)
	}),
	bvDerived("bvsaddo", 2, 1, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.Not(fitsSigned(p, x, p.BV(term.BVAdd, p.SignExtend(1, x), p.SignExtend(1, y))))
	}),
	bvDerived("bvusubo", 2, 1, func(p *term.Pool, x, y *term.Term) *term.Term { return p.BV(term.BVUlt, x, y) }),
	bvDerived("bvssubo", 2, 1, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.Not(fitsSigned(p, x, p.BV(term.BVSub, p.SignExtend(1, x), p.SignExtend(1, y))))
	}),
	bvDerived("bvumulo", 2, 2, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.Not(fitsUnsigned(p, x, y))
	}),
	bvDerived("bvsmulo", 2, 2, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.Not(fitsSigned(p, x, product(p, x, y)))
	}),
	bvDerived("bvsdivo", 2, 1, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.And(p.Eq(x, ends(p, x).min), p.Eq(y, ends(p, x).ones))
	}),
	bvDerived("bvumul_noovfl", 2, 2, fitsUnsigned),
	bvDerived("bvsmul_noovfl", 2, 2, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.BV(term.BVSle, product(p, x, y), p.SignExtend(x.Sort().Width, p.BV(term.BVNot, ends(p, x).min)))
	}),
	bvDerived("bvsmul_noudfl", 2, 2, func(p *term.Pool, x, y *term.Term) *term.Term {
		return p.BV(term.BVSge, product(p, x, y), p.SignExtend(x.Sort().Width, ends(p, x).min))
	}),
}

// bvDerived is an abbreviation of n operands of one width, which passes through terms of times as many bits.
func bvDerived(name string, n, times int, build func(p *term.Pool, x, y *term.Term) *term.Term) operator {
	return operator{name: name, min: n, max: n, build: func(r *reader, f *frame, a []operand) *term.Term {
		ts := r.vectors(f, a, true)
		r.wantWidth(f, times*ts[0].Sort().Width)
		if n == 1 {
			return build(r.pool, ts[0], nil)
		}
		return build(r.pool, ts[0], ts[1])
	}}
}

// wantWidth reports vectors that are too wide to be read.
func (r *reader) wantWidth(f *frame, w int) {
	if w > maxWidth {
		r.unsupported(f.headOff, "bit-vectors of more than %d bits", maxWidth)
	}
}

// constants are a width's zero, all ones and the least signed number.
type constants struct{ zero, ones, min *term.Term }

func ends(p *term.Pool, x *term.Term) constants {
	w := x.Sort().Width
	zero, one := p.BVNum(term.NewInt(0), w), p.BVNum(term.NewInt(1), w)
	ones := p.BV(term.BVNeg, one)
	return constants{zero: zero, ones: ones, min: p.BV(term.BVSub, ones, p.BV(term.BVLshr, ones, one))}
}

// fitsSigned says that a wider number is one of x's width in two's complement.
func fitsSigned(p *term.Pool, x, wide *term.Term) *term.Term {
	w := x.Sort().Width
	return p.Eq(wide, p.SignExtend(wide.Sort().Width-w, p.Extract(w-1, 0, wide)))
}

// fitsUnsigned says that the product of unsigned numbers has no more bits than they have.
func fitsUnsigned(p *term.Pool, x, y *term.Term) *term.Term {
	w := x.Sort().Width
	wide := p.BV(term.BVMul, p.ZeroExtend(w, x), p.ZeroExtend(w, y))
	return p.Eq(p.Extract(2*w-1, w, wide), ends(p, x).zero)
}

// product is the exact product of signed numbers.
func product(p *term.Pool, x, y *term.Term) *term.Term {
	w := x.Sort().Width
	return p.BV(term.BVMul, p.SignExtend(w, x), p.SignExtend(w, y))
}

// rotateBy rotates x by y positions, modulo the width.
func rotateBy(p *term.Pool, x, y *term.Term, there, back term.Op) *term.Term {
	w := p.BVNum(term.NewInt(int64(x.Sort().Width)), x.Sort().Width)
	n := p.BV(term.BVUrem, y, w)
	return p.BV(term.BVOr, p.BV(there, x, n), p.BV(back, x, p.BV(term.BVSub, w, n)))
}
