package itp

import (
	"cmp"
	"slices"
	"strconv"

	"hornbeam/chc/term"
)

// Cube is a conjunction of literals.
type Cube []*term.Term

// row is the half-space sum(entries) <= bound (< when strict), or the hyperplane sum(entries) = bound. Entries are sorted
// by column, without zeros.
type row struct {
	entries []entry
	bound   term.Num
	strict  bool
	equal   bool
}

type entry struct {
	column int
	coef   term.Num
}

// space numbers the terms over which rows are sums: Int and Real variables and opaque arithmetic terms. The rows of Int
// and of Real constraints live in one space; to_real(x) is the column x.
type space struct {
	pool    *term.Pool
	index   map[*term.Term]int
	columns []*term.Term
}

func newSpace(p *term.Pool) *space {
	return &space{pool: p, index: make(map[*term.Term]int)}
}

func (s *space) column(t *term.Term) int {
	c, ok := s.index[t]
	if !ok {
		c = len(s.columns)
		s.index[t] = c
		s.columns = append(s.columns, t)
	}
	return c
}

// rows reads the linear literals of a cube, leaving out others and rows that a parallel one implies, and adds the bounds
// of the cube's remainders by numerals.
func (s *space) rows(c Cube) []row {
	var out []row
	tightest := make(map[string]int, len(c))
	remainders := make(map[int]bool)
	add := func(r row) {
		key := r.key()
		i, ok := tightest[key]
		switch {
		case !ok:
			tightest[key] = len(out)
			out = append(out, r)
		case r.equal:
			// A second, different value contradicts the first: keep both.
			if !r.bound.Equal(out[i].bound) {
				out = append(out, r)
			}
		default:
			if d := r.bound.Cmp(out[i].bound); d < 0 || d == 0 && r.strict {
				out[i] = r
			}
		}
	}
	for _, lit := range c {
		if lit.IsFalse() {
			add(row{bound: term.NewInt(-1)})
			continue
		}
		k, ok := s.pool.AsConstraint(lit)
		if !ok {
			continue
		}
		r := s.row(k)
		add(r)
		for _, e := range r.entries {
			if t := s.columns[e.column]; t.Op() == term.Mod && !remainders[e.column] && t.Arg(1).IsNumeral() && t.Arg(1).Num().Sign() > 0 {
				remainders[e.column] = true
				add(row{entries: []entry{{e.column, term.NewInt(-1)}}})
				add(row{entries: []entry{{e.column, term.NewInt(1)}}, bound: t.Arg(1).Num().Sub(term.NewInt(1))})
			}
		}
	}
	return out
}

// row converts a constraint "linear rel 0". Constraints over integers alone are tight already.
func (s *space) row(k term.Constraint) row {
	out := row{bound: k.Const.Neg(), strict: k.Rel == term.LT, equal: k.Rel == term.EQ}
	for _, m := range k.Monomials {
		if m.Term.Op() != term.ToReal {
			out.entries = append(out.entries, entry{s.column(m.Term), m.Coef})
			continue
		}
		l := s.pool.Linear(m.Term.Arg(0))
		out.bound = out.bound.Sub(l.Const.Mul(m.Coef))
		for _, n := range l.Monomials {
			out.entries = append(out.entries, entry{s.column(n.Term), m.Coef.Mul(n.Coef)})
		}
	}
	out.normalise()
	return out
}

