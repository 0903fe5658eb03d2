package houdini

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

// checker is the solver of one predicate. It holds its clauses, one of which is applied; the candidates of their bodies,
// each behind its literal; and the denials of the predicate's own candidates, each behind its literal.
type checker struct {
	solver smt.Solver
	// assumable are the candidates of bodies that can be assumed.
	assumable []*candidate
	// deniable are the predicate's own candidates that can be denied.
	deniable []*candidate
	// goal is the literal of the last query.
	goal *term.Term
	// core are the candidates that the proofs of the last visit assumed.
	core map[*candidate]bool
	// open counts the queries of the present visit that had no answer.
	open int
}

// checkerFor returns the predicate's solver, opening it at the first use. Candidates of bodies that were dropped by then
// are left out for good.
func (in *inference) checkerFor(p *predicate) (*checker, error) {
	if p.checker != nil {
		return p.checker, nil
	}
	solver, err := in.smt.NewSolver(in.options.solver())
	if err != nil {
		return nil, fmt.Errorf("open the solver of %s: %w", p.Source.Name, err)
	}
	c := &checker{solver: solver}
	p.checker = c
	solver.SetLimit(smt.Limit{Time: in.options.checkLimit})
	pool := in.program.pool
	var tags, parts []*term.Term
	known := map[*candidate]bool{}
	for _, r := range p.Rules {
		tags = append(tags, r.Tag)
		parts = append(parts, pool.Implies(r.Tag, r.Trans))
		for _, a := range r.Body {
			// Without the tag, contradictory candidates of an atom would close the clauses that do not have it, too.
			for _, k := range in.program.of(a).live() {
				parts = append(parts, pool.Or(pool.Not(r.Tag), pool.Not(k.holds), in.program.copies.ToCopy(a, k.formula)))
				if !known[k] {
					known[k] = true
					c.assumable = append(c.assumable, k)
				}
			}
		}
	}
	parts = append(parts, pool.Or(tags...))
	c.deniable = p.live()
	for _, k := range c.deniable {
		parts = append(parts, pool.Or(k.passes, pool.Not(k.formula)))
	}
	if err := solver.Assert(parts...); err != nil {
		return nil, fmt.Errorf("assert the clauses of %s: %w", p.Source.Name, err)
	}
	return c, nil
}

// query asks whether one application of a clause of p, from what its body's candidates allow, makes one of the targets
// fail.
func (in *inference) query(ctx context.Context, p *predicate, targets []*candidate) (smt.Status, error) {
	c, err := in.checkerFor(p)
	if err != nil {
		return smt.Unknown, err
	}
	pool := in.program.pool
	goal := pool.Fresh("goal", term.Bool)
	some := []*term.Term{pool.Not(goal)}
	for _, k := range targets {
		some = append(some, pool.Not(k.passes))
	}
	// What was dropped, and what was asked before, is out of the solver's way.
	var given []*term.Term
	if c.goal != nil {
		given = append(given, pool.Not(c.goal))
	}
	c.goal = goal
	c.assumable = slices.DeleteFunc(c.assumable, func(k *candidate) bool {
		if k.dropped {
			given = append(given, pool.Not(k.holds))
		}
		return k.dropped
	})
	c.deniable = slices.DeleteFunc(c.deniable, func(k *candidate) bool {
		if k.dropped {
			given = append(given, k.passes)
		}
		return k.dropped
	})
	if err := c.solver.Assert(append(given, pool.Or(some...))...); err != nil {
		return smt.Unknown, fmt.Errorf("assert what %s has to show: %w", p.Source.Name, err)
	}
	assumptions := []*term.Term{goal}
	for _, k := range c.assumable {
		assumptions = append(assumptions, k.holds)
	}
	status, err := in.check(ctx, c.solver, p.Source.Name, assumptions)
	if status == smt.Unsat {
		used := map[*term.Term]bool{}
		for _, t := range c.solver.Core() {
			used[t] = true
		}
		for _, k := range c.assumable {
			if used[k.holds] {
				c.core[k] = true
			}
		}
	}
	return status, err
}

// check asks a solver, counts the answer and traces it. An answer that is no more than unknown has no error unless ctx
// is done.
func (in *inference) check(ctx context.Context, solver smt.Solver, name string, assumptions []*term.Term) (smt.Status, error) {
	began := time.Now()
	var status smt.Status
	var err error
	work.Measured(ctx, func(spent func() time.Duration) {
		status, err = solver.Check(ctx, assumptions...)
		in.worked += spent()
	})
	in.stats.Queries++
	in.count("checks", 1)
	if in.tracing() {
		in.emit("check", engine.Field{Name: "predicate", Value: name}, engine.Field{Name: "result", Value: status.String()},
			engine.Field{Name: "milliseconds", Value: float64(time.Since(began).Microseconds()) / 1000},
			engine.Field{Name: "assumptions", Value: len(assumptions)})
	}
	if ctx.Err() != nil {
		return smt.Unknown, context.Cause(ctx)
	}
	if err != nil {
		return smt.Unknown, fmt.Errorf("check candidates of %s: %w", name, err)
	}
	return status, nil
}

// refuted returns those of p's candidates that fail in the model of the last query: all that are false in it, not only
// those that the query asked about. Where none of the targets can be evaluated to false, those count that the model denies.
func (in *inference) refuted(p *predicate, targets []*candidate) ([]*candidate, error) {
	model, err := p.checker.solver.Model()
	if err != nil {
		return nil, fmt.Errorf("read a model for %s: %w", p.Source.Name, err)
	}
	evaluator := term.NewEvaluator(in.program.pool, term.Complete(in.program.pool, model))
	var out []*candidate
	for _, k := range p.live() {
		if evaluator.False(k.formula) {
			out = append(out, k)
		}
	}
	if slices.ContainsFunc(targets, func(k *candidate) bool { return slices.Contains(out, k) }) {
		return out, nil
	}
	for _, k := range targets {
		if evaluator.False(k.passes) {
			out = append(out, k)
		}
	}
	return out, nil
}
