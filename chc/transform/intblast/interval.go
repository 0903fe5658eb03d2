package intblast

import "hornbeam/chc/term"

// numberRange is the range of the numbers of w bits.
func numberRange(w int, signed bool) term.Interval {
	one := term.NewInt(1)
	if signed {
		half := term.Pow2(w - 1)
		return term.Between(half.Neg(), half.Sub(one))
	}
	return term.Between(term.Num{}, term.Pow2(w).Sub(one))
}

// intervals bounds Int terms by the ranges of their variables.
type intervals struct {
	pool *term.Pool
	// known has the ranges that were set and the results so far.
	known map[*term.Term]term.Interval
}

func newIntervals(pool *term.Pool) *intervals {
	return &intervals{pool: pool, known: map[*term.Term]term.Interval{}}
}

// set makes the interval of a term, which no more than its parts tell, known.
func (s *intervals) set(t *term.Term, i term.Interval) { s.known[t] = i }

// of returns an interval that has all values of the Int term t.
func (s *intervals) of(t *term.Term) term.Interval {
	if t.IsNumeral() {
		return term.Point(t.Num())
	}
	if i, ok := s.known[t]; ok {
		return i
	}
	i := s.compute(t)
	s.known[t] = i
	return i
}

func (s *intervals) compute(t *term.Term) term.Interval {
	switch t.Op() {
	case term.Add, term.Mul:
		l := s.pool.Linear(t)
		if len(l.Monomials) == 1 && l.Monomials[0].Term == t {
			out := s.of(t.Arg(0))
			for _, a := range t.Args()[1:] {
				out = out.Mul(s.of(a))
			}
			return out
		}
		return l.Range(s.of)
	case term.Ite:
		return s.of(t.Arg(1)).Hull(s.of(t.Arg(2)))
	case term.Abs:
		i := s.of(t.Arg(0))
		if i.Low != nil && i.Low.Sign() >= 0 {
			return i
		}
		return i.Hull(i.Scale(term.NewInt(-1))).Hull(term.Point(term.Num{}))
	case term.Mod, term.IntDiv:
		if !t.Arg(1).IsNumeral() || t.Arg(1).Num().Sign() <= 0 {
			return term.Interval{}
		}
		k := t.Arg(1).Num()
		if t.Op() == term.IntDiv {
			return s.of(t.Arg(0)).FloorDiv(k)
		}
		full := term.Between(term.Num{}, k.Sub(term.NewInt(1)))
		if i := s.of(t.Arg(0)); i.Within(full) {
			return i
		}
		return full
	}
	return term.Interval{}
}
