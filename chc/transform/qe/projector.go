package qe

import (
	"hornbeam/chc/term"
	"hornbeam/chc/transform/simplify"
)

// DefaultWork and DefaultNodes are a budget for one formula: cubes and DAG nodes.
const DefaultWork, DefaultNodes = 150, 3000

// Projector eliminates variables exactly and without a solver, where that is cheap: by equalities, by one-sided bounds,
// by Fourier-Motzkin steps that are exact over the integers, and by distribution over disjunctions within a budget. It
// is what makes most interpretations of removed predicates quantifier-free at no cost; what it can't do is left to
// internal/itp.
type Projector struct {
	pool *term.Pool
	// keep holds the variables that stay; all others are eliminated.
	keep map[*term.Term]bool
	// work bounds the number of cubes that are handled, nodes the size of the terms that are built from them.
	work, nodes int
	// hasLocals caches whether a term has a variable to eliminate.
	hasLocals map[*term.Term]bool
}

// NewProjector returns a Projector that eliminates all variables but those of keep, within the budget of work cubes and
// terms of nodes DAG nodes.
func NewProjector(pool *term.Pool, keep []*term.Term, work, nodes int) *Projector {
	p := &Projector{pool: pool, keep: make(map[*term.Term]bool, len(keep)), work: work, nodes: nodes, hasLocals: map[*term.Term]bool{}}
	for _, v := range keep {
		p.keep[v] = true
	}
	return p
}

// Exists returns a quantifier-free term that is equivalent to the conjunction with all variables that are not kept
// bound existentially, or false when the budget does not allow one.
func (p *Projector) Exists(conjs ...*term.Term) (*term.Term, bool) {
	p.work--
	if p.work < 0 {
		return nil, false
	}
	conjs, ok := p.Flatten(conjs)
	if !ok {
		return p.pool.False(), true
	}
	conjs = p.Equalities(conjs)
	var out []*term.Term
	var open []*term.Term
	for _, c := range conjs {
		switch {
		case c.IsFalse():
			return c, true
		case p.Local(c):
			open = append(open, c)
		default:
			out = append(out, c)
		}
	}
	for _, part := range p.Components(open) {
		t, ok := p.Component(part)
		if !ok {
			return nil, false
		}
		out = append(out, t)
	}
	t := p.pool.And(out...)
	return t, true
}

// Local reports whether a variable to eliminate occurs in t.
func (p *Projector) Local(t *term.Term) bool {
	if l, ok := p.hasLocals[t]; ok {
		return l
	}
	l := false
	switch {
	case t.IsVar():
		l = !p.keep[t]
	case t.IsQuantifier():
		for _, v := range term.Vars(t) {
			l = l || !p.keep[v]
		}
	default:
		for _, a := range t.Args() {
			if p.Local(a) {
				l = true
				break
			}
		}
	}
	p.hasLocals[t] = l
	return l
}

// locals returns the variables to eliminate of t, in first-occurrence order.
func (p *Projector) locals(ts ...*term.Term) []*term.Term {
	var out []*term.Term
	for _, v := range term.Vars(ts...) {
		if !p.keep[v] {
			out = append(out, v)
		}
	}
	return out
}

// Flatten splits conjunctions, also negated disjunctions; it reports false when a conjunct is false.
func (p *Projector) Flatten(ts []*term.Term) ([]*term.Term, bool) {
	var out []*term.Term
	seen := map[*term.Term]bool{}
	stack := make([]*term.Term, 0, len(ts))
	for i := len(ts) - 1; i >= 0; i-- {
		stack = append(stack, ts[i])
	}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case t.IsTrue() || seen[t]:
		case t.IsFalse():
			return nil, false
		case t.IsAnd():
			seen[t] = true
			for i := len(t.Args()) - 1; i >= 0; i-- {
				stack = append(stack, t.Arg(i))
			}
		case t.IsNot() && t.Arg(0).IsOr():
			seen[t] = true
			args := t.Arg(0).Args()
			for i := len(args) - 1; i >= 0; i-- {
				stack = append(stack, p.pool.Not(args[i]))
			}
		default:
			seen[t] = true
			if seen[p.pool.Not(t)] {
				return nil, false
			}
			out = append(out, t)
		}
	}
	return out, true
}

