package term

import (
	"cmp"
	"slices"
)

// Monomial is a coefficient, never 0, times a term of sort Int or Real that is no sum, scaled term or numeral.
type Monomial struct {
	Coef Num
	Term *Term
}

// Linear is the sum of its monomials and a constant. The monomials are sorted by their terms' IDs, one for each term.
type Linear struct {
	Monomials []Monomial
	Const     Num
}

// IsConst reports whether l has no monomial.
func (l Linear) IsConst() bool { return len(l.Monomials) == 0 }

// Coef returns the coefficient of x in l, 0 when it does not occur.
func (l Linear) Coef(x *Term) Num {
	if i, ok := l.find(x); ok {
		return l.Monomials[i].Coef
	}
	return Num{}
}

func (l Linear) find(x *Term) (int, bool) {
	return slices.BinarySearchFunc(l.Monomials, x, func(m Monomial, x *Term) int { return cmp.Compare(m.Term.id, x.id) })
}

// Without returns l without the monomial of x.
func (l Linear) Without(x *Term) Linear {
	i, ok := l.find(x)
	if !ok {
		return l
	}
	ms := make([]Monomial, 0, len(l.Monomials)-1)
	ms = append(append(ms, l.Monomials[:i]...), l.Monomials[i+1:]...)
	return Linear{ms, l.Const}
}

// Scale returns c*l.
func (l Linear) Scale(c Num) Linear {
	if c.IsZero() {
		return Linear{}
	}
	if c.IsOne() {
		return l
	}
	ms := make([]Monomial, len(l.Monomials))
	for i, m := range l.Monomials {
		ms[i] = Monomial{m.Coef.Mul(c), m.Term}
	}
	return Linear{ms, l.Const.Mul(c)}
}

// Add returns l+k.
func (l Linear) Add(k Linear) Linear {
	return Linear{mergeMonomials(make([]Monomial, 0, len(l.Monomials)+len(k.Monomials)), l.Monomials, k.Monomials, NewInt(1)),
		l.Const.Add(k.Const)}
}

// Sub returns l-k.
func (l Linear) Sub(k Linear) Linear {
	return Linear{mergeMonomials(make([]Monomial, 0, len(l.Monomials)+len(k.Monomials)), l.Monomials, k.Monomials, NewInt(-1)),
		l.Const.Sub(k.Const)}
}

// AddTerm returns l + coef*t for any arithmetic term t.
func (l Linear) AddTerm(coef Num, t *Term) Linear {
	return l.Add(t.pool.Linear(t).Scale(coef))
}

// mergeMonomials appends a + c*b to dst.
func mergeMonomials(dst, a, b []Monomial, c Num) []Monomial {
	one := c.IsOne()
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].Term.id < b[j].Term.id:
			dst = append(dst, a[i])
			i++
		case i == len(a) || a[i].Term.id > b[j].Term.id:
			m := b[j]
			if !one {
				m.Coef = m.Coef.Mul(c)
			}
			dst = append(dst, m)
			j++
		default:
			k := b[j].Coef
			if !one {
				k = k.Mul(c)
			}
			if k = a[i].Coef.Add(k); !k.IsZero() {
				dst = append(dst, Monomial{k, a[i].Term})
			}
			i++
			j++
		}
	}
	return dst
}

// appendLinear appends the monomials of c*t to ms, which need not stay sorted, and adds its constant to k.
func appendLinear(ms []Monomial, k Num, c Num, t *Term) ([]Monomial, Num) {
	one := c.IsOne()
	switch t.op {
	case Numeral:
		return ms, k.Add(c.Mul(t.ext.num))
	case Add:
		for _, a := range t.args {
			if a.op == Numeral {
				k = k.Add(c.Mul(a.ext.num))
				continue
			}
			m := monomial(a)
			if !one {
				m.Coef = m.Coef.Mul(c)
			}
			ms = append(ms, m)
		}
		return ms, k
	}
	m := monomial(t)
	if !one {
		m.Coef = m.Coef.Mul(c)
	}
	return append(ms, m), k
}

// monomial splits a term that is neither sum nor numeral into coefficient and term.
func monomial(t *Term) Monomial {
	if t.op == Mul && t.args[0].op == Numeral {
		return Monomial{t.args[0].ext.num, t.args[1]}
	}
	return Monomial{Num{n: 1}, t}
}

