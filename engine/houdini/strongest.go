package houdini

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// strongest returns the survivors, by predicate, without those that another one obviously implies: of comparisons of the
// same sum only the closest, and nothing beside false. The conjunction stays the same.
func (in *inference) strongest() map[*chc.Predicate][]*term.Term {
	out := map[*chc.Predicate][]*term.Term{}
	for _, p := range in.program.preds {
		var formulas []*term.Term
		for _, k := range p.live() {
			formulas = append(formulas, k.formula)
		}
		out[p.Source] = withoutWeaker(in.program.pool, formulas)
	}
	return out
}

// side is one side of a sum that is bounded: the sum with its first coefficient positive, and whether from above.
type side struct {
	sum   *term.Term
	above bool
}

// bound is a constraint sum <= at, or sum < at when strict, where the side is above; the sum's negation otherwise.
type bound struct {
	at     term.Num
	strict bool
}

func (b bound) tighterThan(c bound) bool {
	if d := b.at.Cmp(c.at); d != 0 {
		return d < 0
	}
	return b.strict && !c.strict
}

// withoutWeaker drops from a conjunction what another member implies at first sight.
func withoutWeaker(p *term.Pool, formulas []*term.Term) []*term.Term {
	best := map[side]bound{}
	for _, f := range formulas {
		if f.IsFalse() {
			return []*term.Term{f}
		}
		for s, b := range sides(p, f) {
			if old, ok := best[s]; !ok || b.tighterThan(old) {
				best[s] = b
			}
		}
	}
	var out []*term.Term
	for _, f := range formulas {
		mine := sides(p, f)
		weaker := len(mine) == 1
		for s, b := range mine {
			weaker = weaker && best[s].tighterThan(b)
		}
		if !weaker && !decidedByBounds(p, f, best) {
			out = append(out, f)
		}
	}
	return out
}

// sides returns how a literal bounds a sum: on one side, on both when it is an equation, not at all when it is another
// formula.
func sides(p *term.Pool, f *term.Term) map[side]bound {
	k, ok := p.AsConstraint(f)
	if !ok || k.IsConst() {
		return nil
	}
	linear, above := k.Linear, true
	linear.Const = term.Num{}
	if linear.Monomials[0].Coef.Sign() < 0 {
		linear, above = linear.Scale(term.NewInt(-1)), false
	}
	sum := p.FromLinear(linear, k.Sort)
	out := map[side]bound{{sum, above}: {k.Const.Neg(), k.Rel == term.LT}}
	if k.Rel == term.EQ {
		out[side{sum, !above}] = bound{at: k.Const}
	}
	return out
}

// decidedByBounds reports whether a disequality of a sum and a constant follows from the bounds.
func decidedByBounds(p *term.Pool, f *term.Term, best map[side]bound) bool {
	if !f.IsNot() || f.Arg(0).Op() != term.Eq {
		return false
	}
	for s, b := range sides(p, f.Arg(0)) {
		if other, ok := best[s]; ok && (other.tighterThan(b) && (other.at.Cmp(b.at) < 0 || other.strict)) {
			return true
		}
	}
	return false
}
