package term

import "slices"

// Int returns the Int numeral i.
func (p *Pool) Int(i int64) *Term { return p.Numeral(NewInt(i), Int) }

// IntNum returns the Int numeral n. It panics when n is a fraction.
func (p *Pool) IntNum(n Num) *Term { return p.Numeral(n, Int) }

// Real returns the Real numeral n.
func (p *Pool) Real(n Num) *Term { return p.Numeral(n, Real) }

// Numeral returns the numeral n of sort Int or Real. It panics when n is a fraction and s is Int.
func (p *Pool) Numeral(n Num, s *Sort) *Term {
	if s != Real && (s != Int || !n.IsInt()) {
		panic("term: numeral " + n.String() + " of sort " + s.String())
	}
	if n.isSmallInt() && n.n >= minSmall && n.n < minSmall+numSmall {
		slot := &p.small[s.id-Int.id][n.n-minSmall]
		t := slot.Load()
		if t == nil {
			t = p.own(Numeral, s, &key{num: n})
			slot.Store(t)
		}
		return t
	}
	return p.own(Numeral, s, &key{num: n})
}

// Add returns the sum of one or more terms, all Int or all Real, as a normalised sum.
func (p *Pool) Add(ts ...*Term) *Term {
	if len(ts) == 0 {
		panic("term: sum of nothing has no sort")
	}
	s := ts[0].sort
	if len(ts) == 1 {
		p.check(s.IsArith(), "+", ts...)
		return ts[0]
	}
	var scratch [12]Monomial
	ms, k := scratch[:0], Num{}
	for _, t := range ts {
		p.check(t.sort == s && s.IsArith(), "+", ts[0], t)
		ms, k = appendLinear(ms, k, Num{n: 1}, t)
	}
	return p.fromLinear(canonMonomials(ms), k, s)
}

// Sub returns a-b.
func (p *Pool) Sub(a, b *Term) *Term {
	p.check(a.sort == b.sort && a.sort.IsArith(), "-", a, b)
	var scratch [12]Monomial
	ms, k := appendLinear(scratch[:0], Num{}, Num{n: 1}, a)
	ms, k = appendLinear(ms, k, Num{n: -1}, b)
	return p.fromLinear(canonMonomials(ms), k, a.sort)
}

// Neg returns -t.
func (p *Pool) Neg(t *Term) *Term { return p.Scale(Num{n: -1}, t) }

// Scale returns c*t. It panics when t is Int and c a fraction.
func (p *Pool) Scale(c Num, t *Term) *Term {
	p.check(t.sort == Real || t.sort == Int && c.IsInt(), "scaled term", t)
	if c.IsZero() {
		return p.Numeral(c, t.sort)
	}
	if c.IsOne() {
		return t
	}
	var scratch [12]Monomial
	ms, k := appendLinear(scratch[:0], Num{}, c, t)
	return p.fromLinear(ms, k, t.sort)
}

// Mul returns a*b. Numeral factors and the contents of sums are pulled out as a coefficient; what remains of several
// factors is a product sorted by ID. Products of sums are not expanded.
func (p *Pool) Mul(a, b *Term) *Term {
	p.check(a.sort == b.sort && a.sort.IsArith(), "*", a, b)
	if a.op == Numeral {
		return p.Scale(a.ext.num, b)
	}
	if b.op == Numeral {
		return p.Scale(b.ext.num, a)
	}
	coef := Num{n: 1}
	var factors []*Term
	for _, t := range [2]*Term{a, b} {
		c, t := p.content(t)
		coef = coef.Mul(c)
		if t.op == Mul {
			factors = append(factors, t.args...)
		} else {
			factors = append(factors, t)
		}
	}
	slices.SortFunc(factors, byID)
	t := p.intern(Mul, a.sort, nil, factors...)
	return p.scaled(Monomial{coef, t})
}

// Factors returns the factors of a product of terms that are no numerals, and nil for other terms, multiples of a product among them.
func (t *Term) Factors() []*Term {
	if t.op != Mul || t.args[0].op == Numeral {
		return nil
	}
	return t.args
}

// content splits a term that is no numeral into a factor and a term that has integer coefficients (the constant
// included) with greatest common divisor 1, the first one positive.
func (p *Pool) content(t *Term) (Num, *Term) {
	if t.op != Add {
		m := monomial(t)
		return m.Coef, m.Term
	}
	l := p.Linear(t)
	den, g := l.Const.Denom(), Num{}
	for _, m := range l.Monomials {
		den = LCM(den, m.Coef.Denom())
	}
	g = l.Const.Mul(den)
	for _, m := range l.Monomials {
		g = GCD(g, m.Coef.Mul(den))
	}
	c := g.Abs().Div(den)
	if l.Monomials[0].Coef.Sign() < 0 {
		c = c.Neg()
	}
	if c.IsOne() {
		return c, t
	}
	return c, p.FromLinear(l.Scale(c.Inv()), t.sort)
}

