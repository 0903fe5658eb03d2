package spacer

import (
	"context"
	"math/bits"
	"slices"

	"hornbeam/chc/term"
)

// generaliseAsWhole looks for a cube that dropping literals does not lead to: by carried parameters and by congruences at once, and by
// bounds when the same cube was blocked again and again, each time by a lemma that held only up to its level. All but the first are
// at infinity. It reports whether the candidate was replaced.
func (pr *prover) generaliseAsWhole(ctx context.Context, f *frame, o *obligation, c *candidate) (bool, error) {
	found, err := pr.generaliseToCarried(ctx, f, o, c)
	if !found && err == nil {
		found, err = pr.generaliseToCongruence(ctx, f, c)
	}
	if !found && err == nil {
		found, err = pr.moveBounds(ctx, f, o, c)
	}
	if !found || err != nil {
		return false, err
	}
	return true, pr.generaliseInductively(ctx, f, c.level, c)
}

// due reports whether to try something that was met n times: where n is a power of two, and at least after.
func due(n, after int) bool { return n >= after && bits.OnesCount(uint(n)) == 1 }

// moveBounds tries the obligation's cube, and the cube with one bound moved to a constant of the problem: they may be
// inductive although each frame separates them from a larger set. Tried at a cube's 4th, 8th, 16th, ... block (see spacer.bounds-after).
func (pr *prover) moveBounds(ctx context.Context, f *frame, o *obligation, c *candidate) (bool, error) {
	key := pr.pool.And(o.post...)
	o.pred.blocks[key]++
	n := o.pred.blocks[key]
	if !due(n, pr.options.boundsAfter) || !f.pred.recursive || len(o.post) == 0 {
		return false, nil
	}
	pr.count("forever.tried", 1)
	for _, cube := range pr.weakenings(o.post) {
		found, err := pr.replace(ctx, f, c, cube, infinity)
		if found {
			pr.count("forever.found", 1)
		}
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// weakenings returns the cube, and the cube with one bound moved to each of the problem's constants, the nearest and
// the farthest ones first.
func (pr *prover) weakenings(cube []*term.Term) [][]*term.Term {
	out := [][]*term.Term{cube}
	for at, t := range cube {
		con, ok := pr.pool.AsConstraint(t)
		if !ok || con.Rel == term.EQ {
			continue
		}
		bounds := pr.weakerBounds(con)
		if most := pr.options.boundConstants; len(bounds) > most {
			bounds = slices.Concat(bounds[:most/2], bounds[len(bounds)-most/2:])
		}
		for _, b := range slices.Backward(bounds) {
			weaker := slices.Clone(cube)
			weaker[at] = b
			out = append(out, weaker)
		}
	}
	return out
}

// weakerBounds returns the weaker bounds of the same sum at constants of the problem, the weakest first.
func (pr *prover) weakerBounds(con term.Constraint) []*term.Term {
	// The constraint reads sum + offset <= 0: the sum is at most -offset, and a weaker bound is a larger one.
	limit := con.Linear.Const.Neg()
	var out []*term.Term
	for i := len(pr.constants) - 1; i >= 0; i-- {
		k := pr.constants[i]
		if k.Cmp(limit) <= 0 {
			break
		}
		if con.Sort == term.Int && !k.IsInt() {
			continue
		}
		l := con.Linear
		l.Const = k.Neg()
		out = append(out, pr.pool.Compare(l, con.Rel, con.Sort))
	}
	return out
}
