package narrow

import (
	"slices"

	"hornbeam/chc/term"
)

// choice is what the search goes on with: the clauses that apply to an atom, or the values of a variable.
type choice struct {
	goal *goal
	x    *value
}

// The ranks of choices, best first: an atom that waits for none of its inputs, a variable that no atom computes, one that
// atoms compute of each other, a variable of a formula.
const (
	undetermined = iota
	input
	cyclic
	constrained
	none
)

// choose picks from the goals that wait, older ones first.
func (m *machine) choose() (best choice, any bool) {
	rank := none
	computed := map[*value]*goal{}
	for _, g := range m.waiting {
		if !g.done && g.pred != nil {
			for k, v := range g.args {
				if v = deref(v); v.unbound() && m.results[g.pred.ID][k] {
					computed[v] = g
				}
			}
		}
	}
	offer := func(r int, c choice) {
		if r < rank {
			rank, best = r, c
		}
	}
	for _, g := range m.waiting {
		if g.done {
			continue
		}
		if g.formula != nil {
			for _, i := range g.formula.vars {
				open(g.owner.env[i], func(x *value) { offer(constrained, choice{goal: g, x: x}) })
			}
			continue
		}
		waits := false
		for _, x := range g.needs {
			if !x.unbound() {
				continue
			}
			waits = true
			c := choice{goal: g, x: x}
			if x.sort.Data == nil {
				c.x = nil
			}
			if by := computed[x]; by == nil || by == g {
				offer(input, c)
			} else {
				offer(cyclic, c)
			}
		}
		if !waits {
			offer(undetermined, choice{goal: g})
		}
		if rank == undetermined {
			break
		}
	}
	return best, rank < none
}

// search goes on from goals that all wait, and reports whether all can be satisfied at the cost that is left.
func (m *machine) search(cost int) bool {
	if m.stop {
		return false
	}
	c, any := m.choose()
	if !any {
		return true
	}
	attempt := func(price int, f func() bool) bool {
		if cost+price > m.limit {
			m.cut = true
			return false
		}
		to := m.mark()
		if f() && m.propagate(false) && m.search(cost+price) {
			return true
		}
		m.drop()
		m.undo(to)
		return false
	}
	if c.x == nil {
		for i, k := range c.goal.viable {
			if attempt(min(i, 1), func() bool { return m.apply(k, c.goal) }) {
				return true
			}
		}
		return false
	}
	for _, v := range m.splits(c.x.sort) {
		x := v()
		if attempt(max(1, len(x.args)), func() bool { return m.bind(c.x, x) }) {
			return true
		}
	}
	return false
}

// splits makes the values that a variable is split into.
func (m *machine) splits(s *term.Sort) []func() *value {
	var out []func() *value
	add := func(ts ...*term.Term) {
		for _, t := range ts {
			out = append(out, func() *value { return m.literal(t) })
		}
	}
	switch {
	case s.Data != nil:
		cs := slices.Clone(s.Data.Constructors)
		slices.SortStableFunc(cs, func(a, b *term.Constructor) int { return len(a.Selectors) - len(b.Selectors) })
		for _, c := range cs {
			out = append(out, func() *value {
				args := make([]*value, len(c.Selectors))
				for i, f := range c.Selectors {
					args[i] = m.variable(f.Sort)
				}
				return construct(s, c, args)
			})
		}
	case s == term.Bool:
		add(m.pool.False(), m.pool.True())
	case s == term.Int:
		m.cut = true
		add(m.numbers...)
	default:
		m.cut = true
		add(term.DefaultValue(m.pool, s).Term(m.pool))
	}
	return out
}
