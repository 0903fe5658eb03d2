package mbp

import (
	"math"

	"hornbeam/chc/term"
)

// cost estimates what a true formula adds to an implicant: literals with variables to avoid, then the literals'
// weights. Shared subformulas count as often as they are used; sums saturate.
type cost struct{ avoid, weight uint32 }

func (a cost) less(b cost) bool {
	return a.avoid < b.avoid || a.avoid == b.avoid && a.weight < b.weight
}

func (a cost) plus(b cost) cost {
	return cost{saturate(a.avoid, b.avoid), saturate(a.weight, b.weight)}
}

func saturate(a, b uint32) uint32 {
	if a > math.MaxUint32-b {
		return math.MaxUint32
	}
	return a + b
}

// cost returns the cost of a formula with the truth value that it has. Costs are kept, so that all of them together
// take time linear in the size of the formulas.
func (c *collector) cost(t *term.Term) cost {
	if t.IsNot() {
		t = t.Arg(0)
	}
	if k, ok := c.costs.Get(t); ok {
		return k
	}
	stack := []*term.Term{t}
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		if c.costs.Has(u) {
			stack = stack[:len(stack)-1]
			continue
		}
		n := len(stack)
		pos := c.ev.True(u)
		k := c.combine(u, pos, func(a *term.Term) cost {
			if a.IsNot() {
				a = a.Arg(0)
			}
			known, ok := c.costs.Get(a)
			if !ok {
				stack = append(stack, a)
			}
			return known
		})
		if len(stack) == n {
			c.costs.Put(u, k)
			stack = stack[:n-1]
		}
	}
	k, _ := c.costs.Get(t)
	return k
}

// combine returns a formula's cost from its arguments' costs.
func (c *collector) combine(t *term.Term, pos bool, of func(*term.Term) cost) cost {
	w := signed{t, pos}
	var sum cost
	switch {
	case w.isConjunction():
		for _, a := range t.Args() {
			sum = sum.plus(of(a))
		}
	case w.isDisjunction():
		sum = cost{math.MaxUint32, math.MaxUint32}
		for _, a := range t.Args() {
			if c.has(a, pos) {
				if k := of(a); k.less(sum) {
					sum = k
				}
			}
		}
	case t.IsIte() && t.IsBool():
		branch := t.Arg(2)
		if c.ev.True(t.Arg(0)) {
			branch = t.Arg(1)
		}
		sum = of(t.Arg(0)).plus(of(branch))
	case t.Op() == term.Eq && t.Arg(0).IsBool():
		sum = of(t.Arg(0)).plus(of(t.Arg(1)))
	default:
		sum = c.literalCost(t, pos)
	}
	return sum
}

// literalCost weighs a literal: equations restrict most, Boolean variables least.
func (c *collector) literalCost(t *term.Term, pos bool) cost {
	if c.prefer.Len() > 0 {
		l := t
		if !pos {
			l = c.p.Not(t)
		}
		if c.prefer.Has(l) {
			return cost{}
		}
	}
	k := cost{weight: 2}
	switch {
	case t.IsVar():
		k.weight = 1
	case pos && (t.Op() == term.Eq || t.Op() == term.Divides):
		k.weight = 3
	}
	if c.mark(t)&hasAvoided != 0 {
		k.avoid = 1
	}
	return k
}

// mark says what occurs in a term.
type mark uint8

const (
	hasIte mark = 1 << iota
	hasAvoided
)

// mark returns what occurs in a term; quantified terms count as having no if-then-else.
func (c *collector) mark(t *term.Term) mark {
	if len(t.Args()) == 0 {
		if c.avoid.Len() > 0 && c.avoid.Has(t) {
			return hasAvoided
		}
		return 0
	}
	if m, ok := c.marks.Get(t); ok {
		return m
	}
	var m mark
	if t.IsIte() {
		m = hasIte
	}
	for _, a := range t.Args() {
		m |= c.mark(a)
	}
	if t.IsQuantifier() {
		m &^= hasIte
	}
	c.marks.Put(t, m)
	return m
}
