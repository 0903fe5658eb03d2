package itp

import "hornbeam/chc/term"

// Strength chooses among the half-spaces between two sides.
type Strength uint8

const (
	// Strong takes the bound that the A side (the cubes on which the half-space is to hold) implies: the strongest
	// half-space of the direction, the weakest cube when it is negated.
	Strong Strength = iota
	// Weak takes the weakest half-space that still excludes the B side.
	Weak
	// Middle takes, between the two, a constant from the options' list or next to one, else the number of least
	// absolute value.
	Middle
)

// between chooses the bound of the half-space w*x <= k. lo says what holds on the A side (w*x <= lo.bound, or <), hi what
// holds on the B side (w*x >= hi.bound, or > when strict); the two exclude each other. w is normalised.
func (s *space) between(w []entry, lo, hi row, strength Strength, constants []term.Num) row {
	out := row{entries: w, bound: lo.bound, strict: lo.strict}
	if len(w) == 0 {
		// Variable-free: one of the sides is contradictory by itself. It decides: false if it is A, true if it is B.
		if lo.bound.Sign() < 0 || lo.bound.Sign() == 0 && lo.strict {
			return row{bound: term.NewInt(-1)}
		}
		return row{}
	}
	if s.integral(&out) {
		one := term.NewInt(1)
		least := floorBound(lo.bound, lo.strict)
		most := floorBound(hi.bound, !hi.strict)
		out.strict = false
		switch strength {
		case Strong:
			out.bound = least
		case Weak:
			out.bound = most
		default:
			fits := func(k term.Num) bool { return k.IsInt() && k.Cmp(least) >= 0 && k.Cmp(most) <= 0 }
			out.bound = nearest(term.Num{}, least, most)
			for _, c := range constants {
				if k, ok := firstFitting(fits, c, c.Neg()); ok {
					out.bound = k
					return out
				}
			}
			for _, c := range constants {
				if k, ok := firstFitting(fits, c.Sub(one), c.Neg().Sub(one)); ok {
					out.bound = k
					return out
				}
			}
		}
		return out
	}
	switch strength {
	case Strong:
	case Weak:
		out.bound, out.strict = hi.bound, !hi.strict
	default:
		inside := func(k term.Num) bool { return k.Cmp(lo.bound) >= 0 && k.Cmp(hi.bound) <= 0 }
		out.bound = simplest(lo.bound, hi.bound)
		for _, c := range constants {
			if k, ok := firstFitting(inside, c, c.Neg()); ok {
				out.bound = k
				break
			}
		}
		// Closed, unless the bound is that of B, which B attains.
		out.strict = out.bound.Equal(hi.bound) && !hi.strict
	}
	return out
}

func firstFitting(fits func(term.Num) bool, candidates ...term.Num) (term.Num, bool) {
	for _, c := range candidates {
		if fits(c) {
			return c, true
		}
	}
	return term.Num{}, false
}

// nearest returns the number of [lo, hi] next to x.
func nearest(x, lo, hi term.Num) term.Num {
	switch {
	case lo.Cmp(x) > 0:
		return lo
	case hi.Cmp(x) < 0:
		return hi
	}
	return x
}

// simplest returns an integer of [lo, hi] of least absolute value, or lo when there is none.
func simplest(lo, hi term.Num) term.Num {
	if k := nearest(term.Num{}, lo.Ceil(), hi.Floor()); k.Cmp(lo) >= 0 && k.Cmp(hi) <= 0 {
		return k
	}
	return lo
}
