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

// multiplied finds the arguments that clauses multiply, and those that hand their values to these or have them from these: by predicate
// ID, whether an argument is one. Where loops leave polynomials of an index in arrays, the index is one, and elements are not. The result
// is nil where clauses multiply nothing. degree is the highest degree of a product.
func multiplied(sys *chc.System) (factors [][]bool, degree int) {
	var same transform.Partition[place]
	var found []place
	for _, c := range sys.Clauses {
		vars := map[*term.Term]bool{}
		look := func(t *term.Term) bool {
			if n := factorsOf(t); n > 1 {
				degree = max(degree, n)
				for _, x := range term.Vars(t) {
					vars[x] = true
				}
			}
			return true
		}
		term.Walk(c.Constraint, look)
		for _, a := range c.Atoms() {
			for _, x := range a.Args {
				term.Walk(x, look)
			}
		}
		for _, a := range c.Atoms() {
			for i, x := range a.Args {
				at := place{pred: a.Pred.ID, argument: i}
				if vars[x] {
					found = append(found, at)
				}
				// An atom with a variable twice is about what an array has where a counter is, and its index is the counter there only.
				if x.IsVar() && slices.Index(a.Args, x) == i && !slices.Contains(a.Args[i+1:], x) {
					same.Join(at, place{pred: -1, clause: c.ID, variable: x})
				}
			}
		}
	}
	if len(found) == 0 {
		return nil, 0
	}
	marked := map[place]bool{}
	for _, at := range found {
		marked[same.Find(at)] = true
	}
	factors = make([][]bool, len(sys.Predicates))
	for _, p := range sys.Predicates {
		factors[p.ID] = make([]bool, p.Arity())
		for i := range factors[p.ID] {
			factors[p.ID][i] = marked[same.Find(place{pred: p.ID, argument: i})]
		}
	}
	return factors, degree
}

// factorsOf is how many factors with variables a product has, 0 for what is no product.
func factorsOf(t *term.Term) int {
	if t.Op() != term.Mul {
		return 0
	}
	n := 0
	for _, a := range t.Args() {
		switch {
		case a.Op() == term.Mul:
			n += factorsOf(a)
		case !a.IsValue():
			n++
		}
	}
	return n
}
