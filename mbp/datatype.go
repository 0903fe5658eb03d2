package mbp

import "hornbeam/chc/term"

// datatypes eliminates variables of datatype sorts and reaches those below constructors (4.5 of the Spacer notes). An
// equation of a constructor term and another term is taken apart into a tester and equations of fields; a variable that
// only disequalities and testers mention is dropped where its sort has enough values; a variable whose constructor
// matters to a selector or tester becomes the model's constructor of fresh fields. Each unfolding makes the values
// smaller, so it ends. These rules introduce selectors beside the tester of their constructor only, and the other steps
// are substitutions, so the result implies the existential whatever selectors give for other constructors. It reports
// whether it did something.
func (s *system) datatypes() bool {
	progress := false
	for ; s.nextData < len(s.others) && s.err == nil; s.nextData++ {
		if o := &s.others[s.nextData]; !o.dead && s.decompose(int32(s.nextData), o.lit) {
			progress = true
		}
	}
	for i := 0; i < len(s.dataVars) && s.err == nil; i++ {
		v := s.dataVars[i]
		switch {
		case s.vars[v].done:
		case s.clean(v):
			s.vars[v].done = true
		case s.dropUnequal(v):
			progress = true
		case s.inspected(v):
			s.unfold(v)
			progress = true
		}
	}
	return progress
}

// decompose takes apart a literal that equates a constructor term with one that is none; of two constructor terms the
// pool does it. A disequation becomes the reason for it in the model: another constructor, or one field.
func (s *system) decompose(id int32, lit *term.Term) bool {
	atom, positive := lit.Atom()
	if atom.Op() != term.Eq || !atom.Arg(0).Sort().IsDatatype() {
		return false
	}
	c, t := atom.Arg(0), atom.Arg(1)
	if c.Op() != term.Construct {
		c, t = t, c
	}
	if c.Op() != term.Construct || t.Op() == term.Construct || len(c.Args()) == 0 {
		return false
	}
	if !positive && s.dropSpine(c) {
		return true
	}
	differ := -1
	if !positive {
		s.exact = false
		val, ok := s.ev.Eval(t)
		if !ok {
			return false
		}
		if val.Term(s.p).Ctor() == c.Ctor() {
			if differ = s.differingField(c, t); differ < 0 {
				return false
			}
		}
	}
	s.dropOther(id)
	s.stats.Decomposed++
	is := s.p.Is(c.Ctor(), t)
	if !positive && differ < 0 {
		s.addFormula(s.p.Not(is))
		return true
	}
	s.addFormula(is)
	for i, sel := range c.Ctor().Selectors {
		field := s.p.Eq(s.p.Field(sel, t), c.Arg(i))
		switch {
		case positive:
			s.addFormula(field)
		case i == differ:
			s.addFormula(s.p.Not(field))
		}
	}
	return true
}

// differingField returns a field in which the model tells a constructor term from another term: the first without
// variables to eliminate, else the first.
func (s *system) differingField(c, t *term.Term) int {
	best := -1
	for i, sel := range c.Ctor().Selectors {
		if !s.ev.False(s.p.Eq(s.p.Field(sel, t), c.Arg(i))) {
			continue
		}
		if len(s.inside(c.Arg(i))) == 0 {
			return i
		}
		if best < 0 {
			best = i
		}
	}
	return best
}

// inspected reports whether a selector or tester is applied to the variable itself.
func (s *system) inspected(v int32) bool {
	x, found := s.vars[v].t, false
	visit := func(u *term.Term) bool {
		if op := u.Op(); (op == term.Field || op == term.Is) && u.Arg(0) == x {
			found = true
		}
		return !found && !u.IsQuantifier()
	}
	for _, id := range s.vars[v].others {
		if o := &s.others[id]; !o.dead {
			term.Walk(o.lit, visit)
		}
	}
	for _, c := range s.vars[v].opaque {
		if !found && len(s.live(c)) > 0 {
			term.Walk(s.cols[c].t, visit)
		}
	}
	return found
}

// unfold puts the model's constructor of fresh fields for a variable. That loses nothing where the literals demand this
// constructor.
func (s *system) unfold(v int32) {
	x := s.vars[v].t
	val := s.valueTerm(v)
	c := val.Ctor()
	if len(c.Data.Constructors) > 1 && !s.demanded(v, s.p.Is(c, x)) {
		s.exact = false
	}
	fields := make([]*term.Term, len(c.Selectors))
	for i, sel := range c.Selectors {
		fields[i] = s.freshTerm(sel.Sort, term.TermValue(val.Arg(i)))
	}
	s.stats.Unfolded++
	s.vars[v].done = true
	s.replaceTerm(v, s.p.Construct(c, fields...))
}

// demanded reports whether the formula is one of the live literals with the variable.
func (s *system) demanded(v int32, f *term.Term) bool {
	for _, id := range s.vars[v].others {
		if o := &s.others[id]; !o.dead && o.lit == f {
			return true
		}
	}
	return false
}

// unfoldOpaque unfolds one datatype variable that is stuck inside terms without rules, so that at least the shape of its
// value and the variables of other sorts below it are kept. Where a term of the literals has its value, that is better.
func (s *system) unfoldOpaque() bool {
	for _, v := range s.dataVars {
		if !s.vars[v].done && !s.clean(v) && s.sameValued(v) == nil {
			s.unfold(v)
			return true
		}
	}
	return false
}