// Equalities replaces variables to eliminate that a conjunct equates to a term.
func (p *Projector) Equalities(conjs []*term.Term) []*term.Term {
	for {
		tri := newTriangular(p.pool)
		for _, c := range conjs {
			if !simplify.IsEquation(c) || !p.Local(c) {
				continue
			}
			if x, v := p.solve(tri.apply(c)); x != nil {
				tri.add(x, v)
			}
		}
		if len(tri.order) == 0 {
			return conjs
		}
		sub := p.pool.NewSubstitution(tri.closed())
		next := make([]*term.Term, len(conjs))
		for i, c := range conjs {
			next[i] = sub.Apply(c)
		}
		var ok bool
		if conjs, ok = p.Flatten(next); !ok {
			return []*term.Term{p.pool.False()}
		}
	}
}

// solve returns a variable to eliminate and the term that it must equal for the literal to hold, or nil.
func (p *Projector) solve(lit *term.Term) (x, value *term.Term) {
	atom, positive := lit.Atom()
	if atom.IsVar() {
		if p.keep[atom] {
			return nil, nil
		}
		return atom, p.pool.Bool(positive)
	}
	if atom.Op() != term.Eq {
		return nil, nil
	}
	l, r := atom.Arg(0), atom.Arg(1)
	if !positive {
		if l.Sort() != term.Bool {
			return nil, nil
		}
		r = p.pool.Not(r)
	}
	for _, o := range [2][2]*term.Term{{l, r}, {r, l}} {
		if o[0].IsVar() && !p.keep[o[0]] && !term.Contains(o[1], o[0]) {
			return o[0], o[1]
		}
		// The other side of a negated equality may be the variable's negation.
		if o[0].IsNot() && o[0].Arg(0).IsVar() && !p.keep[o[0].Arg(0)] && !term.Contains(o[1], o[0].Arg(0)) {
			return o[0].Arg(0), p.pool.Not(o[1])
		}
	}
	c, ok := p.pool.AsConstraint(lit)
	if !ok || c.Rel != term.EQ {
		return nil, nil
	}
	for _, m := range c.Monomials {
		if !m.Term.IsVar() || p.keep[m.Term] || c.Sort == term.Int && !m.Coef.Abs().IsOne() {
			continue
		}
		if t := p.pool.FromLinear(c.Without(m.Term).Scale(m.Coef.Inv().Neg()), c.Sort); !term.Contains(t, m.Term) {
			return m.Term, t
		}
	}
	return nil, nil
}

// Components splits conjuncts into groups that share no variable to eliminate, in order of their first conjuncts.
func (p *Projector) Components(conjs []*term.Term) [][]*term.Term {
	parent := make([]int, len(conjs))
	var find func(int) int
	find = func(i int) int {
		if parent[i] != i {
			parent[i] = find(parent[i])
		}
		return parent[i]
	}
	first := map[*term.Term]int{}
	for i, c := range conjs {
		parent[i] = i
		for _, v := range p.locals(c) {
			if j, ok := first[v]; ok {
				a, b := find(i), find(j)
				parent[max(a, b)] = min(a, b)
			} else {
				first[v] = i
			}
		}
	}
	var groups [][]*term.Term
	number := map[int]int{}
	for i, c := range conjs {
		r := find(i)
		n, ok := number[r]
		if !ok {
			n = len(groups)
			number[r] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], c)
	}
	return groups
}

// Component eliminates the variables of conjuncts that belong together.
func (p *Projector) Component(conjs []*term.Term) (*term.Term, bool) {
	branch := -1
	var cases []*term.Term
	for i, c := range conjs {
		if alts := p.alternatives(c); alts != nil && (cases == nil || len(alts) < len(cases)) {
			branch, cases = i, alts
		}
	}
	if branch < 0 {
		return p.cube(conjs)
	}
	rest := append(append([]*term.Term(nil), conjs[:branch]...), conjs[branch+1:]...)
	return p.distribute(cases, rest)
}

// distribute eliminates the variables of (or cases) and rest.
func (p *Projector) distribute(cases, rest []*term.Term) (*term.Term, bool) {
	out := make([]*term.Term, len(cases))
	for i, c := range cases {
		t, ok := p.Exists(append([]*term.Term{c}, rest...)...)
		if !ok {
			return nil, false
		}
		if p.nodes -= t.Size(); p.nodes < 0 {
			return nil, false
		}
		out[i] = t
	}
	return p.pool.Or(out...), true
}

