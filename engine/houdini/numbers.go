package houdini

import (
	"slices"

	"hornbeam/chc/term"
)

// bounds compares single numbers with constants and their neighbours: with 0 and the constants that they are compared with in
// clauses before others, and all arguments with one before any with the next.
func (m *maker) bounds(emit func(*term.Term)) {
	first, others := make([][]*term.Term, len(m.params)), make([][]*term.Term, len(m.params))
	for i, x := range m.params {
		if !x.Sort().IsArith() {
			continue
		}
		near := m.near(x.Sort())
		if len(m.limits[i]) > 0 {
			first[i] = append(first[i], near[0])
		}
		for _, limit := range m.limits[i] {
			if c := m.pool.IntNum(limit); c != near[0] {
				first[i] = append(first[i], c)
			}
		}
		others[i] = slices.DeleteFunc(slices.Clone(near), func(c *term.Term) bool { return slices.Contains(first[i], c) })
	}
	for _, constants := range [][][]*term.Term{first, others} {
		for n, more := 0, true; more && !m.full; n++ {
			more = false
			for i, x := range m.params {
				if n < len(constants[i]) {
					m.bound(x, constants[i][n], emit)
					more = true
				}
			}
		}
	}
}

func (m *maker) bound(x, c *term.Term, emit func(*term.Term)) {
	emit(m.pool.Le(x, c))
	emit(m.pool.Ge(x, c))
	if x.Sort() == term.Real {
		emit(m.pool.Lt(x, c))
		emit(m.pool.Gt(x, c))
	}
}

// near returns the constants of a sort of numbers, and the integers next to them.
func (m *maker) near(s *term.Sort) []*term.Term {
	if s == term.Int {
		return append(m.constants[s][:len(m.constants[s]):len(m.constants[s])], m.neighbours...)
	}
	return m.constants[s]
}

// differences compares differences and sums of two arguments with constants; those of arguments that meet in an atom
// come first, and 0 before other constants.
func (m *maker) differences(emit func(*term.Term)) {
	near := m.near(term.Int)
	near = near[:min(len(near), m.options.pairConstants)]
	for k := range max(len(near), min(len(m.constants[term.Real]), m.options.pairConstants)) {
		for _, p := range m.pairs() {
			if m.full {
				return
			}
			x, y := m.params[p[0]], m.params[p[1]]
			constants := near
			if x.Sort() == term.Real {
				constants = m.constants[term.Real]
			}
			if !x.Sort().IsArith() || k >= len(constants) {
				continue
			}
			for _, sum := range []*term.Term{m.pool.Sub(x, y), m.pool.Add(x, y)} {
				emit(m.pool.Le(sum, constants[k]))
				emit(m.pool.Ge(sum, constants[k]))
			}
		}
	}
}

// proportions compares b*x - a*y with constants where a loop counts x in steps of a and y in steps of b.
func (m *maker) proportions(emit func(*term.Term)) {
	for _, p := range m.pairs() {
		if m.full {
			return
		}
		x, y := m.params[p[0]], m.params[p[1]]
		if !x.Sort().IsArith() {
			continue
		}
		for _, a := range m.steps[p[0]] {
			for _, b := range m.steps[p[1]] {
				if a.IsZero() || b.IsZero() || a.Abs().Equal(b.Abs()) {
					continue
				}
				sum := m.pool.Sub(m.pool.Scale(b, x), m.pool.Scale(a, y))
				for _, c := range m.constants[x.Sort()][:min(len(m.constants[x.Sort()]), m.options.pairConstants)] {
					emit(m.pool.Le(sum, c))
					emit(m.pool.Ge(sum, c))
				}
			}
		}
	}
}

// nestedCounts compares z with c*x + y, for constants c: where the turns of an inner loop are at least, or at most, c in each turn of
// the outer loop that x counts, and y counts those of the inner one, z counts them all.
func (m *maker) nestedCounts(emit func(*term.Term)) {
	// outer are those that a turn of some loop leaves alone: the inner loop's own counter is begun anew or goes on.
	var counted, outer, inner []*term.Term
	for i, x := range m.params {
		if x.Sort() != term.Int || !slices.ContainsFunc(m.steps[i], func(n term.Num) bool { return n.Sign() > 0 }) {
			continue
		}
		counted = append(counted, x)
		if slices.ContainsFunc(m.steps[i], term.Num.IsZero) {
			outer = append(outer, x)
		} else {
			inner = append(inner, x)
		}
	}
	factors := slices.DeleteFunc(slices.Clone(m.near(term.Int)), func(c *term.Term) bool { return c.Num().Cmp(term.NewInt(1)) <= 0 })
	compare := func(xs, ends []*term.Term) {
		for _, c := range factors[:min(len(factors), mostFactors)] {
			for _, x := range xs {
				for _, z := range xs {
					if x == z || m.full {
						continue
					}
					rest := m.pool.Sub(z, m.pool.Scale(c.Num(), x))
					for _, y := range ends {
						if y != x && y != z {
							emit(m.pool.Ge(rest, y))
							emit(m.pool.Le(rest, y))
						}
					}
				}
			}
		}
	}
	compare(outer, inner)
	zero := []*term.Term{m.pool.Int(0)}
	compare(outer, zero)
	compare(counted, slices.Concat(zero, counted))
}

// congruences are parity and the remainders of other moduli, of arguments and of differences and sums of two; before them come
// those of each argument by its own steps, which may be larger, with the remainders that constants have. Where it grows by another
// argument, the limits of that one, or the numbers behind them, are its steps.
func (m *maker) congruences(emit func(*term.Term)) {
	for i, x := range m.params {
		steps := m.steps[i]
		for _, j := range m.grows[i] {
			for _, limit := range m.limits[j] {
				// A loop that goes on below a limit ends at the number behind it.
				steps = append(slices.Clip(steps), limit, limit.Add(term.NewInt(1)))
			}
		}
		for _, step := range steps {
			k := step.Abs()
			if x.Sort() != term.Int || !k.IsInt() || k.Cmp(term.NewInt(2)) < 0 || m.full {
				continue
			}
			for _, c := range m.constants[term.Int][:min(len(m.constants[term.Int]), mostRemainders)] {
				emit(m.pool.Divides(k, m.pool.Sub(x, c)))
			}
		}
	}
	var sums []*term.Term
	for _, x := range m.params {
		if x.Sort() == term.Int {
			sums = append(sums, x)
		}
	}
	for _, p := range m.pairs() {
		if x, y := m.params[p[0]], m.params[p[1]]; x.Sort() == term.Int {
			sums = append(sums, m.pool.Sub(x, y), m.pool.Add(x, y))
		}
	}
	for _, s := range sums {
		if m.full {
			return
		}
		for _, k := range m.moduli {
			for r := (term.Num{}); r.Cmp(k) < 0; r = r.Add(term.NewInt(1)) {
				emit(m.pool.Divides(k, m.pool.Sub(s, m.pool.IntNum(r))))
			}
		}
	}
}
