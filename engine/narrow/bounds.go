package narrow

import "hornbeam/chc/term"

// roundsBeforeWidening is how often intervals may grow before their ends are given up.
const roundsBeforeWidening = 4

// findRanges computes intervals of the integer arguments of everything that is derivable: the first argument of an addition
// that is defined by counting down to zero is not negative, say, without which the search would count down for ever.
func (pr *program) findRanges() {
	pr.ranges = make([][]term.Interval, len(pr.source.Predicates))
	for round := 0; ; round++ {
		changed := false
		for i, cs := range pr.clauses {
			for _, c := range cs {
				changed = pr.widen(i, c, round >= roundsBeforeWidening) || changed
			}
		}
		if !changed {
			return
		}
	}
}

// widen adds what the clause derives from the present intervals, and reports whether that was more.
func (pr *program) widen(pred int, c *clause, up bool) bool {
	known := make([]term.Interval, len(c.vars))
	for _, a := range c.body {
		if pr.ranges[a.pred.ID] == nil {
			return false
		}
		for k, t := range a.args {
			if t.sort == term.Int && t.lit == nil {
				known[t.variable] = known[t.variable].Meet(pr.ranges[a.pred.ID][k])
			}
		}
	}
	for range 2 {
		for _, f := range c.formulas {
			pr.tighten(c, f.term, known)
		}
	}
	for _, i := range known {
		if i.Empty() {
			return false
		}
	}
	first := pr.ranges[pred] == nil
	if first {
		pr.ranges[pred] = make([]term.Interval, len(c.head))
	}
	changed := first
	for k, h := range c.head {
		if h.sort != term.Int {
			continue
		}
		var now term.Interval
		if h.lit != nil {
			now = term.Point(h.lit.Num())
		} else {
			now = known[h.variable]
		}
		before := pr.ranges[pred][k]
		if first {
			pr.ranges[pred][k] = now
			continue
		}
		after := before.Hull(now)
		lower := before.Low != nil && (after.Low == nil || after.Low.Cmp(*before.Low) < 0)
		higher := before.High != nil && (after.High == nil || after.High.Cmp(*before.High) > 0)
		if up && lower {
			after.Low = nil
		}
		if up && higher {
			after.High = nil
		}
		pr.ranges[pred][k] = after
		changed = changed || lower || higher
	}
	return changed
}

// tighten takes bounds of variables from a linear constraint.
func (pr *program) tighten(c *clause, f *term.Term, known []term.Interval) {
	k, ok := pr.source.Pool.AsConstraint(f)
	if !ok || k.Sort != term.Int {
		return
	}
	of := func(t *term.Term) term.Interval {
		if t.IsVar() {
			return known[c.place[t]]
		}
		return term.Interval{}
	}
	for _, m := range k.Monomials {
		if !m.Term.IsVar() {
			continue
		}
		// coef*x + rest <= 0, or = 0.
		rest := k.Linear.Without(m.Term).Range(of)
		bound := term.Interval{}
		if rest.Low != nil {
			n := rest.Low.Neg()
			bound.High = &n
		}
		if rest.High != nil && k.Rel == term.EQ {
			n := rest.High.Neg()
			bound.Low = &n
		}
		x := c.place[m.Term]
		known[x] = known[x].Meet(bound.Scale(m.Coef.Inv()))
	}
}