// alternatives returns the disjuncts of a conjunct that is not a literal, and those that get a term-level if-then-else
// out of a literal; nil for other literals.
func (p *Projector) alternatives(c *term.Term) []*term.Term {
	pool := p.pool
	atom, positive := c.Atom()
	switch {
	case positive && atom.IsOr():
		return atom.Args()
	case !positive && atom.IsAnd():
		alts := make([]*term.Term, len(atom.Args()))
		for i, a := range atom.Args() {
			alts[i] = pool.Not(a)
		}
		return alts
	case atom.IsIte():
		a, b := atom.Arg(1), atom.Arg(2)
		if !positive {
			a, b = pool.Not(a), pool.Not(b)
		}
		return []*term.Term{pool.And(atom.Arg(0), a), pool.And(pool.Not(atom.Arg(0)), b)}
	case atom.Op() == term.Eq && atom.Arg(0).IsBool():
		a, b := atom.Arg(0), atom.Arg(1)
		if !positive {
			b = pool.Not(b)
		}
		return []*term.Term{pool.And(a, b), pool.And(pool.Not(a), pool.Not(b))}
	}
	ite := p.innerIte(atom)
	if ite == nil {
		return nil
	}
	return []*term.Term{
		pool.And(ite.Arg(0), pool.Substitute(c, map[*term.Term]*term.Term{ite: ite.Arg(1)})),
		pool.And(pool.Not(ite.Arg(0)), pool.Substitute(c, map[*term.Term]*term.Term{ite: ite.Arg(2)})),
	}
}

// innerIte finds an if-then-else of a sort other than Bool that has a variable to eliminate.
func (p *Projector) innerIte(t *term.Term) *term.Term {
	var found *term.Term
	term.Walk(t, func(u *term.Term) bool {
		if found == nil && u.IsIte() && p.Local(u) {
			found = u
		}
		return found == nil && !u.IsQuantifier() && p.Local(u)
	})
	return found
}

// cube eliminates the variables of a conjunction of literals, the cheapest first.
func (p *Projector) cube(lits []*term.Term) (*term.Term, bool) {
	for {
		vars := p.locals(lits...)
		if len(vars) == 0 {
			return p.pool.And(lits...), true
		}
		var best *elimStep
		for _, v := range vars {
			if s := p.step(lits, v); s != nil && (best == nil || s.cost < best.cost) {
				best = s
			}
		}
		if best == nil {
			return nil, false
		}
		if best.split != nil {
			return p.distribute(best.split, best.rest)
		}
		var ok bool
		if lits, ok = p.Flatten(append(best.rest, best.added...)); !ok {
			return p.pool.False(), true
		}
		for _, l := range lits {
			// A new literal may be an equality that gives a value, or one that has to be branched on.
			if p.Local(l) && simplify.IsEquation(l) {
				return p.Exists(lits...)
			}
		}
	}
}

// elimStep is the way to eliminate one variable from a cube: rest and added take the place of the cube, or the
// disjunction split together with rest.
type elimStep struct {
	cost        int
	rest, added []*term.Term
	split       []*term.Term
}

// triangular is a substitution in solved form: the term of each variable may speak of variables that were added later,
// never of itself or earlier ones.
type triangular struct {
	pool  *term.Pool
	order []*term.Term
	terms map[*term.Term]*term.Term
}

func newTriangular(pool *term.Pool) *triangular {
	return &triangular{pool: pool, terms: map[*term.Term]*term.Term{}}
}

// apply replaces all variables added so far in u.
func (t *triangular) apply(u *term.Term) *term.Term {
	for len(t.order) > 0 {
		v := t.pool.Substitute(u, t.terms)
		if v == u {
			break
		}
		u = v
	}
	return u
}

// add records x = v, where v was the result of apply and does not contain x.
func (t *triangular) add(x, v *term.Term) {
	t.order = append(t.order, x)
	t.terms[x] = v
}

// closed returns the same substitution with terms that speak of no replaced variable.
func (t *triangular) closed() map[*term.Term]*term.Term {
	m := make(map[*term.Term]*term.Term, len(t.order))
	for i := len(t.order) - 1; i >= 0; i-- {
		x := t.order[i]
		m[x] = t.pool.Substitute(t.terms[x], m)
	}
	return m
}
