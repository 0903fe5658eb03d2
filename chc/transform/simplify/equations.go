package simplify

import (
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// role orders the clause's variables by how readily they are eliminated.
type role uint8

const (
	local    role = iota // in the constraint only
	headOnly             // in the head's arguments, too
	inBody               // in a body atom's arguments: kept as variables unless they are another variable or a value
	fixed                // outside of the draft's scope: never eliminated
)

// roles classifies the draft's variables; a variable that is absent is local.
func (d *Draft) roles() map[*term.Term]role {
	m := map[*term.Term]role{}
	if d.Head != nil {
		for _, v := range term.Vars(d.Head.Args...) {
			m[v] = headOnly
		}
	}
	for _, a := range d.Body {
		for _, v := range term.Vars(a.Args...) {
			m[v] = inBody
		}
	}
	if d.scope != nil {
		for _, v := range term.Vars(d.Constraint) {
			if !d.scope[v] {
				m[v] = fixed
			}
		}
	}
	return m
}

// occurrences counts the places where each variable of the draft stands, shared subterms once.
func (d *Draft) occurrences() map[*term.Term]int {
	n := map[*term.Term]int{}
	seen := map[*term.Term]bool{}
	count := func(t *term.Term) {
		if t.IsVar() {
			n[t]++
			return
		}
		term.Walk(t, func(u *term.Term) bool {
			if seen[u] || u.IsVar() {
				return false
			}
			seen[u] = true
			for _, a := range u.Args() {
				if a.IsVar() {
					n[a]++
				}
			}
			return true
		})
	}
	count(d.Constraint)
	for _, a := range d.Body {
		for _, t := range a.Args {
			count(t)
		}
	}
	if d.Head != nil {
		for _, t := range d.Head.Args {
			count(t)
		}
	}
	return n
}

// equations collects the variables that the constraint's equations determine.
type equations struct {
	d     *Draft
	roles map[*term.Term]role
	count map[*term.Term]int
	// value maps eliminated variables to terms; the terms may contain variables that were eliminated later.
	value map[*term.Term]*term.Term
	order []*term.Term
}

// solveEquations eliminates variables that a conjunct determines (destructive equality resolution): literals over
// Boolean variables, equations x = t with x outside of t, integer equations in which x has coefficient 1 or -1. It
// reports whether it eliminated any.
func (d *Draft) solveEquations() bool {
	var candidates []*term.Term
	for _, c := range term.Conjuncts(d.Constraint) {
		if IsEquation(c) {
			candidates = append(candidates, c)
		}
	}
	if len(candidates) == 0 {
		return false
	}
	e := &equations{d: d, roles: d.roles(), count: d.occurrences(), value: map[*term.Term]*term.Term{}}
	for _, c := range candidates {
		// Substitution may have made a conjunction of the equation.
		for _, part := range Conjuncts(d.pool, e.resolve(c)) {
			e.solve(e.resolve(part))
		}
	}
	if len(e.order) == 0 {
		return false
	}
	d.Substitute(e.definitions())
	return true
}

// IsEquation reports whether a conjunct may determine a variable.
func IsEquation(c *term.Term) bool {
	atom, positive := c.Atom()
	return atom.IsVar() || atom.Op() == term.Eq && (positive || atom.Arg(0).IsBool())
}

// resolve replaces the variables eliminated so far in c.
func (e *equations) resolve(c *term.Term) *term.Term {
	for {
		m := map[*term.Term]*term.Term{}
		for _, v := range term.Vars(c) {
			if t := e.value[v]; t != nil {
				m[v] = t
			}
		}
		if len(m) == 0 {
			return c
		}
		c = e.d.pool.Substitute(c, m)
	}
}

// definitions returns what was eliminated, in order, with values over variables that remain.
func (e *equations) definitions() []transform.Definition {
	final := map[*term.Term]*term.Term{}
	defs := make([]transform.Definition, len(e.order))
	for i := len(e.order) - 1; i >= 0; i-- {
		v := e.order[i]
		own := map[*term.Term]*term.Term{} // final grows to hundreds of variables, of which a value has a few
		for _, x := range term.Vars(e.value[v]) {
			if t := final[x]; t != nil {
				own[x] = t
			}
		}
		t := e.d.pool.Substitute(e.value[v], own)
		final[v] = t
		defs[i] = transform.Definition{Variable: v, Value: t}
	}
	return defs
}

// solve eliminates a variable by the resolved equation c if it may.
func (e *equations) solve(c *term.Term) {
	pool := e.d.pool
	atom, positive := c.Atom()
	switch {
	case atom.IsVar():
		if e.roles[atom] != fixed {
			e.eliminate(atom, pool.Bool(positive))
		}
	case atom.Op() != term.Eq:
	case atom.Arg(0).IsBool():
		a, b := atom.Arg(0), atom.Arg(1)
		if !positive {
			// not (a = b) is a = not b, and the sides' negations were pulled out.
			e.solveSides(a, pool.Not(b))
			if e.value[a] == nil {
				e.solveSides(b, pool.Not(a))
			}
			return
		}
		e.solveSides(a, b)
	case !positive:
	case arithmetic(atom):
		e.solveSum(atom)
	default:
		e.solveSides(atom.Arg(0), atom.Arg(1))
	}
}

// solveSides eliminates one of two equal terms when it is a variable.
func (e *equations) solveSides(a, b *term.Term) {
	if a.IsVar() && b.IsVar() && e.less(b, a) {
		a, b = b, a
	}
	if e.may(a, b) {
		e.eliminate(a, b)
	} else if e.may(b, a) {
		e.eliminate(b, a)
	}
}

// less orders variables by preference for elimination: role, occurrences, age (younger first).
func (e *equations) less(a, b *term.Term) bool {
	if ra, rb := e.roles[a], e.roles[b]; ra != rb {
		return ra < rb
	}
	if ca, cb := e.count[a], e.count[b]; ca != cb {
		return ca < cb
	}
	return a.ID() > b.ID()
}

// solveSum eliminates a variable of an arithmetic equation.
func (e *equations) solveSum(eq *term.Term) {
	pool := e.d.pool
	con, ok := pool.AsConstraint(eq)
	if !ok || con.Rel != term.EQ {
		return
	}
	var best, bestValue *term.Term
	for _, m := range con.Monomials {
		x := m.Term
		if !x.IsVar() || con.Sort == term.Int && !m.Coef.Abs().IsOne() {
			continue
		}
		if best != nil && !e.less(x, best) {
			continue
		}
		rest := con.Without(x).Scale(m.Coef.Neg().Inv())
		if t := pool.FromLinear(rest, con.Sort); e.may(x, t) {
			best, bestValue = x, t
		}
	}
	if best != nil {
		e.eliminate(best, bestValue)
	}
}

// may reports whether x may be replaced by t everywhere.
func (e *equations) may(x, t *term.Term) bool {
	if !x.IsVar() || x == t || e.roles[x] == fixed {
		return false
	}
	if t.IsVar() || t.IsValue() {
		return true
	}
	r := e.roles[x]
	if r == inBody || x.IsBool() && r == headOnly && !t.IsLiteral() {
		return false
	}
	size, plain := 0, true
	term.Walk(t, func(u *term.Term) bool {
		size++
		// If-then-else is lifted, which works better in x = ite(...) than at every use of x.
		if u == x || u.IsQuantifier() || u.IsIte() && !u.IsBool() {
			plain = false
		}
		return plain && size <= maxSpread
	})
	return plain && (size <= fewNodes || size*max(1, e.count[x]) <= maxSpread)
}

func (e *equations) eliminate(x, t *term.Term) {
	if e.value[x] != nil {
		return
	}
	e.value[x] = t
	e.order = append(e.order, x)
	for _, v := range term.Vars(t) {
		e.count[v] += e.count[x]
	}
	// A variable that now stands in the atoms in x's place must be treated as x was.
	if r := e.roles[x]; r > local { // never fixed
		for _, v := range term.Vars(t) {
			e.roles[v] = max(e.roles[v], r)
		}
	}
}
