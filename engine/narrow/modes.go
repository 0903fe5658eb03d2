package narrow

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// findResults finds the arguments that are computed from the others: without them no more clauses overlap, and what a clause
// has there is made of its other arguments and of results of its body.
func (pr *program) findResults(ctx context.Context, o options) {
	n := len(pr.source.Predicates)
	pr.results, pr.functional = make([][]bool, n), make([]bool, n)
	for i, p := range pr.source.Predicates {
		pr.results[i] = make([]bool, p.Arity())
	}
	for _, component := range chc.NewGraph(pr.source).Components() {
		all := make([]int, len(component))
		order := make([][]int, len(component))
		next := make([]int, len(component))
		offer := func(i int) {
			for p := component[i]; next[i] < p.Arity(); {
				k := order[i][next[i]]
				next[i]++
				if pr.results[p.ID][k] {
					continue
				}
				pr.results[p.ID][k] = true
				if pr.overlaps(ctx, o, p.ID) <= all[i] {
					return
				}
				pr.results[p.ID][k] = false
			}
		}
		// One result for each predicate, supposing that the others have those that were chosen.
		for i, p := range component {
			all[i] = pr.overlaps(ctx, o, p.ID)
			order[i] = pr.byInputs(p)
		}
		for i := range component {
			offer(i)
		}
		for changed := true; changed; {
			changed = false
			for i, p := range component {
				if !pr.consistent(p.ID) {
					clear(pr.results[p.ID])
					offer(i)
					changed = true
				}
			}
		}
		// Then more of them.
		for i, p := range component {
			for next[i] = 0; next[i] < p.Arity(); {
				before := slices.Clone(pr.results[p.ID])
				offer(i)
				if slices.ContainsFunc(component, func(q *chc.Predicate) bool { return !pr.consistent(q.ID) }) {
					copy(pr.results[p.ID], before)
				}
			}
			pr.functional[p.ID] = pr.overlaps(ctx, o, p.ID) == 0
		}
	}
}

