package mbp

import (
	"slices"

	"hornbeam/chc/term"
)

// indexClass are the indices at which an array is read that have one value in the model.
type indexClass struct {
	val     term.Value
	members []*term.Term
	element *term.Term // the fresh variable for what is read there
}

// readOnly eliminates a variable that is only read (Ackermann): for each class of indices of equal value a fresh
// variable is what is read there. The indices of a class are equal; those of numeric sorts are in the order that they
// have in the model, which takes one literal fewer than there are classes, others differ pairwise. It reports whether the
// variable is gone.
func (c *arrayCase) readOnly() bool {
	var classes []*indexClass
	byValue := map[*term.Term]*indexClass{}
	p := c.s.p
	memo := map[*term.Term]*term.Term{}
	var rec func(*term.Term) *term.Term
	rec = func(t *term.Term) *term.Term {
		if len(t.Args()) == 0 || t.IsQuantifier() || !c.selects.has(t) {
			return t
		}
		if u, ok := memo[t]; ok {
			return u
		}
		var u *term.Term
		if t.Op() == term.Select && t.Arg(0) == c.x {
			i := rec(t.Arg(1)) // reads inside the index first
			val := c.value(i)
			key := val.Term(p)
			class := byValue[key]
			if class == nil {
				class = &indexClass{val: val, element: c.name(p.Select(c.x, i))}
				byValue[key] = class
				classes = append(classes, class)
			}
			if !slices.Contains(class.members, i) {
				class.members = append(class.members, i)
			}
			u = class.element
		} else {
			args := make([]*term.Term, len(t.Args()))
			for i, a := range t.Args() {
				args[i] = rec(a)
			}
			u = p.Rebuild(t, args)
		}
		memo[t] = u
		return u
	}
	for _, l := range c.take() {
		c.push(rec(l))
	}
	c.relate(classes)
	c.stats.ArraysRead++
	return !c.failed && !c.mentions(c.lits...)
}

// relate says which indices are equal and which differ.
func (c *arrayCase) relate(classes []*indexClass) {
	p := c.s.p
	before := len(c.lits)
	for _, class := range classes {
		for _, i := range class.members[1:] {
			c.push(p.Eq(class.members[0], i))
		}
	}
	if len(classes) > 2 && classes[0].val.Sort().IsArith() {
		slices.SortFunc(classes, func(a, b *indexClass) int { return a.val.Compare(b.val) })
		for k := range classes[1:] {
			c.push(p.Lt(classes[k].members[0], classes[k+1].members[0]))
		}
	} else {
		for k, class := range classes {
			for _, other := range classes[:k] {
				c.push(p.Ne(other.members[0], class.members[0]))
			}
		}
	}
	c.exact = c.exact && len(c.lits) == before
}
