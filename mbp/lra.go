package mbp

// room reports whether the model leaves an open interval between the tightest bounds of a Real variable.
func (s *system) room(v int32, b bounds) bool {
	c := s.vars[v].col
	if s.cols[c].integer {
		return false
	}
	l, u := &s.rows[s.tightest(c, b.lower)], &s.rows[s.tightest(c, b.upper)]
	return !l.val.IsZero() || !u.val.IsZero()
}

// bounded eliminates a variable whose bounds cannot be resolved exactly within the limits. Disequalities are ordered by
// the model first, after which another plan may be better. Over reals they are dropped instead where the model leaves
// room between the bounds: the resolvents are then strict, and an open interval has points that meet them all.
func (s *system) bounded(v int32) {
	b := s.bounds(v)
	if len(b.differ) == 0 {
		s.resolveTightest(v, b, false)
		return
	}
	if !s.room(v, b) {
		s.orderDisequalities(b)
		return
	}
	s.exact = false
	if nl, nu := len(b.lower), len(b.upper); s.few(nl, nu) {
		s.resolveAll(v, true)
		return
	}
	s.resolveTightest(v, b, true)
}

// few says whether all pairs of bounds are few enough to be resolved: no more than the bounds themselves, than the
// limit, or one side is a single bound.
func (s *system) few(nl, nu int) bool {
	return nl == 1 || nu == 1 || nl*nu <= max(nl+nu, s.opts.MaxResolvents)
}
