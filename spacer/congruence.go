package spacer

import (
	"context"
	"slices"

	"hornbeam/chc/term"
)

// moduli returns the divisors that occur in the rules, in increasing order, without 1 and without large ones.
func (pr *problem) moduli() []term.Num {
	var all []term.Num
	add := func(k term.Num) {
		if k = k.Abs(); k.IsInt() && k.Cmp(term.NewInt(1)) > 0 && k.Cmp(term.NewInt(100)) <= 0 {
			all = append(all, k)
		}
	}
	for _, r := range pr.rules {
		term.Walk(r.trans, func(t *term.Term) bool {
			switch t.Op() {
			case term.Divides:
				add(t.Num())
			case term.Mod, term.IntDiv:
				if t.Arg(1).IsNumeral() {
					add(t.Arg(1).Num())
				}
			}
			return true
		})
	}
	slices.SortFunc(all, term.Num.Cmp)
	return slices.CompactFunc(all, term.Num.Equal)
}

// generaliseToCongruence replaces equalities over integers by congruences, sum = c by sum = c modulo k, while the cube
// stays unreachable relative to itself. It finds parity arguments, which no set of half-spaces expresses. Trials stop
// for a predicate where they have failed often.
func (pr *prover) generaliseToCongruence(ctx context.Context, f *frame, level int, c *candidate) error {
	if !f.pred.recursive || f.pred.congruenceFailures > pr.options.congruences {
		return nil
	}
	for _, t := range slices.Clone(c.cube) {
		con, ok := pr.pool.AsConstraint(t)
		if !ok || con.Rel != term.EQ || con.Sort != term.Int {
			continue
		}
		sum := pr.pool.FromLinear(con.Linear, term.Int)
		for _, k := range pr.congruenceModuli {
			at := slices.Index(c.cube, t)
			if at < 0 {
				break
			}
			congruence := pr.pool.Divides(k, sum)
			if congruence.IsTrue() || congruence.IsFalse() {
				continue
			}
			weaker := slices.Clone(c.cube)
			weaker[at] = congruence
			core, used, ok, err := pr.unreachable(ctx, f, weaker, level, true)
			if err != nil {
				return err
			}
			if ok && len(core) > 0 {
				pr.count("congruences", 1)
				f.pred.congruenceFailures = 0
				c.cube, c.level = core, used
				break
			}
			f.pred.congruenceFailures++
		}
	}
	return nil
}
