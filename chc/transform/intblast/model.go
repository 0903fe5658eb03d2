package intblast

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// interpret turns an interpretation over integers into one over bit-vectors.
func (b *intBlast) interpret(old *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	if len(in.Params) != old.Arity() {
		return witness.Interpretation{}, fmt.Errorf("%d parameters for %d arguments", len(in.Params), old.Arity())
	}
	v := &vectorizer{pool: b.pool, intervals: newIntervals(b.pool), vectors: map[*term.Term]vector{}, formulas: map[*term.Term]*term.Term{}}
	params := make([]*term.Term, len(in.Params))
	naturals := map[*term.Term]*term.Term{}
	for i, y := range in.Params {
		s := old.Sorts[i]
		if !s.IsBitVec() {
			params[i] = y
			continue
		}
		x := b.pool.Fresh("a", s)
		params[i] = x
		if s.Width == 1 {
			v.formulas[y] = b.pool.Eq(x, b.pool.BVNum(term.NewInt(1), 1))
			naturals[y] = v.formulas[y]
			continue
		}
		signed := b.readings.signed(place{pred: old, argument: i}, s.Width)
		v.vectors[y] = vector{x, signed}
		v.intervals.set(y, numberRange(s.Width, signed))
		n := b.pool.BVToNat(x)
		if signed {
			n = b.pool.Ite(b.pool.BV(term.BVSlt, x, b.pool.BVNum(term.Num{}, s.Width)), b.pool.Sub(n, b.pool.IntNum(term.Pow2(s.Width))), n)
		}
		naturals[y] = n
	}
	v.naturals = b.pool.NewSubstitution(naturals)
	return witness.Interpretation{Params: params, Body: v.formula(in.Body)}, nil
}

// vectorizer translates formulas over the integers that bit-vectors were made into back to the bit-vectors. Sums are
// computed in as many bits as their values need, so that nothing wraps around.
type vectorizer struct {
	pool      *term.Pool
	intervals *intervals
	// vectors has the bit-vector that an Int variable stands for.
	vectors  map[*term.Term]vector
	formulas map[*term.Term]*term.Term
	// naturals replaces the variables in what has no translation.
	naturals *term.Substitution
}

// vector is a bit-vector variable and how it is read.
type vector struct {
	variable *term.Term
	signed   bool
}

// formula translates a Boolean term. In an atom that is not about bit-vectors their numbers are bv2nat.
func (v *vectorizer) formula(t *term.Term) *term.Term {
	if out := v.formulas[t]; out != nil {
		return out
	}
	out := v.translate(t)
	v.formulas[t] = out
	return out
}

func (v *vectorizer) translate(t *term.Term) *term.Term {
	switch t.Op() {
	case term.Le, term.Lt, term.Divides:
		if out, ok := v.atom(t); ok {
			return out
		}
	case term.Eq:
		if t.Arg(0).Sort() == term.Int {
			if out, ok := v.atom(t); ok {
				return out
			}
		}
	}
	switch t.Op() {
	case term.Not, term.And, term.Or, term.Ite, term.Eq:
		args := make([]*term.Term, len(t.Args()))
		for i, a := range t.Args() {
			if !a.IsBool() {
				return v.naturals.Apply(t)
			}
			args[i] = v.formula(a)
		}
		return v.pool.Rebuild(t, args)
	}
	return v.naturals.Apply(t)
}

