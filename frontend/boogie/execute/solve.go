package execute

import (
	"hornbeam/chc/term"
)

// solution is an assignment of a clause's variables that grows.
type solution struct {
	run    *run
	clause *clause
	values map[*term.Term]term.Value
	// open are the conjuncts that are not known to hold yet.
	open []*part
	// guessed says that some value was chosen.
	guessed bool
	// now evaluates terms under values; nil after a change of them.
	now *term.Evaluator
}

func newSolution(r *run, c *clause) *solution {
	return &solution{run: r, clause: c, values: make(map[*term.Term]term.Value, len(c.vars)), open: append([]*part(nil), c.parts...)}
}

func (s *solution) evaluator() *term.Evaluator {
	if s.now == nil {
		s.now = term.NewEvaluator(s.run.pool, term.MapAssignment(s.values))
	}
	return s.now
}

// set gives a variable a value, unset takes it back.
func (s *solution) set(x *term.Term, v term.Value) { s.values[x], s.now = v, nil }
func (s *solution) unset(x *term.Term)             { delete(s.values, x); s.now = nil }

func (s *solution) eval(t *term.Term) (term.Value, bool) {
	if t.IsVar() {
		v, ok := s.values[t]
		return v, ok
	}
	return s.evaluator().Eval(t)
}

