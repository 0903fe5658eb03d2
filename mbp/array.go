package mbp

import "hornbeam/chc/term"

// arrays eliminates a variable of an array sort by the procedure of "Compositional Verification of Procedural Programs
// using Horn Clauses over Integers and Arrays" (II; 4.4 of the Spacer notes), every case split decided by the model:
// reads of stores over it are reduced; an equation with it, peeled to a partial equality x =_I t, makes it a chain of
// stores into t of fresh values at I; without one its disequalities become reads at a witness index and its reads fresh
// values (Ackermann). The fresh values and indices are variables to eliminate by the other rules. It reports whether it
// eliminated one.
func (s *system) arrays() bool {
	if len(s.arrayVars) == 0 || s.opts.SubstituteArrays {
		return false
	}
	for _, v := range s.arrayVars {
		if s.vars[v].done || s.err != nil {
			continue
		}
		if s.clean(v) {
			s.vars[v].done = true
			continue
		}
		c := s.arrayCaseOf(v)
		if c.prepare() && (c.equate() || c.separate() && c.readOnly()) {
			c.commit()
			return true
		}
	}
	return false
}

// arrayCase rewrites literals about arrays in the case that the model is in. Nothing changes in the system before
// commit, so a case that leads nowhere is dropped.
type arrayCase struct {
	s       *system
	v       int32 // the variable to eliminate, -1 for none
	x       *term.Term
	selects selects
	shapes  term.Map[bool]

	rows, others []int32      // the literals that are replaced
	lits         []*term.Term // by these, which the model makes true and which imply them
	seen         map[*term.Term]bool
	fresh        []*term.Term // the variables of lits that the system does not have yet

	exact  bool
	failed bool // a value that is needed is not determined
	stats  Stats
}

func (s *system) newArrayCase(interesting func(*term.Term) bool) *arrayCase {
	c := &arrayCase{s: s, v: -1, exact: true}
	c.selects = selects{p: s.p, ev: s.ev, interesting: interesting, branches: true}
	return c
}

// arrayCaseOf is the case of a variable, with the literals that mention it.
func (s *system) arrayCaseOf(v int32) *arrayCase {
	x := s.vars[v].t
	c := s.newArrayCase(func(t *term.Term) bool { return t == x })
	c.v, c.x = v, x
	taken := map[int32]bool{}
	for _, col := range s.vars[v].opaque {
		for _, id := range s.live(col) {
			if !taken[id] {
				taken[id] = true
				c.rows = append(c.rows, id)
			}
		}
	}
	for _, id := range s.vars[v].others {
		if !s.others[id].dead {
			c.others = append(c.others, id)
		}
	}
	return c
}

// prepare gathers the literals, without reads of stores over the variable and without if-then-else about it. It reports
// whether that could be done.
func (c *arrayCase) prepare() bool {
	for _, id := range c.rows {
		c.add(c.s.rowTerm(&c.s.rows[id]))
	}
	for _, id := range c.others {
		c.add(c.s.others[id].lit)
	}
	return !c.failed
}

// add takes a literal that the model makes true, after reducing the reads in it.
func (c *arrayCase) add(l *term.Term) {
	before := c.selects.reduced
	l = c.selects.rewrite(l)
	c.stats.ReadsReduced += c.selects.reduced - before
	for _, f := range c.selects.conds {
		c.exact = false
		c.push(f)
	}
	c.selects.conds = c.selects.conds[:0]
	c.push(l)
}

func (c *arrayCase) push(f *term.Term) {
	switch {
	case f.IsTrue() || c.seen[f]:
	case f.IsFalse():
		c.failed = true
	case f.IsAnd():
		for _, g := range f.Args() {
			c.push(g)
		}
	default:
		if c.seen == nil {
			c.seen = map[*term.Term]bool{}
		}
		c.seen[f] = true
		c.lits = append(c.lits, f)
	}
}

// take empties the list of literals and returns it.
func (c *arrayCase) take() []*term.Term {
	lits := c.lits
	c.lits, c.seen = nil, nil
	return lits
}

// value is a term's value in the model; the case fails when it has none.
func (c *arrayCase) value(t *term.Term) term.Value {
	v, ok := c.s.ev.Eval(t)
	if !ok {
		c.failed = true
		return term.DefaultValue(c.s.p, t.Sort())
	}
	return v
}

// name returns a fresh variable for the value of t.
func (c *arrayCase) name(t *term.Term) *term.Term { return c.witness(t.Sort(), c.value(t)) }

// witness returns a fresh variable with a value.
func (c *arrayCase) witness(sort *term.Sort, val term.Value) *term.Term {
	w := c.s.nameValue(sort, val)
	c.fresh = append(c.fresh, w)
	return w
}

// structural reports whether the variable occurs in t otherwise than by being read.
func (c *arrayCase) structural(t *term.Term) bool {
	switch {
	case t == c.x:
		return true
	case len(t.Args()) == 0 || t.IsGround():
		return false
	case t.IsQuantifier():
		return term.Contains(t, c.x)
	}
	if m, ok := c.shapes.Get(t); ok {
		return m
	}
	args := t.Args()
	if t.Op() == term.Select && args[0] == c.x {
		args = args[1:]
	}
	m := false
	for _, a := range args {
		if c.structural(a) {
			m = true
			break
		}
	}
	c.shapes.Put(t, m)
	return m
}

// mentions reports whether the variable occurs in one of the terms.
func (c *arrayCase) mentions(ts ...*term.Term) bool {
	for _, t := range ts {
		if term.Contains(t, c.x) {
			return true
		}
	}
	return false
}

// commit puts the case's literals for those that they replace.
func (c *arrayCase) commit() {
	s := c.s
	for _, id := range c.rows {
		s.kill(id)
	}
	for _, id := range c.others {
		s.dropOther(id)
	}
	if c.v >= 0 {
		s.vars[c.v].done = true
	}
	for _, t := range c.fresh {
		s.register(t)
	}
	s.exact = s.exact && c.exact
	s.stats.addArrays(&c.stats)
	for _, l := range c.lits {
		s.addFormula(l)
	}
}

// arrayEquation reads an equation of arrays or its negation.
func arrayEquation(l *term.Term) (a, b *term.Term, positive, ok bool) {
	atom, positive := l.Atom()
	if atom.Op() != term.Eq || atom.Arg(0).Sort().Kind != term.ArrayKind {
		return nil, nil, false, false
	}
	return atom.Arg(0), atom.Arg(1), positive, true
}

// base is the array below a chain of stores.
func base(a *term.Term) *term.Term {
	for a.Op() == term.Store {
		a = a.Arg(0)
	}
	return a
}

// storedAt are the indices of the chains of stores at the roots of arrays.
func storedAt(arrays ...*term.Term) []*term.Term {
	var out []*term.Term
	for _, a := range arrays {
		for ; a.Op() == term.Store; a = a.Arg(0) {
			out = append(out, a.Arg(1))
		}
	}
	return out
}
