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

// derivation is a refutation over elements, whose shape is tried on the arrays.
type derivation struct {
	abstraction *expand.Abstraction
	refutation  *witness.Refutation
	skeleton    *witness.Skeleton
	// narrow says that of the constraints only what the refutation's values make true is looked at: one path where a clause is several.
	narrow bool
}

// derivation tries a refutation over elements on the arrays, and tracks more of them where it does not hold there. It returns an
// answer with a verdict, with the reason why to give up, or one without either.
func (l *loop) derivation(ctx context.Context, a *expand.Abstraction, r *witness.Refutation) (engine.Answer, error) {
	skeleton, err := witness.NewSkeleton(l.source, r, l.treeNodes)
	if err != nil {
		return engine.Answer{}, err
	}
	l.Stats.Add("indices.derivations", 1)
	d := &derivation{abstraction: a, refutation: r, skeleton: skeleton}
	status, found, core, err := l.onArrays(ctx, d)
	if err == nil && status == smt.Unknown && found == nil {
		d.narrow = true
		status, found, core, err = l.onArrays(ctx, d)
	}
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
	more, err := l.refine(ctx, d, core)
	if err == nil && !more {
		return engine.Answer{Reason: "indices: a derivation does not hold on the arrays though all that it accesses is tracked; try --engine spacer"}, nil
	}
	return engine.Answer{}, err
}

// constraint is what is looked at of the constraint of a node.
func (d *derivation) constraint(p *term.Pool, node int) *term.Term {
	n := d.skeleton.Nodes[node]
	if !d.narrow {
		return n.Clause.Constraint
	}
	holds := d.abstraction.Holds(n.Clause.ID, d.refutation.Steps[n.Step])
	return path(p, n.Clause.Constraint, holds)
}

// path is a formula without the disjuncts but one that holds, and without the branches that are not taken: it implies the formula.
func path(p *term.Pool, f *term.Term, holds func(*term.Term) bool) *term.Term {
	switch {
	case f.IsAnd():
		parts := make([]*term.Term, len(f.Args()))
		for i, g := range f.Args() {
			parts[i] = path(p, g, holds)
		}
		return p.And(parts...)
	case f.IsOr():
		for _, g := range f.Args() {
			if holds(g) {
				return path(p, g, holds)
			}
		}
	case f.IsIte() && f.IsBool():
		if c := f.Arg(0); holds(c) {
			return p.And(c, path(p, f.Arg(1), holds))
		} else if n := p.Not(c); holds(n) {
			return p.And(n, path(p, f.Arg(2), holds))
		}
	}
	return f
}

// onArrays asks whether a derivation is a refutation of the source. It returns one that passed its check after sat, unless the solver's
// values are wrong, and after unsat the parts of the constraints that the proof used in the end, after what defines variables.
func (l *loop) onArrays(ctx context.Context, d *derivation) (smt.Status, *witness.Refutation, []part, error) {
	e, err := execute(ctx, l.source.Pool, d.skeleton, func(node int) *term.Term { return d.constraint(l.source.Pool, node) })
	if err != nil {
		return smt.Unknown, nil, nil, err
	}
	if c, ok := e.contradiction(); ok {
		return smt.Unsat, nil, []part{c.part}, nil
	}
	guarded := map[*term.Term]part{}
	var formulas, guards []*term.Term
	for _, c := range e.conditions {
		g := l.source.Pool.Fresh("part", term.Bool)
		guarded[g] = c.part
		guards = append(guards, g)
		formulas = append(formulas, l.source.Pool.Implies(g, c.formula))
	}
	solver, status, err := l.ask(ctx, formulas, guards, l.work)
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
		if r := d.skeleton.Refutation(e.assignment(m)); witness.CheckRefutation(ctx, l.source, r) == nil {
			return status, r, nil, nil
		}
	}
	return status, nil, core, ctx.Err()
}

// ask decides formulas under assumptions. The solver is the caller's to close, unless there is an error.
func (l *loop) ask(ctx context.Context, formulas, assumptions []*term.Term, work int) (smt.Solver, smt.Status, error) {
	solver, err := l.context.NewSolver(smt.Params{})
	if err != nil {
		return nil, smt.Unknown, fmt.Errorf("opening a solver: %w", err)
	}
	solver.SetLimit(smt.Limit{Resources: uint64(work)})
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
