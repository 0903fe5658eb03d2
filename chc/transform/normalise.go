package transform

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Normalise returns the pass "normalise".
func Normalise() Pass {
	return Pass{
		Name: "normalise",
		Doc: "Normal form: solves equations for clause variables, tightens bounds, lifts if-then-else out of arithmetic, " +
			"drops variables that nothing restricts, clauses with a false constraint and clauses that are tautologies.",
		Repeat: true,
		Run:    normaliseSystem,
	}
}

// normaliseSystem brings every clause to normal form; predicates stay as they are.
func normaliseSystem(ctx context.Context, env Environment, sys *chc.System) (*chc.System, Translator, error) {
	changed := false
	var clauses []*chc.Clause
	var origins [][]origin
	for _, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		d, o := normaliseClause(ctx, sys.Pool, c)
		changed = changed || d != c
		if d != nil {
			clauses = append(clauses, d)
			origins = append(origins, []origin{o})
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err // the last clause may have been left half done
	}
	if !changed {
		return sys, nil, nil
	}
	next := rebuild(sys, sys.Predicates, clauses)
	return next, &carrier{env: env, old: sys, new: next, fates: identity(next), origins: origins}, nil
}

// normaliseClause returns c in normal form and how c is got back from it: c itself when it is in normal form, nil when
// every interpretation satisfies it. When ctx is done it comes back sooner, rewritten as far as it got.
func normaliseClause(ctx context.Context, pool *term.Pool, c *chc.Clause) (*chc.Clause, origin) {
	d := newDraft(pool, c)
	d.ctx = ctx
	d.simplify()
	d.mergeAtoms()
	if d.constraint.IsFalse() || d.tautology() {
		return nil, origin{}
	}
	return d.clause(), origin{clause: c, atoms: d.atoms, define: d.define}
}

// maxSimplifyRounds bounds how often the simplifications of one clause are run over it.
const maxSimplifyRounds = 16

// draft is a clause that is being rewritten. Its variables are existentially bound in the premise, those of the atoms
// included, so that a variable may be replaced throughout by a term that an equation of the constraint makes it equal to.
type draft struct {
	// ctx, when set, ends a rewriting between two steps.
	ctx        context.Context
	pool       *term.Pool
	from       *chc.Clause
	body       []chc.App
	constraint *term.Term
	head       *chc.App
	// atoms and define are as in origin.
	atoms  []int
	define []definition
	// scope, when set, are the only variables that may be eliminated: the draft is a part of a constraint.
	scope map[*term.Term]bool
	// parts is shared by the drafts of a clause's disjuncts; made when needed.
	parts *parts
}

func newDraft(pool *term.Pool, c *chc.Clause) *draft {
	return &draft{pool: pool, from: c, body: c.Body, constraint: c.Constraint, head: c.Head}
}

// simplify rewrites the clause until nothing changes.
func (d *draft) simplify() {
	for range maxSimplifyRounds {
		if d.stopped() {
			return
		}
		before := d.constraint
		conj := joinItes(d.pool, flatten(d.pool, d.constraint))
		conj, ok := tightenBounds(d.pool, conj)
		if !ok {
			d.constraint = d.pool.False()
			return
		}
		conj = propagateUnits(d.pool, conj)
		if d.scope == nil {
			conj = absorb(d.pool, conj)
		}
		d.constraint = d.pool.And(conj...)
		solved := d.solveEquations()
		if !solved && d.constraint == before {
			solved = d.eliminateLocals() || d.eliminateBooleans() || d.simplifyDisjuncts()
		}
		if !solved && d.constraint == before && d.scope == nil {
			solved = d.liftIte()
		}
		if d.constraint.IsFalse() || !solved && d.constraint == before {
			return
		}
	}
}

func (d *draft) stopped() bool { return d.ctx != nil && d.ctx.Err() != nil }

// clause returns the rewritten clause, which is the one that the draft began with when nothing changed.
func (d *draft) clause() *chc.Clause {
	c := d.from
	if d.constraint == c.Constraint && sameApps(d.body, c.Body) &&
		(c.Head == nil || slices.Equal(d.head.Args, c.Head.Args)) {
		return c
	}
	out := *c
	out.Body, out.Constraint, out.Head = d.body, d.constraint, d.head
	return &out
}

func sameApps(a, b []chc.App) bool {
	return slices.EqualFunc(a, b, sameApp)
}

func sameApp(a, b chc.App) bool {
	return a.Pred == b.Pred && slices.Equal(a.Args, b.Args)
}

