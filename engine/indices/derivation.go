package indices

import (
	"context"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/chc/transform/expand"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// spurious is a refutation over elements that is none over the arrays.
type spurious struct {
	abstraction *expand.Abstraction
	refutation  *witness.Refutation
	skeleton    *witness.Skeleton
	// core are the parts of the constraints that contradict each other on the arrays.
	core []part
}

// part is a conjunct of the constraint of a node's clause.
type part struct {
	node     int
	conjunct *term.Term
}

// derivation tries a refutation over elements on the arrays, and tracks more of them where it does not hold there. It returns an
// answer with a verdict, with the reason why to give up, or one without either.
func (l *loop) derivation(ctx context.Context, a *expand.Abstraction, r *witness.Refutation) (engine.Answer, error) {
	skeleton, err := witness.NewSkeleton(l.source, r, l.treeNodes)
	if err != nil {
		return engine.Answer{}, err
	}
	l.Stats.Add("indices.derivations", 1)
	status, found, core, err := l.onArrays(ctx, skeleton)
	if err != nil {
		return engine.Answer{}, err
	}
	l.emit("derivation", engine.Field{Name: "steps", Value: len(skeleton.Nodes)}, engine.Field{Name: "holds", Value: found != nil},
		engine.Field{Name: "spurious", Value: status == smt.Unsat})
	switch {
	case found != nil:
		return engine.Answer{Verdict: engine.Unsat, Refutation: found}, nil
	case status != smt.Unsat:
		return engine.Answer{Reason: "indices: the solver could not decide whether a derivation over elements is one over the arrays; try --engine spacer"}, nil
	}
	more, err := l.refine(ctx, &spurious{a, r, skeleton, core})
	if err == nil && !more {
		return engine.Answer{Reason: "indices: a derivation does not hold on the arrays though all that it accesses is tracked; try --engine spacer"}, nil
	}
	return engine.Answer{}, err
}

// onArrays asks whether a skeleton is a refutation of the source. It returns one that passed its check after sat, unless the solver's
// values are wrong, and after unsat the parts of the constraints that the proof used.
func (l *loop) onArrays(ctx context.Context, s *witness.Skeleton) (smt.Status, *witness.Refutation, []part, error) {
	guarded := map[*term.Term]part{}
	var formulas, guards []*term.Term
	for i, n := range s.Nodes {
		own := l.source.Pool.NewSubstitution(n.Own)
		for _, c := range term.Conjuncts(n.Clause.Constraint) {
			g := l.source.Pool.Fresh("part", term.Bool)
			guarded[g] = part{i, c}
			guards = append(guards, g)
			formulas = append(formulas, l.source.Pool.Implies(g, own.Apply(c)))
		}
	}
	solver, status, err := l.ask(ctx, append(formulas, equations(l.source.Pool, s)...), guards)
	if err != nil {
		return status, nil, nil, err
	}
	defer solver.Close()
	var core []part
	switch status {
	case smt.Unsat:
		for _, g := range solver.Core() {
			core = append(core, guarded[g])
		}
	case smt.Sat:
		m, err := solver.Model()
		if err != nil {
			return status, nil, nil, fmt.Errorf("reading the values of a refutation: %w", err)
		}
		if r := s.Refutation(m); witness.CheckRefutation(ctx, l.source, r) == nil {
			return status, r, nil, nil
		}
	}
	return status, nil, core, ctx.Err()
}

// equations say that the terms of each link are equal.
func equations(p *term.Pool, s *witness.Skeleton) []*term.Term {
	out := make([]*term.Term, len(s.Links))
	for i, link := range s.Links {
		out[i] = p.Eq(link[0], link[1])
	}
	return out
}

// ask decides formulas under assumptions. The solver is the caller's to close, unless there is an error.
func (l *loop) ask(ctx context.Context, formulas, assumptions []*term.Term) (smt.Solver, smt.Status, error) {
	solver, err := l.context.NewSolver(smt.Params{})
	if err != nil {
		return nil, smt.Unknown, fmt.Errorf("opening a solver: %w", err)
	}
	solver.SetLimit(smt.Limit{Time: l.queryLimit})
	status := smt.Unknown
	if err = solver.Assert(formulas...); err == nil {
		status, err = solver.Check(ctx, assumptions...)
	}
	l.Stats.Add("indices.queries", 1)
	if err != nil {
		solver.Close()
		return nil, smt.Unknown, fmt.Errorf("checking a derivation: %w", err)
	}
	return solver, status, nil
}