// canonMonomials sorts ms in place and joins the monomials of one term.
func canonMonomials(ms []Monomial) []Monomial {
	sorted := true
	for i := 1; i < len(ms); i++ {
		if ms[i-1].Term.id >= ms[i].Term.id {
			sorted = false
			break
		}
	}
	if sorted {
		return ms
	}
	if len(ms) <= 8 {
		for i := 1; i < len(ms); i++ {
			for j := i; j > 0 && ms[j-1].Term.id > ms[j].Term.id; j-- {
				ms[j-1], ms[j] = ms[j], ms[j-1]
			}
		}
	} else {
		slices.SortFunc(ms, func(a, b Monomial) int { return cmp.Compare(a.Term.id, b.Term.id) })
	}
	out := ms[:0]
	for i := 0; i < len(ms); {
		m := ms[i]
		for i++; i < len(ms) && ms[i].Term == m.Term; i++ {
			m.Coef = m.Coef.Add(ms[i].Coef)
		}
		if !m.Coef.IsZero() {
			out = append(out, m)
		}
	}
	return out
}

// Linear returns the linear form of an Int or Real term. What is not linear (products, ite, select, mod and so on) is
// a monomial's term.
func (p *Pool) Linear(t *Term) Linear {
	p.check(t.sort.IsArith(), "linear form", t)
	n := 1
	if t.op == Add {
		n = len(t.args)
	}
	// Sums are sorted already.
	ms, k := appendLinear(make([]Monomial, 0, n), Num{}, Num{n: 1}, t)
	return Linear{ms, k}
}

// FromLinear returns the term of sort s (Int or Real) that l stands for. For Int the coefficients are integers.
func (p *Pool) FromLinear(l Linear, s *Sort) *Term {
	for _, m := range l.Monomials {
		p.check(m.Term.sort == s && (s == Real || m.Coef.IsInt()), "linear form", m.Term)
	}
	return p.fromLinear(l.Monomials, l.Const, s)
}

func (p *Pool) fromLinear(ms []Monomial, k Num, s *Sort) *Term {
	switch {
	case len(ms) == 0:
		return p.Numeral(k, s)
	case len(ms) == 1 && k.IsZero():
		return p.scaled(ms[0])
	}
	var scratch [12]*Term
	args := scratch[:0]
	for _, m := range ms {
		args = append(args, p.scaled(m))
	}
	if !k.IsZero() {
		args = append(args, p.Numeral(k, s))
	}
	return p.intern(Add, s, nil, args...)
}

// scaled returns the term of a monomial.
func (p *Pool) scaled(m Monomial) *Term {
	if m.Coef.IsOne() {
		return m.Term
	}
	return p.intern(Mul, m.Term.sort, nil, p.Numeral(m.Coef, m.Term.sort), m.Term)
}

// Rel compares a linear form with 0.
type Rel uint8

// The relations: lin <= 0, lin < 0, lin = 0.
const (
	LE Rel = iota
	LT
	EQ
)

// String returns "<=", "<" or "=".
func (r Rel) String() string { return [...]string{"<=", "<", "="}[r] }

// Constraint says that its linear form, of sort Int or Real, is in relation Rel to 0. LT occurs with Real only.
type Constraint struct {
	Linear
	Rel  Rel
	Sort *Sort
}

// AsConstraint reads a literal Le, Lt, arithmetic Eq, or a negated Le or Lt as a constraint; strict integer literals
// are tightened to LE. Other literals, disequalities and divisibility among them, give false.
func (p *Pool) AsConstraint(lit *Term) (Constraint, bool) {
	atom, positive := lit.Atom()
	var rel Rel
	switch atom.op {
	case Le:
		rel = LE
	case Lt:
		rel = LT
	case Eq:
		rel = EQ
		if !positive || !atom.args[0].sort.IsArith() {
			return Constraint{}, false
		}
	default:
		return Constraint{}, false
	}
	s := atom.args[0].sort
	l := p.Linear(atom.args[0])
	l.Const = l.Const.Sub(atom.args[1].ext.num)
	if !positive {
		// not (l <= 0) is -l < 0, over the integers -l + 1 <= 0.
		l = l.Scale(Num{n: -1})
		switch {
		case rel == LT:
			rel = LE
		case s == Int:
			l.Const = l.Const.Add(Num{n: 1})
		default:
			rel = LT
		}
	}
	return Constraint{l, rel, s}, true
}

// Compare returns the normalised literal "l r 0" over sort s. Over Int the coefficients may be fractions, as long as
// every monomial's term is Int.
func (p *Pool) Compare(l Linear, r Rel, s *Sort) *Term {
	for _, m := range l.Monomials {
		p.check(m.Term.sort == s, r.String(), m.Term)
	}
	return p.compareLinear(slices.Clone(l.Monomials), l.Const, r, s)
}

// Term returns the constraint as a normalised literal.
func (c Constraint) Term(p *Pool) *Term { return p.Compare(c.Linear, c.Rel, c.Sort) }
