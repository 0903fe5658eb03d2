package affine

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// place is an argument of a predicate, or a variable of a clause.
type place struct {
	pred, argument int
	clause         int
	variable       *term.Term
}

// factors are the arguments whose products are looked at.
type factors struct {
	sys  *chc.System
	same transform.Partition[place]
	// found are the arguments that clauses multiply, or compare with these.
	found []place
	// degree is the highest degree of a product in clauses; 0 where they multiply nothing.
	degree int
}

// multiplied finds the arguments that clauses multiply, and those that hand their values to these or have them from these. Where loops
// leave polynomials of an index in arrays, the index is one, and elements are not.
func multiplied(sys *chc.System) *factors {
	f := &factors{sys: sys}
	for _, c := range sys.Clauses {
		vars := map[*term.Term]bool{}
		look := func(t *term.Term) bool {
			if factors := t.Factors(); factors != nil {
				f.degree = max(f.degree, len(factors))
				for _, x := range term.Vars(t) {
					vars[x] = true
				}
			}
			return true
		}
		term.Walk(c.Constraint, look)
		for _, a := range c.Atoms() {
			for i, x := range a.Args {
				term.Walk(x, look)
				// An atom with a variable twice is about what an array has where a counter is, and its index is the counter there only.
				if x.IsVar() && slices.Index(a.Args, x) == i && !slices.Contains(a.Args[i+1:], x) {
					f.same.Join(place{pred: a.Pred.ID, argument: i}, place{pred: -1, clause: c.ID, variable: x})
				}
			}
		}
		f.add(c, vars)
	}
	return f
}

// add adds the arguments that are some variables of a clause.
func (f *factors) add(c *chc.Clause, vars map[*term.Term]bool) {
	for _, a := range c.Atoms() {
		for i, x := range a.Args {
			if vars[x] {
				f.found = append(f.found, place{pred: a.Pred.ID, argument: i})
			}
		}
	}
}

// compare adds the arguments that clauses compare with factors by an inequality, as they do counters with what these count to.
func (f *factors) compare() {
	is := f.classes()
	for _, c := range f.sys.Clauses {
		vars := map[*term.Term]bool{}
		term.Walk(c.Constraint, func(t *term.Term) bool {
			if !t.IsBool() || t.Op() != term.Le && t.Op() != term.Lt {
				return t.IsBool() && !t.IsQuantifier()
			}
			in := term.Vars(t)
			if slices.ContainsFunc(in, func(x *term.Term) bool { return is[f.same.Find(place{pred: -1, clause: c.ID, variable: x})] }) {
				for _, x := range in {
					vars[x] = true
				}
			}
			return false
		})
		f.add(c, vars)
	}
}

// classes are those of what was found.
func (f *factors) classes() map[place]bool {
	out := map[place]bool{}
	for _, at := range f.found {
		out[f.same.Find(at)] = true
	}
	return out
}

// arguments tells, by predicate ID, which arguments are factors, and whether some are and others are not.
func (f *factors) arguments() (are [][]bool, some bool) {
	is := f.classes()
	are = make([][]bool, len(f.sys.Predicates))
	n, all := 0, 0
	for _, p := range f.sys.Predicates {
		are[p.ID] = make([]bool, p.Arity())
		for i, s := range p.Sorts {
			if is[f.same.Find(place{pred: p.ID, argument: i})] {
				are[p.ID][i] = true
				n++
			}
			if s.IsArith() {
				all++
			}
		}
	}
	return are, n > 0 && n < all
}
