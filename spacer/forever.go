package spacer

import (
	"context"
	"math/bits"
	"slices"

	"hornbeam/chc/term"
)

// generaliseForever looks for a lemma at infinity when the same cube was blocked again and again, each time by a lemma
// that held only up to its level: the cube itself, or the cube with one bound moved to a constant of the problem, may
// be inductive although what the frames separate it from creeps towards it. Tried at the 4th, 8th, 16th, ... block.
func (pr *prover) generaliseForever(ctx context.Context, f *frame, o *obligation) (bool, error) {
	key := pr.pool.And(o.post...)
	o.pred.blocks[key]++
	n := o.pred.blocks[key]
	if n < 4 || bits.OnesCount(uint(n)) != 1 || !f.pred.recursive || len(o.post) == 0 {
		return false, nil
	}
	pr.count("forever.tried", 1)
	for _, cube := range pr.weakenings(o.post) {
		core, _, ok, err := pr.unreachable(ctx, f, cube, infinity, true)
		if err != nil {
			return false, err
		}
		if !ok || len(core) == 0 {
			continue
		}
		pr.count("forever.found", 1)
		c := &candidate{cube: core, level: infinity}
		if err := pr.generaliseInductively(ctx, f, infinity, c); err != nil {
			return false, err
		}
		_, err = pr.learn(o.pred, c.cube, infinity)
		return true, err
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
		const most = 24
		if len(bounds) > most {
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
