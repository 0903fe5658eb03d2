package affine

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// guards are, by predicate ID and most at the most of each, atoms over the canonical parameters that tell tuples apart: whether numbers have
// passed each other that a loop compares; what is known at certain indices from the beginning on, and the numbers that queries are
// about; the atoms on which clauses that use the predicate branch, those of queries first, since what is to be proved often is
// inductive as it is; what these clauses ask for, with the constants that the predicate's arguments begin with, which tells whether
// a loop has any turn; and the guards of predicates that clauses lead to. What clauses ask for as it is tells no tuples apart that
// are used.
func guards(sys *chc.System, most int) [][]*term.Term {
	found := &guardFinder{sys: sys, most: most, guards: make([][]*term.Term, len(sys.Predicates))}
	var queries, rules []*chc.Clause
	for _, c := range sys.Clauses {
		if c.IsQuery() {
			queries = append(queries, c)
		} else {
			rules = append(rules, c)
		}
	}
	rest := found.orders(rules)
	found.entries(rules)
	found.asked(queries)
	for _, c := range slices.Concat(queries, rules) {
		branches := branchesOf(c)
		for _, a := range c.Body {
			for _, t := range branches {
				if t = found.over(a, t); t != nil {
					found.add(a.Pred, t)
				}
			}
		}
	}
	for _, c := range sys.Clauses {
		for _, a := range c.Body {
			for _, t := range found.comparisons(c, a) {
				found.atEntries(a.Pred, t)
			}
		}
	}
	found.propagate(rules)
	for _, p := range rest {
		found.pass(p)
	}
	return found.guards
}

// guardFinder collects guards.
type guardFinder struct {
	sys *chc.System
	// most bounds the guards of a predicate.
	most   int
	guards [][]*term.Term
}

// add adds a comparison. It reports whether there was none like it, and a place for it.
func (f *guardFinder) add(p *chc.Predicate, t *term.Term) bool {
	atom, _ := t.Atom()
	if known := f.guards[p.ID]; len(known) < f.most && !slices.Contains(known, atom) && len(term.Vars(atom)) > 0 {
		f.guards[p.ID] = append(known, atom)
		return true
	}
	return false
}

// propagate adds, to what tells tuples of a clause's body apart, what tells those of its head apart.
func (f *guardFinder) propagate(rules []*chc.Clause) {
	for changed := true; changed; {
		changed = false
		for _, c := range rules {
			at := f.arguments(*c.Head)
			for _, g := range f.guards[c.Head.Pred.ID] {
				for _, a := range c.Body {
					if a.Pred == c.Head.Pred {
						continue
					}
					if t := f.over(a, f.sys.Pool.Substitute(g, at)); t != nil && isComparison(t) {
						changed = f.add(a.Pred, t) || changed
					}
				}
			}
		}
	}
}

// arguments has an atom's arguments by the parameters.
func (f *guardFinder) arguments(a chc.App) map[*term.Term]*term.Term {
	out := map[*term.Term]*term.Term{}
	for i, x := range witness.CanonicalParams(f.sys.Pool, a.Pred) {
		out[x] = a.Args[i]
	}
	return out
}

// over is a formula of a clause over the parameters of an atom of its body, nil where it speaks of anything else.
func (f *guardFinder) over(a chc.App, t *term.Term) *term.Term {
	names := map[*term.Term]*term.Term{}
	for i, x := range witness.CanonicalParams(f.sys.Pool, a.Pred) {
		if v := a.Args[i]; v.IsVar() && names[v] == nil {
			names[v] = x
		}
	}
	if slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return names[v] == nil }) {
		return nil
	}
	return f.sys.Pool.Substitute(t, names)
}

// atEntries adds a formula over a predicate's parameters with the constants of each clause's head put in.
func (f *guardFinder) atEntries(p *chc.Predicate, t *term.Term) {
	for _, entry := range f.sys.Clauses {
		if entry.Head != nil && entry.Head.Pred == p {
			f.atEntry(*entry.Head, t)
		}
	}
}

// atEntry adds a formula over the parameters with the constants of a head put in, if there are any.
func (f *guardFinder) atEntry(head chc.App, t *term.Term) {
	constants := map[*term.Term]*term.Term{}
	for i, x := range witness.CanonicalParams(f.sys.Pool, head.Pred) {
		if head.Args[i].IsNumeral() {
			constants[x] = head.Args[i]
		}
	}
	f.addInstance(head.Pred, t, constants)
}

// addInstance adds a formula over the parameters with terms put in for some of them, if it has any of these.
func (f *guardFinder) addInstance(p *chc.Predicate, t *term.Term, terms map[*term.Term]*term.Term) {
	if at := f.sys.Pool.Substitute(t, terms); at != t && isComparison(at) {
		f.add(p, at)
	}
}

// comparisons are those in a clause's constraint that are over the parameters of an atom of its body.
func (f *guardFinder) comparisons(c *chc.Clause, a chc.App) []*term.Term {
	var out []*term.Term
	for _, t := range term.Conjuncts(c.Constraint) {
		if t = f.over(a, t); t != nil && isComparison(t) {
			out = append(out, t)
		}
	}
	return out
}

// isComparison reports whether a formula compares numbers.
func isComparison(t *term.Term) bool {
	atom, _ := t.Atom()
	switch atom.Op() {
	case term.Le, term.Lt, term.Eq, term.Divides:
		return atom.Arg(len(atom.Args()) - 1).Sort().IsArith()
	}
	return false
}

// branchesOf are the comparisons on which a clause branches.
func branchesOf(c *chc.Clause) []*term.Term {
	var out []*term.Term
	for _, t := range c.Terms() {
		out = append(out, branchAtoms(t)...)
	}
	return out
}

// branchAtoms are the comparisons of numbers in the conditions and disjunctions of a term.
func branchAtoms(t *term.Term) []*term.Term {
	var out []*term.Term
	within := func(condition *term.Term) {
		term.Walk(condition, func(u *term.Term) bool {
			if u.IsBool() && !u.IsNot() && isComparison(u) && !slices.Contains(out, u) {
				out = append(out, u)
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
