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
			u = p.MapArgs(t, rec)
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

// relate adds which indices are equal and which differ.
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

// isOpen reports whether a variable is still to be eliminated.
func (s *system) isOpen(x *term.Term) bool {
	_, ok := s.open(x)
	return ok
}

// reduceColumn removes from an opaque term reads of stores and if-then-else that have variables to eliminate. It reports
// whether there were any.
func (s *system) reduceColumn(col int32) bool {
	if s.opts.SubstituteArrays {
		return false
	}
	c := s.newArrayCase(s.isOpen)
	t := c.selects.rewrite(s.cols[col].t)
	if t == s.cols[col].t {
		return false
	}
	c.stats.ReadsReduced += c.selects.reduced
	for _, f := range c.selects.conds {
		c.exact = false
		c.push(f)
	}
	s.replaceColumn(col, s.linear(s.p.Linear(t)))
	c.commit()
	return true
}

// reduceOther removes from a literal reads of stores and if-then-else that have variables to eliminate, and peels
// equations of arrays until no such variable is hidden in an element. It reports whether it did something.
func (s *system) reduceOther(id int32, lit *term.Term) bool {
	if s.opts.SubstituteArrays {
		return false
	}
	c := s.newArrayCase(s.isOpen)
	c.others = []int32{id}
	a, b, positive, equation := arrayEquation(lit)
	if equation {
		if hidden := s.hidden(a, b); hidden != nil {
			switch {
			case positive:
				c.expose(&partialEquality{a: a, b: b}, hidden)
			case !c.witnessed(a, b, storedAt(a, b)):
				c.agree(a, b, hidden)
			}
			if !c.failed {
				c.commit()
				return true
			}
			return false
		}
	}
	c.add(lit)
	if c.failed || len(c.lits) == 1 && c.lits[0] == lit {
		return false
	}
	c.commit()
	return true
}

// hidden returns what recognises a term with a variable to eliminate that occurs in the elements of an equation's chains
// of stores and constant arrays but in none of their indices and arrays; nil when there is none.
func (s *system) hidden(a, b *term.Term) func(*term.Term) bool {
	var elements, others []*term.Term
	for _, side := range []*term.Term{a, b} {
		for ; side.Op() == term.Store; side = side.Arg(0) {
			others = append(others, side.Arg(1))
			elements = append(elements, side.Arg(2))
		}
		if side.Op() == term.ConstArray {
			elements = append(elements, side.Arg(0))
		} else {
			others = append(others, side)
		}
	}
	shown := map[*term.Term]bool{}
	for _, x := range term.Vars(others...) {
		shown[x] = true
	}
	wanted := map[*term.Term]bool{}
	for _, x := range term.Vars(elements...) {
		if !shown[x] && s.isOpen(x) {
			wanted[x] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return func(t *term.Term) bool { return term.HasAny(t, wanted) }
}
