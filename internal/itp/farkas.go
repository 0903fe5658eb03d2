package itp

import (
	"hornbeam/chc/term"
)

// FarkasOptions are the options of Farkas; the zero value takes the A side's half-space.
type FarkasOptions struct {
	Strength Strength
	// Constants are preferred as bounds, in this order, with Strength Middle.
	Constants []term.Num
	Limit     Limit
}

// Farkas returns a half-space that follows from the cube as and contradicts the cube bs, when the linear literals of the
// two (Le, Lt, Eq and negated Le and Lt over Int or Real; others are ignored) have no common rational solution after
// integer literals were tightened. It solves one linear program for non-negative multipliers, of least sum, with which
// the literals add up to a contradiction: the literals of as add up to w*x <= c (or <), those of bs to w*x >= d (or >),
// and c < d (or c = d and one of them is strict). The multipliers of equalities that define a term of one side only cost
// nothing. With Strength Strong the answer is w*x <= c, which over Int has coprime coefficients and c rounded down (the
// negated core literal of the weakest cube), with Weak the negation of the sum of bs. Its variables occur in as and in
// bs. It is false (true) when as (bs) alone is contradictory. False is returned when there are no multipliers or the
// limit was met.
func Farkas(p *term.Pool, as, bs Cube, opts FarkasOptions) (*term.Term, bool) {
	s := newSpace(p)
	rows := s.rows(as)
	n := len(rows)
	rows = append(rows, s.rows(bs)...)
	multipliers, ok := s.refute(rows, n, opts.Limit)
	if !ok {
		return nil, false
	}
	a, b := sum(rows[:n], multipliers[:n]), sum(rows[n:], multipliers[n:])
	if !opposite(a, b) {
		return nil, false
	}
	lo, hi, ok := sides(a, b)
	if !ok {
		return nil, false
	}
	return s.literal(s.between(lo.entries, lo, hi, opts.Strength, opts.Constants)), true
}

// sides turns two sums with opposite entries into w*x <= lo and w*x >= hi with one normalised w, and reports whether the
// two exclude each other.
func sides(a, b row) (lo, hi row, ok bool) {
	lo, hi = a, row{bound: b.bound.Neg(), strict: b.strict}
	if len(a.entries) > 0 {
		before := a.entries[0].coef
		lo.normalise()
		hi.bound = hi.bound.Mul(lo.entries[0].coef.Div(before))
	}
	d := lo.bound.Cmp(hi.bound)
	return lo, hi, d < 0 || d == 0 && (lo.strict || hi.strict)
}

// refute returns multipliers with which the rows, the first n of them from one side, add up to 0 <= -1 or 0 < 0.
func (s *space) refute(rows []row, n int, limit Limit) ([]term.Num, bool) {
	live := usable(rows, len(s.columns), nil)
	// sides[c] has bit 0 when column c occurs in a live row of the first side, bit 1 for the second.
	sides := make([]uint8, len(s.columns))
	for i, r := range rows {
		if live[i] {
			for _, e := range r.entries {
				sides[e.column] |= sideBit(i, n)
			}
		}
	}
	var lp LP
	one := term.NewInt(1)
	columns := make([][]Entry, len(s.columns))
	var bounds, strict []Entry
	variables := make([]int, len(rows))
	for i, r := range rows {
		variables[i] = -1
		if !live[i] {
			continue
		}
		defines := false
		for _, e := range r.entries {
			defines = defines || sides[e.column] != 3
		}
		cost := one
		if r.equal && defines {
			cost = term.Num{}
		}
		v := lp.AddVariable(cost, r.equal && defines)
		variables[i] = v
		signs := []term.Num{one}
		if r.equal && !defines {
			lp.AddVariable(one, false)
			signs = append(signs, one.Neg())
		}
		for k, sign := range signs {
			for _, e := range r.entries {
				columns[e.column] = append(columns[e.column], Entry{v + k, e.coef.Mul(sign)})
			}
			if !r.bound.IsZero() {
				bounds = append(bounds, Entry{v + k, r.bound.Mul(sign)})
			}
		}
		if r.strict {
			strict = append(strict, Entry{v, one})
		}
	}
	for _, c := range columns {
		if len(c) > 0 {
			lp.AddRow(c, Equal, term.Num{})
		}
	}
	if len(strict) == 0 {
		lp.AddRow(bounds, Equal, one.Neg())
	} else {
		// The sum is 0 <= -gap, and gap plus the strict rows' multipliers must be positive, hence 1 after scaling.
		gap := lp.AddVariable(term.Num{}, false)
		lp.AddRow(append(bounds, Entry{gap, one}), Equal, term.Num{})
		lp.AddRow(append(strict, Entry{gap, one}), AtLeast, one)
	}
	solution, err := lp.Minimize(limit)
	if err != nil || solution.Status != Optimal {
		return nil, false
	}
	out := make([]term.Num, len(rows))
	for i, v := range variables {
		if v < 0 {
			continue
		}
		out[i] = solution.Values[v]
		if rows[i].equal && !lp.free[v] {
			out[i] = out[i].Sub(solution.Values[v+1])
		}
		if out[i].Sign() < 0 && !rows[i].equal {
			return nil, false
		}
	}
	return out, true
}

func sideBit(i, n int) uint8 {
	if i < n {
		return 1
	}
	return 2
}
