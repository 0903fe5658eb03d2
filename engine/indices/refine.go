package indices

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/transform/expand"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// refine tracks more elements, so that the refutation is not one over elements any more: those that the core accesses, or else all
// that the refutation does. It reports whether there are any that are not tracked.
//
// Where all are tracked that a refutation over elements accesses, arrays that have these elements, and the same ones elsewhere, make it
// a refutation over arrays. So there are some, but where two constant arrays differ elsewhere.
func (l *loop) refine(ctx context.Context, s *spurious) (bool, error) {
	var all []part
	for i, n := range s.skeleton.Nodes {
		all = append(all, part{i, n.Clause.Constraint})
	}
	everything := l.untracked(s, all)
	found := l.untracked(s, s.core)
	if len(found) == 0 {
		found = everything
	}
	if len(found) == 0 {
		return false, nil
	}
	l.tracked.Track(found...)
	if l.minimise && len(found) > 1 {
		if err := l.fewer(ctx, s, found); err != nil {
			return false, err
		}
	}
	l.Stats.Set("indices.tracked", int64(l.tracked.Indices()))
	l.Stats.Set("indices.elements", int64(len(l.accessed)))
	return true, nil
}

// untracked are the elements that parts of a refutation access, for its values, and that are not tracked.
func (l *loop) untracked(s *spurious, parts []part) []expand.Index {
	var out []expand.Index
	for _, p := range parts {
		n := s.skeleton.Nodes[p.node]
		visit := func(i expand.Index) {
			l.accessed[i] = true
			if !l.tracked.Tracks(i) && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
		s.abstraction.Indices(n.Clause.ID, p.conjunct, s.refutation.Steps[n.Step], visit)
		for _, a := range n.Clause.Atoms() {
			for _, x := range a.Args {
				s.abstraction.Indices(n.Clause.ID, x, s.refutation.Steps[n.Step], visit)
			}
		}
	}
	return out
}

// fewer forgets some of the elements that were found, in ever smaller runs, while the others exclude the shape of the refutation.
// All together may exclude its values only: then all stay.
func (l *loop) fewer(ctx context.Context, s *spurious, found []expand.Index) error {
	if enough, err := l.excludes(ctx, s); err != nil || !enough {
		return err
	}
	for n := (len(found) + 1) / 2; ; n /= 2 {
		for end := len(found); end > 0; end -= n {
			begin := max(0, end-n)
			l.tracked.Forget(found[begin:end]...)
			enough, err := l.excludes(ctx, s)
			if err != nil {
				return err
			}
			if enough {
				found = slices.Delete(found, begin, end)
			} else {
				l.tracked.Track(found[begin:end]...)
			}
		}
		if n <= 1 {
			return nil
		}
	}
}

// excludes reports whether no values make the refutation's shape one over the elements that are tracked.
func (l *loop) excludes(ctx context.Context, s *spurious) (bool, error) {
	a, err := l.tracked.Abstract(ctx)
	if err != nil {
		return false, err
	}
	skeleton, err := witness.NewSkeleton(a.System, s.refutation, l.treeNodes)
	if err != nil {
		return false, fmt.Errorf("a derivation over other elements: %w", err)
	}
	formulas := equations(l.source.Pool, skeleton)
	for _, n := range skeleton.Nodes {
		formulas = append(formulas, l.source.Pool.Substitute(n.Clause.Constraint, n.Own))
	}
	solver, status, err := l.ask(ctx, formulas, nil)
	if err != nil {
		return false, err
	}
	solver.Close()
	return status == smt.Unsat, ctx.Err()
}
