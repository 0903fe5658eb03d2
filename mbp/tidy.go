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

// bound reads an arithmetic literal over a sum: sum <= c or sum >= c, perhaps strictly.
type bound struct {
	sum    *term.Term
	c      term.Num
	upper  bool
	strict bool
}

func readBound(l *term.Term) (bound, bool) {
	atom, positive := l.Atom()
	switch atom.Op() {
	case term.Le, term.Lt:
		b := bound{sum: atom.Arg(0), c: atom.Arg(1).Num(), upper: positive, strict: positive == (atom.Op() == term.Lt)}
		if b.strict && b.sum.Sort() == term.Int { // not (s <= c) is s >= c+1
			b.c, b.strict = b.c.Add(one), false
		}
		return b, true
	}
	return bound{}, false
}

// tighter reports whether a, on the same side of the same sum, implies b and is not the same.
func (a bound) tighter(b bound) bool {
	k := a.c.Cmp(b.c)
	if !a.upper {
		k = -k
	}
	return k < 0 || k == 0 && a.strict && !b.strict
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
		if b, ok := readBound(l); ok {
			sp := at(b.sum)
			place := &sp.lower
			if b.upper {
				place = &sp.upper
			}
			if *place >= 0 {
				if old, _ := readBound(out[*place]); !b.tighter(old) {
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
	var lo, up bound
	if sp.lower >= 0 {
		lo, _ = readBound(out[sp.lower])
	}
	if sp.upper >= 0 {
		up, _ = readBound(out[sp.upper])
	}
	if sp.equal < 0 && sp.lower >= 0 && sp.upper >= 0 && lo.c.Equal(up.c) {
		sp.equal = min(sp.lower, sp.upper)
		out[max(sp.lower, sp.upper)] = nil
		out[sp.equal] = p.Eq(lo.sum, p.Numeral(lo.c, lo.sum.Sort()))
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
		below := sp.lower >= 0 && (c.Cmp(lo.c) < 0 || lo.strict && c.Equal(lo.c))
		above := sp.upper >= 0 && (c.Cmp(up.c) > 0 || up.strict && c.Equal(up.c))
		if below || above {
			out[i] = nil
		}
	}
}
