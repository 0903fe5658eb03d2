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

// refine tracks a formula and its atoms, and returns how many of them were not tracked before.
func (p *precision) refine(formula *term.Term) int {
	added := 0
	track := func(t *term.Term) {
		if p.add(t) {
			added++
		}
	}
	track(formula)
	term.Walk(formula, func(t *term.Term) bool {
		atomic := t.IsBool() && t.IsLiteral() && !t.IsNot()
		if atomic {
			track(t)
		}
		return !atomic
	})
	return added
}

// given are the labels of a hyperedge's body, and the lemmas, over the copies in its rule.
func (x *explorer) given(e edge) []*term.Term {
	var out []*term.Term
	for i, n := range e.body {
		for _, c := range slices.Concat(n.label, x.lemmas[n.pred.ID]) {
			out = append(out, x.copies.ToCopy(e.rule.Body[i], c))
		}
	}
	return out
}

// post asks f of the solver with a hyperedge's rule and the labels of its body, unless these exclude the rule; m is a model
// where one is known.
func (x *explorer) post(ctx context.Context, e edge, f func(a *asker, m *smt.Model) error) (feasible bool, err error) {
	a, err := x.opened(x.posts[e.rule.ID], e.rule.Trans)
	if err != nil {
		return false, err
	}
	x.posts[e.rule.ID] = a
	err = a.given(x.given(e), func() error {
		status, m, err := x.query(ctx, a)
		feasible = status != smt.Unsat
		if err != nil || !feasible {
			return err
		}
		return f(a, m)
	})
	return feasible, err
}

// query is one abstraction query.
func (x *explorer) query(ctx context.Context, a *asker) (smt.Status, *smt.Model, error) {
	x.count("abstraction.queries", 1)
	return a.ask(ctx)
}

// top labels nodes with true. Of queries it is asked whether labels exclude them already.
func (x *explorer) top(ctx context.Context, e edge) ([]*term.Term, bool, error) {
	if e.rule.Head != x.system.Goal {
		return nil, true, nil
	}
	feasible, err := x.post(ctx, e, func(*asker, *smt.Model) error { return nil })
	return nil, feasible, err
}

// cartesian labels a node with the tracked predicates, and negations of them, that are entailed.
func (x *explorer) cartesian(ctx context.Context, e edge) (label []*term.Term, feasible bool, err error) {
	feasible, err = x.post(ctx, e, func(a *asker, m *smt.Model) error {
		label, err = x.entailed(ctx, e, a, m)
		return err
	})
	return label, feasible, err
}

// entailed returns the tracked predicates, and negations of them, that a hyperedge entails.
func (x *explorer) entailed(ctx context.Context, e edge, a *asker, m *smt.Model) ([]*term.Term, error) {
	var open []*term.Term
	for _, t := range x.precision[e.rule.Head.ID].predicates {
		open = append(open, t, x.pool.Not(t))
	}
	for len(open) > 0 {
		before := len(open)
		if m != nil {
			// A model refutes all candidates that are false in it at once.
			eval := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
			open = slices.DeleteFunc(open, func(t *term.Term) bool { return !eval.True(t) })
		}
		if len(open) == before {
			// The query was left open, or the model is none: less is entailed for sure.
			open = open[:before/2]
		}
		var status smt.Status
		err := a.given([]*term.Term{x.pool.Not(x.pool.And(open...))}, func() (err error) {
			status, m, err = x.query(ctx, a)
			return err
		})
		if err != nil || status == smt.Unsat {
			return open, err
		}
	}
	return nil, nil
}

// boolean labels a node with the strongest Boolean combination of the tracked predicates that is entailed, as long as they are
// few.
func (x *explorer) boolean(ctx context.Context, e edge) (label []*term.Term, feasible bool, err error) {
	feasible, err = x.post(ctx, e, func(a *asker, m *smt.Model) error {
		if label, err = x.entailed(ctx, e, a, m); err != nil {
			return err
		}
		// What is entailed one way or the other needs no choice.
		open := slices.DeleteFunc(slices.Clone(x.precision[e.rule.Head.ID].predicates), func(t *term.Term) bool {
			return slices.Contains(label, t) || slices.Contains(label, x.pool.Not(t))
		})
		if len(open) < 2 || len(open) > mostBoolean {
			return nil
		}
		cubes, err := x.cubes(ctx, a, open)
		if cubes != nil {
			label = append(label, x.pool.Or(cubes...))
		}
		return err
	})
	return label, feasible, err
}

// cubes returns the combinations of predicates that a hyperedge's head can satisfy, nil where they are not found.
func (x *explorer) cubes(ctx context.Context, a *asker, predicates []*term.Term) ([]*term.Term, error) {
	var cubes []*term.Term
	for {
		var status smt.Status
		var m *smt.Model
		err := a.given([]*term.Term{x.pool.Not(x.pool.Or(cubes...))}, func() (err error) {
			status, m, err = x.query(ctx, a)
			return err
		})
		if err != nil || status == smt.Unsat {
			return cubes, err
		}
		if m == nil {
			return nil, nil
		}
		eval := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
		cube := make([]*term.Term, len(predicates))
		for i, t := range predicates {
			cube[i] = t
			if !eval.True(t) {
				cube[i] = x.pool.Not(t)
			}
		}
		next := x.pool.And(cube...)
		if slices.Contains(cubes, next) {
			return nil, nil
		}
		cubes = append(cubes, next)
	}
}
