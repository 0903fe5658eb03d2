package mbp

import "hornbeam/chc/term"

// separate replaces the disequalities that mention the variable otherwise than by reads. It reports whether the variable
// is now only read.
func (c *arrayCase) separate() bool {
	for again := true; again && !c.failed; {
		again = false
		for _, l := range c.lits {
			if a, b, positive, ok := arrayEquation(l); ok && !positive && c.structural(l) && c.separable(a, b) {
				c.differ(l, a, b)
				again = true
				break
			}
		}
	}
	if c.failed {
		return false
	}
	for _, l := range c.lits {
		if c.structural(l) {
			return false
		}
	}
	return true
}

// differ replaces a disequality of arrays. Between the variable and an array without it nothing need be said when there
// are infinitely many indices: beyond all that are read the variable can differ, and exactly so. Otherwise the elements at
// a witness index differ: an index of the stores or reads where they do in the model, else a fresh one (the paper's rule
// for disequalities).
func (c *arrayCase) differ(l, a, b *term.Term) {
	for _, f := range c.take() {
		if f != l {
			c.push(f)
		}
	}
	over, other, ok := c.orient(a, b)
	if ok && infinite(over.Sort().Index) && several(over.Sort().Elem) {
		c.stats.Disequalities++
		return
	}
	indices := storedAt(a, b)
	if ok {
		indices = append(indices, c.readAt(over, other)...)
	}
	if c.witnessed(a, b, indices) {
		return
	}
	if base(a) != c.x && base(b) != c.x {
		c.agree(a, b, c.structural)
		return
	}
	c.anywhere(a, b)
}

// witnessed says that two arrays differ at the first of the indices where they do in the model; it reports whether there
// is one.
func (c *arrayCase) witnessed(a, b *term.Term, indices []*term.Term) bool {
	p := c.s.p
	for _, i := range indices {
		differ := p.Ne(p.Select(a, i), p.Select(b, i))
		if c.x != nil && c.structural(i) || !c.s.ev.True(differ) {
			continue
		}
		c.exact = false
		c.stats.Disequalities++
		c.add(differ)
		return true
	}
	return false
}

// anywhere says that two arrays differ at a fresh index.
func (c *arrayCase) anywhere(a, b *term.Term) {
	p := c.s.p
	at, ok := differAt(p, c.value(a).Term(p), c.value(b).Term(p))
	if !ok {
		c.failed = true
		return
	}
	i := c.witness(a.Sort().Index, term.TermValue(at))
	c.stats.Disequalities++
	c.add(p.Ne(p.Select(a, i), p.Select(b, i)))
}

// agree replaces a disequality of arrays that agree where something is stored: so they differ elsewhere, whatever is
// stored.
func (c *arrayCase) agree(a, b *term.Term, hidden func(*term.Term) bool) {
	q := partialEquality{a: a, b: b}
	for range 2 {
		for n := lowest(q.a, hidden); n > 0; n-- {
			q.except = append(q.except, q.a.Arg(1))
			q.a = q.a.Arg(0)
		}
		q.a, q.b = q.b, q.a
	}
	if isConstant(q.a, hidden) || isConstant(q.b, hidden) || hidden(base(q.a)) || hidden(base(q.b)) {
		c.anywhere(a, b)
		return
	}
	c.exact = false
	c.stats.Disequalities++
	c.add(c.s.p.Not(q.formula(c.s.p)))
}

// readAt are the indices at which the literals and the terms read the variable.
func (c *arrayCase) readAt(ts ...*term.Term) []*term.Term {
	var out []*term.Term
	seen := map[*term.Term]bool{}
	for _, t := range append(ts, c.lits...) {
		term.Walk(t, func(u *term.Term) bool {
			if u.Op() == term.Select && u.Arg(0) == c.x && !seen[u.Arg(1)] {
				seen[u.Arg(1)] = true
				out = append(out, u.Arg(1))
			}
			return !u.IsQuantifier()
		})
	}
	return out
}

// differAt returns an index at which two array values differ.
func differAt(p *term.Pool, a, b *term.Term) (*term.Term, bool) {
	indices := storedAt(a, b)
	taken := make([]term.Value, len(indices))
	for k, i := range indices {
		if p.Select(a, i) != p.Select(b, i) {
			return i, true
		}
		taken[k] = term.TermValue(i)
	}
	i, ok := outside(p, a.Sort().Index, taken)
	return i, ok && p.Select(a, i) != p.Select(b, i)
}

// outside returns a value of a sort that is none of those taken, where it is easy to find.
func outside(p *term.Pool, s *term.Sort, taken []term.Value) (*term.Term, bool) {
	candidate := func(k int) *term.Term { return nil }
	switch s.Kind {
	case term.BoolKind:
		candidate = func(k int) *term.Term { return p.Bool(k == 1) }
	case term.IntKind, term.RealKind:
		candidate = func(k int) *term.Term { return p.Numeral(term.NewInt(int64(k)), s) }
	case term.BitVecKind:
		candidate = func(k int) *term.Term { return p.BVNum(term.NewInt(int64(k)), s.Width) }
	case term.DatatypeKind:
		var constants []*term.Constructor
		for _, d := range s.Data.Constructors {
			if len(d.Selectors) == 0 {
				constants = append(constants, d)
			}
		}
		candidate = func(k int) *term.Term {
			if k < len(constants) {
				return p.Construct(constants[k])
			}
			return nil
		}
	}
	used := map[*term.Term]bool{}
	for _, v := range taken {
		used[v.Term(p)] = true
	}
	for k := range len(taken) + 1 {
		if t := candidate(k); t != nil && !used[t] {
			return t, true
		}
	}
	return nil, false
}

// infinite reports whether a sort is known to have infinitely many values.
func infinite(s *term.Sort) bool { return infiniteWithout(s, map[*term.Sort]bool{}) }

func infiniteWithout(s *term.Sort, open map[*term.Sort]bool) bool {
	switch s.Kind {
	case term.IntKind, term.RealKind:
		return true
	case term.ArrayKind:
		return infiniteWithout(s.Elem, open) || infiniteWithout(s.Index, open) && several(s.Elem)
	case term.DatatypeKind:
		if open[s] {
			return true // a value inside another of its sort: as large as one likes
		}
		open[s] = true
		defer delete(open, s)
		for _, d := range s.Data.Constructors {
			for _, f := range d.Selectors {
				if infiniteWithout(f.Sort, open) {
					return true
				}
			}
		}
	}
	return false
}

// several reports whether a sort is known to have two values or more.
func several(s *term.Sort) bool {
	switch s.Kind {
	case term.UninterpretedKind:
		return false
	case term.ArrayKind:
		return several(s.Elem)
	case term.DatatypeKind:
		if len(s.Data.Constructors) > 1 || infinite(s) {
			return true
		}
		for _, f := range s.Data.Constructors[0].Selectors {
			if several(f.Sort) {
				return true
			}
		}
		return false
	}
	return true
}
