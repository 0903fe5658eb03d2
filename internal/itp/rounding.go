package itp

import "hornbeam/chc/term"

// separateByRounding tries the integer directions that occur in the regions: the greatest value over each P, rounded
// down, must stay below the least value over each Q, rounded up.
func (s *space) separateByRounding(all []*region, normal []bool, opts SeparateOptions) (*term.Term, bool) {
	tried := make(map[string]bool)
	for _, g := range all {
		for i, r := range g.rows {
			if !g.live[i] || !s.overInts(r, normal) {
				continue
			}
			for _, sign := range []int64{g.sign, -g.sign} {
				w := row{}
				for _, e := range r.entries {
					w.entries = append(w.entries, entry{e.column, e.coef.Mul(term.NewInt(sign))})
				}
				if k := w.key(); tried[k] || len(tried) >= maxDirections {
					continue
				} else {
					tried[k] = true
				}
				if h, ok := s.roundAlong(all, w, opts); ok {
					return h, true
				}
			}
		}
	}
	return nil, false
}

func (s *space) overInts(r row, normal []bool) bool {
	for _, e := range r.entries {
		if !normal[e.column] {
			return false
		}
	}
	return s.integral(&r)
}

// roundAlong separates along one normalised direction over integers.
func (s *space) roundAlong(all []*region, w row, opts SeparateOptions) (*term.Term, bool) {
	var lo, hi row
	seenP, seenQ := false, false
	for _, g := range all {
		bound, ok := s.greatest(g, w, opts.Limit)
		if !ok {
			return nil, false
		}
		if g.sign > 0 {
			k := floorBound(bound.bound, bound.strict)
			if !seenP || k.Cmp(lo.bound) > 0 {
				lo, seenP = row{bound: k}, true
			}
		} else {
			k := floorBound(bound.bound, bound.strict).Neg()
			if !seenQ || k.Cmp(hi.bound) < 0 {
				hi, seenQ = row{bound: k}, true
			}
		}
		if seenP && seenQ && lo.bound.Cmp(hi.bound) >= 0 {
			return nil, false
		}
	}
	return s.literal(s.between(w.entries, lo, hi, opts.Strength, opts.Constants)), true
}

// greatest returns an upper bound, the least that the multipliers give, of sign*w*x over a region.
func (s *space) greatest(g *region, w row, limit Limit) (row, bool) {
	var lp LP
	columns := make([][]Entry, len(s.columns))
	variables := make([]int, len(g.rows))
	for k, r := range g.rows {
		variables[k] = -1
		if !g.live[k] {
			continue
		}
		v := lp.AddVariable(r.bound, r.equal)
		variables[k] = v
		for _, e := range r.entries {
			columns[e.column] = append(columns[e.column], Entry{v, e.coef})
		}
	}
	goal := make([]term.Num, len(s.columns))
	for _, e := range w.entries {
		goal[e.column] = e.coef.Mul(term.NewInt(g.sign))
	}
	for c, entries := range columns {
		if len(entries) > 0 || !goal[c].IsZero() {
			lp.AddRow(entries, Equal, goal[c])
		}
	}
	solution, err := lp.Minimize(limit)
	if err != nil || solution.Status != Optimal {
		return row{}, false
	}
	multipliers := make([]term.Num, len(g.rows))
	for k, v := range variables {
		if v >= 0 {
			multipliers[k] = solution.Values[v]
			if multipliers[k].Sign() < 0 && !g.rows[k].equal {
				return row{}, false
			}
		}
	}
	total := sum(g.rows, multipliers)
	for _, e := range total.entries {
		if !goal[e.column].Equal(e.coef) {
			return row{}, false
		}
	}
	return total, len(total.entries) == len(w.entries)
}
