package mbp

import (
	"slices"

	"hornbeam/chc/term"
)

// span collects the literals about one normalised sum.
type span struct {
	lower, upper int // positions of the tightest so far, -1 for none
	equal        int
	differ       []int
}

// tidy removes duplicates, and of the bounds on one sum all but the tightest; bounds that meet become an equation, and
// what an equation or strict bound implies goes. The literals hold together in some model, so nothing contradicts.
// The order of what stays is kept.
func tidy(p *term.Pool, lits []*term.Term) []*term.Term {
	out := make([]*term.Term, 0, len(lits))
	seen := make(map[*term.Term]bool, len(lits))
	spans := make(map[*term.Term]*span, len(lits))
	var order []*span
	at := func(sum *term.Term) *span {
		sp, ok := spans[sum]
		if !ok {
			sp = &span{lower: -1, upper: -1, equal: -1}
			spans[sum] = sp
			order = append(order, sp)
		}
		return sp
	}
	for _, l := range lits {
		if l.IsTrue() || seen[l] {
			continue
		}
		seen[l] = true
		i := len(out)
		out = append(out, l)
		if b, ok := term.ReadBound(l); ok {
			sp := at(b.Sum)
			place := &sp.lower
			if b.Upper {
				place = &sp.upper
			}
			if *place >= 0 {
				if old, _ := term.ReadBound(out[*place]); !b.Tighter(old) {
					out[i] = nil
					continue
				}
				out[*place] = nil
			}
			*place = i
			continue
		}
		if atom, positive := l.Atom(); atom.Op() == term.Eq && atom.Arg(0).Sort().IsArith() {
			sp := at(atom.Arg(0))
			if positive {
				sp.equal = i
			} else {
				sp.differ = append(sp.differ, i)
			}
		}
	}
	for _, sp := range order {
		sp.tidy(p, out)
	}
	return slices.DeleteFunc(out, func(l *term.Term) bool { return l == nil })
}

// tidy removes what the tightest literals about one sum imply.
func (sp *span) tidy(p *term.Pool, out []*term.Term) {
	var lo, up term.Bound
	if sp.lower >= 0 {
		lo, _ = term.ReadBound(out[sp.lower])
	}
	if sp.upper >= 0 {
		up, _ = term.ReadBound(out[sp.upper])
	}
	if sp.equal < 0 && sp.lower >= 0 && sp.upper >= 0 && lo.N.Equal(up.N) {
		sp.equal = min(sp.lower, sp.upper)
		out[max(sp.lower, sp.upper)] = nil
		out[sp.equal] = p.Eq(lo.Sum, p.Numeral(lo.N, lo.Sum.Sort()))
		sp.lower, sp.upper = -1, -1
	}
	if sp.equal >= 0 {
		for _, i := range append([]int{sp.lower, sp.upper}, sp.differ...) {
			if i >= 0 {
				out[i] = nil
			}
		}
		return
	}
	for _, i := range sp.differ {
		c := out[i].Arg(0).Arg(1).Num()
		below := sp.lower >= 0 && (c.Cmp(lo.N) < 0 || lo.Strict && c.Equal(lo.N))
		above := sp.upper >= 0 && (c.Cmp(up.N) > 0 || up.Strict && c.Equal(up.N))
		if below || above {
			out[i] = nil
		}
	}
}

// Guarded adds to a cube the testers without which a selector in it may be one of the wrong constructor: the literal
// would have no value of its own then, and neither evaluation nor projection could do anything with it. Rules are free
// of such selectors; cubes lose their guards where projection or generalisation drops them.
func Guarded(p *term.Pool, cube []*term.Term) []*term.Term {
	var guards []*term.Term
	for _, t := range cube {
		term.Walk(t, func(u *term.Term) bool {
			if u.Op() == term.Field && len(u.Sel().Ctor.Data.Constructors) > 1 {
				guards = append(guards, p.Is(u.Sel().Ctor, u.Arg(0)))
			}
			return !u.IsQuantifier()
		})
	}
	cube = slices.Clip(cube)
	// Walk meets a term before its parts; the guards of the parts come first.
	for _, g := range slices.Backward(guards) {
		if !g.IsTrue() && !slices.Contains(cube, g) {
			cube = append(cube, g)
		}
	}
	return cube
}
