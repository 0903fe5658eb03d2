package mbp

import "hornbeam/chc/term"

// partialEquality is the formula that arrays a and b agree at every index but those of the list (a =_I b).
type partialEquality struct {
	a, b   *term.Term
	except []*term.Term
}

// peel removes the outermost store of q.a: store(a, i, v) =_I b is i = j and a =_I b for some j of I, or b[i] = v and a
// =_{I,i} b otherwise, as the model has it. The second needs no i != j for the implication, only for equivalence.
func (c *arrayCase) peel(q *partialEquality) {
	i, v := q.a.Arg(1), q.a.Arg(2)
	q.a = q.a.Arg(0)
	c.stats.StoresPeeled++
	at := c.value(i)
	distinct := true
	for _, j := range q.except {
		same := c.s.p.Eq(i, j)
		if c.value(j).Equal(at) {
			c.exact = c.exact && same.IsTrue()
			c.add(same)
			return
		}
		distinct = distinct && same.IsFalse()
	}
	c.exact = c.exact && distinct
	c.add(c.s.p.Eq(c.s.p.Select(q.b, i), v))
	q.except = append(q.except, i)
}

// formula is the partial equality as an equation: store(a, I, b[I]) = b.
func (q *partialEquality) formula(p *term.Pool) *term.Term {
	a := q.a
	for _, i := range q.except {
		a = p.Store(a, i, p.Select(q.b, i))
	}
	return p.Eq(a, q.b)
}

// equate eliminates the variable by an equation: of those that define it but for the fewest indices, the first. It
// reports whether there is one.
func (c *arrayCase) equate() bool {
	for again := true; again && !c.failed; {
		again = false
		for _, l := range c.lits {
			if a, b, positive, ok := arrayEquation(l); ok && positive && c.unfoldable(a, b) {
				c.unfold(l, a, b)
				again = true
				break
			}
		}
	}
	if c.failed {
		return false
	}
	var best *term.Term
	least := 0
	for _, l := range c.lits {
		a, b, positive, ok := arrayEquation(l)
		if !ok || !positive {
			continue
		}
		if a, _, ok := c.orient(a, b); ok {
			if n := len(storedAt(a)); best == nil || n < least {
				best, least = l, n
			}
		}
	}
	return best != nil && c.solve(best)
}

// orient returns the sides of an equation, that which stores into the variable first; the other mentions the variable at
// most by reading it.
func (c *arrayCase) orient(a, b *term.Term) (over, other *term.Term, ok bool) {
	if base(a) != c.x {
		a, b = b, a
	}
	return a, b, base(a) == c.x && !c.structural(b)
}

// solve eliminates the variable by an equation that orient accepts.
func (c *arrayCase) solve(l *term.Term) bool {
	p := c.s.p
	a, b, _, _ := arrayEquation(l)
	a, b, _ = c.orient(a, b)
	lits := c.take()
	q := partialEquality{a: a, b: b}
	for q.a != c.x {
		c.peel(&q)
	}
	// The variable may be read inside its own definition: those reads get names first.
	named := map[*term.Term]*term.Term{}
	by := c.nameReads(q.b, named)
	var values []*term.Term
	for k, i := range q.except {
		q.except[k] = c.nameReads(i, named)
		values = append(values, c.name(p.Select(c.x, i)))
	}
	for k, i := range q.except {
		by = p.Store(by, i, values[k])
	}
	if c.failed || c.mentions(by) {
		c.failed = true
		return false
	}
	put := p.NewSubstitution(map[*term.Term]*term.Term{c.x: by})
	lits = append(lits, c.take()...)
	isValue := map[*term.Term]bool{}
	for _, w := range values {
		isValue[w] = true
	}
	c.selects.conds = nil
	c.selects = selects{p: p, ev: c.s.ev, interesting: func(t *term.Term) bool { return isValue[t] }, branches: true}
	for _, f := range lits {
		if f != l {
			c.add(put.Apply(f))
		}
	}
	c.stats.ArraysEquated++
	return !c.failed && !c.mentions(c.lits...)
}

