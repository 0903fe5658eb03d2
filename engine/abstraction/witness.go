package abstraction

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// model interprets each predicate by the disjunction of the labels of its active nodes.
func (x *explorer) model() *witness.Model {
	return x.system.Model(func(p *rule.Predicate) []*term.Term {
		var labels []*term.Term
		for _, n := range x.of[p.ID] {
			if n.active {
				labels = append(labels, x.pool.And(n.label...))
			}
		}
		return []*term.Term{x.pool.Or(labels...)}
	})
}

// refutation finds values for a derivation. A solver's model is not believed: where it does not satisfy the formulas, solvers
// with other settings are asked.
func (x *explorer) refutation(ctx context.Context, d *derivation) (*witness.Refutation, error) {
	var formulas []*term.Term
	for _, in := range d.instances {
		formulas = append(formulas, in.formula)
	}
	for _, params := range x.options.tunings() {
		m, err := x.values(ctx, params, formulas)
		if err != nil {
			return nil, fmt.Errorf("find the values of a refutation: %w", err)
		}
		if m != nil {
			return x.ground(d, m)
		}
	}
	return nil, &incomplete{engine.Unfounded("no solver found values for the refutation")}
}

// values returns a model under which the formulas hold, nil when the solver has none.
func (x *explorer) values(ctx context.Context, params smt.Params, formulas []*term.Term) (*smt.Model, error) {
	solver, err := x.smt.NewSolver(params)
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	defer solver.Close()
	solver.SetLimit(x.options.checkLimit())
	if err := solver.Assert(formulas...); err != nil {
		return nil, err
	}
	status, m, err := (&asker{solver: solver}).ask(ctx)
	if err != nil || status != smt.Sat {
		return nil, err
	}
	eval := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
	if slices.ContainsFunc(formulas, func(f *term.Term) bool { return !eval.True(f) }) {
		return nil, nil
	}
	return m, nil
}

// ground evaluates a derivation under a model.
func (x *explorer) ground(d *derivation, m *smt.Model) (*witness.Refutation, error) {
	eval := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
	b := witness.NewRefutationBuilder(x.pool)
	steps := map[*instance]int{}
	last := 0
	for _, in := range d.instances {
		premises := make([]int, len(in.body))
		for i, c := range in.body {
			premises[i] = steps[c]
		}
		step, err := in.node.rule.Step(func(t *term.Term) (term.Value, bool) { return eval.Eval(in.values.Apply(t)) }, premises)
		if err != nil {
			return nil, &incomplete{engine.Unfounded(err.Error())}
		}
		last = b.Add(step.Clause, step.Values, step.Premises)
		steps[in] = last
	}
	return b.Refutation(last), nil
}
