package simplify

import (
	"slices"

	"hornbeam/chc/term"
)

// absorb simplifies the conjuncts that have Boolean structure: negations move inwards to the literals; within a conjunction, its literals hold in the other
// arguments, within a disjunction their negations do. So (or a (and (not a) b)) becomes (or a b).
func absorb(pool *term.Pool, conj []*term.Term) []*term.Term {
	a := &absorber{pool: pool, done: map[*term.Term]*term.Term{}, left: maxAbsorbWork}
	out := make([]*term.Term, len(conj))
	for i, c := range conj {
		out[i] = c
		if c.IsLiteral() || c.HasQuantifier() {
			continue
		}
		// What is simplified in two contexts is no longer shared, so the result may be larger.
		if size := c.Size(); size <= maxAbsorb {
			if g := a.simplify(c); g.Size() <= size {
				out[i] = g
			}
		}
	}
	return out
}

type absorber struct {
	pool *term.Pool
	done map[*term.Term]*term.Term
	// left is how many more subterms may be visited: what is simplified in several contexts may grow exponentially with the
	// depth of a formula.
	left int
}

// simplify rewrites f bottom-up.
func (a *absorber) simplify(f *term.Term) *term.Term {
	if f.IsLiteral() || f.IsValue() {
		return f
	}
	if g, ok := a.done[f]; ok {
		return g
	}
	var g *term.Term
	if f.IsNot() && (f.Arg(0).IsAnd() || f.Arg(0).IsOr()) {
		args := make([]*term.Term, len(f.Arg(0).Args()))
		for i, t := range f.Arg(0).Args() {
			args[i] = a.simplify(a.pool.Not(t))
		}
		if f.Arg(0).IsAnd() {
			g = a.pool.Or(args...)
		} else {
			g = a.pool.And(args...)
		}
	} else {
		args := make([]*term.Term, len(f.Args()))
		for i, t := range f.Args() {
			args[i] = t
			if t.IsBool() {
				args[i] = a.simplify(t)
			}
		}
		g = a.pool.Rebuild(f, args)
	}
	if g.IsAnd() || g.IsOr() {
		g = a.siblings(g)
	}
	a.done[f] = g
	return g
}

// siblings uses the literals among the arguments of a conjunction or disjunction for each other and for its other
// arguments. A disjunction is treated as the negation of a conjunction.
func (a *absorber) siblings(f *term.Term) *term.Term {
	var lits, rest []*term.Term
	for _, t := range f.Args() {
		switch {
		case !t.IsLiteral():
			rest = append(rest, t)
		case f.IsOr():
			lits = append(lits, a.pool.Not(t))
		default:
			lits = append(lits, t)
		}
	}
	if len(lits) == 0 || a.left < 0 {
		return f
	}
	for _, t := range rest {
		a.left -= t.Size()
	}
	lits, ok := tightenBounds(a.pool, lits)
	if !ok {
		return a.pool.Bool(f.IsOr())
	}
	n := len(lits)
	args := propagateUnits(a.pool, append(lits, rest...))
	if f.IsAnd() {
		return a.pool.And(args...)
	}
	out := slices.Clone(args)
	for i := range n {
		out[i] = a.pool.Not(out[i])
	}
	return a.pool.Or(out...)
}
