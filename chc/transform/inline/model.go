package inline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/qe"
	"hornbeam/chc/transform/resolve"
	"hornbeam/chc/witness"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

// translator carries witnesses back over the elimination of predicates.
type translator struct {
	resolve.Resolution
	// kept are the old predicates that the new system has, in the order of its predicates.
	kept []*chc.Predicate
	// removed are the others, in the order of their elimination.
	removed []elimination
}

// Model interprets the removed predicates, the last one first: each between what its definitions derive and what its
// uses allow, under the interpretations that are known by then.
func (t *translator) Model(ctx context.Context, m *witness.Model) (*witness.Model, error) {
	b := newInterpreter(ctx, t.Env, t.Old.Pool)
	defer b.close()
	for i, p := range t.kept {
		in, ok := m.Interpretations[t.New.Predicates[i]]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", p.Name)
		}
		b.known[p] = in
	}
	for i := len(t.removed) - 1; i >= 0; i-- {
		e := t.removed[i]
		in, err := b.interpret(ctx, e)
		if err != nil {
			return nil, fmt.Errorf("interpreting predicate %s: %w", e.pred.Name, err)
		}
		b.known[e.pred] = in
	}
	return &witness.Model{Interpretations: b.known}, nil
}

// interpreter finds interpretations of predicates from their clauses. It opens a solver only when the cheap ways do not
// suffice; close it after use.
type interpreter struct {
	env    transform.Environment
	pool   *term.Pool
	known  map[*chc.Predicate]witness.Interpretation
	opened smt.Context

	interpolator *itp.Interpolator
	begun        time.Duration
}

func newInterpreter(ctx context.Context, env transform.Environment, pool *term.Pool) *interpreter {
	return &interpreter{env: env, pool: pool, known: map[*chc.Predicate]witness.Interpretation{}, begun: work.Now(ctx)}
}

func (b *interpreter) close() {
	if b.opened != nil {
		b.opened.Close()
	}
	if b.interpolator != nil {
		b.interpolator.Close()
	}
}

// interpret returns an interpretation of e.pred that every definition implies and under which every use is valid, if
// there is one: the interpretations known so far make the resolvents of definitions and uses valid. It takes the
// strongest, what the definitions derive, or the weakest, what the uses allow, whichever is quantifier-free without a
// solver and smaller; otherwise an interpolant.
func (b *interpreter) interpret(ctx context.Context, e elimination) (witness.Interpretation, error) {
	if err := ctx.Err(); err != nil {
		return witness.Interpretation{}, err
	}
	if len(e.uses) == 0 {
		return witness.True(b.pool, e.pred), nil
	}
	g := &gap{params: witness.CanonicalParams(b.pool, e.pred)}
	for _, d := range e.defs {
		g.derived = append(g.derived, b.instance(d, d.Head.Args, g.params, b.premises(d, nil)))
	}
	body, err := b.fill(ctx, e, g)
	if err != nil {
		return witness.Interpretation{}, err
	}
	return witness.Interpretation{Params: g.params, Body: body}, nil
}

// gap is the room for an interpretation over params: the disjunction of derived implies it, and it excludes each of
// forbidden. The variables of these formulas other than params are existential.
type gap struct {
	params    []*term.Term
	derived   []*term.Term
	forbidden []*term.Term
}

// fill finds a formula in the gap.
func (b *interpreter) fill(ctx context.Context, e elimination, g *gap) (*term.Term, error) {
	strong := b.project(g.params, g.derived)
	if strong != nil && strong.Size() <= smallEnough {
		return strong, nil
	}
	if t := b.universal(e, g, strong); t != nil {
		return t, nil
	}
	var weak *term.Term
	if usedOnce(e) {
		for _, u := range e.uses {
			at := resolve.Position(u.Body, e.pred)
			g.forbidden = append(g.forbidden, b.instance(u, u.Body[at].Args, g.params, b.violation(u, at, nil)))
		}
		if t := b.project(g.params, g.forbidden); t != nil {
			weak = b.pool.Not(t)
		}
	}
	best := smaller(strong, weak)
	switch {
	case best != nil && (best.Size() <= smallEnough || b.env.Open == nil):
		return best, nil
	case b.env.Open == nil:
		return b.quantified(g), nil
	default:
		return b.between(ctx, e, g, strong, weak)
	}
}

// usedOnce reports whether no use has the predicate more than once.
func usedOnce(e elimination) bool {
	for _, u := range e.uses {
		if resolve.Occurrences(u.Body, e.pred) > 1 {
			return false
		}
	}
	return true
}

// smaller returns the smaller of two formulas, either of which may be nil.
func smaller(s, t *term.Term) *term.Term {
	if s == nil || t != nil && t.Size() < s.Size() {
		return t
	}
	return s
}

// project eliminates all variables but params from the disjunction of fs, or returns nil when that takes a quantifier or
// too much work.
func (b *interpreter) project(params, fs []*term.Term) *term.Term {
	p := qe.NewProjector(b.pool, params, qe.DefaultWork, qe.DefaultNodes)
	out := make([]*term.Term, len(fs))
	for i, f := range fs {
		t, ok := p.Exists(f)
		if !ok {
			return nil
		}
		out[i] = t
	}
	return b.pool.Or(out...)
}

// quantified is the strongest interpretation with its existential quantifier, the last resort.
func (b *interpreter) quantified(g *gap) *term.Term {
	f := b.pool.Or(g.derived...)
	return b.pool.Exists(variablesBut(f, g.params), f)
}

// variablesBut returns the free variables of f that are not among params.
func variablesBut(f *term.Term, params []*term.Term) []*term.Term {
	return slices.DeleteFunc(term.Vars(f), func(v *term.Term) bool { return slices.Contains(params, v) })
}

// meaning gives the formula that stands for the body atom number i of a clause; nil for the known interpretation.
type meaning func(i int) *term.Term

// premises is the conjunction of the clause's constraint and of what its body atoms mean.
func (b *interpreter) premises(c *chc.Clause, other meaning) *term.Term {
	fs := []*term.Term{c.Constraint}
	for i, a := range c.Body {
		var t *term.Term
		if other != nil {
			t = other(i)
		}
		if t == nil {
			t = b.known[a.Pred].Apply(b.pool, a.Args)
		}
		fs = append(fs, t)
	}
	return b.pool.And(fs...)
}

// violation is the formula that the clause's premises hold, but for the one at position skip, and its head does not.
func (b *interpreter) violation(c *chc.Clause, skip int, other meaning) *term.Term {
	f := b.premises(c, func(i int) *term.Term {
		switch {
		case i == skip:
			return b.pool.True()
		case other != nil:
			return other(i)
		default:
			return nil
		}
	})
	if c.Head == nil {
		return f
	}
	return b.pool.And(f, b.pool.Not(b.known[c.Head.Pred].Apply(b.pool, c.Head.Args)))
}

// instance returns "params = args and f" with variables replaced where args are variables. The clause's variables that
// are among params are renamed.
func (b *interpreter) instance(c *chc.Clause, args, params []*term.Term, f *term.Term) *term.Term {
	m := resolve.RenameApart(b.pool, c.Vars(), params)
	bound := make(map[*term.Term]bool, len(args))
	var open []int
	for i, t := range args {
		if t.IsVar() && !bound[t] {
			bound[t] = true
			m[t] = params[i]
		} else {
			open = append(open, i)
		}
	}
	sub := b.pool.NewSubstitution(m)
	fs := []*term.Term{sub.Apply(f)}
	for _, i := range open {
		fs = append(fs, b.pool.Eq(params[i], sub.Apply(args[i])))
	}
	return b.pool.And(fs...)
}
