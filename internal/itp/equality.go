package itp

import (
	"slices"

	"hornbeam/chc/term"
)

// SeparateEquality returns an equality w*x = c over vars that holds on every cube of Ps and on no point of any cube of
// Qs: the affine hull of the Ps (the equalities that their linear literals imply, also jointly) is taken as one cube and
// separated from the Qs as Separate does, which finds the normal of least cost among those with all Qs on one side; else
// the hull's basis is tried one by one, with Qs on both sides. False when there is none, or when a P is contradictory.
func SeparateEquality(p *term.Pool, Ps, Qs []Cube, vars []*term.Term, opts SeparateOptions) (*term.Term, bool) {
	if len(Ps) == 0 || len(Qs) == 0 {
		return nil, false
	}
	s := newSpace(p)
	ps := s.regions(Ps, 1)
	qs := s.regions(Qs, -1)
	hull, ok := s.hull(ps, vars, opts.Limit)
	if !ok || len(hull) == 0 {
		return nil, false
	}
	all := append([]*region{{rows: hull, sign: 1}}, qs...)
	normal := s.normalColumns(all, vars)
	if lo, _, ok := s.simplestSeparation(all, normal, gapBetween, opts); ok && len(lo.entries) > 0 {
		lo.equal, lo.strict = true, false
		if h := s.literal(lo); !h.IsFalse() {
			return h, true
		}
	}
	for _, r := range hull {
		excludes := func(q *region) bool {
			rows := append([]row{r}, q.rows...)
			_, ok := s.refute(rows, 1, opts.Limit)
			return ok
		}
		if h := s.literal(r); !h.IsFalse() && !slices.ContainsFunc(qs, func(q *region) bool { return !excludes(q) }) {
			return h, true
		}
	}
	return nil, false
}

// hull returns a basis, in echelon form, of the equalities over vars that hold on every region; false when a region is
// contradictory.
func (s *space) hull(ps []*region, vars []*term.Term, limit Limit) ([]row, bool) {
	var columns []int
	for _, v := range vars {
		if c, ok := s.index[v]; ok {
			columns = append(columns, c)
		}
	}
	slices.Sort(columns)
	columns = slices.Compact(columns)
	n := len(s.columns)
	var generators [][]term.Num
	for _, g := range ps {
		equalities, ok := s.impliedEqualities(g, limit)
		if !ok {
			return nil, false
		}
		// Homogeneous: the last coordinate stands for 1.
		matrix := make([][]term.Num, len(equalities))
		for i, k := range equalities {
			matrix[i] = make([]term.Num, n+1)
			for _, e := range g.rows[k].entries {
				matrix[i][e.column] = e.coef
			}
			matrix[i][n] = g.rows[k].bound.Neg()
		}
		for _, v := range kernel(matrix, n+1) {
			projected := make([]term.Num, 0, len(columns)+1)
			for _, c := range columns {
				projected = append(projected, v[c])
			}
			generators = append(generators, append(projected, v[n]))
		}
	}
	var out []row
	for _, v := range kernel(generators, len(columns)+1) {
		r := row{equal: true, bound: v[len(columns)].Neg()}
		for i, c := range columns {
			if !v[i].IsZero() {
				r.entries = append(r.entries, entry{c, v[i]})
			}
		}
		if len(r.entries) == 0 {
			return nil, false
		}
		r.normalise()
		out = append(out, r)
	}
	return out, true
}

// impliedEqualities returns the rows of a region that hold with equality throughout, explicit equalities first. One
// linear program decides all rows: over the homogenised region, the slacks, each at most 1, have a greatest sum in which
// a slack is 0 exactly when it is 0 everywhere.
func (s *space) impliedEqualities(g *region, limit Limit) ([]int, bool) {
	var out []int
	var lp LP
	one := term.NewInt(1)
	points := make([]int, len(s.columns))
	for c := range points {
		points[c] = lp.AddVariable(term.Num{}, true)
	}
	scale := lp.AddVariable(term.Num{}, false)
	lp.AddRow([]Entry{{scale, one}}, AtLeast, one)
	slacks := make([]int, len(g.rows))
	inequalities := false
	for i, r := range g.rows {
		slacks[i] = -1
		entries := make([]Entry, 0, len(r.entries)+2)
		for _, e := range r.entries {
			entries = append(entries, Entry{points[e.column], e.coef})
		}
		entries = append(entries, Entry{scale, r.bound.Neg()})
		if r.equal {
			out = append(out, i)
			lp.AddRow(entries, Equal, term.Num{})
			continue
		}
		inequalities = true
		slacks[i] = lp.AddVariable(one.Neg(), false)
		lp.AddRow(append(entries, Entry{slacks[i], one}), AtMost, term.Num{})
		lp.AddRow([]Entry{{slacks[i], one}}, AtMost, one)
	}
	if !inequalities {
		return out, true
	}
	solution, err := lp.Minimize(limit)
	if err != nil || solution.Status != Optimal {
		return nil, false
	}
	for i, v := range slacks {
		if v >= 0 && solution.Values[v].IsZero() {
			if g.rows[i].strict {
				return nil, false
			}
			out = append(out, i)
		}
	}
	return out, true
}

// kernel returns a basis of the vectors of length n that the matrix maps to 0; it reduces the matrix in place.
func kernel(matrix [][]term.Num, n int) [][]term.Num {
	var pivots []int
	rank := 0
	for c := 0; c < n && rank < len(matrix); c++ {
		k := slices.IndexFunc(matrix[rank:], func(r []term.Num) bool { return !r[c].IsZero() })
		if k < 0 {
			continue
		}
		matrix[rank], matrix[rank+k] = matrix[rank+k], matrix[rank]
		inverse := matrix[rank][c].Inv()
		for j := c; j < n; j++ {
			matrix[rank][j] = matrix[rank][j].Mul(inverse)
		}
		for i := range matrix {
			f := matrix[i][c]
			if i == rank || f.IsZero() {
				continue
			}
			for j := c; j < n; j++ {
				if !matrix[rank][j].IsZero() {
					matrix[i][j] = matrix[i][j].Sub(f.Mul(matrix[rank][j]))
				}
			}
		}
		pivots = append(pivots, c)
		rank++
	}
	var out [][]term.Num
	for c := range n {
		if slices.Contains(pivots, c) {
			continue
		}
		v := make([]term.Num, n)
		v[c] = term.NewInt(1)
		for i, p := range pivots {
			v[p] = matrix[i][c].Neg()
		}
		out = append(out, v)
	}
	return out
}
