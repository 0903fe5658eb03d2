package abstraction

import (
	"context"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// precision are the predicates that are tracked of one predicate, each once.
type precision struct {
	predicates []*term.Term
	known      map[*term.Term]bool
}

// add tracks a predicate, and reports whether it was not tracked before. Of a predicate and its negation one is enough.
func (p *precision) add(t *term.Term) bool {
	if t.IsTrue() || t.IsFalse() {
		return false
	}
	atom, _ := t.Atom()
	if p.known == nil {
		p.known = map[*term.Term]bool{}
	}
	if p.known[atom] {
		return false
	}
	p.known[atom] = true
	p.predicates = append(p.predicates, atom)
	return true
}

// given are the labels of a hyperedge's body, over the copies in its rule.
func (x *explorer) given(e edge) []*term.Term {
	var out []*term.Term
	for i, n := range e.body {
		for _, c := range n.label {
			out = append(out, x.copies.ToCopy(e.rule.Body[i], c))
		}
	}
	return out
}

// feasible reports whether a hyperedge may be feasible, with a model where it is known to be.
func (x *explorer) feasible(ctx context.Context, a *asker, given []*term.Term) (bool, *smt.Model, error) {
	x.count("abstraction.queries", 1)
	status, m, err := a.ask(ctx, given...)
	return status != smt.Unsat, m, err
}

// top labels nodes with true. Of queries it is asked whether labels exclude them already.
func (x *explorer) top(ctx context.Context, e edge) ([]*term.Term, bool, error) {
	if e.rule.Head != x.system.Goal {
		return nil, true, nil
	}
	a, err := x.post(e.rule)
	if err != nil {
		return nil, false, err
	}
	feasible, _, err := x.feasible(ctx, a, x.given(e))
	return nil, feasible, err
}

// cartesian labels a node with the tracked predicates, and negations of them, that are entailed.
func (x *explorer) cartesian(ctx context.Context, e edge) ([]*term.Term, bool, error) {
	a, err := x.post(e.rule)
	if err != nil {
		return nil, false, err
	}
	given := x.given(e)
	feasible, m, err := x.feasible(ctx, a, given)
	if err != nil || !feasible || m == nil {
		return nil, feasible, err
	}
	var open []*term.Term
	for _, t := range x.precision[e.rule.Head.ID].predicates {
		open = append(open, t, x.pool.Not(t))
	}
	// Every model refutes all candidates that are false in it at once.
	refute := func(m *smt.Model) {
		eval := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
		open = slices.DeleteFunc(open, func(t *term.Term) bool { return !eval.True(t) })
	}
	refute(m)
	for len(open) > 0 {
		x.count("abstraction.queries", 1)
		status, m, err := a.ask(ctx, append(slices.Clone(given), x.pool.Not(x.pool.And(open...)))...)
		if err != nil {
			return nil, false, err
		}
		if status == smt.Unsat {
			break
		}
		before := len(open)
		if status == smt.Sat {
			refute(m)
		}
		if len(open) == before {
			// The query was left open, or the model is none: less is entailed for sure.
			open = open[:before/2]
		}
	}
	return open, true, nil
}

// boolean labels a node with the strongest Boolean combination of the tracked predicates that is entailed, as long as they are
// few.
func (x *explorer) boolean(ctx context.Context, e edge) ([]*term.Term, bool, error) {
	label, feasible, err := x.cartesian(ctx, e)
	if err != nil || !feasible {
		return nil, feasible, err
	}
	// What is entailed one way or the other needs no choice.
	open := slices.DeleteFunc(slices.Clone(x.precision[e.rule.Head.ID].predicates), func(t *term.Term) bool {
		return slices.Contains(label, t) || slices.Contains(label, x.pool.Not(t))
	})
	if len(open) < 2 || len(open) > mostBoolean {
		return label, true, nil
	}
	a, err := x.post(e.rule)
	if err != nil {
		return nil, false, err
	}
	given := x.given(e)
	var cubes []*term.Term
	for {
		x.count("abstraction.queries", 1)
		status, m, err := a.ask(ctx, append(slices.Clone(given), x.pool.Not(x.pool.Or(cubes...)))...)
		if err != nil {
			return nil, false, err
		}
		if status == smt.Unsat {
			return append(label, x.pool.Or(cubes...)), true, nil
		}
		if status == smt.Unknown {
			return label, true, nil
		}
		eval := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
		cube := make([]*term.Term, len(open))
		for i, t := range open {
			cube[i] = t
			if !eval.True(t) {
				cube[i] = x.pool.Not(t)
			}
		}
		next := x.pool.And(cube...)
		if slices.Contains(cubes, next) {
			return label, true, nil
		}
		cubes = append(cubes, next)
	}
}
