package spacer

import (
	"context"
	"slices"

	"hornbeam/chc/term"
)

// generaliseToCongruence replaces an equality over integers, sum = c, by the congruence sum = c modulo k where that leaves
// the cube inductively unreachable at infinity: it finds parity arguments, which no set of half-spaces expresses. Only
// lemmas at infinity are learned: congruences up to a level keep frames from becoming inductive. In clauses without any
// divisor congruences are tried only after spacer.congruences-after conflicts, and for a predicate no longer after
// spacer.congruences failures in a row. It reports whether the candidate was replaced.
func (pr *prover) generaliseToCongruence(ctx context.Context, f *frame, c *candidate) (bool, error) {
	f.pred.conflicts++
	if !f.pred.recursive || (len(pr.moduli) == 0 && f.pred.conflicts < pr.options.congruencesAfter) {
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
			found, err := pr.replace(ctx, f, c, weaker, infinity)
			if err != nil {
				return false, err
			}
			if found {
				pr.count("congruences", 1)
				f.pred.congruenceFailures = 0
				return true, nil
			}
			f.pred.congruenceFailures++
		}
	}
	return false, nil
}
