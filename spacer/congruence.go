package spacer

import (
	"context"
	"slices"

	"hornbeam/chc/term"
)

// patience is the number of conflicts of a predicate before congruences are tried in a problem without divisors.
const patience = 64

// generaliseToCongruence replaces equalities over integers by congruences, sum = c by sum = c modulo k, where that makes
// the cube inductively unreachable for ever: it finds parity arguments, which no set of half-spaces expresses. Nothing
// less than a lemma at infinity is taken: congruences that hold up to a level only are noise that keeps frames from
// closing. In a problem without any divisor they are tried only once other lemmas had their chance. Trials stop for a predicate where they have failed often. It reports whether the candidate was replaced.
func (pr *prover) generaliseToCongruence(ctx context.Context, f *frame, c *candidate) (bool, error) {
	f.pred.conflicts++
	if !f.pred.recursive || (len(pr.moduli) == 0 && f.pred.conflicts < patience) {
		return false, nil
	}
	for at, t := range c.cube {
		con, ok := pr.pool.AsConstraint(t)
		if !ok || con.Rel != term.EQ || con.Sort != term.Int {
			continue
		}
		sum := pr.pool.FromLinear(con.Linear, term.Int)
		for _, k := range pr.congruenceModuli {
			if f.pred.congruenceFailures > pr.options.congruences {
				return false, nil
			}
			congruence := pr.pool.Divides(k, sum)
			if congruence.IsTrue() || congruence.IsFalse() {
				continue
			}
			weaker := slices.Clone(c.cube)
			weaker[at] = congruence
			core, _, ok, err := pr.unreachable(ctx, f, weaker, infinity, true)
			if err != nil {
				return false, err
			}
			if ok && len(core) > 0 {
				pr.count("congruences", 1)
				f.pred.congruenceFailures = 0
				c.cube, c.level = core, infinity
				return true, nil
			}
			f.pred.congruenceFailures++
		}
	}
	return false, nil
}
