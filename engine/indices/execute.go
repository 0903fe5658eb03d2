package indices

import (
	"context"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// execution is a skeleton from its facts on, with terms for the variables of its nodes where equations define them as something plain,
// so that what is computed from known values is known, and what is read from an array after stores at known indices.
type execution struct {
	pool *term.Pool
	// values are terms over the variables that have none.
	values map[*term.Term]*term.Term
	// conditions are what is left of the constraints.
	conditions []condition
}

// condition is what became of a conjunct of the constraint of a node's clause, or of a link of the node.
type condition struct {
	formula *term.Term
	part
}

// part is a conjunct of the constraint of a node's clause; none for a link.
type part struct {
	node     int
	conjunct *term.Term
}

// execute follows the nodes, of which constraint returns the constraint. The error is that ctx is done.
func execute(ctx context.Context, p *term.Pool, s *witness.Skeleton, constraint func(node int) *term.Term) (*execution, error) {
	e := &execution{pool: p, values: map[*term.Term]*term.Term{}}
	for i, n := range s.Nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own := map[*term.Term]bool{}
		for _, y := range n.Own {
			own[y] = true
		}
		var open []condition
		for _, l := range n.Links {
			if value := e.apply(l[1]); own[l[0]] && e.values[l[0]] == nil && plain(value) {
				e.values[l[0]] = value
			} else {
				open = append(open, condition{p.Eq(l[0], value), part{node: i}})
			}
		}
		rename := p.NewSubstitution(n.Own)
		for _, c := range term.Conjuncts(constraint(i)) {
			open = append(open, condition{rename.Apply(c), part{i, c}})
		}
		e.conditions = append(e.conditions, e.define(open, own)...)
	}
	return e, nil
}

// plain reports whether a term may stand for a variable wherever that is used. Others would grow with the derivation.
func plain(t *term.Term) bool {
	return t.IsVar() || t.IsValue() || t.Op() == term.Store || t.Op() == term.ConstArray
}

// apply puts in the terms of variables. Those of the whole derivation are many more than a term has.
func (e *execution) apply(t *term.Term) *term.Term {
	known := map[*term.Term]*term.Term{}
	for _, x := range term.Vars(t) {
		if value := e.values[x]; value != nil {
			known[x] = value
		}
	}
	return e.pool.Substitute(t, known)
}

// define takes the values of a node's own variables from equations among the conditions, until there are none, and returns what is
// left of the others.
func (e *execution) define(open []condition, own map[*term.Term]bool) []condition {
	may := func(x *term.Term) bool { return own[x] && e.values[x] == nil }
	for again := true; again; {
		again = false
		var left []condition
		for _, c := range open {
			for _, f := range term.Conjuncts(e.apply(c.formula)) {
				x, t := e.pool.Solve(f, may)
				switch {
				case x != nil && plain(t):
					one := e.pool.NewSubstitution(map[*term.Term]*term.Term{x: t})
					for y := range own {
						if v := e.values[y]; v != nil {
							e.values[y] = one.Apply(v)
						}
					}
					for i := range left {
						left[i].formula = one.Apply(left[i].formula)
					}
					e.values[x] = t
					again = true
				case !f.IsTrue():
					left = append(left, condition{f, c.part})
				}
			}
		}
		open = left
	}
	return open
}

// contradiction is a condition that is false by itself; there may be none.
func (e *execution) contradiction() (condition, bool) {
	i := slices.IndexFunc(e.conditions, func(c condition) bool { return c.formula.IsFalse() })
	if i < 0 {
		return condition{}, false
	}
	return e.conditions[i], true
}

// formulas are the conditions.
func (e *execution) formulas() []*term.Term {
	out := make([]*term.Term, len(e.conditions))
	for i, c := range e.conditions {
		out[i] = c.formula
	}
	return out
}

// assignment gives the variables of the nodes the values of their terms under an assignment of the others.
func (e *execution) assignment(a term.Assignment) term.Assignment {
	values := term.NewEvaluator(e.pool, term.Complete(e.pool, a))
	out := term.MapAssignment{}
	for y, t := range e.values {
		if v, ok := values.Eval(t); ok {
			out[y] = v
		}
	}
	return term.Overlay{Values: out, Rest: a}
}
