package mbp

import (
	"slices"

	"hornbeam/chc/term"
)

// solveOthers is the one-point rule outside the rows: a Boolean variable that is a literal is its value, and a variable
// that a literal equates with a term without it is that term. It reports whether it eliminated something.
func (s *system) solveOthers() bool {
	progress := false
	for ; s.nextOther < len(s.others) && s.err == nil; s.nextOther++ {
		o := &s.others[s.nextOther]
		if o.dead {
			continue
		}
		v, t := s.definition(o.lit)
		if v < 0 {
			continue
		}
		s.dropOther(int32(s.nextOther))
		s.vars[v].done = true
		s.replaceTerm(v, t)
		s.stats.Defined++
		progress = true
	}
	return progress
}

// definition returns the variable to eliminate that the literal defines, and its definition; -1 when there is none.
func (s *system) definition(lit *term.Term) (int32, *term.Term) {
	atom, positive := lit.Atom()
	if v, ok := s.open(atom); ok {
		return v, s.p.Bool(positive)
	}
	if atom.Op() != term.Eq || atom.Arg(0).Sort().IsArith() || !positive && !atom.Arg(0).IsBool() {
		return -1, nil
	}
	for i := range 2 {
		x, t := atom.Arg(i), atom.Arg(1-i)
		if v, ok := s.open(x); ok && !slices.Contains(s.inside(t), v) {
			if !positive {
				t = s.p.Not(t)
			}
			return v, t
		}
	}
	return -1, nil
}

// open returns the variable to eliminate that a term is, if it is still there.
func (s *system) open(t *term.Term) (int32, bool) {
	v, ok := s.varOf.Get(t)
	return v, ok && !s.vars[v].done
}

// booleans replaces the Boolean variables that no literal defines by their values. It reports whether there were any.
func (s *system) booleans() bool {
	progress := false
	for i := 0; i < len(s.vars) && s.err == nil; i++ {
		v := int32(i)
		if s.vars[v].done || s.vars[v].sort != term.Bool {
			continue
		}
		s.vars[v].done = true
		if s.clean(v) {
			continue
		}
		s.exact = false
		s.stats.Booleans++
		s.replaceTerm(v, s.p.Bool(s.ev.True(s.vars[v].t)))
		progress = true
	}
	return progress
}