// atom translates an atom over Int.
func (v *vectorizer) atom(t *term.Term) (*term.Term, bool) {
	if t.Op() == term.Divides {
		k, s := t.Arg(0).Num(), t.Arg(1)
		r, w, ok := v.remainder(s, k)
		if !ok {
			return nil, false
		}
		return v.pool.Eq(r, v.pool.BVNum(term.Num{}, w)), true
	}
	sum, c := t.Arg(0), t.Arg(1).Num()
	if sum.Sort() != term.Int {
		return nil, false
	}
	iv := v.intervals.of(sum)
	if !iv.Bounded() {
		return nil, false
	}
	if t.Op() == term.Le {
		if iv.High.Cmp(c) <= 0 {
			return v.pool.True(), true
		}
		if iv.Low.Cmp(c) > 0 {
			return v.pool.False(), true
		}
	} else if iv.Low.Cmp(c) > 0 || iv.High.Cmp(c) < 0 {
		return v.pool.False(), true
	}
	// Negative summands go to the right, where they need no subtraction.
	l := v.pool.Linear(sum)
	left, right := term.Linear{}, term.Linear{}
	for _, m := range l.Monomials {
		if m.Coef.Sign() > 0 {
			left = left.AddTerm(m.Coef, m.Term)
		} else {
			right = right.AddTerm(m.Coef.Neg(), m.Term)
		}
	}
	if len(right.Monomials) > 0 && t.Op() == term.Le && c.Equal(term.NewInt(-1)) {
		// x <= y - 1 is not y <= x.
		out, ok := v.compare(right, left, false)
		if !ok {
			return nil, false
		}
		return v.pool.Not(out), true
	}
	right.Const = c
	return v.compare(left, right, t.Op() == term.Eq)
}

// compare returns left = right or left <= right.
func (v *vectorizer) compare(left, right term.Linear, equal bool) (*term.Term, bool) {
	op := term.BVSle
	x, y, ok := v.direct(left, right)
	if ok {
		if !x.signed {
			op = term.BVUle
		}
		if equal {
			return v.pool.Eq(x.variable, y.variable), true
		}
		return v.pool.BV(op, x.variable, y.variable), true
	}
	w := max(v.width(left), v.width(right))
	a, ok1 := v.sum(left, w)
	b, ok2 := v.sum(right, w)
	if !ok1 || !ok2 {
		return nil, false
	}
	if equal {
		return v.pool.Eq(a, b), true
	}
	return v.pool.BV(op, a, b), true
}

// direct returns both sides as vectors of one width and reading when they are variables or constants in their range.
func (v *vectorizer) direct(left, right term.Linear) (x, y vector, ok bool) {
	x, okLeft := v.single(left)
	y, okRight := v.single(right)
	constant := func(l term.Linear, like vector) (vector, bool) {
		w := like.variable.Sort().Width
		at := term.Point(l.Const)
		// atom decides comparisons with constants beyond the range before it comes here.
		return vector{v.pool.BVNum(l.Const, w), like.signed}, l.IsConst() && at.Within(numberRange(w, like.signed))
	}
	switch {
	case okLeft && okRight:
		return x, y, x.signed == y.signed && x.variable.Sort() == y.variable.Sort()
	case okLeft:
		y, ok = constant(right, x)
		return x, y, ok
	case okRight:
		x, ok = constant(left, y)
		return x, y, ok
	}
	return x, y, false
}

// single returns the vector that a linear form is.
func (v *vectorizer) single(l term.Linear) (vector, bool) {
	if len(l.Monomials) != 1 || !l.Const.IsZero() || !l.Monomials[0].Coef.IsOne() {
		return vector{}, false
	}
	x, ok := v.vectors[l.Monomials[0].Term]
	return x, ok
}

// width is how many bits a linear form's values need in two's complement.
func (v *vectorizer) width(l term.Linear) int {
	return width(l.Range(v.intervals.of))
}

// width is how many bits the interval's numbers need in two's complement.
func width(i term.Interval) int {
	w := 1
	for !i.Within(numberRange(w, true)) {
		w++
	}
	return w
}

// sum computes a linear form modulo 2^w.
func (v *vectorizer) sum(l term.Linear, w int) (*term.Term, bool) {
	p := v.pool
	out := p.BVNum(l.Const, w)
	for _, m := range l.Monomials {
		t, ok := v.vector(m.Term, w)
		if !ok {
			return nil, false
		}
		out = p.BV(term.BVAdd, out, p.BV(term.BVMul, p.BVNum(m.Coef, w), t))
	}
	return out, true
}

