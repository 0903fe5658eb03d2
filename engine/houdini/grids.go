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
	for _, row := range indices {
		for _, column := range indices {
			for _, i := range m.counters(row) {
				for _, j := range m.counters(column) {
					if row != column && i != j && m.equated(i, row) && m.equated(j, column) {
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
	m.combine(facts, parts, 1, emit)
}

// gridParts are what the two indices have to be outside of for nothing to be said of them.
func (m *maker) gridParts(row, column, i, j int) []*term.Term {
	p := m.pool
	k, l, zero := m.params[row], m.params[column], p.IntNum(term.NewInt(0))
	widths, heights := m.ends(column, []int{j}).others(), m.ends(row, []int{i}).others()
	// Where the heads of both loops are one, the outer counter is compared before it is counted.
	if n := slices.IndexFunc(m.limits[i], func(c term.Num) bool { return !c.IsZero() }); n >= 0 {
		heights = append([]*term.Term{p.IntNum(m.limits[i][n].Add(term.NewInt(2)))}, heights...)
	}
	out := []*term.Term{p.Or(p.Not(p.Eq(k, m.params[i])), m.outside(l, zero, m.params[j]))}
	for _, width := range widths {
		out = append(out, p.Or(m.outside(k, zero, m.params[i]), m.outside(l, zero, width)))
		for _, height := range heights {
			out = append(out, p.Or(m.outside(k, zero, height), m.outside(l, zero, width)))
		}
	}
	return out
}
