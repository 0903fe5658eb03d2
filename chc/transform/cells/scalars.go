package cells

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// relevance says for an argument that is no array what it has to do with the indices of arrays.
type relevance int

const (
	// unrelated arguments are never used as an index.
	unrelated relevance = iota
	// bound arguments are compared with indices.
	bound
	// index arguments are used as indices somewhere.
	index
)

// scalars finds the relevance of a system's arguments. Arguments and variables of clauses that have the same value, or values at a constant
// distance, are one class.
type scalars struct {
	pool *term.Pool
	same transform.Partition[any]
	// indices has a node of each class that is an index, and compared has nodes whose values are compared.
	indices  []any
	compared [][2]any
	found    map[any]relevance
}

// findScalars returns the relevance of the arguments of a system.
func findScalars(sys *chc.System) *scalars {
	s := &scalars{pool: sys.Pool, found: map[any]relevance{}}
	for i, c := range sys.Clauses {
		for _, a := range c.Atoms() {
			for j, t := range a.Args {
				if node := s.node(i, t); node != nil {
					s.same.Join(transform.Place{Predicate: a.Pred, Position: j}, node)
				}
			}
		}
		seen := map[*term.Term]bool{}
		for _, r := range c.Terms() {
			term.Walk(r, func(t *term.Term) bool {
				if seen[t] {
					return false
				}
				seen[t] = true
				s.visit(i, t)
				return true
			})
		}
	}
	for _, n := range s.indices {
		s.found[s.same.Find(n)] = index
	}
	for _, pair := range s.compared {
		a, b := s.same.Find(pair[0]), s.same.Find(pair[1])
		if s.found[a] == index && s.found[b] == unrelated {
			s.found[b] = bound
		}
		if s.found[b] == index && s.found[a] == unrelated {
			s.found[a] = bound
		}
	}
	return s
}

// visit notes what a term says about indices.
func (s *scalars) visit(clause int, t *term.Term) {
	switch t.Op() {
	case term.Select, term.Store:
		for _, x := range term.Vars(t.Arg(1)) {
			s.indices = append(s.indices, transform.Local{Clause: clause, Variable: x})
		}
	case term.Eq, term.Le, term.Lt:
		if !t.Arg(0).Sort().IsArith() {
			return
		}
		l := s.pool.Linear(t.Arg(0))
		if len(l.Monomials) != 2 || !l.Monomials[0].Coef.Add(l.Monomials[1].Coef).IsZero() {
			return
		}
		a, b := s.node(clause, l.Monomials[0].Term), s.node(clause, l.Monomials[1].Term)
		switch {
		case a == nil || b == nil:
		case t.Op() == term.Eq:
			s.same.Join(a, b)
		default:
			s.compared = append(s.compared, [2]any{a, b})
		}
	}
}

// node returns the node of a variable, also where a constant is added to it, or nil.
func (s *scalars) node(clause int, t *term.Term) any {
	switch {
	case t.Sort().IsArray():
		return nil
	case t.IsVar():
		return transform.Local{Clause: clause, Variable: t}
	case t.Sort() == term.Int && t.Op() == term.Add:
		if l := s.pool.Linear(t); len(l.Monomials) == 1 && l.Monomials[0].Coef.IsOne() && l.Monomials[0].Term.IsVar() {
			return transform.Local{Clause: clause, Variable: l.Monomials[0].Term}
		}
	}
	return nil
}

// of returns the relevance of an argument of a predicate.
func (s *scalars) of(p *chc.Predicate, position int) relevance {
	return s.found[s.same.Find(transform.Place{Predicate: p, Position: position})]
}
