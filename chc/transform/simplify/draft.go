package simplify

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// Draft is a clause that is being rewritten. Its variables are existentially bound in the premise, those of the atoms
// included, so that a variable may be replaced throughout by a term that an equation of the constraint makes it equal to.
type Draft struct {
	// ctx, when set, ends a rewriting between two steps.
	ctx        context.Context
	pool       *term.Pool
	From       *chc.Clause
	Body       []chc.App
	Constraint *term.Term
	Head       *chc.App
	// Atoms and define are as in origin.
	Atoms  []int
	Define []transform.Definition
	// scope, when set, are the only variables that may be eliminated: the draft is a part of a constraint.
	scope map[*term.Term]bool
	// parts is shared by the drafts of a clause's disjuncts; made when needed.
	parts *parts
}

// NewDraft returns a draft of c, unchanged so far.
func NewDraft(pool *term.Pool, c *chc.Clause) *Draft {
	return &Draft{pool: pool, From: c, Body: c.Body, Constraint: c.Constraint, Head: c.Head}
}

// simplify rewrites the clause until nothing changes.
func (d *Draft) simplify() {
	for range maxSimplifyRounds {
		if d.stopped() {
			return
		}
		before := d.Constraint
		conj := joinItes(d.pool, Conjuncts(d.pool, d.Constraint))
		conj, ok := tightenBounds(d.pool, conj)
		if !ok {
			d.Constraint = d.pool.False()
			return
		}
		conj = propagateUnits(d.pool, conj)
		if d.scope == nil {
			conj = absorb(d.pool, conj)
		}
		d.Constraint = d.pool.And(conj...)
		solved := d.solveEquations()
		if !solved && d.Constraint == before {
			solved = d.eliminateLocals() || d.eliminateBooleans() || d.simplifyDisjuncts()
		}
		if !solved && d.Constraint == before && d.scope == nil {
			solved = d.liftIte()
		}
		if d.Constraint.IsFalse() || !solved && d.Constraint == before {
			return
		}
	}
}

// Settle rewrites the clause by its equations and bounds until nothing changes. Unlike simplify it eliminates no
// variable whose value does not follow from the others.
func (d *Draft) Settle() {
	for range maxSimplifyRounds {
		before := d.Constraint
		conj, ok := tightenBounds(d.pool, Conjuncts(d.pool, d.Constraint))
		if !ok {
			d.Constraint = d.pool.False()
			return
		}
		d.Constraint = d.pool.And(propagateUnits(d.pool, conj)...)
		solved := d.solveEquations()
		if d.Constraint.IsFalse() || !solved && d.Constraint == before {
			return
		}
	}
}

// Assume adds equations to the clause; sides that are variables are replaced throughout.
func (d *Draft) Assume(facts [][2]*term.Term) {
	if len(facts) == 0 {
		return
	}
	e := &equations{d: d, roles: d.roles(), count: map[*term.Term]int{}, value: map[*term.Term]*term.Term{}}
	rest := []*term.Term{d.Constraint}
	for _, f := range facts {
		l, r := e.resolve(f[0]), e.resolve(f[1])
		switch {
		case l == r:
		case l.IsVar() && !term.Contains(r, l):
			e.eliminate(l, r)
		case r.IsVar() && !term.Contains(l, r):
			e.eliminate(r, l)
		default:
			rest = append(rest, d.pool.Eq(l, r))
		}
	}
	d.Constraint = d.pool.And(rest...)
	d.Substitute(e.definitions())
}

func (d *Draft) stopped() bool { return d.ctx != nil && d.ctx.Err() != nil }

// Clause returns the rewritten clause, which is the one that the draft began with when nothing changed.
func (d *Draft) Clause() *chc.Clause {
	c := d.From
	if d.Constraint == c.Constraint && slices.EqualFunc(d.Body, c.Body, chc.App.Equal) &&
		(c.Head == nil || slices.Equal(d.Head.Args, c.Head.Args)) {
		return c
	}
	out := *c
	out.Body, out.Constraint, out.Head = d.Body, d.Constraint, d.Head
	return &out
}

// Substitute replaces variables throughout the clause and records what they were.
func (d *Draft) Substitute(defs []transform.Definition) {
	m := make(map[*term.Term]*term.Term, len(defs))
	for _, def := range defs {
		m[def.Variable] = def.Value
	}
	d.Rewrite(d.pool.NewSubstitution(m))
	d.Define = append(d.Define, defs...)
}

// SubstituteApp applies s to the atom's arguments.
func SubstituteApp(s *term.Substitution, a chc.App) chc.App {
	args := make([]*term.Term, len(a.Args))
	for i, t := range a.Args {
		args[i] = s.Apply(t)
	}
	return chc.App{Pred: a.Pred, Args: args}
}

// MergeAtoms removes body atoms that are written twice.
func (d *Draft) MergeAtoms() {
	var body []chc.App
	atoms := make([]int, len(d.Body))
	for i, a := range d.Body {
		j := slices.IndexFunc(body, a.Equal)
		if j < 0 {
			j = len(body)
			body = append(body, a)
		}
		atoms[i] = j
	}
	if len(body) < len(d.Body) {
		d.Body, d.Atoms = body, atoms
	}
}

// Tautology reports whether the head is one of the body's atoms.
func (d *Draft) Tautology() bool {
	return d.Head != nil && slices.ContainsFunc(d.Body, d.Head.Equal)
}

// Rewrite applies s throughout the clause.
func (d *Draft) Rewrite(s *term.Substitution) {
	d.Constraint = s.Apply(d.Constraint)
	body := make([]chc.App, len(d.Body))
	for i, a := range d.Body {
		body[i] = SubstituteApp(s, a)
	}
	d.Body = body
	if d.Head != nil {
		h := SubstituteApp(s, *d.Head)
		d.Head = &h
	}
}

// Innermost returns the clause's terms that match and contain no others that do, outside of quantifiers, in the order of
// a walk over the clause.
func (d *Draft) Innermost(match func(*term.Term) bool) []*term.Term {
	var found []*term.Term
	inside := map[*term.Term]bool{}
	collect := func(t *term.Term) {
		term.Walk(t, func(u *term.Term) bool {
			if match(u) && !inside[u] {
				inside[u] = true
				found = append(found, u)
			}
			return !u.IsQuantifier()
		})
	}
	collect(d.Constraint)
	for _, a := range d.Body {
		for _, t := range a.Args {
			collect(t)
		}
	}
	if d.Head != nil {
		for _, t := range d.Head.Args {
			collect(t)
		}
	}
	return slices.DeleteFunc(found, func(t *term.Term) bool {
		nested := false
		for _, a := range t.Args() {
			term.Walk(a, func(u *term.Term) bool {
				nested = nested || inside[u]
				return !nested
			})
		}
		return nested
	})
}
