package itp

import (
	"slices"

	"hornbeam/chc/term"
)

// SeparateOptions are the options of Separate; the zero value asks for the strongest half-space of the least normal.
type SeparateOptions struct {
	Strength Strength
	// Constants are preferred as bounds, in this order, with Strength Middle.
	Constants []term.Num
	// Cost, when set, is the cost (non-negative) of a unit of a variable's coefficient; otherwise it is 1.
	Cost func(v *term.Term) term.Num
	// Templates are normals that may be used at TemplateCost a unit, whatever their variables' costs.
	Templates    []term.Linear
	TemplateCost term.Num
	// Any takes the linear program's normal as it is, without the search for one of fewer variables or smaller
	// coefficients.
	Any bool
	// Equalities tries one equality that holds on all P first.
	Equalities bool
	// Rounding tries, when there is no rational half-space over integers, the directions that occur in the cubes with
	// their bounds over each cube rounded (a Chvatal-Gomory cut each).
	Rounding bool
	Limit    Limit
}

// Separate returns one literal over vars that is true on every cube of Ps and false on every cube of Qs (engines.md 1.2,
// `separate`): a half-space found by one linear program with a shared normal w over vars, whose non-negative multipliers
// for each cube derive w*x <= c from each P and w*x >= d from each Q with c < d, strict real literals taken exactly. It
// minimises the cost of w for a gap of 1, and then looks for a normal with fewer variables or smaller coefficients, since
// a wide gap can favour odd ones. Variables outside vars are eliminated by the multipliers. Non-linear literals of the cubes
// are ignored, opaque terms over vars count as variables. False is returned when no such half-space exists (over the
// rationals, after tightening) or the limit was met.
func Separate(p *term.Pool, Ps, Qs []Cube, vars []*term.Term, opts SeparateOptions) (*term.Term, bool) {
	if opts.Equalities {
		if h, ok := SeparateEquality(p, Ps, Qs, vars, opts); ok {
			return h, true
		}
	}
	if len(Qs) == 0 {
		return p.True(), true
	}
	if len(Ps) == 0 {
		return p.False(), true
	}
	s := newSpace(p)
	return s.separate(s.regions(Ps, 1), s.regions(Qs, -1), vars, opts)
}

// region is a cube of one side: its rows imply sign*w*x <= bound.
type region struct {
	rows []row
	sign int64
	live []bool
}

func (s *space) regions(cubes []Cube, sign int64) []*region {
	out := make([]*region, len(cubes))
	for i, c := range cubes {
		out[i] = &region{rows: s.rows(c), sign: sign}
	}
	return out
}

func (s *space) separate(ps, qs []*region, vars []*term.Term, opts SeparateOptions) (*term.Term, bool) {
	all := slices.Concat(ps, qs)
	normal := s.normalColumns(all, vars)
	strictP, strictQ := false, false
	for _, g := range all {
		for i, r := range g.rows {
			if r.strict && g.live[i] {
				strictP, strictQ = strictP || g.sign > 0, strictQ || g.sign < 0
			}
		}
	}
	modes := []gapMode{gapBetween}
	if strictP {
		modes = append(modes, gapInP)
	}
	if strictQ {
		modes = append(modes, gapInQ)
	}
	for _, m := range modes {
		if lo, hi, ok := s.simplestSeparation(all, normal, m, opts); ok {
			return s.literal(s.between(lo.entries, lo, hi, opts.Strength, opts.Constants)), true
		}
	}
	if opts.Rounding {
		return s.separateByRounding(all, normal, opts)
	}
	return nil, false
}

// normalColumns returns, as flags, the columns over vars in which the normal may have a coefficient (those that every
// region bounds), and marks each region's usable rows.
func (s *space) normalColumns(all []*region, vars []*term.Term) []bool {
	allowed := make(map[*term.Term]bool, len(vars))
	for _, v := range vars {
		allowed[v] = true
	}
	normal := make([]bool, len(s.columns))
	for i, t := range s.columns {
		normal[i] = allowed[t] || !t.IsVar() && !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return !allowed[v] })
	}
	for changed := true; changed; {
		changed = false
		for _, g := range all {
			g.live = usable(g.rows, len(s.columns), func(c int) bool { return normal[c] })
			occurs := make([]bool, len(s.columns))
			for i, r := range g.rows {
				if g.live[i] {
					for _, e := range r.entries {
						occurs[e.column] = true
					}
				}
			}
			for c := range normal {
				if normal[c] && !occurs[c] {
					normal[c], changed = false, true
				}
			}
		}
	}
	return normal
}

