package houdini

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// Engine is the inference as an engine: sat when what survives excludes every query.
func Engine() engine.Engine {
	return engine.Engine{
		Name: "houdini",
		Doc: "Proves with the largest inductive subset of a pool of candidate summaries that is made from the clauses; " +
			"never refutes. For summaries that other engines start from, and for comparison.",
		Options:  new(options).table(),
		Fragment: func(*chc.System) error { return nil },
		Solve:    solve,
	}
}

func solve(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
	o, err := newOptions(s)
	if err != nil {
		return engine.Answer{}, err
	}
	// A small pool is settled in a fraction of the time of a large one, and often has what is needed.
	var open string
	for made, n := -1, 0; n < o.pools; n++ {
		candidates := makeCandidates(sys, &o)
		if size := total(candidates); size > made {
			made = size
		} else {
			break
		}
		answer, left, err := inferModel(ctx, sys, s, candidates)
		if err != nil || answer.Verdict == engine.Sat {
			return engine.Ended(ctx, "houdini", answer, err)
		}
		open = left
		o.candidates *= poolGrowth
	}
	return engine.Answer{Reason: "houdini tries given candidates only (--engine spacer makes its own), and those that are inductive do not exclude " + open}, nil
}

// inferModel returns sat with what survives of the candidates, or the name of a query that it does not exclude.
func inferModel(ctx context.Context, sys *chc.System, s engine.Settings, candidates map[*chc.Predicate][]*term.Term) (engine.Answer, string, error) {
	in, err := newInference(sys, s, withSuggested(s.Candidates, candidates))
	if err != nil {
		return engine.Answer{}, "", err
	}
	defer in.close()
	open, err := in.prove(ctx)
	if err != nil || open != "" {
		return engine.Answer{}, open, err
	}
	return engine.Answer{Verdict: engine.Sat, Model: in.model()}, "", nil
}

func total(candidates map[*chc.Predicate][]*term.Term) int {
	n := 0
	for _, fs := range candidates {
		n += len(fs)
	}
	return n
}

// withSuggested puts the candidates that the source suggests before those that were made.
func withSuggested(suggested, made map[*chc.Predicate][]*term.Term) map[*chc.Predicate][]*term.Term {
	for p, fs := range suggested {
		made[p] = slices.Concat(fs, made[p])
	}
	return made
}

// prove runs the inference and returns the name of the first query that what survives does not exclude, or nothing.
func (in *inference) prove(ctx context.Context) (string, error) {
	if err := in.run(ctx); err != nil {
		return "", err
	}
	strongest := in.strongest()
	for _, q := range in.program.system.Goal.Rules {
		excluded, err := in.excludes(ctx, q, strongest)
		if err != nil || !excluded {
			return queryName(q.Clause), err
		}
	}
	return "", nil
}

// excludes reports whether a query's constraint contradicts what survives of its body.
func (in *inference) excludes(ctx context.Context, q *rule.Rule, survivors map[*chc.Predicate][]*term.Term) (bool, error) {
	solver, err := in.smt.NewSolver(in.options.solver())
	if err != nil {
		return false, fmt.Errorf("open a solver for a query: %w", err)
	}
	defer solver.Close()
	solver.SetLimit(smt.Limit{Time: patience * in.options.checkLimit})
	parts := []*term.Term{q.Trans}
	for _, a := range q.Body {
		for _, f := range survivors[a.Pred.Source] {
			parts = append(parts, in.program.copies.ToCopy(a, f))
		}
	}
	if err := solver.Assert(parts...); err != nil {
		return false, fmt.Errorf("assert a query: %w", err)
	}
	status, err := in.check(ctx, solver, "goal", nil)
	return status == smt.Unsat, err
}

// queryName names a query for the user: by its name or its place in the source, and its index.
func queryName(c *chc.Clause) string {
	name := fmt.Sprintf("query %d", c.ID)
	switch {
	case c.Name != "":
		return name + " (" + c.Name + ")"
	case c.Pos.Line != 0:
		return name + " (" + c.Pos.String() + ")"
	}
	return name
}

// model interprets every predicate by what survives.
func (in *inference) model() *witness.Model {
	strongest := in.strongest()
	return in.program.system.Model(func(p *rule.Predicate) []*term.Term { return strongest[p.Source] })
}