// Div returns the quotient of two Real terms. A quotient by a non-zero numeral is a scaled term; x/0 and quotients by
// other terms stay as they are, since SMT-LIB leaves division by zero uninterpreted.
func (p *Pool) Div(a, b *Term) *Term {
	p.check(a.sort == Real && b.sort == Real, "/", a, b)
	if b.op == Numeral && !b.ext.num.IsZero() {
		return p.Scale(b.ext.num.Inv(), a)
	}
	return p.intern(RealDiv, Real, nil, a, b)
}

// IntDiv returns SMT-LIB's (div a b). By a numeral k > 0, the result's dividend has coefficients in (-k/2, k/2] and a
// constant in [0, k), with no common divisor of k and the coefficients.
func (p *Pool) IntDiv(a, b *Term) *Term {
	p.check(a.sort == Int && b.sort == Int, "div", a, b)
	if b.op != Numeral || b.ext.num.IsZero() {
		return p.intern(IntDiv, Int, nil, a, b)
	}
	k := b.ext.num
	if k.Sign() < 0 {
		return p.Neg(p.IntDiv(a, p.Numeral(k.Neg(), Int)))
	}
	if k.IsOne() {
		return a
	}
	var scratch [12]Monomial
	ms, c := appendLinear(scratch[:0], Num{}, Num{n: 1}, a)
	// a = k*q + r, so a div k = q + r div k.
	var q []Monomial
	r := make([]Monomial, 0, len(ms))
	for _, m := range ms {
		x, y := symmetricDiv(m.Coef, k)
		if !x.IsZero() {
			q = append(q, Monomial{x, m.Term})
		}
		if !y.IsZero() {
			r = append(r, Monomial{y, m.Term})
		}
	}
	qc, c := EuclidDiv(c, k)
	if rest := p.divReduced(r, c, k); rest.op == Numeral {
		qc = qc.Add(rest.ext.num)
	} else {
		q, qc = appendLinear(q, qc, Num{n: 1}, rest)
		q = canonMonomials(q)
	}
	return p.fromLinear(q, qc, Int)
}

// divReduced returns (ms + c) div k for coefficients and constant reduced modulo k > 1.
func (p *Pool) divReduced(ms []Monomial, c, k Num) *Term {
	if len(ms) == 0 {
		return p.Int(0)
	}
	k, c, _ = divideOut(ms, c, k)
	if k.IsOne() {
		return p.fromLinear(ms, c, Int)
	}
	if len(ms) == 1 && c.IsZero() && ms[0].Coef.IsOne() {
		switch t := ms[0].Term; {
		case t.op == IntDiv && t.args[1].op == Numeral && t.args[1].ext.num.Sign() > 0:
			return p.IntDiv(t.args[0], p.Numeral(t.args[1].ext.num.Mul(k), Int))
		case isModBelow(t, k):
			return p.Int(0)
		}
	}
	return p.intern(IntDiv, Int, nil, p.fromLinear(ms, c, Int), p.Numeral(k, Int))
}

// divideOut divides ms and k by their greatest common divisor g, and c by g rounding down; rest is c modulo g. Then
// (g*m + c) div (g*k) = (m + c div g) div k and (g*m + c) mod (g*k) = g*((m + c div g) mod k) + rest.
func divideOut(ms []Monomial, c, k Num) (newK, newC, rest Num) {
	g := k
	for _, m := range ms {
		if g = GCD(g, m.Coef); g.IsOne() {
			return k, c, Num{}
		}
	}
	for i := range ms {
		ms[i].Coef = ms[i].Coef.Div(g)
	}
	c, rest = EuclidDiv(c, g)
	return k.Div(g), c, rest
}

// symmetricDiv returns q and r with a = k*q + r and -k/2 < r <= k/2, for k > 0.
func symmetricDiv(a, k Num) (q, r Num) {
	q, r = EuclidDiv(a, k)
	if r.Add(r).Cmp(k) > 0 {
		q, r = q.Add(Num{n: 1}), r.Sub(k)
	}
	return q, r
}

