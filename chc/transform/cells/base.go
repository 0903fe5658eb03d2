package cells

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// findBase finds a base for a class of arrays, from the places where they stand in atoms: an argument beside the array that all
// arrays of one clause have in common, and that is in all indices once. It returns the plain frame without bases if there is none.
// Memory behind a pointer that a program does not choose, say, has the pointer.
func findBase(sites []site, accesses []access) classFrame {
	if len(accesses) == 0 {
		return classFrame{frame: plainFrame()}
	}
	first := accesses[0]
	for _, m := range first.index.Monomials {
		x := m.Term
		for _, s := range sites {
			at := slices.Index(s.atom.Args, x)
			if s.clause != first.clause || !m.Coef.IsOne() || at < 0 {
				continue
			}
			c := classFrame{frame: plainFrame(), bases: map[int]*term.Term{}, positions: map[transform.Place]int{s.array: at}}
			if c.spread(sites) && c.inAll(accesses) {
				return c
			}
		}
	}
	return classFrame{frame: plainFrame()}
}

// spread takes the base from one site to all others. It reports whether the sites of each clause have it in common.
func (c classFrame) spread(sites []site) bool {
	for {
		open, before := 0, len(c.positions)+len(c.bases)
		for _, s := range sites {
			at, known := c.positions[s.array]
			base := c.bases[s.clause]
			switch {
			case known && base == nil:
				c.bases[s.clause] = s.atom.Args[at]
			case known && base != s.atom.Args[at]:
				return false
			case !known && base != nil:
				if at = slices.Index(s.atom.Args, base); at < 0 {
					return false
				}
				c.positions[s.array] = at
			case !known:
				open++
			}
		}
		if len(c.positions)+len(c.bases) == before {
			return open == 0
		}
	}
}

// inAll reports whether the base is in all indices once.
func (c classFrame) inAll(accesses []access) bool {
	for _, a := range accesses {
		base := c.bases[a.clause]
		if base == nil || !base.IsVar() || !a.index.Coef(base).IsOne() {
			return false
		}
	}
	return true
}
