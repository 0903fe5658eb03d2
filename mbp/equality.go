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