// nameReads returns t with its reads of the variable, the innermost first, replaced by fresh variables, which literals
// equate with them. It keeps its results in memo.
func (c *arrayCase) nameReads(t *term.Term, memo map[*term.Term]*term.Term) *term.Term {
	if len(t.Args()) == 0 || !c.selects.has(t) {
		return t
	}
	if u, ok := memo[t]; ok {
		return u
	}
	p := c.s.p
	u := p.MapArgs(t, func(a *term.Term) *term.Term { return c.nameReads(a, memo) })
	if u.Op() == term.Select && u.Arg(0) == c.x {
		w := c.name(u)
		c.push(p.Eq(w, u))
		u = w
	}
	memo[t] = u
	return u
}

// unfoldable reports whether an equation mentions the variable otherwise than by reads, does not define it, and can be
// taken apart by peeling stores and constant arrays.
func (c *arrayCase) unfoldable(a, b *term.Term) bool {
	if !c.structural(a) && !c.structural(b) {
		return false
	}
	_, _, defines := c.orient(a, b)
	return !defines && c.separable(a, b)
}

// separable reports whether two arrays mention the variable in elements only, or are stores into it.
func (c *arrayCase) separable(a, b *term.Term) bool {
	for _, side := range []*term.Term{a, b} {
		for ; side.Op() == term.Store; side = side.Arg(0) {
			if c.structural(side.Arg(1)) {
				return false
			}
		}
		if side != c.x && side.Op() != term.ConstArray && c.structural(side) {
			return false
		}
	}
	return true
}

// unfold takes apart an equation between two arrays over the variable, or whose elements mention it.
func (c *arrayCase) unfold(l, a, b *term.Term) {
	for _, f := range c.take() {
		if f != l {
			c.push(f)
		}
	}
	q := partialEquality{a: a, b: b}
	if base(a) == c.x && base(b) == c.x {
		for range 2 {
			for q.a != c.x {
				c.peel(&q)
			}
			q.a, q.b = q.b, q.a
		}
		return
	}
	c.expose(&q, c.structural)
}

// expose peels stores of elements with something to be freed off both sides, and takes apart constant arrays of such
// elements. The rest of the equality stays.
func (c *arrayCase) expose(q *partialEquality, hidden func(*term.Term) bool) {
	for range 2 {
		for n := lowest(q.a, hidden); n > 0; n-- {
			c.peel(q)
		}
		q.a, q.b = q.b, q.a
	}
	if !isConstant(q.a, hidden) {
		q.a, q.b = q.b, q.a
	}
	if isConstant(q.a, hidden) && !c.constant(q) {
		return
	}
	if base(q.b) == c.x {
		q.a, q.b = q.b, q.a
	}
	c.add(q.formula(c.s.p))
}

// lowest is how many stores to remove so that none of an element with something hidden is left, nor one over a constant
// array of such an element.
func lowest(a *term.Term, hidden func(*term.Term) bool) int {
	low, n := 0, 0
	for ; a.Op() == term.Store; a = a.Arg(0) {
		if n++; hidden(a.Arg(2)) {
			low = n
		}
	}
	if isConstant(a, hidden) {
		return n
	}
	return low
}

func isConstant(a *term.Term, hidden func(*term.Term) bool) bool {
	return a.Op() == term.ConstArray && hidden(a.Arg(0))
}

// constant takes apart a partial equality whose left side is a constant array: its element is that of the other side at
// an index that is none of the exceptions, and the other side is constant. It reports whether something is left to say
// about the arrays.
func (c *arrayCase) constant(q *partialEquality) bool {
	p := c.s.p
	taken := make([]term.Value, len(q.except))
	for k, i := range q.except {
		taken[k] = c.value(i)
	}
	value, ok := outside(p, q.a.Sort().Index, taken)
	if !ok {
		c.failed = true
		return false
	}
	c.exact = c.exact && len(q.except) == 0
	if q.b.Op() == term.ConstArray {
		c.add(p.Eq(q.a.Arg(0), q.b.Arg(0)))
		return false
	}
	for _, i := range q.except {
		c.add(p.Ne(i, value))
	}
	element := p.Select(q.b, value)
	c.add(p.Eq(q.a.Arg(0), element))
	q.a = p.ConstArray(q.a.Sort(), element)
	return true
}
