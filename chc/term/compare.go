package term

// Le returns a <= b, as Le(sum, numeral) or its negation.
func (p *Pool) Le(a, b *Term) *Term {
	p.check(a.sort == b.sort && a.sort.IsArith(), "<=", a, b)
	return p.compare(LE, a, b)
}

// Lt returns a < b. Over Int it is Le(a, b-1).
func (p *Pool) Lt(a, b *Term) *Term {
	p.check(a.sort == b.sort && a.sort.IsArith(), "<", a, b)
	return p.compare(LT, a, b)
}

// Ge returns Le(b, a).
func (p *Pool) Ge(a, b *Term) *Term { return p.Le(b, a) }

// Gt returns Lt(b, a).
func (p *Pool) Gt(a, b *Term) *Term { return p.Lt(b, a) }

func (p *Pool) compare(r Rel, a, b *Term) *Term {
	if b.op == Numeral && isNormalSum(a) {
		return p.boundBy(r, a, b.ext.num)
	}
	var scratch [12]Monomial
	ms, k := appendLinear(scratch[:0], Num{}, Num{n: 1}, a)
	ms, k = appendLinear(ms, k, Num{n: -1}, b)
	return p.compareLinear(canonMonomials(ms), k, r, a.sort)
}

// isNormalSum reports whether t is the left side of an atom as it is: without constant, coefficients integers with
// greatest common divisor 1, the first one positive.
func isNormalSum(t *Term) bool {
	switch t.op {
	case Numeral:
		return false
	case Mul:
		return t.args[0].op != Numeral
	case ToReal:
		return false
	case Add:
		if t.args[len(t.args)-1].op == Numeral {
			return false
		}
		g := Num{}
		for i, a := range t.args {
			m := monomial(a)
			if i == 0 && m.Coef.Sign() < 0 || !m.Coef.IsInt() || m.Term.op == ToReal {
				return false
			}
			if !g.IsOne() {
				g = GCD(g, m.Coef)
			}
		}
		return g.IsOne()
	}
	return true
}

// boundBy returns "sum r c" for a normal sum.
func (p *Pool) boundBy(r Rel, sum *Term, c Num) *Term {
	s := sum.sort
	if s == Int {
		switch {
		case r == EQ && !c.IsInt():
			return p.fls
		case r == LT:
			c, r = c.Ceil().Sub(Num{n: 1}), LE
		default:
			c = c.Floor()
		}
	}
	if sum.op != Add {
		if t := p.boundAtom(r, sum, c); t != nil {
			return t
		}
	}
	return p.intern([...]Op{Le, Lt, Eq}[r], Bool, nil, sum, p.Numeral(c, s))
}

// compareLinear returns the literal "ms + k r 0"; ms is sorted and is overwritten.
func (p *Pool) compareLinear(ms []Monomial, k Num, r Rel, s *Sort) *Term {
	if len(ms) == 0 {
		c := k.Sign()
		return p.Bool(r == LE && c <= 0 || r == LT && c < 0 || r == EQ && c == 0)
	}
	if s == Real && allToReal(ms) {
		// A comparison of integers.
		for i := range ms {
			ms[i].Term = ms[i].Term.args[0]
		}
		ms, s = canonMonomials(ms), Int
	}
	// Scale to integer coefficients with gcd 1.
	g, fractions := Num{}, false
	for _, m := range ms {
		if !m.Coef.IsInt() {
			fractions = true
		}
	}
	if fractions {
		l := Num{n: 1}
		for _, m := range ms {
			l = LCM(l, m.Coef.Denom())
		}
		for i := range ms {
			ms[i].Coef = ms[i].Coef.Mul(l)
		}
		k = k.Mul(l)
	}
	for _, m := range ms {
		if g = GCD(g, m.Coef); g.IsOne() {
			break
		}
	}
	if !g.IsOne() {
		g = g.Inv()
		for i := range ms {
			ms[i].Coef = ms[i].Coef.Mul(g)
		}
		k = k.Mul(g)
	}
	// Now sum <= c, sum < c or sum = c; c may be a fraction.
	c := k.Neg()
	if ms[0].Coef.Sign() > 0 {
		return p.boundBy(r, p.fromLinear(ms, Num{}, s), c)
	}
	for i := range ms {
		ms[i].Coef = ms[i].Coef.Neg()
	}
	sum := p.fromLinear(ms, Num{}, s)
	// -sum <= -c is sum >= c, which is not (sum < c).
	switch c = c.Neg(); r {
	case LE:
		return p.Not(p.boundBy(LT, sum, c))
	case LT:
		return p.Not(p.boundBy(LE, sum, c))
	}
	return p.boundBy(EQ, sum, c)
}

