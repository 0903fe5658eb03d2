package indices

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/transform/expand"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// refine tracks more elements, so that the derivation is not one over elements any more: those that the core accesses or, where these do
// not exclude it, all that the derivation does. Of those of the core no more than are needed are tracked; where they are not enough,
// most are needed as a rule. It reports whether there are any that are not tracked.
//
// Where all are tracked that a refutation over elements accesses, arrays that have these elements, and the same ones elsewhere, make it
// a refutation over arrays. So there are some, but where two constant arrays differ elsewhere.
func (l *loop) refine(ctx context.Context, d *derivation, core []part) (bool, error) {
	var all []part
	for i := range d.skeleton.Nodes {
		all = append(all, part{i, d.constraint(l.source.Pool, i)})
	}
	everything := l.untracked(d, all)
	if len(everything) == 0 {
		return false, nil
	}
	found := l.untracked(d, core)
	l.tracked.Track(found...)
	switch enough, err := l.excludes(ctx, d, l.work); {
	case err != nil:
		return false, err
	case !enough:
		l.tracked.Track(everything...)
	default:
		if err := l.fewer(ctx, d, found); err != nil {
			return false, err
		}
	}
	l.Stats.Set("indices.tracked", int64(l.tracked.Indices()))
	l.Stats.Set("indices.elements", int64(len(l.accessed)))
	return true, nil
}

// untracked are the elements that parts of a derivation access, for its values, and that are not tracked.
func (l *loop) untracked(d *derivation, parts []part) []expand.Index {
	var out []expand.Index
	for _, p := range parts {
		n := d.skeleton.Nodes[p.node]
		visit := func(i expand.Index) {
			l.accessed[i] = true
			if !l.tracked.Tracks(i) && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
		formulas := []*term.Term{p.conjunct}
		if p.conjunct == nil {
			formulas = nil
		}
		for _, a := range n.Clause.Atoms() {
			formulas = append(formulas, a.Args...)
		}
		for _, f := range formulas {
			d.abstraction.Indices(n.Clause.ID, f, d.refutation.Steps[n.Step], visit)
		}
	}
	return out
}

// fewer forgets some of the elements that were found, in ever smaller runs, while the others exclude the derivation.
func (l *loop) fewer(ctx context.Context, d *derivation, found []expand.Index) error {
	if l.minimiseWork == 0 || len(found) < 2 {
		return nil
	}
	for n := (len(found) + 1) / 2; ; n /= 2 {
		for end := len(found); end > 0; end -= n {
			begin := max(0, end-n)
			l.tracked.Forget(found[begin:end]...)
			enough, err := l.excludes(ctx, d, l.minimiseWork)
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

// excludes reports whether, as far as the solver tells with so much work, no values make the derivation's shape one over the elements that are tracked.
func (l *loop) excludes(ctx context.Context, d *derivation, work int) (bool, error) {
	a, err := l.tracked.Abstract(ctx)
	if err != nil {
		return false, err
	}
	skeleton, err := witness.NewSkeleton(a.System, d.refutation, l.treeNodes)
	if err != nil {
		return false, fmt.Errorf("a derivation over other elements: %w", err)
	}
	e, err := execute(ctx, l.source.Pool, skeleton, func(node int) *term.Term {
		return a.Over(skeleton.Nodes[node].Clause.ID, d.constraint(l.source.Pool, node))
	})
	if err != nil {
		return false, err
	}
	if _, ok := e.contradiction(); ok {
		return true, nil
	}
	solver, status, err := l.ask(ctx, e.formulas(), nil, work)
	if err != nil {
		return false, err
	}
	solver.Close()
	return status == smt.Unsat, ctx.Err()
}