// substitute replaces variables throughout the clause and records what they were.
func (d *draft) substitute(defs []definition) {
	m := make(map[*term.Term]*term.Term, len(defs))
	for _, def := range defs {
		m[def.variable] = def.value
	}
	s := d.pool.NewSubstitution(m)
	d.constraint = s.Apply(d.constraint)
	body := make([]chc.App, len(d.body))
	for i, a := range d.body {
		body[i] = substituteApp(s, a)
	}
	d.body = body
	if d.head != nil {
		h := substituteApp(s, *d.head)
		d.head = &h
	}
	d.define = append(d.define, defs...)
}

// substituteApp applies s to the atom's arguments.
func substituteApp(s *term.Substitution, a chc.App) chc.App {
	args := make([]*term.Term, len(a.Args))
	for i, t := range a.Args {
		args[i] = s.Apply(t)
	}
	return chc.App{Pred: a.Pred, Args: args}
}

// mergeAtoms removes body atoms that are written twice.
func (d *draft) mergeAtoms() {
	var body []chc.App
	atoms := make([]int, len(d.body))
	for i, a := range d.body {
		j := slices.IndexFunc(body, func(b chc.App) bool { return sameApp(a, b) })
		if j < 0 {
			j = len(body)
			body = append(body, a)
		}
		atoms[i] = j
	}
	if len(body) < len(d.body) {
		d.body, d.atoms = body, atoms
	}
}

// tautology reports whether the head is one of the body's atoms.
func (d *draft) tautology() bool {
	return d.head != nil && slices.ContainsFunc(d.body, func(a chc.App) bool { return sameApp(a, *d.head) })
}

// flatten returns the conjuncts of t, with negated disjunctions and equations between constructor terms opened.
func flatten(pool *term.Pool, t *term.Term) []*term.Term {
	var out []*term.Term
	for _, c := range term.Conjuncts(t) {
		switch {
		case c.IsAnd():
			out = append(out, flatten(pool, c)...)
		case c.IsNot() && c.Arg(0).IsOr():
			for _, a := range c.Arg(0).Args() {
				out = append(out, flatten(pool, pool.Not(a))...)
			}
		case c.Op() == term.Eq && c.Arg(0).Op() == term.Construct && c.Arg(1).Op() == term.Construct:
			if c.Arg(0).Ctor() != c.Arg(1).Ctor() {
				return []*term.Term{pool.False()}
			}
			for i, a := range c.Arg(0).Args() {
				out = append(out, flatten(pool, pool.Eq(a, c.Arg(1).Arg(i)))...)
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

// joinItes makes one disjunction of two cases of all the Boolean if-then-elses among the conjuncts that have the same
// literal as condition.
func joinItes(pool *term.Pool, conj []*term.Term) []*term.Term {
	then, els := map[*term.Term][]*term.Term{}, map[*term.Term][]*term.Term{}
	var conditions []*term.Term
	var out []*term.Term
	for _, c := range conj {
		if !c.IsIte() || !c.Arg(0).IsLiteral() {
			out = append(out, c)
			continue
		}
		cond := c.Arg(0)
		if then[cond] == nil {
			conditions = append(conditions, cond)
			then[cond], els[cond] = []*term.Term{cond}, []*term.Term{pool.Not(cond)}
		}
		then[cond] = append(then[cond], c.Arg(1))
		els[cond] = append(els[cond], c.Arg(2))
	}
	for _, cond := range conditions {
		out = append(out, pool.Or(pool.And(then[cond]...), pool.And(els[cond]...)))
	}
	return out
}

// propagateUnits replaces, in the conjuncts that have Boolean structure, the atoms that the literals among the conjuncts
// decide.
func propagateUnits(pool *term.Pool, conj []*term.Term) []*term.Term {
	known := map[*term.Term]*term.Term{}
	spans := newSpans(pool)
	compound := 0
	for _, c := range conj {
		if !c.IsLiteral() {
			compound++
			continue
		}
		atom, positive := c.Atom()
		known[atom] = pool.Bool(positive)
		spans.add(c)
	}
	if compound == 0 || len(known) == 0 {
		return conj
	}
	for _, c := range conj {
		if c.IsLiteral() {
			continue
		}
		term.Walk(c, func(t *term.Term) bool {
			if t.Sort() != term.Bool {
				return false
			}
			if _, ok := known[t]; !ok {
				if val, decided := spans.decide(t); decided {
					known[t] = pool.Bool(val)
				}
			}
			return !t.IsQuantifier()
		})
	}
	sub := pool.NewSubstitution(known)
	out := make([]*term.Term, len(conj))
	for i, c := range conj {
		out[i] = c
		if !c.IsLiteral() {
			out[i] = sub.Apply(c)
		}
	}
	return out
}