func (s *solution) evalAll(ts []*term.Term) ([]term.Value, bool) {
	out := make([]term.Value, len(ts))
	for i, t := range ts {
		v, ok := s.eval(t)
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// unify makes terms equal to values; false when they differ.
func (s *solution) unify(ts []*term.Term, values []term.Value) bool {
	for i, t := range ts {
		switch v, ok := s.eval(t); {
		case ok && !v.Equal(values[i]):
			return false
		case ok:
		case t.IsVar():
			s.set(t, values[i])
		default:
			s.open = append(s.open, newPart(s.run.pool.Eq(t, values[i].Term(s.run.pool))))
		}
	}
	return true
}

// done reports whether all conjuncts hold; then the variables without constraints get arbitrary values.
func (s *solution) done() bool {
	if len(s.open) > 0 {
		return false
	}
	for _, v := range s.clause.vars {
		if _, ok := s.values[v]; !ok {
			// A nondeterministic value that is not used in this clause may be used later.
			s.choice(v, nil)
		}
	}
	return true
}

// propagate finds the values that follow from others; false when a conjunct does not hold.
func (s *solution) propagate() bool {
	for again := true; again; {
		again = false
		open := s.open
		s.open = nil
		for _, p := range open {
			holds, progress, fails := s.part(p)
			if fails {
				return false
			}
			if !holds {
				s.open = append(s.open, p)
			}
			again = again || progress
		}
	}
	return true
}

// part looks at one conjunct: whether it holds or fails, and whether it gave values to variables.
func (s *solution) part(p *part) (holds, progress, fails bool) {
	missing, only := 0, (*term.Term)(nil)
	for _, v := range p.vars {
		if _, ok := s.values[v]; !ok {
			missing, only = missing+1, v
		}
	}
	e := s.evaluator()
	t, positive := p.Atom()
	switch {
	case missing == 0:
		holds = e.True(p.Term)
		return holds, false, !holds
	case p.IsOr():
		return s.disjunction(p, e)
	case missing == 1 && (e.True(p.Term) || e.False(p.Term)):
		holds = e.True(p.Term)
		return holds, false, !holds
	case t.IsVar():
		s.set(t, term.BoolValue(positive))
		return true, true, false
	case t.Op() == term.Eq:
		a, b := t.Arg(0), t.Arg(1)
		for range 2 {
			if _, known := s.values[a]; a.IsVar() && !known {
				if v, ok := e.Eval(b); ok && (positive || v.Sort() == term.Bool) {
					if !positive {
						v = term.BoolValue(!v.Bool())
					}
					s.set(a, v)
					return true, true, false
				}
			}
			a, b = b, a
		}
		if positive && missing == 1 {
			if v, ok := s.root(a, b, only); ok {
				s.set(only, v)
				if !s.evaluator().True(p.Term) {
					s.unset(only)
					return false, false, false
				}
				return true, true, false
			}
		}
	}
	return false, false, false
}

// root solves an equation of numbers that is linear in the one variable that has no value.
func (s *solution) root(a, b, x *term.Term) (term.Value, bool) {
	if sort := x.Sort(); sort != term.Int && sort != term.Real || a.Sort() != sort {
		return term.Value{}, false
	}
	n, ok := s.crossing(a, b, x)
	if !ok || x.Sort() == term.Int && !n.IsInt() {
		return term.Value{}, false
	}
	return term.NumValue(n, x.Sort()), true
}

// crossing is where two terms would be equal if they were linear in x.
func (s *solution) crossing(a, b, x *term.Term) (term.Num, bool) {
	at := func(n int64) (term.Num, bool) {
		s.set(x, term.NumValue(term.NewInt(n), x.Sort()))
		defer s.unset(x)
		e := s.evaluator()
		u, ok := e.Eval(a)
		if !ok {
			return term.Num{}, false
		}
		v, ok := e.Eval(b)
		if !ok {
			return term.Num{}, false
		}
		return u.Num().Sub(v.Num()), true
	}
	zero, ok := at(0)
	if !ok {
		return term.Num{}, false
	}
	one, ok := at(1)
	if slope := one.Sub(zero); ok && !slope.IsZero() {
		return zero.Neg().Div(slope), true
	}
	return term.Num{}, false
}

// disjunction leaves out the disjuncts that are false; the last one that is left must hold.
func (s *solution) disjunction(p *part, e *term.Evaluator) (holds, progress, fails bool) {
	var left *term.Term
	several := false
	for _, d := range p.Args() {
		switch {
		case e.False(d):
		case e.True(d):
			return true, false, false
		default:
			several, left = several || left != nil, d
		}
	}
	switch {
	case several:
		return false, false, false
	case left == nil:
		return false, false, true
	}
	s.require(left)
	return true, true, false
}

// require adds the conjuncts of a formula.
func (s *solution) require(t *term.Term) {
	for _, f := range term.Conjuncts(t) {
		s.open = append(s.open, newPart(f))
	}
}

// guess decides something that is left open: first a disjunction, then a variable of the terms, or any variable of
// the open conjuncts. It returns false when nothing is undecided.
func (s *solution) guess(ts []*term.Term) bool {
	for i, p := range s.open {
		if !p.IsOr() {
			continue
		}
		e := s.evaluator()
		var ways []*term.Term
		for _, d := range p.Args() {
			if !e.False(d) {
				ways = append(ways, d)
			}
		}
		if len(ways) == 0 {
			return false
		}
		s.noteChoice()
		s.open = append(s.open[:i:i], s.open[i+1:]...)
		s.require(ways[s.run.random.IntN(len(ways))])
		return true
	}
	// A variable that is the only one left in some conjunct has bounds.
	var candidates []*term.Term
	for _, p := range s.open {
		if missing := s.missing(p.vars); len(missing) == 1 {
			candidates = append(candidates, missing[0])
		}
	}
	if len(candidates) == 0 {
		for _, p := range s.open {
			candidates = append(candidates, s.missing(p.vars)...)
		}
	}
	if ts != nil {
		if more := s.missing(term.Vars(ts...)); len(more) > 0 {
			candidates = more
		}
	}
	if len(candidates) == 0 {
		return false
	}
	x := candidates[s.run.random.IntN(len(candidates))]
	s.choice(x, s.open)
	return true
}

func (s *solution) noteChoice() { s.guessed, s.run.chose = true, true }

func (s *solution) missing(vars []*term.Term) []*term.Term {
	var out []*term.Term
	for _, v := range vars {
		if _, ok := s.values[v]; !ok {
			out = append(out, v)
		}
	}
	return out
}

// choice gives a variable a value: a number within the bounds that conjuncts have for it, if that can be.
func (s *solution) choice(x *term.Term, parts []*part) {
	s.noteChoice()
	r := s.run.random
	sort := x.Sort()
	switch {
	case sort == term.Bool:
		s.set(x, term.BoolValue(r.IntN(2) == 0))
	case sort == term.Int || sort == term.Real:
		s.set(x, term.NumValue(s.number(x, parts), sort))
	default:
		s.set(x, term.DefaultValue(s.run.pool, sort))
	}
}

// number chooses a number: one of those where the truth of a conjunct changes, if some are found that satisfy the most
// of them, otherwise a small one.
func (s *solution) number(x *term.Term, parts []*part) term.Num {
	r := s.run.random
	var near []*part
	for _, p := range parts {
		if missing := s.missing(p.vars); len(missing) == 1 && missing[0] == x {
			near = append(near, p)
		}
	}
	small := func() term.Num {
		if s.run.first {
			return term.NewInt(0)
		}
		return term.NewInt(r.Int64N(8) - 2)
	}
	candidates := []term.Num{small()}
	for _, p := range near {
		t, _ := p.Atom()
		if len(t.Args()) != 2 {
			continue
		}
		if a, b := t.Arg(0), t.Arg(1); a.Sort() == x.Sort() && b.Sort() == x.Sort() {
			if n, ok := s.crossing(a, b, x); ok {
				if x.Sort() == term.Int {
					n = n.Floor()
				}
				for d := int64(-1); d <= 1; d++ {
					candidates = append(candidates, n.Add(term.NewInt(d)))
				}
			}
		}
	}
	if len(near) == 0 {
		return candidates[0]
	}
	r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	best, most := candidates[0], -1
	for _, n := range candidates {
		s.set(x, term.NumValue(n, x.Sort()))
		e := s.evaluator()
		count := 0
		for _, p := range near {
			if e.True(p.Term) {
				count++
			}
		}
		if count > most {
			best, most = n, count
		}
	}
	s.unset(x)
	return best
}