// gapMode says where the separation is strict: between the two bounds, or at one bound that all P (all Q) leave out.
type gapMode uint8

const (
	gapBetween gapMode = iota
	gapInP
	gapInQ
)

// solveSeparation solves the linear program of Separate in one mode and returns the sides' bounds for the normalised w,
// recomputed from the certificate. normals adds the normal's variables and returns each column's coefficient as a sum
// over them.
func (s *space) solveSeparation(all []*region, normals func(*LP) [][]Entry, mode gapMode, limit Limit) (lo, hi row, ok bool) {
	var lp LP
	one := term.NewInt(1)
	w := normals(&lp)
	threshold := lp.AddVariable(term.Num{}, true)
	variables := make([][]int, len(all))
	for i, g := range all {
		variables[i] = s.derive(&lp, g, w)
		// The derived bound, plus slack where it must be strict, is at most sign*threshold (minus the gap).
		bound := []Entry{{threshold, term.NewInt(-g.sign)}}
		var strict []Entry
		for k, v := range variables[i] {
			if v >= 0 && !g.rows[k].bound.IsZero() {
				bound = append(bound, Entry{v, g.rows[k].bound})
			}
			if v >= 0 && g.rows[k].strict {
				strict = append(strict, Entry{v, one})
			}
		}
		switch {
		case mode == gapBetween && g.sign < 0:
			lp.AddRow(bound, AtMost, one.Neg())
		case mode == gapInP && g.sign > 0, mode == gapInQ && g.sign < 0:
			slack := lp.AddVariable(term.Num{}, false)
			lp.AddRow(append(bound, Entry{slack, one}), AtMost, term.Num{})
			lp.AddRow(append(strict, Entry{slack, one}), AtLeast, one)
		default:
			lp.AddRow(bound, AtMost, term.Num{})
		}
	}
	solution, err := lp.Minimize(limit)
	if err != nil || solution.Status != Optimal {
		return row{}, row{}, false
	}
	return combine(all, variables, solution.Values)
}

// derive adds a region's multipliers and the rows that make its columns add up to sign*w, and returns the multipliers'
// variables (-1 for rows that are left out).
func (s *space) derive(lp *LP, g *region, w [][]Entry) []int {
	columns := make([][]Entry, len(s.columns))
	variables := make([]int, len(g.rows))
	for k, r := range g.rows {
		variables[k] = -1
		if !g.live[k] {
			continue
		}
		v := lp.AddVariable(term.Num{}, r.equal)
		variables[k] = v
		for _, e := range r.entries {
			columns[e.column] = append(columns[e.column], Entry{v, e.coef})
		}
	}
	for c, entries := range columns {
		for _, e := range w[c] {
			entries = append(entries, Entry{e.Variable, e.Coef.Mul(term.NewInt(-g.sign))})
		}
		if len(entries) > 0 {
			lp.AddRow(entries, Equal, term.Num{})
		}
	}
	return variables
}

// combine recomputes every region's sum from the multipliers, checks that all have the same normal, and returns the
// weakest bound of each side.
func combine(all []*region, variables [][]int, values []term.Num) (lo, hi row, ok bool) {
	var a, b row
	seenA, seenB := false, false
	for i, g := range all {
		multipliers := make([]term.Num, len(g.rows))
		for k, v := range variables[i] {
			if v < 0 {
				continue
			}
			multipliers[k] = values[v]
			if values[v].Sign() < 0 && !g.rows[k].equal {
				return row{}, row{}, false
			}
		}
		r := sum(g.rows, multipliers)
		if g.sign > 0 {
			ok = weaken(&a, r, &seenA)
		} else {
			ok = weaken(&b, r, &seenB)
		}
		if !ok {
			return row{}, row{}, false
		}
	}
	if !opposite(a, b) {
		return row{}, row{}, false
	}
	return sides(a, b)
}

// weaken makes *side the weaker of itself and r, which must have the same entries.
func weaken(side *row, r row, seen *bool) bool {
	if !*seen {
		*side, *seen = r, true
		return true
	}
	if !slices.EqualFunc(side.entries, r.entries, func(x, y entry) bool { return x.column == y.column && x.coef.Equal(y.coef) }) {
		return false
	}
	if d := side.bound.Cmp(r.bound); d < 0 || d == 0 && side.strict {
		side.bound, side.strict = r.bound, r.strict
	}
	return true
}