// vector computes an Int term modulo 2^w.
func (v *vectorizer) vector(t *term.Term, w int) (*term.Term, bool) {
	p := v.pool
	if x, ok := v.vectors[t]; ok {
		return v.pool.Resize(x.variable, w, x.signed), true
	}
	switch t.Op() {
	case term.Numeral:
		return p.BVNum(t.Num(), w), true
	case term.Add:
		return v.sum(p.Linear(t), w)
	case term.Mul:
		out := p.BVNum(term.NewInt(1), w)
		for _, a := range t.Args() {
			f, ok := v.vector(a, w)
			if !ok {
				return nil, false
			}
			out = p.BV(term.BVMul, out, f)
		}
		return out, true
	case term.Ite:
		a, ok1 := v.vector(t.Arg(1), w)
		b, ok2 := v.vector(t.Arg(2), w)
		if !ok1 || !ok2 {
			return nil, false
		}
		return p.Ite(v.formula(t.Arg(0)), a, b), true
	case term.Abs:
		iv := v.intervals.of(t.Arg(0))
		a, ok := v.exact(t.Arg(0))
		if !iv.Bounded() || !ok {
			return nil, false
		}
		negative := p.BV(term.BVSlt, a, p.BVNum(term.Num{}, a.Sort().Width))
		a = v.pool.Resize(a, max(w, a.Sort().Width+1), true)
		return v.pool.Resize(p.Ite(negative, p.BV(term.BVNeg, a), a), w, true), true
	case term.Mod, term.IntDiv:
		if !t.Arg(1).IsNumeral() || t.Arg(1).Num().Sign() <= 0 {
			return nil, false
		}
		if t.Op() == term.IntDiv {
			return v.quotient(t.Arg(0), t.Arg(1).Num(), w)
		}
		r, _, ok := v.remainder(t.Arg(0), t.Arg(1).Num())
		if !ok {
			return nil, false
		}
		return v.pool.Resize(r, w, false), true
	}
	return nil, false
}

// exact computes an Int term in as many bits as its values need in two's complement.
func (v *vectorizer) exact(t *term.Term) (*term.Term, bool) {
	iv := v.intervals.of(t)
	if !iv.Bounded() {
		return nil, false
	}
	return v.vector(t, width(iv))
}

// offset computes t plus the multiple of k, returned as m*k, that makes all values of t non-negative, as an unsigned
// number in a width that has room for them and for k.
func (v *vectorizer) offset(t *term.Term, k term.Num) (x *term.Term, m term.Num, ok bool) {
	iv := v.intervals.of(t)
	if !iv.Bounded() {
		return nil, m, false
	}
	if iv.Low.Sign() < 0 {
		m = iv.Low.Neg().Div(k).Ceil()
	}
	by := m.Mul(k)
	w := width(iv.Add(term.Point(by)).Hull(term.Point(k)))
	x, ok = v.sum(v.pool.Linear(t).Add(term.Linear{Const: by}), w)
	return x, m, ok
}

// remainder computes t mod k, for k > 0, as an unsigned number of w bits.
func (v *vectorizer) remainder(t *term.Term, k term.Num) (r *term.Term, w int, ok bool) {
	if bits := setBits(k); len(bits) == 1 && bits[0] > 0 {
		r, ok = v.vector(t, bits[0])
		return r, bits[0], ok
	}
	x, _, ok := v.offset(t, k)
	if !ok {
		return nil, 0, false
	}
	w = x.Sort().Width
	return v.pool.BV(term.BVUrem, x, v.pool.BVNum(k, w)), w, true
}

// quotient computes t div k, for k > 0, modulo 2^w.
func (v *vectorizer) quotient(t *term.Term, k term.Num, w int) (*term.Term, bool) {
	x, m, ok := v.offset(t, k)
	if !ok {
		return nil, false
	}
	q := v.pool.BV(term.BVUdiv, x, v.pool.BVNum(k, x.Sort().Width))
	return v.pool.BV(term.BVSub, v.pool.Resize(q, w, false), v.pool.BVNum(m, w)), true
}
