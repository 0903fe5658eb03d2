package spacer

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
	"hornbeam/mbp"
)

// candidate is a cube on its way to a lemma: unreachable within level steps.
type candidate struct {
	cube  []*term.Term
	level int
}

// conflict is the rule Conflict: an obligation's cube is unreachable, so a generalisation of it becomes a lemma.
func (pr *prover) conflict(ctx context.Context, o *obligation, answer *reachability) error {
	f, err := pr.frameFor(o.pred)
	if err != nil {
		return err
	}
	c := &candidate{cube: answer.core, level: answer.level}
	if answer.level < infinity {
		found, err := pr.generaliseAsWhole(ctx, f, o, c)
		if err != nil {
			return err
		}
		if found {
			_, err = pr.learn(o.pred, c.cube, c.level)
			return err
		}
	}
	privileged := false
	if pr.options.arrayEqualities != "off" {
		if privileged, err = pr.privilegeDisequalities(ctx, f, o, c); err != nil {
			return err
		}
	}
	if pr.options.halfspaces && !privileged && !o.whole {
		if err := pr.separate(ctx, f, o, c); err != nil {
			return err
		}
	}
	if pr.options.inductive {
		if err := pr.generaliseInductively(ctx, f, o.level, c); err != nil {
			return err
		}
	}
	_, err = pr.learn(o.pred, c.cube, c.level)
	return err
}

// unreachable asks whether a cube is unreachable at a level, under the candidate's own assumption that it does not hold
// before the last step when relative is set. On success it returns the part of the cube that was needed and the level
// that was used.
func (pr *prover) unreachable(ctx context.Context, f *frame, cube []*term.Term, level int, relative bool) ([]*term.Term, int, bool, error) {
	pr.count("generalise.checks", 1)
	scoped := relative && f.pred.recursive && level > 0
	if scoped {
		if err := f.solver.Push(); err != nil {
			return nil, 0, false, err
		}
		clause := pr.pool.Not(pr.pool.And(cube...))
		for _, r := range f.pred.Rules {
			for _, a := range r.Body {
				if a.Pred == f.pred.Predicate {
					if err := f.solver.Assert(pr.pool.Implies(r.Tag, pr.copies.ToCopy(a, clause))); err != nil {
						return nil, 0, false, err
					}
				}
			}
		}
	}
	status, err := f.try(ctx, slices.Concat(cube, f.background(level)))
	var core []*term.Term
	if status == smt.Unsat {
		core = f.solver.Core()
	}
	if scoped {
		if e := f.solver.Pop(); e != nil {
			return nil, 0, false, e
		}
	}
	if err != nil || status != smt.Unsat {
		return nil, 0, false, err
	}
	return inCube(core, cube), max(level, f.usedLevel(core)), true, nil
}

// replace makes a cube the candidate if it is unreachable at a level, relative to itself, and reports whether it is.
func (pr *prover) replace(ctx context.Context, f *frame, c *candidate, cube []*term.Term, level int) (bool, error) {
	core, used, ok, err := pr.unreachable(ctx, f, cube, level, true)
	if err != nil || !ok || len(core) == 0 {
		return false, err
	}
	c.cube, c.level = core, used
	return true, nil
}

// generaliseInductively drops literals while the rest stays unreachable relative to itself: first whole literals, then
// parts of equalities: bounds, bits, constructors and fields.
func (pr *prover) generaliseInductively(ctx context.Context, f *frame, level int, c *candidate) error {
	if err := pr.drop(ctx, f, level, c, c.cube); err != nil {
		return err
	}
	for _, t := range c.cube {
		for _, weaken := range []func(*term.Pool, *term.Term) []*term.Term{mbp.Weaken, mbp.WeakenBits} {
			found, err := pr.dropParts(ctx, f, level, c, t, weaken(pr.pool, t))
			if err != nil {
				return err
			}
			if found {
				break
			}
		}
	}
	return nil
}

