package mbp

import (
	"cmp"
	"slices"

	"hornbeam/chc/term"
)

// relation is how a row's sum compares with zero.
type relation uint8

const (
	le     relation = iota // sum <= 0
	lt                     // sum < 0, only while some column is Real
	eq                     // sum = 0
	ne                     // sum != 0
	dvd                    // mod | sum, all columns Int
	notDvd                 // not (mod | sum), all columns Int
)

// entry is one summand coef*column of a row.
type entry struct {
	col  int32
	coef term.Num
}

// row is one arithmetic literal over columns: ents + con rel 0. Coefficients and constant are integers without a common
// factor, ents are sorted by column without zero coefficients. Rows are immutable: a changed row is a new row, so that
// a column's list of rows is stale only where the row is dead.
type row struct {
	ents    []entry
	con     term.Num
	mod     term.Num // the modulus of dvd and notDvd
	val     term.Num // the sum's value under the model
	rel     relation
	integer bool // every column is Int
	dead    bool
}

// coef returns the coefficient of a column, zero when it does not occur.
func (r *row) coef(col int32) term.Num {
	if i, ok := slices.BinarySearchFunc(r.ents, col, func(e entry, c int32) int { return cmp.Compare(e.col, c) }); ok {
		return r.ents[i].coef
	}
	return term.Num{}
}

// sum is a linear form over columns; it need not be integral.
type sum struct {
	ents []entry
	con  term.Num
}

// sortMerge puts a sum's entries in order and adds up those of one column.
func (l *sum) sortMerge() {
	slices.SortStableFunc(l.ents, func(a, b entry) int { return cmp.Compare(a.col, b.col) })
	out := l.ents[:0]
	for i := 0; i < len(l.ents); {
		e := l.ents[i]
		for i++; i < len(l.ents) && l.ents[i].col == e.col; i++ {
			e.coef = e.coef.Add(l.ents[i].coef)
		}
		if !e.coef.IsZero() {
			out = append(out, e)
		}
	}
	l.ents = out
}

// combine returns f*a + g*b, leaving out column skip (-1 for none).
func combine(a sum, f term.Num, b sum, g term.Num, skip int32) sum {
	out := sum{ents: make([]entry, 0, len(a.ents)+len(b.ents)), con: a.con.Mul(f).Add(b.con.Mul(g))}
	i, j := 0, 0
	for i < len(a.ents) || j < len(b.ents) {
		var e entry
		switch {
		case j == len(b.ents) || i < len(a.ents) && a.ents[i].col < b.ents[j].col:
			e = entry{a.ents[i].col, a.ents[i].coef.Mul(f)}
			i++
		case i == len(a.ents) || b.ents[j].col < a.ents[i].col:
			e = entry{b.ents[j].col, b.ents[j].coef.Mul(g)}
			j++
		default:
			e = entry{a.ents[i].col, a.ents[i].coef.Mul(f).Add(b.ents[j].coef.Mul(g))}
			i++
			j++
		}
		if e.col != skip && !e.coef.IsZero() {
			out.ents = append(out.ents, e)
		}
	}
	return out
}

// without returns the row's sum without one column.
func (r *row) without(col int32) sum {
	out := sum{ents: make([]entry, 0, len(r.ents)), con: r.con}
	for _, e := range r.ents {
		if e.col != col {
			out.ents = append(out.ents, e)
		}
	}
	return out
}

// sum returns the row's linear form, shared and not to be changed.
func (r *row) sum() sum { return sum{r.ents, r.con} }

var one = term.NewInt(1)

// verdict is the result of normalising a row.
type verdict uint8

const (
	keep verdict = iota
	trivial
	absurd
)

// normalise scales a row to coprime integers, tightens strict and rounds bounds over integers, and reduces
// divisibility modulo its modulus. A row without columns is decided.
func (r *row) normalise() verdict {
	r.integral()
	switch r.rel {
	case dvd, notDvd:
		return r.normaliseDivides()
	}
	if len(r.ents) == 0 {
		return r.decide()
	}
	if r.integer && r.rel == lt {
		r.rel, r.con = le, r.con.Add(one)
	}
	g := r.content(term.Num{})
	if !r.integer {
		g = term.GCD(g, r.con)
	}
	if g.IsOne() {
		return keep
	}
	r.scaleDown(g)
	switch {
	case !r.integer:
		r.con = r.con.Div(g)
	case r.rel == le:
		r.con = r.con.Div(g).Ceil()
	default: // an equation over integers whose content does not divide the constant
		r.con = r.con.Div(g)
		if !r.con.IsInt() {
			if r.rel == ne {
				return trivial
			}
			return absurd
		}
	}
	return keep
}

