package mbp

import "hornbeam/chc/term"

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
