package mbp

import "hornbeam/chc/term"

// ReduceSelects returns literals without reads of stores that imply lits and are true under the assignment, which must
// make lits true: select(store(a, i, v), j) becomes v beside i = j, or select(a, j) beside i != j, as the assignment
// has it, and reads of constant arrays fold (4.4 b of the Spacer notes, reduce_all_selects). A read whose index the
// assignment leaves open stays. The literals keep their order, each followed by the conditions of its reads; there are
// no duplicates. Literals without such reads are returned as they are.
func ReduceSelects(p *term.Pool, lits []*term.Term, a term.Assignment) []*term.Term {
	r := selects{p: p, ev: term.NewEvaluator(p, a)}
	out := make([]*term.Term, 0, len(lits))
	seen := make(map[*term.Term]bool, len(lits))
	add := func(f *term.Term, whole bool) {
		for _, l := range literalsOf(p, f, a, whole) {
			if !l.IsTrue() && !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	next := 0
	for _, l := range lits {
		reduced := r.rewrite(l)
		add(reduced, reduced == l)
		for ; next < len(r.conds); next++ {
			add(r.conds[next], false)
		}
	}
	return out
}

// literalsOf returns literals that imply a formula which the assignment makes true: the formula itself when it is one
// or when it is wanted whole, or when the assignment does not determine it.
func literalsOf(p *term.Pool, f *term.Term, a term.Assignment, whole bool) []*term.Term {
	if whole || f.IsLiteral() {
		return []*term.Term{f}
	}
	lits, err := ImplicantOf(p, []*term.Term{f}, a, ImplicantOptions{KeepDisequalities: true})
	if err != nil {
		return term.Conjuncts(f)
	}
	return lits
}
