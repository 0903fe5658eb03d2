package inline

import (
	"context"
	"slices"
	"time"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// concretise looks whether the counterexample of an abstraction is one of the clauses: with every argument passed, its
// formula has a model, which is a refutation, or it is spurious and the groups that show that are tracked from then on.
// The answer is nil after that.
func (h *hunter) concretise(ctx context.Context, d *derivation, m *smt.Model) (*engine.Answer, error) {
	p, status, concrete, err := h.retrace(ctx, d)
	switch {
	case err != nil:
		return nil, err
	case status == smt.Sat:
		return answered(h.unsafe(ctx, d, concrete))
	case len(p.candidates) == 0:
		// The path is passed all that it is passed in the tree, which has the model.
		return answered(h.unsafe(ctx, d, m))
	}
	return nil, p.exclude(ctx, status)
}

// spurious reports whether a counterexample with open sites, whose calls may return anything, is none of the clauses; the
// groups that show that are tracked from then on. Where the solver leaves it open it counts as a counterexample.
func (h *hunter) spurious(ctx context.Context, d *derivation) (bool, error) {
	p, status, _, err := h.retrace(ctx, d)
	if err != nil || status != smt.Unsat || len(p.candidates) == 0 {
		return false, err
	}
	return true, p.exclude(ctx, status)
}

// retrace checks the path of a derivation with every argument passed.
func (h *hunter) retrace(ctx context.Context, d *derivation) (*path, smt.Status, *smt.Model, error) {
	h.count("inline.concretised", 1)
	begin := time.Now()
	p := h.newPath(d)
	status, m, err := p.concrete(ctx)
	h.settings.Stats.AddTime("time.inline.concretise", time.Since(begin))
	return p, status, m, err
}

// exclude tracks what makes the path correct. Where it is not known to be, or the tree's model says what the path's does
// not, that is all that is passed on it, by which nothing is lost.
func (p *path) exclude(ctx context.Context, status smt.Status) error {
	defer p.close()
	begin := time.Now()
	all := p.candidates
	added := all
	if status == smt.Unsat {
		var err error
		if added, err = p.refiner(ctx, p); err != nil {
			return err
		}
		if len(added) == 0 {
			added = all
		}
	}
	p.settings.Stats.AddTime("time.inline.refine", time.Since(begin))
	p.count("inline.refinements", 1)
	p.count("inline.refine.checks", int64(p.checks))
	p.track(added)
	p.set("inline.tracked", int64(p.tracking.count()))
	if p.tracing() {
		p.emit("refine", engine.Field{Name: "steps", Value: len(p.nodes)}, engine.Field{Name: "candidates", Value: len(all)},
			engine.Field{Name: "core", Value: len(p.candidates)}, engine.Field{Name: "checks", Value: p.checks},
			engine.Field{Name: "tracked", Value: p.tracking.namesOf(added)})
	}
	return nil
}

// refiner finds a minimal set of candidates whose tracking makes a path correct that is so when all are tracked.
type refiner func(ctx context.Context, p *path) ([]int, error)

// refiners are the algorithms by the values of inline.refine. With core, Alg. 2 starts with the candidates in a proof that
// the path is spurious, which the others, having no constants for the candidates, have no use for.
func refiners(core bool) map[string]refiner {
	return map[string]refiner{
		"hierarchical": func(ctx context.Context, p *path) ([]int, error) {
			if core {
				if err := p.narrowToCore(ctx); err != nil {
					return nil, err
				}
			}
			return hierarchical(ctx, p.candidates, p.correct)
		},
		"program": func(ctx context.Context, p *path) ([]int, error) {
			return hierarchical(ctx, p.candidates, p.correctAnew)
		},
		"linear": func(ctx context.Context, p *path) ([]int, error) { return linear(ctx, p.candidates, p.correctAnew) },
	}
}

// narrowToCore leaves the candidates that a proof of the parameterised path with all of them tracked has used.
func (p *path) narrowToCore(ctx context.Context) error {
	status, err := p.stacked(ctx, p.candidates)
	if err != nil || status != smt.Unsat {
		return err
	}
	used := map[*term.Term]bool{}
	for _, b := range p.solver.Core() {
		used[b] = true
	}
	if kept := slices.DeleteFunc(slices.Clone(p.candidates), func(k int) bool { return !used[p.constants[k]] }); len(kept) < len(p.candidates) {
		p.narrow(kept)
	}
	return nil
}

// pathCheck is the paper's check of a path that is abstracted with a set of tracked groups, those that are tracked anyway
// left out: it reports whether the path is correct, which is to say that nothing can go along it. A check that the solver
// leaves open reports false, so that too much is tracked rather than too little.
type pathCheck func(ctx context.Context, groups []int) (bool, error)

// refinement finds, of the candidates, a minimal set of groups whose tracking makes a path correct, given that tracking all
// of them does. The order of the candidates decides which minimal set.
type refinement func(ctx context.Context, candidates []int, check pathCheck) ([]int, error)

// divide is hrefine and vcrefine of Alg. 1 and 2, which differ in what a check costs: tracked are the groups of T beside
// those tracked anyway, candidates those of G - (T + D), and the result is what T grows by. The candidates are split in
// halves, and what is needed of the first is found while the second is tracked. It makes at most
// max(2|candidates|-1, 0) checks (Lemma 1), and about log |candidates| for each group that is needed.
func divide(ctx context.Context, tracked, candidates []int, check pathCheck) ([]int, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	if correct, err := check(ctx, tracked); err != nil || correct {
		return nil, err
	}
	if len(candidates) == 1 {
		return candidates, nil
	}
	first, second := candidates[:len(candidates)/2], candidates[len(candidates)/2:]
	needed, err := divide(ctx, slices.Concat(tracked, second), first, check)
	if err != nil {
		return nil, err
	}
	rest, err := divide(ctx, slices.Concat(tracked, needed), second, check)
	return slices.Concat(needed, rest), err
}

// hierarchical is the top call of Alg. 1 and 2.
func hierarchical(ctx context.Context, candidates []int, check pathCheck) ([]int, error) {
	return divide(ctx, nil, candidates, check)
}

// linear is STORM's refinement: from all candidates on, one after the other is dropped if the path stays correct without
// it, in one check each.
func linear(ctx context.Context, candidates []int, check pathCheck) ([]int, error) {
	kept := candidates
	for _, k := range candidates {
		without := slices.DeleteFunc(slices.Clone(kept), func(other int) bool { return other == k })
		correct, err := check(ctx, without)
		if err != nil {
			return nil, err
		}
		if correct {
			kept = without
		}
	}
	return kept, nil
}