// dropParts replaces a literal of the cube by weaker ones that imply it together, if some of them can be left out. It
// reports whether that was so.
func (pr *prover) dropParts(ctx context.Context, f *frame, level int, c *candidate, t *term.Term, parts []*term.Term) (bool, error) {
	at := slices.Index(c.cube, t)
	if at < 0 || len(parts) == 0 {
		return false, nil
	}
	trial := &candidate{slices.Replace(slices.Clone(c.cube), at, at+1, parts...), c.level}
	if err := pr.drop(ctx, f, level, trial, parts); err != nil {
		return false, err
	}
	kept := 0
	for _, p := range parts {
		if slices.Contains(trial.cube, p) {
			kept++
		}
	}
	if kept == len(parts) && len(trial.cube) >= len(c.cube) {
		return false, nil
	}
	*c = *trial
	return true, nil
}

// drop tries to leave out the given literals one by one.
func (pr *prover) drop(ctx context.Context, f *frame, level int, c *candidate, order []*term.Term) error {
	for _, t := range order {
		at := slices.Index(c.cube, t)
		if at < 0 || len(c.cube) == 1 {
			continue
		}
		rest := slices.Delete(slices.Clone(c.cube), at, at+1)
		// The core is relative to the negation of rest, which the negation of the core implies.
		if _, err := pr.replace(ctx, f, c, rest, level); err != nil {
			return err
		}
	}
	return nil
}

// separate replaces the candidate's linear literals by half-spaces: it collects implicants of what can be reached
// without those literals and looks for one half-space that all of them satisfy and the cube violates, or else one for
// each implicant. What the rest of the pipeline sees is a cube of negated half-spaces, weaker than the core.
func (pr *prover) separate(ctx context.Context, f *frame, o *obligation, c *candidate) error {
	var linear, other itp.Cube
	for _, t := range c.cube {
		if _, ok := pr.pool.AsConstraint(t); ok {
			linear = append(linear, t)
		} else {
			other = append(other, t)
		}
	}
	if len(linear) == 0 {
		return nil
	}
	var reached []itp.Cube
	var cuts []*term.Term
	for range pr.options.separations {
		cube := slices.Concat(other, cuts)
		status, err := f.try(ctx, slices.Concat(cube, f.background(o.level)))
		if err != nil {
			return err
		}
		if status == smt.Unsat {
			core := f.solver.Core()
			pr.count("halfspaces.lemmas", 1)
			c.cube, c.level = inCube(core, cube), max(o.level, f.usedLevel(core))
			return nil
		}
		if status != smt.Sat {
			return nil
		}
		m, err := f.solver.Model()
		if err != nil {
			return fmt.Errorf("read a model: %w", err)
		}
		cube, err = pr.reachedImplicant(o, m)
		if err != nil {
			return err
		}
		if cube == nil {
			break
		}
		reached = append(reached, cube)
		if h, ok := itp.Separate(pr.pool, reached, []itp.Cube{linear}, o.pred.Params, pr.separation); ok && pr.plain(h) {
			cuts = []*term.Term{pr.pool.Not(h)}
			continue
		}
		h, ok := itp.Farkas(pr.pool, cube, linear, pr.farkas)
		if !ok || !pr.plain(h) {
			break
		}
		cuts = append(cuts, pr.pool.Not(h))
	}
	pr.count("halfspaces.failed", 1)
	return nil
}

// plain reports whether a half-space has no coefficient above the limit. Larger ones are combinations of
// combinations: each such lemma leads to one with still larger coefficients, and none of them becomes inductive.
func (pr *prover) plain(h *term.Term) bool {
	c, ok := pr.pool.AsConstraint(h)
	if !ok {
		return true
	}
	for _, m := range c.Linear.Monomials {
		if m.Coef.Abs().Cmp(pr.coefficientLimit) > 0 {
			return false
		}
	}
	return true
}

// reachedImplicant returns linear literals that a model of the frame at the obligation's level satisfies, such that a rule
// and the lemmas of its body allow the tuples that satisfy them; nil when the model takes a reach fact instead.
func (pr *prover) reachedImplicant(o *obligation, m term.Assignment) (itp.Cube, error) {
	answer, err := pr.readReachability(o, m)
	if err != nil || answer.rule == nil {
		return nil, err
	}
	formulas := []*term.Term{answer.rule.Trans}
	for _, a := range answer.rule.Body {
		for _, l := range pr.of(a.Pred).may(o.level - 1) {
			formulas = append(formulas, pr.copies.ToCopy(a, l.clause))
		}
	}
	return pr.implicant(formulas, answer.model)
}
