package mbp

import "hornbeam/chc/term"

// quotientKey names the integer quotient of an Int term by a numeral, or the integer part of a Real term (by nil).
type quotientKey struct{ t, by *term.Term }

// purify replaces the terms with variables to eliminate that have a linear definition. Exactly: t mod k and t div k by
// a quotient q with k*q <= t < k*q + k, to_int and is_int by an integer part. By the model's case: abs by its argument
// or its negation, ite by a branch under the implicant of its condition, non-divisibility by the remainder. It reports
// whether there were any.
func (s *system) purify() bool {
	progress := false
	for c := int32(0); int(c) < len(s.cols) && s.err == nil; c++ {
		if len(s.cols[c].inside) > 0 && len(s.live(c)) > 0 && s.purifyColumn(c) {
			progress = true
		}
	}
	for i := 0; i < len(s.others) && s.err == nil; i++ {
		if o := s.others[i]; !o.dead && s.purifyOther(int32(i), o.lit) {
			progress = true
		}
	}
	for i := 0; i < len(s.rows) && s.err == nil; i++ {
		if r := s.rows[i]; !r.dead && r.rel == notDvd {
			s.kill(int32(i))
			s.splitRemainder(r)
			progress = true
		}
	}
	if progress {
		s.stats.Purified++
	}
	return progress
}

func (s *system) purifyColumn(c int32) bool {
	t := s.cols[c].t
	switch t.Op() {
	case term.Mod, term.IntDiv:
		k := t.Arg(1)
		if !k.IsNumeral() || k.Num().Sign() <= 0 {
			return false
		}
		q := s.sumOf(s.quotient(t.Arg(0), k))
		if t.Op() == term.IntDiv {
			s.replaceColumn(c, q)
		} else {
			s.replaceColumn(c, combine(s.linear(s.p.Linear(t.Arg(0))), one, q, k.Num().Neg(), -1))
		}
	case term.ToInt:
		s.replaceColumn(c, s.sumOf(s.quotient(t.Arg(0), nil)))
	case term.Abs:
		arg, sign := s.linear(s.p.Linear(t.Arg(0))), one
		if s.sumValue(arg).Sign() < 0 {
			sign = sign.Neg()
		}
		arg = combine(arg, sign, sum{}, term.Num{}, -1)
		s.exact = false
		s.replaceColumn(c, arg)
		s.addRow(combine(arg, one.Neg(), sum{}, term.Num{}, -1), le, term.Num{})
	case term.Ite:
		cond, branch := t.Arg(0), t.Arg(1)
		if !s.ev.True(cond) {
			cond, branch = s.p.Not(cond), t.Arg(2)
		}
		s.exact = false
		s.replaceColumn(c, s.linear(s.p.Linear(branch)))
		s.addFormula(cond)
	default:
		return s.reduceColumn(c)
	}
	return true
}

// sumOf is the column itself as a sum.
func (s *system) sumOf(c int32) sum { return sum{ents: []entry{{c, one}}} }

// quotient returns the column of the quotient of t by the numeral k, with its definition as rows when it is new; for a
// nil k that of the integer part of the Real term t.
func (s *system) quotient(t, k *term.Term) int32 {
	key := quotientKey{t, k}
	if c, ok := s.quotients[key]; ok && !s.vars[s.cols[c].v].done {
		return c
	}
	l, by := s.linear(s.p.Linear(t)), one
	if k != nil {
		by = k.Num()
	}
	q := s.freshVariable(s.sumValue(l).Div(by).Floor())
	c := s.vars[q].col
	if s.quotients == nil {
		s.quotients = map[quotientKey]int32{}
	}
	s.quotients[key] = c
	s.addRow(combine(s.sumOf(c), by, l, one.Neg(), -1), le, term.Num{}) // k*q - t <= 0
	over := combine(l, one, s.sumOf(c), by.Neg(), -1)
	over.con = over.con.Sub(by)
	s.addRow(over, lt, term.Num{}) // t - k*q - k < 0
	return c
}

// purifyOther makes is_int of a Real term rows; of other literals it reduces what they say about arrays.
func (s *system) purifyOther(id int32, lit *term.Term) bool {
	atom, positive := lit.Atom()
	if atom.Op() != term.IsInt {
		return s.reduceOther(id, lit)
	}
	s.dropOther(id)
	l := s.linear(s.p.Linear(atom.Arg(0)))
	below := combine(s.sumOf(s.quotient(atom.Arg(0), nil)), one, l, one.Neg(), -1) // q - t
	if positive {
		s.addRow(below, eq, term.Num{})
	} else {
		s.addRow(below, lt, term.Num{})
	}
	return true
}

// splitRemainder replaces not (k | t) by k | t - (t mod k), for k = 2 exactly; for a large k, exactly, by
// k*q + 1 <= t <= k*q + k - 1.
func (s *system) splitRemainder(r row) {
	l, k := r.sum(), r.mod
	rest := residue(r.val, k)
	if k.Cmp(term.NewInt(smallModulus)) <= 0 {
		if !k.Equal(term.NewInt(2)) {
			s.exact = false
		}
		out := combine(l, one, sum{}, term.Num{}, -1)
		out.con = out.con.Sub(rest)
		s.addRow(out, dvd, k)
		return
	}
	q := s.sumOf(s.vars[s.freshVariable(r.val.Sub(rest).Div(k))].col)
	low := combine(q, k, l, one.Neg(), -1)
	low.con = low.con.Add(one)
	s.addRow(low, le, term.Num{})
	high := combine(l, one, q, k.Neg(), -1)
	high.con = high.con.Sub(k).Add(one)
	s.addRow(high, le, term.Num{})
}
