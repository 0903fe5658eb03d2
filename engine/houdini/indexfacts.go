package houdini

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// factRounds is over how many clauses facts are carried.
const factRounds = 4

// findIndexFacts finds what loops over arrays may be there for: what a predicate's atoms, and the negations of queries, say
// of arguments when a counter has come to the index is said of the index. What a loop establishes is looked at in a later
// one, so that facts are carried from heads to bodies, where a clause has the arguments as they are.
func (s *survey) findIndexFacts(sys *chc.System) {
	for _, p := range sys.Predicates {
		m := &maker{survey: s, predicateSurvey: &s.of[p.ID], params: witness.CanonicalParams(sys.Pool, p)}
		for k, index := range m.params {
			if index.Sort() != term.Int || !m.constant(k) {
				continue
			}
			counters := m.counters(k)
			if len(counters) > 0 {
				m.factsAt(k, counters)
			}
		}
	}
	for range factRounds {
		changed := false
		for _, c := range sys.Clauses {
			if c.Head == nil {
				continue
			}
			for _, a := range c.Body {
				changed = s.carryFacts(*c.Head, a) || changed
			}
		}
		if !changed {
			return
		}
	}
}

// factsAt adds the formulas about other arguments than the counters, which are taken for the index.
func (m *maker) factsAt(k int, counters []int) {
	to := map[*term.Term]*term.Term{}
	for _, i := range counters {
		to[m.params[i]] = m.params[k]
	}
	at := m.pool.NewSubstitution(to)
	for _, t := range slices.Concat(m.goals, m.atoms) {
		if t.HasQuantifier() {
			continue
		}
		fact := at.Apply(t)
		if slices.ContainsFunc(term.Vars(fact), func(x *term.Term) bool { return x != m.params[k] }) {
			m.addFact(fact)
		}
	}
}

func (of *predicateSurvey) addFact(t *term.Term) bool {
	if t.IsTrue() || t.IsFalse() || len(of.indexFacts) >= mostFromClauses || slices.Contains(of.indexFacts, t) {
		return false
	}
	of.indexFacts = append(of.indexFacts, t)
	return true
}

// carryFacts makes facts of the head's arguments facts of an atom of the body that has the same variables.
func (s *survey) carryFacts(head, body chc.App) bool {
	if head.Pred == body.Pred {
		return false
	}
	from, to := witness.CanonicalParams(s.pool, head.Pred), witness.CanonicalParams(s.pool, body.Pred)
	same := map[*term.Term]*term.Term{}
	for j, x := range head.Args {
		if i := slices.Index(body.Args, x); x.IsVar() && i >= 0 {
			same[from[j]] = to[i]
		}
	}
	renaming := s.pool.NewSubstitution(same)
	changed := false
	for _, t := range s.of[head.Pred.ID].indexFacts {
		if !slices.ContainsFunc(term.Vars(t), func(x *term.Term) bool { return same[x] == nil }) {
			changed = s.of[body.Pred.ID].addFact(renaming.Apply(t)) || changed
		}
	}
	return changed
}