// byInputs lists the arguments of a predicate, those first without which its clauses ask least of the others: append defines its
// last argument from any two lists, and its second one from some only.
func (pr *program) byInputs(p *chc.Predicate) []int {
	asks := make([]int, p.Arity())
	order := make([]int, p.Arity())
	for k := range order {
		order[k] = k
		for _, c := range pr.clauses[p.ID] {
			seen := map[int]bool{}
			for j, h := range c.head {
				if j != k {
					asks[k] += h.size()
					h.each(func(x int) {
						if seen[x] {
							asks[k]++
						}
						seen[x] = true
					})
				}
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return asks[i] - asks[j] })
	return order
}

// size is the number of constructors and values in a pattern.
func (p *pattern) size() int {
	n := 0
	if p.ctor != nil || p.lit != nil {
		n = 1
	}
	for _, a := range p.args {
		n += a.size()
	}
	return n
}

// consistent reports whether all results of a predicate are computed.
func (pr *program) consistent(pred int) bool {
	for k, is := range pr.results[pred] {
		if is && !pr.computed(pred, k) {
			return false
		}
	}
	return true
}

// overlaps counts the pairs of a predicate's clauses that apply to the same inputs, as far as a few steps on their bodies tell.
func (pr *program) overlaps(ctx context.Context, o options, pred int) int {
	n := 0
	cs := pr.clauses[pred]
	for i, c := range cs {
		for _, d := range cs[:i] {
			if newMachine(ctx, pr, o).both(pr.source.Predicates[pred], c, d) {
				n++
			}
		}
	}
	return n
}

// both reports whether two clauses may apply to the same inputs.
func (m *machine) both(p *chc.Predicate, c, d *clause) bool {
	inputs := make([]*value, p.Arity())
	for k, s := range p.Sorts {
		inputs[k] = m.variable(s)
	}
	var frames []*frame
	for _, k := range []*clause{c, d} {
		args := slices.Clone(inputs)
		for i, is := range m.results[p.ID] {
			if is {
				args[i] = m.variable(p.Sorts[i])
			}
		}
		f, ok := m.enter(&m.store, k, args)
		if !ok || !m.start(f) {
			return false
		}
		frames = append(frames, f)
	}
	for {
		if m.exclusive(frames[0], frames[1]) {
			return false
		}
		before := len(m.trail)
		if !m.agree(frames[0], frames[1]) {
			return false
		}
		if len(m.trail) == before {
			return m.propagate(true)
		}
	}
}

// exclusive reports whether two bodies test the same values in different ways, by predicates without results or by formulas
// that exclude each other; that such predicates exclude each other is a guess, which only the order of the search depends on.
func (m *machine) exclusive(f, g *frame) bool {
	for _, a := range f.body {
		for _, b := range g.body {
			if a.pred == b.pred || len(a.args) != len(b.args) || slices.Contains(m.results[a.pred.ID], true) ||
				slices.Contains(m.results[b.pred.ID], true) {
				continue
			}
			same := true
			for k := range a.args {
				same = same && equal(m.build(a.args[k], f.env), m.build(b.args[k], g.env))
			}
			if same {
				return true
			}
		}
	}
	names := naming{m: m, names: map[*value]*term.Term{}}
	said := map[*term.Term]bool{}
	var bounds []term.Linear
	for _, h := range []*frame{f, g} {
		for i := range h.formulas {
			t := names.formula(h, &h.formulas[i])
			if said[m.pool.Not(t)] || t.IsFalse() {
				return true
			}
			said[t] = true
			if c, ok := m.pool.AsConstraint(t); ok && c.Rel == term.LE {
				bounds = append(bounds, c.Linear)
			}
		}
	}
	for i, a := range bounds {
		for _, b := range bounds[:i] {
			if sum := a.Add(b); sum.IsConst() && sum.Const.Sign() > 0 {
				return true
			}
		}
	}
	return false
}

// agree makes results equal that two bodies compute from the same inputs.
func (m *machine) agree(f, g *frame) bool {
	if !m.agreeOnNumbers(f, g) {
		return false
	}
	for _, a := range f.body {
		for _, b := range g.body {
			if a.pred != b.pred || !slices.Contains(m.results[a.pred.ID], true) {
				continue
			}
			same := true
			for k, result := range m.results[a.pred.ID] {
				same = same && (result || equal(m.build(a.args[k], f.env), m.build(b.args[k], g.env)))
			}
			for k, result := range m.results[a.pred.ID] {
				if same && result && !m.unify(m.build(a.args[k], f.env), m.build(b.args[k], g.env)) {
					return false
				}
			}
		}
	}
	return true
}

// equal reports whether two values are the same as far as they are known.
func equal(a, b *value) bool {
	a, b = deref(a), deref(b)
	if a == b || a.lit != nil && a.lit == b.lit {
		return true
	}
	if a.ctor == nil || a.ctor != b.ctor {
		return false
	}
	for i := range a.args {
		if !equal(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// computed reports whether each clause makes the argument from what it is given.
func (pr *program) computed(pred, k int) bool {
	for _, c := range pr.clauses[pred] {
		known := map[int]bool{}
		for j, h := range c.head {
			if !pr.results[pred][j] {
				h.each(func(x int) { known[x] = true })
			}
		}
		for _, a := range c.body {
			for j, t := range a.args {
				if pr.results[a.pred.ID][j] {
					t.each(func(x int) { known[x] = true })
				}
			}
		}
		closeFormulas(c, known)
		ok := true
		c.head[k].each(func(x int) { ok = ok && known[x] })
		if !ok {
			return false
		}
	}
	return true
}

// closeFormulas adds the variables that formulas define by those that are known, and reports whether there were any.
func closeFormulas(c *clause, known map[int]bool) bool {
	any := false
	for progress := true; progress; any = any || progress {
		progress = false
		for _, f := range c.formulas {
			if f.linear == nil && len(f.defines) == 0 {
				continue
			}
			missing := -1
			for _, x := range f.vars {
				if !known[x] {
					if missing >= 0 {
						missing = -1
						break
					}
					missing = x
				}
			}
			if missing >= 0 && f.yields(c.vars[missing], missing) {
				known[missing], progress = true, true
			}
		}
	}
	return any
}

// yields reports whether the formula says what a variable is when its others are known.
func (f *formula) yields(x *term.Term, place int) bool {
	if f.linear == nil {
		return slices.ContainsFunc(f.defines, func(d definition) bool { return d.variable == place })
	}
	plain := false
	for _, o := range f.linear.Monomials {
		if o.Term == x {
			plain = true
		} else if slices.Contains(term.Vars(o.Term), x) {
			return false
		}
	}
	return plain
}

// each calls f with the variables of a pattern.
func (p *pattern) each(f func(int)) {
	if p.ctor == nil && p.lit == nil {
		f(p.variable)
	}
	for _, a := range p.args {
		a.each(f)
	}
}