func allToReal(ms []Monomial) bool {
	for _, m := range ms {
		if m.Term.op != ToReal {
			return false
		}
	}
	return true
}

// boundAtom simplifies "t r c" for a term t that is no sum, when its operator bounds or selects its value; nil when it
// does not.
func (p *Pool) boundAtom(r Rel, t *Term, c Num) *Term {
	switch t.op {
	case Ite:
		a, b := t.args[1], t.args[2]
		if a.op != Numeral || b.op != Numeral {
			return nil
		}
		return p.Ite(t.args[0], p.Bool(related(r, a.ext.num.Cmp(c))), p.Bool(related(r, b.ext.num.Cmp(c))))
	case Mod:
		if t.args[1].op != Numeral || t.args[1].ext.num.Sign() <= 0 {
			return nil
		}
		k := t.args[1].ext.num
		last := k.Sub(Num{n: 1})
		switch {
		case r == EQ:
			if c.Sign() < 0 || c.Cmp(last) > 0 {
				return p.fls
			}
			return p.Divides(k, p.Sub(t.args[0], p.Numeral(c, Int)))
		case c.Sign() < 0:
			return p.fls
		case c.Cmp(last) >= 0:
			return p.tru
		case c.IsZero():
			return p.Divides(k, t.args[0])
		case c.Add(Num{n: 1}).Equal(last):
			return p.Not(p.Divides(k, p.Sub(t.args[0], p.Numeral(last, Int))))
		}
	case IntDiv:
		// t div k <= c is t < k*(c+1).
		if k := t.args[1]; r == LE && k.op == Numeral && k.ext.num.Sign() > 0 {
			return p.Lt(t.args[0], p.Numeral(k.ext.num.Mul(c.Add(Num{n: 1})), Int))
		}
	case ToInt:
		if r == LE {
			return p.Lt(t.args[0], p.Numeral(c.Add(Num{n: 1}), Real))
		}
	case Abs:
		if c.Sign() < 0 {
			return p.fls
		}
		if c.Sign() == 0 {
			if r == LT {
				return p.fls
			}
			return p.Eq(t.args[0], p.Numeral(Num{}, t.sort))
		}
	}
	return nil
}

// related reports whether a comparison's result satisfies r.
func related(r Rel, cmp int) bool {
	return r == LE && cmp <= 0 || r == LT && cmp < 0 || r == EQ && cmp == 0
}

