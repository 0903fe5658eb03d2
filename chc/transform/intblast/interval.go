package intblast

import "hornbeam/chc/term"

// interval is a set of consecutive integers, all of them unless bounded.
type interval struct {
	lo, hi  term.Num
	bounded bool
}

// within reports whether all of the interval's numbers are in the other one.
func (i interval) within(o interval) bool {
	return !o.bounded || i.bounded && i.lo.Cmp(o.lo) >= 0 && i.hi.Cmp(o.hi) <= 0
}

func (i interval) add(o interval) interval {
	return interval{i.lo.Add(o.lo), i.hi.Add(o.hi), i.bounded && o.bounded}
}

func (i interval) scale(c term.Num) interval {
	if c.Sign() < 0 {
		return interval{i.hi.Mul(c), i.lo.Mul(c), i.bounded}
	}
	return interval{i.lo.Mul(c), i.hi.Mul(c), i.bounded}
}

func (i interval) times(o interval) interval {
	out := i.scale(o.lo).hull(i.scale(o.hi))
	out.bounded = i.bounded && o.bounded
	return out
}

func (i interval) hull(o interval) interval {
	return interval{lesser(i.lo, o.lo), lesser(i.hi.Neg(), o.hi.Neg()).Neg(), i.bounded && o.bounded}
}

// floorDiv is the interval of the quotients by k > 0, rounded down.
func (i interval) floorDiv(k term.Num) interval {
	return interval{i.lo.Div(k).Floor(), i.hi.Div(k).Floor(), i.bounded}
}

func lesser(a, b term.Num) term.Num {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// numberRange is the range of the numbers of w bits.
func numberRange(w int, signed bool) interval {
	one := term.NewInt(1)
	if signed {
		half := power(w - 1)
		return interval{half.Neg(), half.Sub(one), true}
	}
	return interval{term.Num{}, power(w).Sub(one), true}
}

// power is 2^n.
func power(n int) term.Num {
	out, base := term.NewInt(1), term.NewInt(2)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = out.Mul(base)
		}
		base = base.Mul(base)
	}
	return out
}

// intervals bounds Int terms by the ranges of their variables.
type intervals struct {
	pool *term.Pool
	// known has the ranges that were set and the results so far.
	known map[*term.Term]interval
}

func newIntervals(pool *term.Pool) *intervals {
	return &intervals{pool: pool, known: map[*term.Term]interval{}}
}

// set makes the interval of a term, which no more than its parts tell, known.
func (s *intervals) set(t *term.Term, i interval) { s.known[t] = i }

// of returns an interval that has all values of the Int term t.
func (s *intervals) of(t *term.Term) interval {
	if t.IsNumeral() {
		return interval{t.Num(), t.Num(), true}
	}
	if i, ok := s.known[t]; ok {
		return i
	}
	i := s.compute(t)
	s.known[t] = i
	return i
}

func (s *intervals) compute(t *term.Term) interval {
	switch t.Op() {
	case term.Add, term.Mul:
		l := s.pool.Linear(t)
		if len(l.Monomials) == 1 && l.Monomials[0].Term == t {
			out := s.of(t.Arg(0))
			for _, a := range t.Args()[1:] {
				out = out.times(s.of(a))
			}
			return out
		}
		out := interval{l.Const, l.Const, true}
		for _, m := range l.Monomials {
			out = out.add(s.of(m.Term).scale(m.Coef))
		}
		return out
	case term.Ite:
		return s.of(t.Arg(1)).hull(s.of(t.Arg(2)))
	case term.Abs:
		i := s.of(t.Arg(0))
		if i.bounded && i.lo.Sign() >= 0 {
			return i
		}
		return i.hull(i.scale(term.NewInt(-1))).hull(interval{bounded: true})
	case term.Mod, term.IntDiv:
		if !t.Arg(1).IsNumeral() || t.Arg(1).Num().Sign() <= 0 {
			return interval{}
		}
		k := t.Arg(1).Num()
		if t.Op() == term.IntDiv {
			return s.of(t.Arg(0)).floorDiv(k)
		}
		full := interval{term.Num{}, k.Sub(term.NewInt(1)), true}
		if i := s.of(t.Arg(0)); i.within(full) {
			return i
		}
		return full
	}
	return interval{}
}
