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

// model interprets each predicate by the disjunction of the labels of its active nodes, and the lemmas.
func (x *explorer) model() *witness.Model {
	return x.system.Model(func(p *rule.Predicate) []*term.Term {
		var labels []*term.Term
		for _, n := range x.of[p.ID] {
			if n.active {
				labels = append(labels, x.pool.And(n.label...))
			}
		}
		return append(slices.Clone(x.lemmas[p.ID]), x.pool.Or(labels...))
	})
}

// instance is a place of a derivation over variables of its own: args stand for the parameters, and values for all variables of
// the rule.
type instance struct {
	args   []*term.Term
	values *term.Substitution
}

// instantiate gives each place of a derivation variables of its own, and returns the formulas that then hold.
func (x *explorer) instantiate(d *derivation) ([]instance, []*term.Term) {
	instances := make([]instance, len(d.places))
	formulas := make([]*term.Term, len(d.places))
	for i, at := range d.places {
		n := at.node
		args := n.pred.Fresh()
		m := map[*term.Term]*term.Term{}
		for k, v := range n.pred.Params {
			m[v] = args[k]
		}
		for _, v := range n.rule.Locals {
			m[v] = x.pool.Fresh(v.Name(), v.Sort())
		}
		for k, a := range n.rule.Body {
			for j, v := range a.Args {
				m[v] = instances[at.body[k]].args[j]
			}
		}
		instances[i] = instance{args, x.pool.NewSubstitution(m)}
		formulas[i] = instances[i].values.Apply(n.rule.Trans)
	}
	return instances, formulas
}

// refutation finds values for a derivation.
func (x *explorer) refutation(ctx context.Context, d *derivation) (*witness.Refutation, error) {
	instances, formulas := x.instantiate(d)
	m, err := smt.Satisfy(ctx, x.smt, x.options.tunings(), x.options.checkLimit(), x.pool, formulas)
	if err != nil {
		return nil, fmt.Errorf("find the values of a refutation: %w", err)
	}
	if m == nil {
		return nil, &engine.Incomplete{Reason: engine.Unfounded("no solver found values for the refutation")}
	}
	return x.ground(d, instances, m)
}

// ground evaluates a derivation under a model.
func (x *explorer) ground(d *derivation, instances []instance, m *smt.Model) (*witness.Refutation, error) {
	eval := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
	b := witness.NewRefutationBuilder(x.pool)
	steps := make([]int, len(d.places))
	for i, at := range d.places {
		premises := make([]int, len(at.body))
		for k, c := range at.body {
			premises[k] = steps[c]
		}
		step, err := at.node.rule.Step(func(t *term.Term) (term.Value, bool) { return eval.Eval(instances[i].values.Apply(t)) }, premises)
		if err != nil {
			return nil, &engine.Incomplete{Reason: engine.Unfounded(err.Error())}
		}
		steps[i] = b.Add(step.Clause, step.Values, step.Premises)
	}
	return b.Refutation(steps[len(steps)-1]), nil
}
