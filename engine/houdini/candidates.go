package houdini

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// makeCandidates makes a pool of formulas over the canonical parameters of every predicate from what occurs in the
// clauses: their atoms and negated queries, values and bounds of arguments, equalities, differences and sums of two
// arguments, proportions of what is counted, congruences, reads of arrays, clauses of two Boolean arguments or states, and
// facts about segments of arrays.
// At most o.candidates of them are made for a predicate, in turns from each of these families, and fewer where there are very
// many predicates, with o.segments facts about segments in each turn; the same system gives the same pool. None has quantifiers.
func makeCandidates(sys *chc.System, o *options) map[*chc.Predicate][]*term.Term {
	s := newSurvey(sys, o)
	limit := min(o.candidates, max(fewestEach, o.candidatesInAll/max(1, len(sys.Predicates))))
	out := map[*chc.Predicate][]*term.Term{}
	for _, p := range sys.Predicates {
		m := &maker{survey: s, predicateSurvey: &s.of[p.ID], params: witness.CanonicalParams(sys.Pool, p)}
		out[p] = m.take(limit, o.segments)
	}
	return out
}

// maker makes the pool of one predicate.
type maker struct {
	*survey
	*predicateSurvey
	params   []*term.Term
	allPairs [][2]int
	// full says that the family that is being made has as many candidates as are taken.
	full bool
}

// take takes candidates of the families in turns, of the last one so many at once.
func (m *maker) take(limit, segments int) []*term.Term {
	families := []func(func(*term.Term)){
		m.fromClauses, m.values, m.bounds, m.equalities, m.differences, m.proportions, m.nestedCounts, m.congruences, m.reads, m.implications, m.grids, m.segments,
	}
	made := make([][]*term.Term, len(families))
	for i, family := range families {
		m.full = false
		known := map[*term.Term]bool{}
		family(func(t *term.Term) {
			if len(made[i]) < limit && !t.IsTrue() && !t.IsFalse() && !known[t] {
				known[t] = true
				made[i] = append(made[i], t)
			}
			m.full = len(made[i]) >= limit
		})
	}
	// False survives where nothing is derivable, and lets what is derived elsewhere start from nothing.
	out := []*term.Term{m.pool.False()}
	taken := map[*term.Term]bool{}
	for more := true; more && len(out) < limit; {
		more = false
		for i := range made {
			n := 1
			switch i {
			case len(made) - 1:
				n = segments
			case len(made) - 2:
				n = gridsPerSegment * segments
			}
			// What another family has early may come late in this one, whose turn it is no less.
			for ; n > 0 && len(made[i]) > 0 && len(out) < limit; made[i] = made[i][1:] {
				if t := made[i][0]; !taken[t] {
					taken[t] = true
					out = append(out, t)
					more = true
					n--
				}
			}
		}
	}
	return out
}

// pairs returns the pairs of arguments of one sort, those that meet in an atom first.
func (m *maker) pairs() [][2]int {
	if m.allPairs != nil {
		return m.allPairs
	}
	add := func(p [2]int) {
		if m.params[p[0]].Sort() == m.params[p[1]].Sort() {
			m.allPairs = append(m.allPairs, p)
		}
	}
	for _, p := range m.meets {
		add(p)
	}
	for j := range m.params {
		for i := range j {
			if p := [2]int{i, j}; !m.knownMeets[p] {
				add(p)
			}
		}
	}
	return m.allPairs
}

func (m *maker) fromClauses(emit func(*term.Term)) {
	for _, t := range m.atoms {
		emit(t)
	}
}

// values says that an argument has a value, has it not, or is built with a constructor.
func (m *maker) values(emit func(*term.Term)) {
	for _, x := range m.params {
		for _, l := range m.states(x) {
			emit(l)
			emit(m.pool.Not(l))
		}
	}
}

// states are the atoms that tell the values of one argument apart.
func (m *maker) states(x *term.Term) []*term.Term {
	if x.IsBool() {
		return []*term.Term{x}
	}
	var out []*term.Term
	if x.Sort().IsDatatype() {
		for _, c := range x.Sort().Data.Constructors {
			out = append(out, m.pool.Is(c, x))
		}
	}
	for _, c := range m.constants[x.Sort()] {
		out = append(out, m.pool.Eq(x, c))
	}
	return out
}

// equalities are those of two arguments, and disequalities.
func (m *maker) equalities(emit func(*term.Term)) {
	for _, p := range m.pairs() {
		if m.full {
			return
		}
		same := m.pool.Eq(m.params[p[0]], m.params[p[1]])
		emit(same)
		emit(m.pool.Not(same))
	}
}

// reads relates arrays at arguments to arguments and to each other.
func (m *maker) reads(emit func(*term.Term)) {
	var reads []*term.Term
	for _, a := range m.params {
		if !a.Sort().IsArray() {
			continue
		}
		for _, i := range m.params {
			if m.full {
				return
			}
			if i.Sort() != a.Sort().Index {
				continue
			}
			read := m.pool.Select(a, i)
			for _, x := range m.params {
				if x.Sort() != read.Sort() {
					continue
				}
				emit(m.pool.Eq(x, read))
				if x.Sort().IsArith() {
					emit(m.pool.Le(x, read))
					emit(m.pool.Ge(x, read))
				}
			}
			for _, r := range reads {
				if r.Sort() == read.Sort() {
					emit(m.pool.Eq(r, read))
				}
			}
			reads = append(reads, read)
		}
	}
}

// implications are the clauses of two literals about different arguments: Booleans, and the values that arguments are
// compared with, as in "open implies not failed".
func (m *maker) implications(emit func(*term.Term)) {
	states := make([][]*term.Term, len(m.params))
	for i, x := range m.params {
		for _, l := range m.states(x) {
			// A number that is compared with no constant in the clauses is hardly a state.
			if len(states[i]) < m.options.states && (!x.Sort().IsArith() || m.knownAtoms[l]) {
				states[i] = append(states[i], l)
			}
		}
	}
	both := func(boolean bool) {
		for j, y := range m.params {
			for i, x := range m.params[:j] {
				if m.full {
					return
				}
				if (x.IsBool() && y.IsBool()) != boolean {
					continue
				}
				for _, a := range states[i] {
					for _, b := range states[j] {
						emit(m.pool.Or(m.pool.Not(a), b))
						emit(m.pool.Or(a, m.pool.Not(b)))
						emit(m.pool.Or(m.pool.Not(a), m.pool.Not(b)))
						emit(m.pool.Or(a, b))
					}
				}
			}
		}
	}
	both(true)
	both(false)
}
