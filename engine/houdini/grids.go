package houdini

import (
	"slices"

	"hornbeam/chc/term"
)

// grids are facts about the elements of arrays of arrays that two nested loops have visited: those in the rows before the outer
// counter, those in its row before the inner counter, and all of them. An index of rows and one of columns are arguments as they are for
// segments, each with a counter of its own.
func (m *maker) grids(emit func(*term.Term)) {
	m.eachGrid(func(row, column, i, j int) { m.grid(row, column, i, j, emit) })
}

// eachGrid visits the pairs of an index of rows that i counts and another of columns that j counts.
func (m *maker) eachGrid(visit func(row, column, i, j int)) {
	indices := m.indices()
	equates := func(i, k int) bool { return m.equates[[2]int{min(i, k), max(i, k)}] }
	for _, row := range indices {
		for _, column := range indices {
			for _, i := range m.counters(row) {
				for _, j := range m.counters(column) {
					if row != column && i != j && equates(i, row) && equates(j, column) {
						visit(row, column, i, j)
					}
				}
			}
		}
	}
}

// grid makes the facts about rows that i counts and columns that j counts.
func (m *maker) grid(row, column, i, j int, emit func(*term.Term)) {
	parts := m.gridParts(row, column, i, j)
	known := map[*term.Term]bool{m.params[row]: true, m.params[column]: true, m.params[i]: true, m.params[j]: true}
	facts := slices.DeleteFunc(m.facts(row, []int{i, j, column}), func(f *term.Term) bool {
		return !slices.ContainsFunc(term.Vars(f), func(x *term.Term) bool { return !known[x] })
	})
	for sum := range len(facts) + len(parts) {
		for n, part := range parts[:min(len(parts), sum+1)] {
			if f := sum - n; f < len(facts) && !m.full {
				emit(m.pool.Or(part, facts[f]))
			}
		}
	}
}

// gridParts are what the two indices have to be outside of for nothing to be said of them.
func (m *maker) gridParts(row, column, i, j int) []*term.Term {
	p := m.pool
	k, l, zero := m.params[row], m.params[column], p.IntNum(term.NewInt(0))
	outside := func(x, from, to *term.Term) *term.Term { return p.Or(p.Lt(x, from), p.Ge(x, to)) }
	widths, heights := m.ends(column, []int{j})[2:], m.ends(row, []int{i})[2:]
	// Where the heads of both loops are one, the outer counter is compared before it is counted.
	if n := slices.IndexFunc(m.limits[i], func(c term.Num) bool { return !c.IsZero() }); n >= 0 {
		heights = append([]*term.Term{p.IntNum(m.limits[i][n].Add(term.NewInt(2)))}, heights...)
	}
	out := []*term.Term{p.Or(p.Not(p.Eq(k, m.params[i])), outside(l, zero, m.params[j]))}
	for _, width := range widths {
		out = append(out, p.Or(outside(k, zero, m.params[i]), outside(l, zero, width)))
		for _, height := range heights {
			out = append(out, p.Or(outside(k, zero, height), outside(l, zero, width)))
		}
	}
	return out
}
