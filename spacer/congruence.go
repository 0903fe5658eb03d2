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

// patience is the number of conflicts of a predicate before congruences are tried in a problem without divisors.
const patience = 64

// generaliseToCongruence replaces equalities over integers by congruences, sum = c by sum = c modulo k, where that makes
// the cube inductively unreachable for ever: it finds parity arguments, which no set of half-spaces expresses. Nothing
// less than a lemma at infinity is taken: congruences that hold up to a level only are noise that keeps frames from
// closing. In a problem without any divisor they are tried only once other lemmas had their chance. Trials stop for a predicate where they have failed often. It reports whether the candidate was replaced.
func (pr *prover) generaliseToCongruence(ctx context.Context, f *frame, c *candidate) (bool, error) {
	f.pred.conflicts++
	if !f.pred.recursive || (!pr.divides && f.pred.conflicts < patience) {
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