// Divides returns "the integer k divides the Int term t". 0 divides only 0. The result's coefficients and constant lie
// in [0, k) and have no common divisor with k.
func (p *Pool) Divides(k Num, t *Term) *Term {
	p.check(t.sort == Int, "divides", t)
	if !k.IsInt() {
		panic("term: divisibility by the fraction " + k.String())
	}
	k = k.Abs()
	if k.IsZero() {
		return p.Eq(t, p.Int(0))
	}
	var scratch [12]Monomial
	ms, c := appendLinear(scratch[:0], Num{}, Num{n: 1}, t)
	ms, c = p.dropMods(ms, c, k)
	g, out := k, ms[:0]
	for _, m := range ms {
		if _, m.Coef = EuclidDiv(m.Coef, k); !m.Coef.IsZero() {
			g = GCD(g, m.Coef)
			out = append(out, m)
		}
	}
	ms = out
	_, c = EuclidDiv(c, k)
	if len(ms) == 0 {
		return p.Bool(c.IsZero())
	}
	if !g.IsOne() {
		q, r := EuclidDiv(c, g)
		if !r.IsZero() {
			return p.fls
		}
		c = q
		k, _ = EuclidDiv(k, g)
		for i := range ms {
			ms[i].Coef, _ = EuclidDiv(ms[i].Coef, g)
		}
		if k.IsOne() {
			return p.tru
		}
	}
	if len(ms) == 1 && !ms[0].Coef.IsOne() {
		// The coefficient is a unit modulo k: multiply by its inverse.
		inv := inverseMod(ms[0].Coef, k)
		ms[0].Coef = Num{n: 1}
		_, c = EuclidDiv(c.Mul(inv), k)
	}
	if t := ms[0].Term; len(ms) == 1 && isModBelow(t, k) {
		// mod(u, n) + c with n <= k is a multiple of k only where mod(u, n) is the one number below k that makes it so.
		_, c = EuclidDiv(c.Neg(), k)
		return p.Eq(t, p.Numeral(c, Int))
	}
	return p.intern(Divides, Bool, nil, p.Numeral(k, Int), p.fromLinear(ms, c, Int))
}

// inverseMod returns a's inverse modulo k; a and k are coprime.
func inverseMod(a, k Num) Num {
	b := a.BigInt()
	return NumFromBig(b.ModInverse(b, k.BigInt()))
}

// dropMods replaces in ms + c, as far as only its value modulo k matters, mod(t, n) by t where k divides n. It returns
// sorted monomials.
func (p *Pool) dropMods(ms []Monomial, c, k Num) ([]Monomial, Num) {
	for {
		found := false
		for _, m := range ms {
			if modDivisible(m.Term, k) {
				found = true
				break
			}
		}
		if !found {
			return ms, c
		}
		var out []Monomial
		for _, m := range ms {
			if modDivisible(m.Term, k) {
				out, c = appendLinear(out, c, m.Coef, m.Term.args[0])
			} else {
				out = append(out, m)
			}
		}
		ms = canonMonomials(out)
	}
}

// modDivisible reports whether t is mod(_, n) with a numeral n > 0 that k divides.
func modDivisible(t *Term, k Num) bool {
	if t.op != Mod || t.args[1].op != Numeral || t.args[1].ext.num.Sign() <= 0 {
		return false
	}
	_, r := EuclidDiv(t.args[1].ext.num, k)
	return r.IsZero()
}

// isModBelow reports whether t is mod(_, n) with a numeral 0 < n <= k.
func isModBelow(t *Term, k Num) bool {
	return t.op == Mod && t.args[1].op == Numeral && t.args[1].ext.num.Sign() > 0 && t.args[1].ext.num.Cmp(k) <= 0
}

// Solve reads a formula as a variable and the term, without that variable, that it equals: of the variables that may be solved for,
// all where may is nil. It returns nil when the formula says no such thing.
func (p *Pool) Solve(f *Term, may func(*Term) bool) (x, t *Term) {
	can := func(x, t *Term) bool { return x.IsVar() && (may == nil || may(x)) && !Contains(t, x) }
	switch f.Op() {
	case Var:
		if can(f, p.True()) {
			return f, p.True()
		}
	case Not:
		if can(f.Arg(0), p.False()) {
			return f.Arg(0), p.False()
		}
	case Eq:
		a, b := f.Arg(0), f.Arg(1)
		switch {
		case can(a, b):
			return a, b
		case can(b, a):
			return b, a
		case a.Sort().IsArith():
			l := p.Linear(p.Sub(a, b))
			for _, m := range l.Monomials {
				c := m.Coef.Neg()
				if a.Sort() == Int && !c.Abs().IsOne() {
					continue
				}
				if t := p.FromLinear(l.Without(m.Term).Scale(c.Inv()), a.Sort()); can(m.Term, t) {
					return m.Term, t
				}
			}
		}
	}
	return nil, nil
}
