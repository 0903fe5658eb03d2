package spacer

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// This file privileges array equalities (III-C2 of "Compositional Verification of Procedural Programs using Horn Clauses
// over Integers and Arrays"): where cubes name single cells, at indices that a model happened to choose, each lemma
// excludes one index and the next obligation is about another one. An equality between whole arrays excludes all of them.

// arrayPairs returns the pairs of array terms of one sort that occur in a cube.
func (pr *prover) arrayPairs(cube []*term.Term) [][2]*term.Term {
	var found []*term.Term
	seen := map[*term.Term]bool{}
	for _, t := range cube {
		term.Walk(t, func(u *term.Term) bool {
			if u.Sort().IsArray() && !seen[u] {
				seen[u] = true
				found = append(found, u)
			}
			return !u.IsQuantifier()
		})
	}
	var pairs [][2]*term.Term
	count := map[*term.Sort]int{}
	for i, a := range found {
		if count[a.Sort()]++; count[a.Sort()] > pr.options.arrayTerms {
			continue
		}
		for _, b := range found[:i] {
			if a.Sort() == b.Sort() && !pr.pool.Eq(a, b).IsFalse() {
				pairs = append(pairs, [2]*term.Term{b, a})
			}
		}
	}
	return pairs
}

// privilegeDisequalities replaces literals of the obligation's cube by the disequality of two of its arrays that follows
// from them (from a minimal part of the cube, an unsatisfiable core), where the weaker cube is unreachable too. It reports
// whether there was one.
func (pr *prover) privilegeDisequalities(ctx context.Context, f *frame, o *obligation, c *candidate) (bool, error) {
	for _, pair := range pr.arrayPairs(o.post) {
		equal := pr.pool.Eq(pair[0], pair[1])
		different := pr.pool.Not(equal)
		if slices.Contains(o.post, equal) || slices.Contains(o.post, different) {
			continue
		}
		core, ok, err := pr.contradiction(ctx, append(slices.Clone(o.post), equal))
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		pr.count("arrays.disequalities.tried", 1)
		weaker := []*term.Term{different}
		for _, t := range o.post {
			if !slices.Contains(core, t) {
				weaker = append(weaker, t)
			}
		}
		needed, level, ok, err := pr.unreachable(ctx, f, weaker, o.level, true)
		if err != nil {
			return false, err
		}
		if ok && len(needed) > 0 {
			pr.count("arrays.disequalities", 1)
			c.cube, c.level = needed, level
			return true, nil
		}
	}
	return false, nil
}

// plainReuses is how many checks the solver for literals is used for: every check leaves its atoms behind in it.
const plainReuses = 200

// contradiction asks whether literals contradict each other by themselves, and returns the ones that do.
func (pr *prover) contradiction(ctx context.Context, lits []*term.Term) ([]*term.Term, bool, error) {
	if pr.plainSolver != nil && pr.plainChecks >= plainReuses {
		pr.plainSolver.Close()
		pr.plainSolver = nil
	}
	if pr.plainSolver == nil {
		solver, err := pr.smt.NewSolver(pr.options.solver())
		if err != nil {
			return nil, false, fmt.Errorf("open a solver for literals: %w", err)
		}
		solver.SetLimit(smt.Limit{Time: pr.options.tryTime})
		pr.plainSolver, pr.plainChecks = solver, 0
	}
	pr.plainChecks++
	status, err := pr.plainSolver.Check(ctx, lits...)
	if err != nil || status != smt.Unsat {
		return nil, false, err
	}
	return pr.plainSolver.Core(), true, nil
}

// privilegeEqualities adds to an obligation's cube what the model says of each pair of its arrays, equal or not, once the
// predicate's lemmas have been many.
func (pr *prover) privilegeEqualities(p *predicate, cube []*term.Term, m term.Assignment) []*term.Term {
	if p.conflicts < pr.options.equalitiesAfter {
		return cube
	}
	eval := term.NewEvaluator(pr.pool, m)
	for _, pair := range pr.arrayPairs(cube) {
		equal := pr.pool.Eq(pair[0], pair[1])
		v, ok := eval.Eval(equal)
		if !ok {
			continue
		}
		if !v.Bool() {
			equal = pr.pool.Not(equal)
		}
		if !slices.Contains(cube, equal) {
			pr.count("arrays.equalities", 1)
			cube = append(cube, equal)
		}
	}
	return cube
}
