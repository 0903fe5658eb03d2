package specialise

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// steps returns the positions of arguments by which a loop counts: integers that clauses from a predicate to itself leave
// alone, one of which adds a multiple of them to another argument. What is so counted is no linear function of the turns,
// but for each value of the step it is.
func steps(sys *chc.System) []map[int]bool {
	out := make([]map[int]bool, len(sys.Predicates))
	changed := make([]map[int]bool, len(sys.Predicates))
	for i := range out {
		out[i], changed[i] = map[int]bool{}, map[int]bool{}
	}
	for _, c := range sys.Clauses {
		if c.Head == nil {
			continue
		}
		for _, a := range c.Body {
			if a.Pred != c.Head.Pred {
				continue
			}
			by := added(sys.Pool, c, a)
			for k, x := range a.Args {
				switch {
				case x != c.Head.Args[k] || !x.IsVar() || x.Sort() != term.Int:
					changed[a.Pred.ID][k] = true
				case by[x]:
					out[a.Pred.ID][k] = true
				}
			}
		}
	}
	for i, left := range changed {
		for k := range left {
			delete(out[i], k)
		}
	}
	return out
}

// added returns what a clause from a predicate to itself adds a multiple of to an argument, by the arguments themselves or
// by an equation.
func added(p *term.Pool, c *chc.Clause, a chc.App) map[*term.Term]bool {
	out := map[*term.Term]bool{}
	note := func(before *term.Term, sum term.Linear) {
		if len(sum.Monomials) == 1 && sum.Monomials[0].Term != before {
			out[sum.Monomials[0].Term] = true
		}
	}
	// An equation can leave one term of a change only if they have another one in common.
	var equations map[*term.Term][]term.Linear
	for j, before := range a.Args {
		after := c.Head.Args[j]
		if before == after || before.Sort() != term.Int || !before.IsVar() {
			continue
		}
		if equations == nil {
			equations = equationsOf(p, c.Constraint)
		}
		change := p.Linear(after).Sub(p.Linear(before))
		note(before, change)
		for _, m := range change.Monomials {
			for _, equation := range equations[m.Term] {
				note(before, change.Sub(equation))
				note(before, change.Add(equation))
			}
		}
	}
	return out
}

// equationsOf returns the integer equations in a formula, outside of quantifiers, by the terms in them.
func equationsOf(p *term.Pool, f *term.Term) map[*term.Term][]term.Linear {
	out := map[*term.Term][]term.Linear{}
	term.Walk(f, func(t *term.Term) bool {
		if t.Op() != term.Eq || t.Arg(0).Sort() != term.Int {
			return t.IsBool() && !t.IsQuantifier()
		}
		equation := p.Linear(t.Arg(0)).Sub(p.Linear(t.Arg(1)))
		for _, m := range equation.Monomials {
			out[m.Term] = append(out[m.Term], equation)
		}
		return false
	})
	return out
}

// only reports whether a sum is a multiple of x and a constant.
func only(sum term.Linear, x *term.Term) bool {
	return len(sum.Monomials) == 1 && sum.Monomials[0].Term == x
}

// within returns the values that the conjuncts of f leave to the integer v, where they are at most limit.
func within(p *term.Pool, v, f *term.Term, limit int) []*term.Term {
	var least, most *term.Num
	for _, l := range term.Conjuncts(f) {
		c, ok := p.AsConstraint(l)
		if !ok || c.Rel != term.LE || !only(c.Linear, v) {
			continue
		}
		// coef*v + const <= 0
		coef := c.Monomials[0].Coef
		bound := c.Const.Neg().Div(coef)
		if coef.Sign() > 0 {
			if bound = bound.Floor(); most == nil || bound.Cmp(*most) < 0 {
				most = &bound
			}
		} else if bound = bound.Ceil(); least == nil || bound.Cmp(*least) > 0 {
			least = &bound
		}
	}
	if least == nil || most == nil || most.Sub(*least).Cmp(term.NewInt(int64(limit))) >= 0 {
		return nil
	}
	var out []*term.Term
	for n := *least; n.Cmp(*most) <= 0; n = n.Add(term.NewInt(1)) {
		out = append(out, p.IntNum(n))
	}
	slices.SortFunc(out, func(a, b *term.Term) int { return int(a.ID()) - int(b.ID()) })
	return out
}
