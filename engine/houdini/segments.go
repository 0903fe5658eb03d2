package houdini

import (
	"slices"

	"hornbeam/chc/term"
)

// segments are facts about the elements at indices that a loop has visited, or has still to visit: `from <= k < to` implies
// the fact. The index k is an argument that the clauses from the predicate to itself leave alone and compare with a counter,
// as the abstraction of arrays to their values at one index makes it; such facts are what it needs of loops over arrays.
// Where a loop treats one index in a special way, or goes in steps, some are about the other indices, or those that the
// counter takes.
func (m *maker) segments(emit func(*term.Term)) {
	for _, k := range m.indices() {
		counters := m.counters(k)
		parts := m.parts(k, counters)
		facts := m.facts(k, counters)
		if slices.ContainsFunc(counters, func(i int) bool { return m.equated(i, k) }) {
			// What a query wants of an element is seldom much, and most is done when it is found of which elements that is true.
			m.combine(facts[:min(len(facts), m.wanted())], parts[:min(len(parts), mostParts)], 1, emit)
		}
		// The first facts and the first segments of each are what most loops need.
		m.combine(facts, parts, factsPerSegment, emit)
	}
}

// wanted is how many of the facts about an index queries want.
func (m *maker) wanted() int {
	n := slices.IndexFunc(m.indexFacts, func(f indexFact) bool { return f.priority != wanted })
	if n < 0 {
		return len(m.indexFacts)
	}
	return n
}

// combine makes the disjunctions of one formula of each list, those of early ones first; so many of the first list come before the
// next of the second.
func (m *maker) combine(first, second []*term.Term, step int, emit func(*term.Term)) {
	for sum := range len(first) + step*len(second) {
		for i, s := range second {
			f := sum - step*i
			if m.full || f < 0 {
				break
			}
			if f < len(first) {
				emit(m.pool.Or(s, first[f]))
			}
		}
	}
}

// outside says that a number is not in a segment.
func (m *maker) outside(x, from, to *term.Term) *term.Term {
	return m.pool.Or(m.pool.Lt(x, from), m.pool.Ge(x, to))
}

// equated reports whether clauses equate two arguments.
func (m *maker) equated(i, k int) bool { return m.equates[[2]int{min(i, k), max(i, k)}] }

// indices are the arguments that are left alone and compared with a counter: those that are equated with one, as indices of
// arrays are and limits are not, if there are any.
func (m *maker) indices() []int {
	var all, equated []int
	for k, index := range m.params {
		if index.Sort() != term.Int || !m.constant(k) {
			continue
		}
		counters := m.counters(k)
		if len(counters) == 0 {
			continue
		}
		all = append(all, k)
		if slices.ContainsFunc(counters, func(i int) bool { return m.equated(i, k) }) {
			equated = append(equated, k)
		}
	}
	if len(equated) > 0 {
		return equated
	}
	return all
}

// parts are what an index has to be outside of for nothing to be said of it: the segments, the most common ones first,
// without exceptions and with them.
func (m *maker) parts(k int, counters []int) []*term.Term {
	index := m.params[k]
	ends := m.ends(k, counters)
	var outside []*term.Term
	segments := func(to *term.Term, starts ...*term.Term) {
		for _, from := range starts {
			if from != to {
				outside = append(outside, m.outside(index, from, to))
			}
		}
	}
	zero, one := m.pool.Int(0), m.pool.Int(1)
	addresses := m.addresses(counters)
	starts := slices.Concat([]*term.Term{zero}, ends.starts, ends.counters)
	// Where the index is compared with sums these are what has been visited, and the counters by themselves are not.
	for _, to := range ends.sums {
		segments(to, slices.Concat(ends.starts, []*term.Term{zero}, ends.counters)...)
	}
	for _, to := range slices.Concat(ends.counters, ends.limits, ends.constants) {
		if addresses {
			segments(to, one)
			segments(m.pool.Add(to, one), append([]*term.Term{one, to}, ends.counters...)...)
		}
		segments(to, starts...)
	}
	var out []*term.Term
	exceptions := m.exceptions(k, counters)
	m.combine(outside, exceptions, segmentsPerException, func(part *term.Term) { out = append(out, part) })
	return out
}

