package mbp

import "hornbeam/chc/term"

// leftover eliminates one variable that no rule applies to, the one in most opaque terms first: by a term of the
// literals that has the same value in the model and does not contain it, else by its value. It reports whether there
// was one.
func (s *system) leftover() bool {
	best, most := int32(-1), -1
	for i := range s.vars {
		if s.vars[i].done {
			continue
		}
		if n := len(s.vars[i].opaque) + len(s.vars[i].others); n > most {
			best, most = int32(i), n
		}
	}
	if best < 0 {
		return false
	}
	x := &s.vars[best]
	if x.col < 0 && s.clean(best) {
		x.done = true
		return true
	}
	s.exact = false
	if t := s.sameValued(best); t != nil {
		s.stats.Replaced++
		s.replaceBy(best, t)
		return true
	}
	if x.t != nil {
		s.stats.Substituted++
		if x.sort.Kind == term.ArrayKind {
			s.stats.ArraysSubstituted++
		}
	}
	s.replaceBy(best, s.valueTerm(best))
	return true
}

func (s *system) valueTerm(v int32) *term.Term {
	x := &s.vars[v]
	if x.col >= 0 {
		return s.p.Numeral(s.value(x.col), x.sort)
	}
	val, ok := s.model.Lookup(x.t)
	if !ok {
		val = term.DefaultValue(s.p, x.sort)
	}
	return val.Term(s.p)
}

// replaceBy puts a term for a variable everywhere.
func (s *system) replaceBy(v int32, t *term.Term) {
	if s.err != nil {
		return
	}
	if x := &s.vars[v]; x.col >= 0 {
		s.define(v, s.linear(s.p.Linear(t)), one)
		return
	}
	s.vars[v].done = true
	s.replaceTerm(v, t)
}

// sameValued returns a term to put for a variable: the other side of a bound that the model meets with equality, an
// array index of the literals, or what makes an index with it equal to another; nil when there is none. All are made of
// terms of the literals, so that there are finitely many choices.
func (s *system) sameValued(v int32) *term.Term {
	x := &s.vars[v]
	if x.col >= 0 {
		if t := s.touchingBound(v); t != nil {
			return t
		}
	}
	if x.t == nil {
		return nil
	}
	want, ok := s.ev.Eval(x.t)
	if !ok {
		return nil
	}
	s.collectIndices()
	for _, i := range s.indices {
		if i.Sort() != x.sort || term.Contains(i, x.t) || s.mentionsDone(i) {
			continue
		}
		if val, ok := s.ev.Eval(i); ok && val.Equal(want) {
			return i
		}
	}
	if x.sort == term.Int {
		return s.solvedIndex(x.t)
	}
	return nil
}

// solvedIndex returns what an Int variable must be for an array index with it, x + t or t - x, to be another index of
// the literals that has the same value in the model.
func (s *system) solvedIndex(x *term.Term) *term.Term {
	for _, i := range s.indices {
		if i.Sort() != term.Int || !term.Contains(i, x) || s.mentionsDone(i) {
			continue
		}
		l := s.p.Linear(i)
		k, rest := l.Coef(x), s.p.FromLinear(l.Without(x), term.Int)
		val, ok := s.ev.Eval(i)
		if !ok || !k.Abs().IsOne() || term.Contains(rest, x) {
			continue
		}
		for _, j := range s.indices {
			if j.Sort() != term.Int || term.Contains(j, x) || j.IsNumeral() && rest.IsNumeral() || s.mentionsDone(j) {
				continue
			}
			if at, ok := s.ev.Eval(j); ok && at.Equal(val) {
				return s.p.Scale(k, s.p.Sub(j, rest))
			}
		}
	}
	return nil
}

// touchingBound returns the bound of an arithmetic variable that equals its value, other than a numeral.
func (s *system) touchingBound(v int32) *term.Term {
	c := s.vars[v].col
	for _, id := range s.live(c) {
		r := s.rows[id]
		if r.rel != le && r.rel != eq || !r.val.IsZero() || len(r.ents) == 1 || s.occursInside(v, &r) {
			continue
		}
		k := r.coef(c)
		if s.cols[c].integer && !(r.integer && k.Abs().IsOne()) {
			continue
		}
		return s.sumTerm(combine(r.without(c), k.Inv().Neg(), sum{}, term.Num{}, -1), s.vars[v].sort)
	}
	return nil
}

// collectIndices gathers the array indices of the columns and literals that are new since the last time.
func (s *system) collectIndices() {
	visit := func(u *term.Term) bool {
		if op := u.Op(); (op == term.Select || op == term.Store) && !s.isIndex.Has(u.Arg(1)) {
			s.isIndex.Put(u.Arg(1), true)
			s.indices = append(s.indices, u.Arg(1))
		}
		return !u.IsQuantifier()
	}
	for ; s.indexedCols < len(s.cols); s.indexedCols++ {
		if t := s.cols[s.indexedCols].t; t != nil {
			term.Walk(t, visit)
		}
	}
	for ; s.indexedOthers < len(s.others); s.indexedOthers++ {
		term.Walk(s.others[s.indexedOthers].lit, visit)
	}
}

// mentionsDone reports whether a term contains a variable that was eliminated already.
func (s *system) mentionsDone(t *term.Term) bool {
	for _, x := range term.Vars(t) {
		if v, ok := s.varOf.Get(x); ok && s.vars[v].done {
			return true
		}
	}
	return false
}