// Mod returns SMT-LIB's (mod a b). By a numeral k > 0, the result's dividend has coefficients in (-k/2, k/2] and a
// constant in [0, k), with no common divisor of k and the coefficients.
func (p *Pool) Mod(a, b *Term) *Term {
	p.check(a.sort == Int && b.sort == Int, "mod", a, b)
	if b.op != Numeral || b.ext.num.IsZero() {
		return p.intern(Mod, Int, nil, a, b)
	}
	k := b.ext.num.Abs()
	if k.IsOne() {
		return p.Int(0)
	}
	var scratch [12]Monomial
	ms, c := appendLinear(scratch[:0], Num{}, Num{n: 1}, a)
	if len(ms) == 1 && c.IsZero() && ms[0].Coef.IsOne() {
		if isModBelow(ms[0].Term, k) {
			return ms[0].Term
		}
	}
	ms, c = p.dropMods(ms, c, k)
	out := make([]Monomial, 0, len(ms))
	for _, m := range ms {
		if _, m.Coef = symmetricDiv(m.Coef, k); !m.Coef.IsZero() {
			out = append(out, m)
		}
	}
	_, c = EuclidDiv(c, k)
	if len(out) == 0 {
		return p.Numeral(c, Int)
	}
	n, c, rest := divideOut(out, c, k)
	if n.IsOne() {
		return p.Numeral(rest, Int)
	}
	var t *Term
	if !n.Equal(k) {
		// The coefficients are smaller now, but so is the modulus: reduce again.
		t = p.Mod(p.fromLinear(out, c, Int), p.Numeral(n, Int))
	} else {
		t = p.intern(Mod, Int, nil, p.fromLinear(out, c, Int), p.Numeral(n, Int))
	}
	g := k.Div(n)
	if g.IsOne() {
		return t
	}
	return p.Add(p.Scale(g, t), p.Numeral(rest, Int))
}

// Abs returns the absolute value of an Int or Real term; for Real, where SMT-LIB has no abs, as an Ite.
func (p *Pool) Abs(t *Term) *Term {
	p.check(t.sort.IsArith(), "abs", t)
	if t.op == Numeral {
		return p.Numeral(t.ext.num.Abs(), t.sort)
	}
	c, t := p.content(t)
	if t.sort == Real {
		t = p.Ite(p.Ge(t, p.Real(Num{})), t, p.Neg(t))
	} else if t.op != Abs {
		t = p.intern(Abs, t.sort, nil, t)
	}
	return p.Scale(c.Abs(), t)
}

// ToReal returns the Int term t as a Real; it is pushed below sums and coefficients.
func (p *Pool) ToReal(t *Term) *Term {
	p.check(t.sort == Int, "to_real", t)
	if t.op == Numeral {
		return p.Numeral(t.ext.num, Real)
	}
	l := p.Linear(t)
	for i, m := range l.Monomials {
		l.Monomials[i].Term = p.intern(ToReal, Real, nil, m.Term)
	}
	return p.fromLinear(canonMonomials(l.Monomials), l.Const, Real)
}

// ToInt returns the greatest integer not above the Real term t.
func (p *Pool) ToInt(t *Term) *Term {
	p.check(t.sort == Real, "to_int", t)
	// Summands that are integers come out; the floor of the rest is opaque.
	ints, rest, k := p.splitIntegers(t)
	floor := k.Floor()
	if len(rest) > 0 {
		inner := p.fromLinear(rest, k.Sub(floor), Real)
		ints = append(ints, Monomial{Num{n: 1}, p.intern(ToInt, Int, nil, inner)})
	}
	return p.fromLinear(canonMonomials(ints), floor, Int)
}

// IsInt returns whether the Real term t is an integer.
func (p *Pool) IsInt(t *Term) *Term {
	p.check(t.sort == Real, "is_int", t)
	_, rest, k := p.splitIntegers(t)
	k = k.Sub(k.Floor())
	if len(rest) == 0 {
		return p.Bool(k.IsZero())
	}
	return p.intern(IsInt, Bool, nil, p.fromLinear(rest, k, Real))
}

// splitIntegers splits a Real term into Int monomials that are integers whatever the variables' values, Real monomials
// that need not be, and a constant.
func (p *Pool) splitIntegers(t *Term) (ints, rest []Monomial, k Num) {
	l := p.Linear(t)
	for _, m := range l.Monomials {
		if m.Term.op == ToReal && m.Coef.IsInt() {
			ints = append(ints, Monomial{m.Coef, m.Term.args[0]})
		} else {
			rest = append(rest, m)
		}
	}
	return canonMonomials(ints), rest, l.Const
}
