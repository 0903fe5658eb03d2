package masks

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// classes divides the Int arguments of predicates and variables of clauses into those that have the same values: what is passed as an
// argument, or compared with another variable, is in its class.
type classes struct {
	pool *term.Pool
	same transform.Partition[any]
	// refused has a node of each class that stays as it is: numbers are computed from its values.
	refused []any
	// masked are the bit-vectors that are made of the nodes' values, wide the bit-vectors whose numbers they are or are compared with,
	// and constants the numbers that they are.
	masked, wide []width
	constants    []constant
	// bounds are the comparisons of variables with numbers, and exact the variables that are passed or compared with others.
	bounds []bound
	exact  map[transform.Local]bool

	clause int // the one that is walked over
	seen   map[transform.Visit]bool
}

type width struct {
	node any
	bits int
}

type constant struct {
	node  any
	value term.Num
}

type bound struct {
	variable   transform.Local
	comparison comparison
	polarity   transform.Polarity
}

func findClasses(sys *chc.System) *classes {
	c := &classes{pool: sys.Pool, exact: map[transform.Local]bool{}}
	for i, clause := range sys.Clauses {
		c.clause, c.seen = i, map[transform.Visit]bool{}
		c.formula(clause.Constraint, transform.Positive)
		for _, a := range clause.Atoms() {
			for j, t := range a.Args {
				if t.Sort() == term.Int {
					c.equal(transform.Place{Predicate: a.Pred, Position: j}, t)
				} else {
					c.formula(t, transform.Either)
				}
			}
		}
	}
	return c
}

// equal says that the node has the values of a term, among others.
func (c *classes) equal(n any, t *term.Term) {
	switch {
	case t.IsVar():
		x := transform.Local{Clause: c.clause, Variable: t}
		c.exact[x] = true
		c.same.Join(n, x)
	case t.IsNumeral():
		c.constants = append(c.constants, constant{n, t.Num()})
	case t.Op() == term.BVToNat:
		c.wide = append(c.wide, width{n, t.Arg(0).Sort().Width})
		c.formula(t, transform.Either)
	case t.Op() == term.Ite:
		c.formula(t.Arg(0), transform.Either)
		c.equal(n, t.Arg(1))
		c.equal(n, t.Arg(2))
	default:
		c.refused = append(c.refused, n)
		c.formula(t, transform.Either)
	}
}

// formula visits a term; the polarity is that of a Boolean one.
func (c *classes) formula(t *term.Term, at transform.Polarity) {
	v := transform.Visit{Formula: t, Polarity: at}
	if c.seen[v] {
		return
	}
	c.seen[v] = true
	switch {
	case t.IsVar():
		if t.Sort() == term.Int {
			c.refused = append(c.refused, transform.Local{Clause: c.clause, Variable: t})
		}
	case t.IsAnd(), t.IsOr():
		for _, a := range t.Args() {
			c.formula(a, at)
		}
	case t.IsNot():
		c.formula(t.Arg(0), -at)
	case t.IsQuantifier():
		for _, x := range term.Vars(t) {
			c.formula(x, transform.Either)
		}
	case t.Op() == term.NatToBV:
		c.mask(t.Sort().Width, t.Arg(0))
	default:
		if a, ok := comparisonOf(c.pool, t); ok {
			c.comparison(a, at)
			return
		}
		for _, a := range t.Args() {
			c.formula(a, transform.Either)
		}
	}
}

// mask visits the argument of an int2bv.
func (c *classes) mask(bits int, t *term.Term) {
	switch {
	case t.IsVar():
		c.masked = append(c.masked, width{transform.Local{Clause: c.clause, Variable: t}, bits})
	case t.Op() == term.Ite:
		c.formula(t.Arg(0), transform.Either)
		c.mask(bits, t.Arg(1))
		c.mask(bits, t.Arg(2))
	default:
		c.formula(t, transform.Either)
	}
}

// comparison visits a comparison.
func (c *classes) comparison(a comparison, at transform.Polarity) {
	x := a.variable()
	if x == nil {
		n := new(int) // a node of its own, which has the values of both sides
		c.equal(n, a.left)
		c.equal(n, a.right)
		return
	}
	c.bounds = append(c.bounds, bound{transform.Local{Clause: c.clause, Variable: x}, a, at})
}
