package mbp

import "hornbeam/chc/term"

// scale eliminates an Int variable by an equation a*x + t = 0 with |a| > 1: a divides t, and the other rows are
// multiplied by |a|, in which a*x is -t.
func (s *system) scale(v, id int32) {
	c := s.vars[v].col
	r := s.rows[id]
	s.kill(id)
	a, t := r.coef(c), r.without(c)
	s.define(v, combine(t, term.NewInt(int64(-a.Sign())), sum{}, term.Num{}, -1), a.Abs())
	s.addRow(t, dvd, a.Abs())
}

// joinDivides replaces the divisibility rows of a variable by one that has it, which is returned and no longer among
// the rows, and others without it. This is Euclid's algorithm on the variable's coefficients over a common modulus, so
// the rows together are equivalent to those before. It reports whether there were any.
func (s *system) joinDivides(v int32) (row, bool) {
	c := s.vars[v].col
	var joined row
	found := false
	for _, id := range s.bounds(v).divides {
		r := s.rows[id]
		s.kill(id)
		if !found {
			joined, found = r, true
			continue
		}
		joined = s.joinTwo(c, joined, r)
	}
	return joined, found
}

func (s *system) joinTwo(c int32, x, y row) row {
	mod := term.LCM(x.mod, y.mod)
	a := combine(x.sum(), mod.Div(x.mod), sum{}, term.Num{}, -1)
	b := combine(y.sum(), mod.Div(y.mod), sum{}, term.Num{}, -1)
	for {
		ca, cb := a.coef(c), b.coef(c)
		if cb.IsZero() {
			break
		}
		q, _ := term.EuclidDiv(ca, cb)
		a, b = b, reduce(combine(a, one, b, q.Neg(), -1), mod)
	}
	s.addRow(b, dvd, mod)
	r := row{ents: a.ents, con: a.con, mod: mod, rel: dvd, integer: true}
	r.normaliseDivides()
	return r
}

// coef returns the coefficient of a column.
func (l sum) coef(c int32) term.Num {
	r := row{ents: l.ents}
	return r.coef(c)
}

// reduce takes coefficients and constant modulo k.
func reduce(l sum, k term.Num) sum {
	out := l.ents[:0]
	for _, e := range l.ents {
		if e.coef = residue(e.coef, k); !e.coef.IsZero() {
			out = append(out, e)
		}
	}
	return sum{out, residue(l.con, k)}
}

// parametrise replaces an Int variable with divisibility rows by a fresh one without. The rows join to k | a*x + t; with
// g = gcd(a, k) and i the inverse of a/g modulo k/g they hold iff g | t and g*x = k*y - i*t for some y, which is
// equivalent to the rows, unlike fixing x modulo k to its residue in the model.
func (s *system) parametrise(v int32) {
	c := s.vars[v].col
	d, _ := s.joinDivides(v)
	if s.err != nil {
		return
	}
	a, t := d.coef(c), d.without(c)
	g := term.GCD(a, d.mod)
	inverse := inverseModulo(a.Div(g), d.mod.Div(g))
	by := balance(combine(t, inverse.Neg(), sum{}, term.Num{}, -1), d.mod)
	val := s.value(c).Mul(g).Sub(s.sumValue(by)).Div(d.mod)
	y := s.freshVariable(val)
	by.ents = append(by.ents, entry{s.vars[y].col, d.mod}) // the newest column is the last
	s.define(v, by, g)
	s.addRow(t, dvd, g)
}

// balance takes coefficients and constant modulo k to the residues nearest to zero.
func balance(l sum, k term.Num) sum {
	half := k.Div(term.NewInt(2))
	near := func(n term.Num) term.Num {
		if n = residue(n, k); n.Cmp(half) > 0 {
			n = n.Sub(k)
		}
		return n
	}
	out := l.ents[:0]
	for _, e := range l.ents {
		if e.coef = near(e.coef); !e.coef.IsZero() {
			out = append(out, e)
		}
	}
	return sum{out, near(l.con)}
}

// inverseModulo returns i with a*i = 1 modulo k, for coprime a and k; 0 when k is 1.
func inverseModulo(a, k term.Num) term.Num {
	r0, r1 := k, residue(a, k)
	var i0, i1 term.Num
	i1 = one
	for !r1.IsZero() {
		q, r := term.EuclidDiv(r0, r1)
		r0, r1 = r1, r
		i0, i1 = i1, i0.Sub(q.Mul(i1))
	}
	return residue(i0, k)
}

// resolveIntegers resolves the pivot, one bound of an Int variable, against the bounds of the other side. A pair with a
// unit coefficient resolves exactly; one whose dark shadow holds in the model (Pugh: the real interval is so long that
// it has an integer) takes that; otherwise a bound is rounded to the integer that the variable is there in the model,
// the pivot's for all pairs, or that of the only such pair's other row when its coefficient is smaller.
func (s *system) resolveIntegers(c int32, pivot row, opposite []int32) {
	hard, last := 0, row{}
	for _, id := range opposite {
		o := s.rows[id]
		if _, ok := s.shadow(c, &pivot, &o); !ok {
			hard, last = hard+1, o
		}
	}
	pivotRounded, z := false, term.Num{}
	switch {
	case hard == 1 && last.coef(c).Abs().Cmp(pivot.coef(c).Abs()) < 0:
		z = s.round(c, &last)
	case hard > 0:
		pivotRounded = true
		z = s.round(c, &pivot)
	}
	for _, id := range opposite {
		o := s.rows[id]
		l, u := orient(c, &pivot, &o)
		slack, ok := s.shadow(c, &pivot, &o)
		switch {
		case pivotRounded:
			if !slack.IsZero() { // with a unit the rounding makes no difference
				slack = o.coef(c).Abs().Mul(z)
			}
		case !ok:
			slack = pivot.coef(c).Abs().Mul(z)
		}
		s.addResolvent(c, l, u, slack, false)
	}
}

// shadow returns what to add to the resolvent of two opposite bounds so that it implies that an integer lies between
// them, and whether the model satisfies that.
func (s *system) shadow(c int32, x, y *row) (term.Num, bool) {
	a, b := x.coef(c).Abs(), y.coef(c).Abs()
	slack := a.Sub(one).Mul(b.Sub(one))
	return slack, x.val.Mul(b).Add(y.val.Mul(a)).Add(slack).Sign() <= 0
}

// round adds that the bound a*x + t <= 0 is a*x + t + z = 0 for the outermost integer x that meets it in the model,
// which is |a| divides t + z for one z in [0, |a|), and returns z.
func (s *system) round(c int32, r *row) term.Num {
	a := r.coef(c)
	t := r.without(c)
	z := residue(r.val.Sub(a.Mul(s.value(c))).Neg(), a.Abs())
	t.con = t.con.Add(z)
	s.addRow(t, dvd, a.Abs())
	return z
}
