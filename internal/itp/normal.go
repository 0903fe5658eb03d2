package itp

import (
	"slices"

	"hornbeam/chc/term"
)

// free lets the normal be any sum over the columns of the flags, at the options' costs.
func (s *space) free(normal []bool, opts *SeparateOptions) func(*LP) [][]Entry {
	return func(lp *LP) [][]Entry {
		one := term.NewInt(1)
		w := make([][]Entry, len(s.columns))
		for c, ok := range normal {
			if !ok {
				continue
			}
			cost := s.cost(c, opts)
			plus := lp.AddVariable(cost, false)
			minus := lp.AddVariable(cost, false)
			w[c] = []Entry{{plus, one}, {minus, one.Neg()}}
		}
		for _, t := range opts.Templates {
			direction, ok := s.direction(t, normal)
			if !ok {
				continue
			}
			plus := lp.AddVariable(opts.TemplateCost, false)
			minus := lp.AddVariable(opts.TemplateCost, false)
			for _, e := range direction {
				w[e.column] = append(w[e.column], Entry{plus, e.coef}, Entry{minus, e.coef.Neg()})
			}
		}
		return w
	}
}

func (s *space) cost(column int, opts *SeparateOptions) term.Num {
	if opts.Cost == nil {
		return term.NewInt(1)
	}
	return opts.Cost(s.columns[column])
}

// direction returns a template's normalised entries, when the normal may have all its columns.
func (s *space) direction(t term.Linear, normal []bool) ([]entry, bool) {
	r := row{}
	for _, m := range t.Monomials {
		c, known := s.index[m.Term]
		if !known || !normal[c] {
			return nil, false
		}
		r.entries = append(r.entries, entry{c, m.Coef})
	}
	r.normalise()
	return r.entries, len(r.entries) > 0
}

// fixed lets the normal be a non-negative multiple of one direction.
func (s *space) fixed(direction []entry) func(*LP) [][]Entry {
	return func(lp *LP) [][]Entry {
		w := make([][]Entry, len(s.columns))
		v := lp.AddVariable(term.NewInt(1), false)
		for _, e := range direction {
			w[e.column] = []Entry{{v, e.coef}}
		}
		return w
	}
}

// simplestSeparation separates with the normal of least cost, and then, unless that is a template or simple already,
// with one variable, with the fewest variables that dropping one after the other leaves, and with smaller coefficients
// for these, as far as there is a separation.
func (s *space) simplestSeparation(all []*region, normal []bool, mode gapMode, opts SeparateOptions) (lo, hi row, ok bool) {
	lo, hi, ok = s.solveSeparation(all, s.free(normal, &opts), mode, opts.Limit)
	if !ok || opts.Any || simple(lo.entries) || s.isTemplate(lo.entries, normal, &opts) {
		return lo, hi, ok
	}
	opts.Templates = nil
	try := func(normals func(*LP) [][]Entry) bool {
		a, b, ok := s.solveSeparation(all, normals, mode, opts.Limit)
		if ok {
			lo, hi = a, b
		}
		return ok
	}
	only := func(columns ...int) []bool {
		flags := make([]bool, len(s.columns))
		for _, c := range columns {
			flags[c] = true
		}
		return flags
	}
	for _, c := range s.singles(normal, lo.entries, &opts) {
		if try(s.free(only(c), &opts)) {
			return lo, hi, true
		}
	}
	support := columnsOf(lo.entries)
	for i := len(support) - 1; i >= 0 && len(support) > 2; i-- {
		if try(s.free(only(slices.Concat(support[:i], support[i+1:])...), &opts)) {
			support = columnsOf(lo.entries)
			i = min(i, len(support))
		}
	}
	for _, d := range rounded(lo.entries) {
		if try(s.fixed(d)) {
			break
		}
	}
	return lo, hi, true
}

func columnsOf(entries []entry) []int {
	out := make([]int, len(entries))
	for i, e := range entries {
		out[i] = e.column
	}
	return out
}

// simple reports whether a normal has at most one variable.
func simple(w []entry) bool { return len(w) <= 1 }

func (s *space) isTemplate(w []entry, normal []bool, opts *SeparateOptions) bool {
	return slices.ContainsFunc(opts.Templates, func(t term.Linear) bool {
		d, ok := s.direction(t, normal)
		if !ok || len(d) != len(w) {
			return false
		}
		return slices.Equal(columnsOf(d), columnsOf(w)) && (slices.EqualFunc(d, w, sameCoef) || opposite(row{entries: d}, row{entries: w}))
	})
}

func sameCoef(x, y entry) bool { return x.coef.Equal(y.coef) }

// singles returns the columns to try alone, cheapest first, those of the found normal first among equals.
func (s *space) singles(normal []bool, w []entry, opts *SeparateOptions) []int {
	out := columnsOf(w)
	for c, ok := range normal {
		if ok && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		return s.cost(a, opts).Cmp(s.cost(b, opts))
	})
	return out[:min(len(out), maxSingles)]
}

// rounded returns directions near w with smaller coefficients: its signs, then w scaled to greatest coefficients 1, 2 and
// 3 and rounded, as long as they are smaller than w.
func rounded(w []entry) [][]entry {
	most, norm := term.Num{}, term.Num{}
	for _, e := range w {
		norm = norm.Add(e.coef.Abs())
		if e.coef.Abs().Cmp(most) > 0 {
			most = e.coef.Abs()
		}
	}
	var out [][]entry
	add := func(round func(term.Num) term.Num) {
		var d []entry
		size := term.Num{}
		for _, e := range w {
			if c := round(e.coef); !c.IsZero() {
				d = append(d, entry{e.column, c})
				size = size.Add(c.Abs())
			}
		}
		if size.Cmp(norm) < 0 && !slices.ContainsFunc(out, func(o []entry) bool {
			return slices.Equal(columnsOf(o), columnsOf(d)) && slices.EqualFunc(o, d, sameCoef)
		}) {
			out = append(out, d)
		}
	}
	add(func(c term.Num) term.Num { return term.NewInt(int64(c.Sign())) })
	half := term.NewRat(1, 2)
	for k := range int64(3) {
		scale := term.NewInt(k + 1).Div(most)
		add(func(c term.Num) term.Num { return c.Mul(scale).Add(half).Floor() })
	}
	return out
}