// addresses reports whether clauses look at whether a counter is positive, as they do where heaps are arrays that objects are in from
// 1 on: what is allocated ends with the counter.
func (m *maker) addresses(counters []int) bool {
	return slices.ContainsFunc(counters, func(i int) bool {
		return m.compared[m.pool.Ge(m.params[i], m.pool.Int(1))] || m.compared[m.pool.Le(m.params[i], m.pool.Int(0))]
	})
}

// exceptions are what a fact may leave out: nothing, an index that a counter is compared with, indices that a counter
// steps over, and those that are no multiple, or one with a remainder, of the factor of a sum that the index is compared with.
func (m *maker) exceptions(k int, counters []int) []*term.Term {
	out := []*term.Term{m.pool.False()}
	index := m.params[k]
	for _, i := range counters {
		for _, c := range m.constants[term.Int] {
			if len(out) < m.options.segmentExceptions && m.compared[m.pool.Eq(m.params[i], c)] {
				out = append(out, m.pool.Eq(index, c))
			}
		}
		for _, step := range m.steps[i] {
			if step.IsInt() && step.Abs().Cmp(term.NewInt(1)) > 0 && len(out) < m.options.segmentExceptions {
				out = append(out, m.pool.Not(m.pool.Divides(step.Abs(), m.pool.Sub(index, m.params[i]))))
			}
		}
	}
	for _, sum := range m.sums[k] {
		g := term.Num{}
		for _, x := range sum.Monomials {
			g = term.GCD(g, x.Coef)
		}
		if g.Cmp(term.NewInt(1)) > 0 && g.Cmp(term.NewInt(int64(m.options.largestModulus))) <= 0 {
			for r := term.NewInt(0); r.Cmp(g) < 0; r = r.Add(term.NewInt(1)) {
				out = append(out, m.pool.Not(m.pool.Divides(g, m.pool.Sub(index, m.pool.IntNum(r)))))
			}
		}
	}
	return out
}

// constant tells whether clauses from the predicate to itself leave an argument as it is.
func (m *maker) constant(i int) bool {
	return len(m.steps[i]) == 1 && m.steps[i][0].IsZero()
}

// counters are the arguments that are counted and meet the index in an atom, and those that are equated with it and take any value
// in a round, as pointers that follow a list do.
func (m *maker) counters(k int) []int {
	var out []int
	for i, x := range m.params {
		if i == k || x.Sort() != term.Int || !m.knownMeets[[2]int{min(i, k), max(i, k)}] {
			continue
		}
		if slices.ContainsFunc(m.steps[i], func(n term.Num) bool { return !n.IsZero() }) || m.moves[i] && m.equated(i, k) {
			out = append(out, i)
		}
	}
	return out
}

// ends are what a segment may begin or end with.
type ends struct {
	// counters are the counters, and limits the arguments that they are counted to.
	counters, limits []*term.Term
	// sums are those of multiples of counters that the index is compared with, or of one and a constant, and what these are in the end.
	sums []*term.Term
	// constants are those that counters are compared with, and those that occur most.
	constants []*term.Term
	// starts are what the sums are in the beginning, where that is not 0.
	starts []*term.Term
}

// others are the ends but the counters.
func (e ends) others() []*term.Term { return slices.Concat(e.limits, e.sums, e.constants) }

// ends are those of the segments that an index may be in.
func (m *maker) ends(k int, counters []int) ends {
	var out ends
	for _, i := range counters {
		out.counters = append(out.counters, m.params[i])
	}
	for i, x := range m.params {
		if i != k && x.Sort() == term.Int && m.constant(i) && slices.ContainsFunc(counters, func(c int) bool { return m.knownMeets[[2]int{min(i, c), max(i, c)}] }) {
			out.limits = append(out.limits, x)
		}
	}
	add := func(l term.Linear) {
		if t := m.pool.FromLinear(l, term.Int); !slices.Contains(out.sums, t) {
			out.sums = append(out.sums, t)
		}
	}
	for _, sum := range m.sums[k] {
		m.addStart(sum, &out)
		add(sum)
		sum.Const = term.Num{}
		add(sum)
		if len(sum.Monomials) > 1 {
			m.atLimits(sum, add)
		}
	}
	for _, i := range counters {
		shift := term.Linear{Const: m.shift(k, i)}
		if shift.Const.IsZero() {
			continue
		}
		shifted := m.pool.Linear(m.params[i]).Add(shift)
		m.addStart(shifted, &out)
		add(shifted)
		for _, limit := range out.limits {
			add(m.pool.Linear(limit).Add(shift))
		}
	}
	var limits []term.Num
	for _, i := range counters {
		limits = append(limits, m.limits[i]...)
	}
	for _, c := range m.constants[term.Int] {
		limits = append(limits, c.Num())
	}
	one := term.NewInt(1)
	for _, c := range limits {
		// A loop up to c ends with the next number.
		for _, end := range []*term.Term{m.pool.IntNum(c.Add(one)), m.pool.IntNum(c)} {
			if c.Cmp(one) > 0 && len(out.constants) < mostEnds && !slices.Contains(out.constants, end) {
				out.constants = append(out.constants, end)
			}
		}
	}
	return out
}

