package qe

import (
	"slices"

	"hornbeam/chc/term"
)

// WithoutReads eliminates the array variables that are only read: their elements are variables instead, equal at equal
// indices. The elements are left to be eliminated.
func (p *Projector) WithoutReads(conjuncts []*term.Term) []*term.Term {
	reads := map[*term.Term][]*term.Term{}
	var arrays []*term.Term
	other := map[*term.Term]bool{}
	seen := map[*term.Term]bool{}
	for _, c := range conjuncts {
		term.Walk(c, func(t *term.Term) bool {
			if seen[t] {
				return false
			}
			seen[t] = true
			if t.IsQuantifier() {
				for _, v := range term.Vars(t) {
					other[v] = true
				}
				return false
			}
			for i, a := range t.Args() {
				if !a.IsVar() || !a.Sort().IsArray() || p.keep[a] {
					continue
				}
				if t.Op() != term.Select || i > 0 {
					other[a] = true
					continue
				}
				if reads[a] == nil {
					arrays = append(arrays, a)
				}
				reads[a] = append(reads[a], t)
			}
			return true
		})
	}
	element := map[*term.Term]*term.Term{}
	var congruences []*term.Term
	for _, a := range arrays {
		if other[a] {
			continue
		}
		for i, t := range reads[a] {
			element[t] = p.pool.Fresh("v", t.Sort())
			for _, u := range reads[a][:i] {
				congruences = append(congruences, p.pool.Implies(p.pool.Eq(t.Arg(1), u.Arg(1)), p.pool.Eq(element[t], element[u])))
			}
		}
	}
	if len(element) == 0 {
		return conjuncts
	}
	all := p.pool.And(append(slices.Clone(conjuncts), congruences...)...)
	out, ok := p.Flatten([]*term.Term{p.pool.Substitute(all, element)})
	if !ok {
		return []*term.Term{p.pool.False()}
	}
	return out
}
