package spacer

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// derivation is how GPDR, which keeps no must summaries, remembers the way to an obligation: the rule, a cube for each
// body atom such that the obligation is reachable when all of them are, and the reach facts found for them so far. Facts
// serve to justify the refutation only; no query ever sees them.
type derivation struct {
	rule  *rule.Rule
	cubes [][]*term.Term
	facts []*fact
	child *obligation
}

// derive makes a derivation from a model of an obligation's rule. A single body atom gets the projection of the rule;
// several get the model's values, since their projections would depend on each other.
func (pr *prover) derive(o *obligation, answer *reachability) (*derivation, error) {
	r := answer.rule
	d := &derivation{rule: r, facts: make([]*fact, 0, len(r.Body))}
	values := term.Complete(pr.pool, answer.model)
	for _, a := range r.Body {
		var cube []*term.Term
		if len(r.Body) == 1 {
			var err error
			if cube, err = pr.projectTo(append([]*term.Term{r.Trans}, o.post...), a.Args, answer.model); err != nil {
				return nil, fmt.Errorf("project an obligation of %s: %w", a.Pred.Name, err)
			}
		} else {
			for _, v := range a.Args {
				value, ok := values.Lookup(v)
				if !ok {
					return nil, &engine.Incomplete{Reason: engine.Unfounded(fmt.Sprintf("the value of an argument of %s is not determined", a.Pred.Name))}
				}
				cube = append(cube, pr.pool.Eq(v, value.Term(pr.pool)))
			}
		}
		for k, t := range cube {
			cube[k] = pr.copies.ToParams(a, t)
		}
		d.cubes = append(d.cubes, cube)
	}
	return d, nil
}

// next returns the obligation for the derivation's first atom without a fact, or nil when there is none.
func (pr *prover) next(o *obligation) *obligation {
	d := o.derivation
	i := len(d.facts)
	if i == len(d.cubes) {
		return nil
	}
	d.child = pr.obligationFor(pr.of(d.rule.Body[i].Pred), d.cubes[i], o.level-1, o)
	return d.child
}

// follow continues an obligation's derivation after its child was looked at. It reports whether there is one to
// continue: a blocked child ends it, and the obligation has to be asked anew.
func (pr *prover) follow(ctx context.Context, o *obligation) (expansion, bool, error) {
	d := o.derivation
	if d == nil {
		return expansion{}, false, nil
	}
	if d.child.reached == nil {
		o.derivation = nil
		return expansion{}, false, nil
	}
	d.facts = append(d.facts, d.child.reached)
	if child := pr.next(o); child != nil {
		return expansion{child: child}, true, nil
	}
	o.derivation = nil
	f, err := pr.fromDerivation(ctx, o, d)
	if err != nil {
		return expansion{}, false, err
	}
	o.reached = f
	return expansion{reached: true}, true, nil
}

// fromDerivation is the rule Successor on a derivation whose atoms all have facts.
func (pr *prover) fromDerivation(ctx context.Context, o *obligation, d *derivation) (*fact, error) {
	solver, err := pr.smt.NewSolver(pr.options.solver())
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	formulas := append(slices.Clone(o.post), d.rule.Trans)
	for i, f := range d.facts {
		formulas = append(formulas, f.at(pr, d.rule.Body[i]))
	}
	if err := solver.Assert(formulas...); err != nil {
		return nil, err
	}
	status, err := pr.ask(ctx, solver, o.pred, nil)
	if err != nil {
		return nil, err
	}
	if status != smt.Sat {
		return nil, &engine.Incomplete{Reason: engine.Unfounded(fmt.Sprintf("the solver's values for a derivation of %s were %s when they were asked for together", o.pred.Name, status))}
	}
	m, err := solver.Model()
	if err != nil {
		return nil, err
	}
	return pr.newFact(d.rule, d.facts, m)
}
