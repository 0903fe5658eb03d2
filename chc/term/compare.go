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
	var scratch [12]Monomial
	ms, k := appendLinear(scratch[:0], Num{}, Num{n: 1}, a)
	ms, k = appendLinear(ms, k, Num{n: -1}, b)
	return p.compareLinear(canonMonomials(ms), k, r, a.sort)
}

// compareLinear returns the literal "ms + k r 0"; ms is sorted and is overwritten.
func (p *Pool) compareLinear(ms []Monomial, k Num, r Rel, s *Sort) *Term {
	if len(ms) == 0 {
		c := k.Sign()
		return p.Bool(r == LE && c <= 0 || r == LT && c < 0 || r == EQ && c == 0)
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
	if s == Int {
		switch r {
		case LT:
			c, r = c.Ceil().Sub(Num{n: 1}), LE
		case LE:
			c = c.Floor()
		case EQ:
			if !c.IsInt() {
				return p.fls
			}
		}
	}
	negated := false
	if ms[0].Coef.Sign() < 0 {
		for i := range ms {
			ms[i].Coef = ms[i].Coef.Neg()
		}
		c = c.Neg()
		// -s <= c is s >= -c: not (s < -c), over the integers not (s <= -c-1).
		switch {
		case r == EQ:
		case s == Int:
			c, negated = c.Sub(Num{n: 1}), true
		case r == LE:
			r, negated = LT, true
		default:
			r, negated = LE, true
		}
	}
	var t *Term
	if len(ms) == 1 {
		t = p.boundAtom(r, ms[0].Term, c)
	}
	if t == nil {
		op := [...]Op{Le, Lt, Eq}[r]
		t = p.intern(op, Bool, nil, p.fromLinear(ms, Num{}, s), p.Numeral(c, s))
	}
	if negated {
		return p.Not(t)
	}
	return t
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