// integral multiplies the row by the common denominator of its coefficients and constant.
func (r *row) integral() {
	den := r.con.Denom()
	for _, e := range r.ents {
		if !e.coef.IsInt() {
			den = term.LCM(den, e.coef.Denom())
		}
	}
	if den.IsOne() {
		return
	}
	for i := range r.ents {
		r.ents[i].coef = r.ents[i].coef.Mul(den)
	}
	r.con = r.con.Mul(den)
	if r.rel == dvd || r.rel == notDvd {
		r.mod = r.mod.Mul(den)
	}
}

// content is the greatest common divisor of the coefficients and g.
func (r *row) content(g term.Num) term.Num {
	for _, e := range r.ents {
		if g = term.GCD(g, e.coef); g.IsOne() {
			return g
		}
	}
	return g
}

func (r *row) scaleDown(g term.Num) {
	for i := range r.ents {
		r.ents[i].coef = r.ents[i].coef.Div(g)
	}
}

func (r *row) normaliseDivides() verdict {
	out := r.ents[:0]
	for _, e := range r.ents {
		if e.coef = residue(e.coef, r.mod); !e.coef.IsZero() {
			out = append(out, e)
		}
	}
	r.ents, r.con = out, residue(r.con, r.mod)
	if len(r.ents) == 0 {
		return r.decide()
	}
	if g := r.content(r.mod); !g.IsOne() {
		r.con = r.con.Div(g)
		if !r.con.IsInt() { // g | k and every coefficient but not the constant
			if r.rel == notDvd {
				return trivial
			}
			return absurd
		}
		r.mod = r.mod.Div(g)
		r.scaleDown(g)
	}
	return keep
}

// residue is a mod k in [0,k).
func residue(a, k term.Num) term.Num {
	_, m := term.EuclidDiv(a, k)
	return m
}

// decide evaluates a row without columns.
func (r *row) decide() verdict {
	if holds(r.rel, r.con, r.mod) {
		return trivial
	}
	return absurd
}

// holds reports whether a sum of value v satisfies the relation.
func holds(rel relation, v, mod term.Num) bool {
	switch rel {
	case le:
		return v.Sign() <= 0
	case lt:
		return v.Sign() < 0
	case eq:
		return v.IsZero()
	case ne:
		return !v.IsZero()
	case dvd:
		return residue(v, mod).IsZero()
	default:
		return !residue(v, mod).IsZero()
	}
}

// tooBig reports whether a coefficient is beyond Options.MaxBits.
func (s *system) tooBig(r *row) bool {
	for _, e := range r.ents {
		if _, small := e.coef.Int64(); !small && e.coef.BigInt().BitLen() > s.opts.MaxBits {
			return true
		}
	}
	return false
}

// rowTerm turns a row back into a normalised literal.
func (s *system) rowTerm(r *row) *term.Term {
	sort := term.Real
	if r.integer {
		sort = term.Int
	}
	l := s.sumLinear(r.sum(), sort)
	switch r.rel {
	case le:
		return s.p.Compare(l, term.LE, sort)
	case lt:
		return s.p.Compare(l, term.LT, sort)
	case eq:
		return s.p.Compare(l, term.EQ, sort)
	case ne:
		return s.p.Not(s.p.Compare(l, term.EQ, sort))
	case dvd:
		return s.p.Divides(r.mod, s.p.FromLinear(l, sort))
	default:
		return s.p.Not(s.p.Divides(r.mod, s.p.FromLinear(l, sort)))
	}
}

// sumLinear turns a sum into a linear form of the given sort.
func (s *system) sumLinear(l sum, sort *term.Sort) term.Linear {
	ms := make([]term.Monomial, len(l.ents))
	for i, e := range l.ents {
		t := s.columnTerm(e.col)
		if sort == term.Real && t.Sort() == term.Int {
			t = s.p.ToReal(t)
		}
		ms[i] = term.Monomial{Coef: e.coef, Term: t}
	}
	slices.SortFunc(ms, func(a, b term.Monomial) int { return cmp.Compare(a.Term.ID(), b.Term.ID()) })
	return term.Linear{Monomials: ms, Const: l.con}
}

func (s *system) sumTerm(l sum, sort *term.Sort) *term.Term {
	return s.p.FromLinear(s.sumLinear(l, sort), sort)
}
