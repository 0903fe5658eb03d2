package mbp

import "hornbeam/chc/term"

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
