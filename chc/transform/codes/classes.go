package codes

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// classes divides the arguments of predicates and the clauses' variables into those that pass their values on to each other,
// and finds the classes whose values are copied and compared with constants, and nothing else.
type classes struct {
	pool *term.Pool
	same transform.Partition[any]
	// refused has a node of each class that stays as it is.
	refused []any
	// constants are compared with, or given to, a node; ordered are the nodes that are compared by order.
	constants []constant
	ordered   []any
	clause    int // the one that is walked over
	seen      map[transform.Visit]bool
}

// constant is a value that a node has or is compared with.
type constant struct {
	node  any
	value term.Num
}

// coded reports whether values of a sort may have codes.
func coded(s *term.Sort) bool { return s.IsArith() || s.IsBitVec() }

// findClasses walks over a system.
func findClasses(sys *chc.System) *classes {
	c := &classes{pool: sys.Pool}
	for i, clause := range sys.Clauses {
		c.clause, c.seen = i, map[transform.Visit]bool{}
		c.formula(clause.Constraint, transform.Positive)
		for _, a := range clause.Atoms() {
			for j, t := range a.Args {
				if coded(t.Sort()) {
					c.passed(transform.Place{Predicate: a.Pred, Position: j}, t)
				} else {
					c.refuse(t)
				}
			}
		}
	}
	return c
}

// passed notes that a node has the value of a term.
func (c *classes) passed(n any, t *term.Term) {
	switch {
	case t.IsVar():
		c.same.Join(n, transform.Local{Clause: c.clause, Variable: t})
	case t.IsValue():
		c.constants = append(c.constants, constant{n, t.Num()})
	default:
		c.refused = append(c.refused, n)
		c.refuse(t)
	}
}

// refuse notes that the variables of a term are computed with.
func (c *classes) refuse(t *term.Term) {
	for _, x := range term.Vars(t) {
		if coded(x.Sort()) {
			c.refused = append(c.refused, transform.Local{Clause: c.clause, Variable: x})
		}
	}
}

// formula walks over a formula.
func (c *classes) formula(t *term.Term, at transform.Polarity) {
	v := transform.Visit{Formula: t, Polarity: at}
	if c.seen[v] {
		return
	}
	c.seen[v] = true
	switch {
	case t.IsVar():
	case t.IsAnd(), t.IsOr():
		for _, a := range t.Args() {
			c.formula(a, at)
		}
	case t.IsNot():
		c.formula(t.Arg(0), -at)
	case t.Op() == term.Ite:
		c.formula(t.Arg(0), transform.Either)
		c.formula(t.Arg(1), at)
		c.formula(t.Arg(2), at)
	case t.Op() == term.Eq && t.Arg(0).Sort() == term.Bool:
		c.formula(t.Arg(0), transform.Either)
		c.formula(t.Arg(1), transform.Either)
	default:
		c.atom(t, at)
	}
}

// atom notes what a comparison says about its variables.
func (c *classes) atom(t *term.Term, at transform.Polarity) {
	if x, value, ok := compared(c.pool, t); ok {
		node := transform.Local{Clause: c.clause, Variable: x}
		c.constants = append(c.constants, constant{node, value})
		if t.Op() != term.Eq {
			c.ordered = append(c.ordered, node)
		}
		return
	}
	// Values of one code may differ, so that two codes say only where values can be equal.
	if x, y, ok := copied(c.pool, t); ok && at == transform.Positive {
		c.same.Join(transform.Local{Clause: c.clause, Variable: x}, transform.Local{Clause: c.clause, Variable: y})
		return
	}
	c.refuse(t)
}

// compared reads the comparison of a variable with a constant, which is not an integer's with a fraction.
func compared(p *term.Pool, t *term.Term) (x *term.Term, value term.Num, ok bool) {
	if t.Op() == term.Eq && t.Arg(0).Sort().IsBitVec() {
		a, b := t.Arg(0), t.Arg(1)
		if a.IsValue() {
			a, b = b, a
		}
		if !a.IsVar() || !b.IsValue() {
			return nil, term.Num{}, false
		}
		return a, b.Num(), true
	}
	l, ok := p.AsConstraint(t)
	if !ok || len(l.Monomials) != 1 || !l.Monomials[0].Term.IsVar() {
		return nil, term.Num{}, false
	}
	x, value = l.Monomials[0].Term, l.Const.Neg().Div(l.Monomials[0].Coef)
	return x, value, l.Sort != term.Int || value.IsInt()
}

// copied reads the equality of two variables.
func copied(p *term.Pool, t *term.Term) (x, y *term.Term, ok bool) {
	if t.Op() != term.Eq {
		return nil, nil, false
	}
	if a, b := t.Arg(0), t.Arg(1); a.Sort().IsBitVec() {
		return a, b, a.IsVar() && b.IsVar()
	}
	l, ok := p.AsConstraint(t)
	if !ok || len(l.Monomials) != 2 || !l.Const.IsZero() || !l.Monomials[0].Coef.Add(l.Monomials[1].Coef).IsZero() {
		return nil, nil, false
	}
	x, y = l.Monomials[0].Term, l.Monomials[1].Term
	return x, y, x.IsVar() && y.IsVar()
}
