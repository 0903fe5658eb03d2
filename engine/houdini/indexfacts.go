package houdini

import (
	"cmp"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// findIndexFacts finds what loops over arrays may be there for: what a predicate's atoms, and the negations of queries, say
// of arguments when a counter is at the index is said of the index. What a loop establishes is looked at in a later one, and
// what an earlier one did stays where a loop has not been yet, so that facts are carried from heads to bodies and back, where
// a clause has the arguments as they are.
func (s *survey) findIndexFacts(sys *chc.System) {
	for _, p := range sys.Predicates {
		m := &maker{survey: s, predicateSurvey: &s.of[p.ID], params: witness.CanonicalParams(sys.Pool, p)}
		for _, k := range m.indices() {
			m.factsAt(k, m.counters(k))
		}
		m.eachGrid(func(row, column, i, j int) {
			at := sys.Pool.NewSubstitution(map[*term.Term]*term.Term{m.params[i]: m.params[row], m.params[j]: m.params[column]})
			m.factsBy(at, []*term.Term{m.params[row], m.params[column]}, false)
		})
	}
	for _, c := range sys.Clauses {
		s.lookAtIndex(sys, c)
	}
	for range factRounds {
		changed := false
		for _, c := range sys.Clauses {
			if c.Head == nil {
				continue
			}
			for _, a := range c.Body {
				changed = s.carryFacts(*c.Head, a) || changed
				changed = s.carryFacts(a, *c.Head) || changed
			}
		}
		if !changed {
			break
		}
	}
	for i := range s.of {
		slices.SortStableFunc(s.of[i].indexFacts, func(f, g indexFact) int { return cmp.Compare(f.priority, g.priority) })
	}
}

// factsAt adds the formulas about other arguments than the counters, which are taken for the index, or for what the index is shifted
// by: as they are in bodies, or a step further, as they are in heads.
func (m *maker) factsAt(k int, counters []int) {
	for head := range 2 {
		to := map[*term.Term]*term.Term{}
		for _, i := range counters {
			at := m.pool.Sub(m.params[k], m.pool.IntNum(m.shift(k, i)))
			if head > 0 {
				at = m.pool.Add(at, m.pool.IntNum(m.step(i)))
			}
			to[m.params[i]] = at
		}
		m.factsBy(m.pool.NewSubstitution(to), []*term.Term{m.params[k]}, head > 0)
	}
}

// lookAtIndex adds what a clause from a predicate to itself relates where its counter is at the index: then what is known at
// the counter is what is known at the index.
func (s *survey) lookAtIndex(sys *chc.System, c *chc.Clause) {
	if c.Head == nil || !slices.ContainsFunc(c.Body, func(a chc.App) bool { return a.Pred == c.Head.Pred }) {
		return
	}
	m := &maker{survey: s, predicateSurvey: &s.of[c.Head.Pred.ID], params: witness.CanonicalParams(sys.Pool, c.Head.Pred)}
	indices := m.indices()
	if len(indices) == 0 {
		return
	}
	v := s.view(sys, *c.Head, equationsAtIndex(c.Constraint, nil))
	renaming := s.pool.NewSubstitution(v.names)
	for _, k := range indices {
		to := map[*term.Term]*term.Term{}
		for _, i := range m.counters(k) {
			to[m.params[i]] = m.pool.Add(m.params[k], m.pool.IntNum(m.step(i)))
		}
		at := m.pool.NewSubstitution(to)
		term.Walk(c.Constraint, func(t *term.Term) bool {
			if !t.IsBool() || t.IsQuantifier() || !isAtom(t) {
				return t.IsBool() && !t.IsQuantifier()
			}
			if v.sees(t) && t.Op() == term.Eq {
				fact := at.Apply(renaming.Apply(t))
				if vars := term.Vars(fact); len(vars) > 1 || len(vars) == 1 && vars[0] != m.params[k] {
					m.addFact(fact, equated)
				}
			}
			return false
		})
	}
}

// equationsAtIndex adds the equations of a constraint, those included that hold where another one does.
func equationsAtIndex(t *term.Term, out []*term.Term) []*term.Term {
	switch {
	case t.IsAnd():
		for _, a := range t.Args() {
			out = equationsAtIndex(a, out)
		}
	case t.IsOr():
		var rest []*term.Term
		for _, a := range t.Args() {
			if !a.IsNot() || a.Arg(0).Op() != term.Eq {
				rest = append(rest, a)
			}
		}
		if len(rest) == 1 && len(rest) < len(t.Args()) {
			out = equationsAtIndex(rest[0], out)
		}
	case t.Op() == term.Eq && !t.Arg(0).IsBool():
		out = append(out, t)
	}
	return out
}

// shift is the least constant that the index k is a counter plus, where that is positive; 0 elsewhere.
func (m *maker) shift(k, counter int) term.Num {
	for _, s := range m.shifts[k] {
		if s.Monomials[0].Term == m.params[counter] && s.Const.Sign() > 0 {
			return s.Const
		}
	}
	return term.Num{}
}

// step is what a counter is counted in; 0 for one that takes any value.
func (m *maker) step(i int) term.Num {
	if n := slices.IndexFunc(m.steps[i], func(n term.Num) bool { return !n.IsZero() }); n >= 0 {
		return m.steps[i][n]
	}
	return term.NewInt(0)
}

// factsBy adds the formulas with indices in place of the counters, where something else is left in them.
func (m *maker) factsBy(at *term.Substitution, indices []*term.Term, head bool) {
	of := func(t *term.Term, vars []*term.Term) bool {
		return !t.HasQuantifier() && slices.ContainsFunc(vars, func(x *term.Term) bool { return !slices.Contains(indices, x) })
	}
	for _, t := range m.goals {
		if fact := at.Apply(t); !head && of(fact, term.Vars(fact)) {
			m.addFact(fact, wanted)
		}
	}
	for _, t := range m.atoms {
		fact := at.Apply(t)
		vars := term.Vars(fact)
		if !of(fact, vars) {
			continue
		}
		switch {
		case !m.compared[t]:
			m.addFact(fact, near)
		case len(vars) > 1 && fact.Op() == term.Eq:
			m.addFact(fact, equated)
		case len(vars) > 1:
			m.addFact(fact, related)
		default:
			m.addFact(fact, single)
		}
	}
}

// priority says how much a fact promises.
type priority uint8

// What queries want comes first, then equations that relate arguments, then what else relates them, then what is about one
// argument, and at last what is next to something in the clauses.
const (
	wanted priority = iota
	equated
	related
	single
	near
)

// indexFact is what may be true of arguments at an index of arrays.
type indexFact struct {
	formula  *term.Term
	priority priority
}

// addFact adds a fact, or raises its priority; it reports whether there is something new.
func (of *predicateSurvey) addFact(t *term.Term, u priority) bool {
	if t.IsTrue() || t.IsFalse() {
		return false
	}
	i := slices.IndexFunc(of.indexFacts, func(f indexFact) bool { return f.formula == t })
	switch {
	case i >= 0 && of.indexFacts[i].priority <= u:
		return false
	case i >= 0:
		of.indexFacts[i].priority = u
		return true
	case u == near && len(of.indexFacts) >= mostChosen, len(of.indexFacts) >= mostCarried:
		return false
	}
	of.indexFacts = append(of.indexFacts, indexFact{t, u})
	return true
}

// carryFacts makes facts of an atom's arguments facts of another atom of the clause that has the same variables.
func (s *survey) carryFacts(one, other chc.App) bool {
	if one.Pred == other.Pred {
		return false
	}
	from, to := witness.CanonicalParams(s.pool, one.Pred), witness.CanonicalParams(s.pool, other.Pred)
	same := map[*term.Term]*term.Term{}
	for j, x := range one.Args {
		if i := slices.Index(other.Args, x); x.IsVar() && i >= 0 {
			same[from[j]] = to[i]
		}
	}
	renaming := s.pool.NewSubstitution(same)
	changed := false
	for _, f := range s.of[one.Pred.ID].indexFacts {
		if !slices.ContainsFunc(term.Vars(f.formula), func(x *term.Term) bool { return same[x] == nil }) {
			changed = s.of[other.Pred.ID].addFact(renaming.Apply(f.formula), f.priority) || changed
		}
	}
	return changed
}
