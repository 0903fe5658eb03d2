package affine

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// mostGuards bounds the guards by which the tuples of a predicate are told apart.
const mostGuards = 3

// guards are, by predicate ID, atoms over the canonical parameters on which clauses that use it branch, those that occur
// first. What clauses only ask for tells no tuples apart that are used.
func guards(sys *chc.System) [][]*term.Term {
	out := make([][]*term.Term, len(sys.Predicates))
	for _, c := range sys.Clauses {
		var branches []*term.Term
		for _, t := range c.Terms() {
			branches = append(branches, branchAtoms(t)...)
		}
		for _, a := range c.Body {
			names := map[*term.Term]*term.Term{}
			for i, x := range witness.CanonicalParams(sys.Pool, a.Pred) {
				if v := a.Args[i]; v.IsVar() && names[v] == nil {
					names[v] = x
				}
			}
			for _, t := range branches {
				if slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return names[v] == nil }) {
					continue
				}
				atom, _ := sys.Pool.Substitute(t, names).Atom()
				if known := out[a.Pred.ID]; len(known) < mostGuards && !slices.Contains(known, atom) {
					out[a.Pred.ID] = append(known, atom)
				}
			}
		}
	}
	return out
}

// branchAtoms are the atoms over numbers in the conditions and disjunctions of a term.
func branchAtoms(t *term.Term) []*term.Term {
	var out []*term.Term
	within := func(condition *term.Term) {
		term.Walk(condition, func(u *term.Term) bool {
			switch u.Op() {
			case term.Le, term.Lt, term.Eq, term.Divides:
				if !u.Arg(len(u.Args())-1).Sort().IsArith() || u.IsGround() {
					return true
				}
				if atom, _ := u.Atom(); !slices.Contains(out, atom) {
					out = append(out, atom)
				}
			}
			return true
		})
	}
	term.Walk(t, func(u *term.Term) bool {
		switch {
		case u.IsIte():
			within(u.Arg(0))
		case u.IsOr():
			within(u)
			return false
		}
		return true
	})
	return out
}
