package mbp

import (
	"slices"

	"hornbeam/chc/term"
)

// Weaken returns weaker literals whose conjunction is equivalent to the literal, so that a generalisation can drop some
// of them; nil when the literal has no such parts:
//
//   - an equation of numbers becomes two inequalities;
//   - an equation of bit-vectors becomes its two bounds in the unsigned and in the signed order, of which either pair is
//     equivalent to it; a pair is left out where one of its bounds is the equation again, as for zero in the unsigned
//     order; with a concatenation or an extension on one side it becomes the equations of the parts;
//   - an equation with a constructor term becomes the test for the constructor and the equations of the fields.
func Weaken(p *term.Pool, lit *term.Term) []*term.Term {
	if lit.Op() != term.Eq {
		return nil
	}
	a, b := lit.Arg(0), lit.Arg(1)
	switch a.Sort().Kind {
	case term.IntKind, term.RealKind:
		return []*term.Term{p.Le(a, b), p.Ge(a, b)}
	case term.BitVecKind:
		if parts := weakenParts(p, a, b); parts != nil {
			return parts
		}
		return weakenBounds(p, a, b)
	case term.DatatypeKind:
		return weakenConstructor(p, a, b)
	}
	return nil
}

// WeakenBits returns an equation of bit-vectors as one equation for each bit, with the least significant bit first; nil
// for other literals and for vectors of one bit.
func WeakenBits(p *term.Pool, lit *term.Term) []*term.Term {
	if lit.Op() != term.Eq || !lit.Arg(0).Sort().IsBitVec() || lit.Arg(0).Sort().Width == 1 {
		return nil
	}
	var out []*term.Term
	for i := range lit.Arg(0).Sort().Width {
		out = append(out, p.Eq(p.Extract(i, i, lit.Arg(0)), p.Extract(i, i, lit.Arg(1))))
	}
	return strictParts(out)
}

// weakenBounds returns the bounds that an equation of bit-vectors implies.
func weakenBounds(p *term.Pool, a, b *term.Term) []*term.Term {
	if a.Sort().Width == 1 {
		return nil
	}
	var out []*term.Term
	for _, op := range []term.Op{term.BVUle, term.BVSle} {
		le, ge := p.BV(op, a, b), p.BV(op, b, a)
		// At the ends of an order one of the bounds says nothing, and then the other one is the equation.
		if !le.IsTrue() && !ge.IsTrue() {
			out = append(out, le, ge)
		}
	}
	return out
}

// weakenParts splits an equation at a side that is put together from parts.
func weakenParts(p *term.Pool, a, b *term.Term) []*term.Term {
	if a.Op() != term.BVConcat && a.Op() != term.BVZeroExtend && a.Op() != term.BVSignExtend {
		a, b = b, a
	}
	w := a.Sort().Width
	switch a.Op() {
	case term.BVConcat:
		low := a.Arg(1).Sort().Width
		return strictParts([]*term.Term{p.Eq(a.Arg(0), p.Extract(w-1, low, b)), p.Eq(a.Arg(1), p.Extract(low-1, 0, b))})
	case term.BVZeroExtend, term.BVSignExtend:
		low := a.Arg(0).Sort().Width
		high := p.BVNum(term.NewInt(0), w-low)
		if a.Op() == term.BVSignExtend {
			sign := p.Extract(low-1, low-1, b)
			high = p.SignExtend(w-low-1, sign)
		}
		return strictParts([]*term.Term{p.Eq(p.Extract(w-1, low, b), high), p.Eq(a.Arg(0), p.Extract(low-1, 0, b))})
	}
	return nil
}

// weakenConstructor opens an equation with a constructor term.
func weakenConstructor(p *term.Pool, a, b *term.Term) []*term.Term {
	if a.Op() != term.Construct {
		a, b = b, a
	}
	if a.Op() != term.Construct {
		return nil
	}
	out := []*term.Term{p.Is(a.Ctor(), b)}
	for i, sel := range a.Ctor().Selectors {
		out = append(out, p.Eq(p.Field(sel, b), a.Arg(i)))
	}
	return strictParts(out)
}

// strictParts leaves out what is true; nil when fewer than two parts are left, one being equivalent to the whole.
func strictParts(ts []*term.Term) []*term.Term {
	ts = slices.DeleteFunc(ts, (*term.Term).IsTrue)
	if len(ts) < 2 {
		return nil
	}
	return ts
}