// addStart adds what a sum is where all of its arguments have the values that they begin with.
func (m *maker) addStart(sum term.Linear, out *ends) {
	start := sum.Const
	for _, x := range sum.Monomials {
		entry := m.entries[slices.Index(m.params, x.Term)]
		if entry == nil {
			return
		}
		start = start.Add(x.Coef.Mul(entry.Num()))
	}
	if t := m.pool.IntNum(start); !start.IsZero() && !slices.Contains(out.starts, t) {
		out.starts = append(out.starts, t)
	}
}

// atLimits visits what a sum is when all of its terms have reached what they are compared with.
func (m *maker) atLimits(sum term.Linear, visit func(term.Linear)) {
	if sum.IsConst() {
		visit(sum)
		return
	}
	x := sum.Monomials[0]
	// Counters begin with 0, which they are compared with, too.
	limits := slices.DeleteFunc(slices.Clone(m.limits[slices.Index(m.params, x.Term)]), term.Num.IsZero)
	for _, limit := range limits[:min(len(limits), mostSumLimits)] {
		rest := sum.Without(x.Term)
		rest.Const = rest.Const.Add(x.Coef.Mul(limit.Add(term.NewInt(1))))
		m.atLimits(rest, visit)
	}
}

// facts relate the other arguments to each other, to the index and to constants: equalities come first, as loops that copy
// and fill need nothing else. What queries want and clauses equate comes before all, and the other atoms of clauses after the equalities.
func (m *maker) facts(k int, counters []int) []*term.Term {
	var equal, ordered, addresses []*term.Term
	var others []*term.Term
	for i, x := range m.params {
		if i != k && !slices.Contains(counters, i) {
			others = append(others, x)
		}
	}
	relate := func(x, y *term.Term) {
		equal = append(equal, m.pool.Eq(x, y))
		if x.Sort() == term.Int {
			ordered = append(ordered, m.pool.Le(x, y), m.pool.Ge(x, y))
		}
	}
	for j, y := range others {
		for _, x := range others[:j] {
			if x.Sort() == y.Sort() {
				relate(x, y)
			}
		}
	}
	if m.addresses(counters) {
		ends := m.ends(k, counters)
		for _, x := range others {
			if x.Sort() != term.Int {
				continue
			}
			addresses = append(addresses, m.pool.Ge(x, m.pool.Int(0)), m.pool.Eq(x, m.pool.Add(m.params[k], m.pool.Int(1))))
			for _, end := range slices.Concat(ends.counters, ends.limits) {
				if end != x {
					addresses = append(addresses, m.pool.Le(x, end))
				}
			}
		}
	}
	for _, x := range others {
		if x.IsBool() {
			equal = append(equal, x, m.pool.Not(x))
			continue
		}
		for _, c := range m.constants[x.Sort()][:min(len(m.constants[x.Sort()]), mostFactConstants)] {
			relate(x, c)
		}
		if x.Sort() == term.Int {
			relate(x, m.params[k])
		}
	}
	var first, further []*term.Term
	for _, f := range m.indexFacts[:min(len(m.indexFacts), mostChosen)] {
		if f.priority <= equated {
			first = append(first, f.formula)
		} else {
			further = append(further, f.formula)
		}
	}
	out := slices.Concat(first, addresses, equal, further, ordered)
	return out[:min(len(out), m.options.segmentFacts)]
}
