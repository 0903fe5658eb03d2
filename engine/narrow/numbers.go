package narrow

import (
	"hornbeam/chc/term"
)

// onNumbers runs a query with small numbers for its inputs, all combinations of the smallest first, and returns what derives it.
func (m *machine) onNumbers(q *clause) *frame {
	inputs := m.inputsOf(q)
	choice := make([]int, len(inputs))
	for largest, tries := 0, m.tries; ; largest++ {
		// The first input that has the largest number is at one place after the other, so that no combination is tried twice.
		any := false
		for place := range max(1, len(inputs)) {
			if largest == 0 && place > 0 {
				break
			}
			clear(choice)
			if len(inputs) > 0 {
				choice[place] = largest
			}
			for more := true; more; more = m.following(choice, place, largest) {
				if tries--; tries < 0 || m.stop {
					m.cut = true
					return nil
				}
				f := &frame{clause: q, env: make([]*value, len(q.vars))}
				fits := true
				for i, x := range inputs {
					v := m.small(q.vars[x].Sort(), choice[i])
					if fits = v != nil; !fits {
						break
					}
					f.env[x] = m.value(v)
				}
				if !fits {
					continue
				}
				any = true
				m.step()
				if m.run(&store{pool: m.pool}, f, &answer{}) {
					return f
				}
			}
		}
		if !any || len(inputs) == 0 {
			return nil
		}
	}
}

// following moves on to the next combination that has the largest number at a place, smaller ones before it, and none larger
// behind it; it reports whether there is one.
func (m *machine) following(choice []int, place, largest int) bool {
	for i := range choice {
		if i == place {
			continue
		}
		most := largest
		if i < place {
			most--
		}
		if choice[i] < most {
			choice[i]++
			return true
		}
		choice[i] = 0
	}
	return false
}

// small returns the n-th value of a sort, those near zero first, or nil when there are no more.
func (m *machine) small(s *term.Sort, n int) *term.Term {
	k := int64(n+1) / 2
	if n%2 == 0 {
		k = -k
	}
	switch {
	case s == term.Bool && n < 2:
		return m.pool.Bool(n == 1)
	case s.IsArith():
		return m.pool.Numeral(term.NewInt(k), s)
	case s.Kind == term.BitVecKind && (s.Width > 30 || n < 1<<s.Width):
		return m.pool.BVNum(term.NewInt(k), s.Width)
	case n == 0 && s != term.Bool:
		return term.DefaultValue(m.pool, s).Term(m.pool)
	}
	return nil
}

// inputsOf are variables of a query from which the others are computed, if all atoms of functions yield their results.
func (pr *program) inputsOf(c *clause) []int {
	known := map[int]bool{}
	var inputs []int
	for {
		pr.close(c, known)
		x := pr.wanted(c, known)
		if x < 0 {
			return inputs
		}
		inputs = append(inputs, x)
		known[x] = true
	}
}

// close adds the variables that are computed from those that are known.
func (pr *program) close(c *clause, known map[int]bool) {
	for progress := true; progress; {
		progress = closeFormulas(c, known)
		for _, a := range c.body {
			if !pr.functional[a.pred.ID] {
				continue
			}
			if pr.missing(a, known) >= 0 {
				continue
			}
			for _, t := range a.args {
				t.each(func(x int) {
					progress = progress || !known[x]
					known[x] = true
				})
			}
		}
	}
}

// missing is an input of an atom that is not known, -1 if there is none.
func (pr *program) missing(a atom, known map[int]bool) int {
	missing := -1
	for k, t := range a.args {
		if pr.functional[a.pred.ID] && pr.results[a.pred.ID][k] {
			continue
		}
		t.each(func(x int) {
			if missing < 0 && !known[x] {
				missing = x
			}
		})
	}
	return missing
}

// wanted is the next variable that a number is needed for, -1 if all have one.
func (pr *program) wanted(c *clause, known map[int]bool) int {
	for _, functions := range []bool{true, false} {
		for _, a := range c.body {
			if pr.functional[a.pred.ID] == functions {
				if x := pr.missing(a, known); x >= 0 {
					return x
				}
			}
		}
	}
	for _, f := range c.formulas {
		for _, x := range f.vars {
			if !known[x] {
				return x
			}
		}
	}
	return -1
}

// numeric reports whether running a query on numbers is worth it: it calls a function.
func (pr *program) numeric(q *clause) bool {
	for _, a := range q.body {
		if pr.functional[a.pred.ID] {
			for _, is := range pr.results[a.pred.ID] {
				if is {
					return true
				}
			}
		}
	}
	return false
}