// normalise sorts and joins the entries and scales the row to integer coefficients without a common divisor.
func (r *row) normalise() {
	slices.SortStableFunc(r.entries, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
	out := r.entries[:0]
	for _, e := range r.entries {
		if n := len(out); n > 0 && out[n-1].column == e.column {
			out[n-1].coef = out[n-1].coef.Add(e.coef)
			continue
		}
		out = append(out, e)
	}
	r.entries = slices.DeleteFunc(out, func(e entry) bool { return e.coef.IsZero() })
	if len(r.entries) == 0 {
		return
	}
	l, g := term.NewInt(1), term.Num{}
	for _, e := range r.entries {
		l = term.LCM(l, e.coef.Denom())
	}
	for _, e := range r.entries {
		g = term.GCD(g, e.coef.Mul(l))
	}
	if f := l.Div(g); !f.IsOne() {
		for i := range r.entries {
			r.entries[i].coef = r.entries[i].coef.Mul(f)
		}
		r.bound = r.bound.Mul(f)
	}
}

// integral reports whether a normalised row sums integers only.
func (s *space) integral(r *row) bool {
	for _, e := range r.entries {
		if s.columns[e.column].Sort() != term.Int {
			return false
		}
	}
	return len(r.entries) > 0
}

// floorBound returns the greatest integer k with k <= bound, or k < bound when strict.
func floorBound(bound term.Num, strict bool) term.Num {
	k := bound.Floor()
	if strict && k.Equal(bound) {
		k = k.Sub(term.NewInt(1))
	}
	return k
}

// key identifies the row's direction.
func (r *row) key() string {
	b := make([]byte, 0, 8*len(r.entries)+1)
	if r.equal {
		b = append(b, '=')
	}
	for _, e := range r.entries {
		b = strconv.AppendInt(b, int64(e.column), 10)
		b = append(b, '*')
		if i, ok := e.coef.Int64(); ok {
			b = strconv.AppendInt(b, i, 10)
		} else {
			b = append(b, e.coef.String()...)
		}
		b = append(b, ' ')
	}
	return string(b)
}

// literal returns the row as a literal, tightened when it sums integers only.
func (s *space) literal(r row) *term.Term {
	var l term.Linear
	sort := term.Int
	for _, e := range r.entries {
		if s.columns[e.column].Sort() != term.Int {
			sort = term.Real
		}
	}
	for _, e := range r.entries {
		t := s.columns[e.column]
		if t.Sort() != sort {
			t = s.pool.ToReal(t)
		}
		l = l.AddTerm(e.coef, t)
	}
	l.Const = l.Const.Sub(r.bound)
	rel := term.LE
	switch {
	case r.equal:
		rel = term.EQ
	case r.strict:
		rel = term.LT
	}
	return s.pool.Compare(l, rel, sort)
}

// sum returns the combination of rows by multipliers (non-negative except for equalities) as a row that is not yet
// normalised: entries without zeros; strict when a strict row takes part.
func sum(rows []row, multipliers []term.Num) row {
	var out row
	total := make(map[int]term.Num)
	var touched []int
	for i, r := range rows {
		m := multipliers[i]
		if m.IsZero() {
			continue
		}
		out.bound = out.bound.Add(m.Mul(r.bound))
		out.strict = out.strict || r.strict
		for _, e := range r.entries {
			old, seen := total[e.column]
			if !seen {
				touched = append(touched, e.column)
			}
			total[e.column] = old.Add(m.Mul(e.coef))
		}
	}
	slices.Sort(touched)
	for _, c := range touched {
		if !total[c].IsZero() {
			out.entries = append(out.entries, entry{c, total[c]})
		}
	}
	return out
}

// opposite reports whether a and b's entries cancel.
func opposite(a, b row) bool {
	return slices.EqualFunc(a.entries, b.entries, func(x, y entry) bool {
		return x.column == y.column && x.coef.Equal(y.coef.Neg())
	})
}

// usable marks the rows that can take part in a sum in which every column that is not kept cancels: a row with a column
// that all remaining rows bound from one side only cannot.
func usable(rows []row, columns int, kept func(int) bool) []bool {
	live := make([]bool, len(rows))
	// count[0] and count[1] are the live rows with a positive and a negative coefficient; equalities count as both.
	count := make([][2]int, columns)
	signs := func(r *row, e entry, d int) {
		if r.equal || e.coef.Sign() > 0 {
			count[e.column][0] += d
		}
		if r.equal || e.coef.Sign() < 0 {
			count[e.column][1] += d
		}
	}
	for i := range rows {
		live[i] = true
		for _, e := range rows[i].entries {
			signs(&rows[i], e, 1)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range rows {
			if !live[i] {
				continue
			}
			r := &rows[i]
			for _, e := range r.entries {
				c := count[e.column]
				if kept != nil && kept(e.column) || c[0] > 0 && c[1] > 0 && !(r.equal && c[0] == 1 && c[1] == 1) {
					continue
				}
				live[i], changed = false, true
				for _, e := range r.entries {
					signs(r, e, -1)
				}
				break
			}
		}
	}
	return live
}
