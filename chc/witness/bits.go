package witness

import (
	"math/big"

	"hornbeam/chc/term"
)

// mostBits bounds the width of bit-vectors that stand for integers.
const mostBits = 1024

// asBits writes a conjunction that converts between integers and bit-vectors over bit-vectors, as far as that goes: variables that an
// equality determines go, those that are converted become bit-vectors where they have bounds, conversions of conversions go, and
// comparisons of what cannot be negative become ones of bit-vectors. The result has a solution where the conjunction has one. Solvers
// blast it to bits, which they do not for arithmetic in between. It is false where there is nothing to write so.
func asBits(p *term.Pool, conjunction []*term.Term) ([]*term.Term, bool) {
	all := solved(p, conjunction)
	converted := map[*term.Term]bool{}
	for _, f := range all {
		term.Walk(f, func(t *term.Term) bool {
			if t.Op() == term.NatToBV {
				for _, v := range term.Vars(t) {
					converted[v] = v.Sort() == term.Int
				}
			}
			return true
		})
	}
	bits := map[*term.Term]*term.Term{}
	lower, upper := bounds(p, all)
	for _, f := range all {
		for _, v := range term.Vars(f) {
			if _, low := lower[v]; converted[v] && bits[v] == nil && low && lower[v].Sign() >= 0 {
				if most, high := upper[v]; high && most.Sign() >= 0 && most.BigInt().BitLen() <= mostBits {
					bits[v] = p.BVToNat(p.Fresh("bits", p.BitVec(max(1, most.BigInt().BitLen()))))
				}
			}
		}
	}
	w := &bitsWriter{p, map[*term.Term]*term.Term{}, map[*term.Term]natural{}, map[moduloKey]*term.Term{}}
	substitution := p.NewSubstitution(bits)
	changed := false
	for i, f := range all {
		all[i] = w.write(substitution.Apply(f))
		changed = changed || all[i] != f
	}
	return all, changed
}

// solved is the conjunction without the integer variables that one of its equalities determines.
func solved(p *term.Pool, conjunction []*term.Term) []*term.Term {
	all := term.Conjuncts(p.And(conjunction...))
	for i := 0; i < len(all); i++ {
		x, t := p.Solve(all[i], func(x *term.Term) bool { return x.Sort() == term.Int })
		if x == nil {
			continue
		}
		substitution := p.NewSubstitution(map[*term.Term]*term.Term{x: t})
		var rest []*term.Term
		for k, f := range all {
			if k != i {
				rest = append(rest, substitution.Apply(f))
			}
		}
		// What was no equality of a variable before may be one now.
		all, i = term.Conjuncts(p.And(rest...)), -1
	}
	return append([]*term.Term(nil), all...)
}

// bounds are those of integer variables that conjuncts of their own state.
func bounds(p *term.Pool, conjunction []*term.Term) (lower, upper map[*term.Term]term.Num) {
	lower, upper = map[*term.Term]term.Num{}, map[*term.Term]term.Num{}
	for _, f := range conjunction {
		c, ok := p.AsConstraint(f)
		if !ok || c.Sort != term.Int || c.Rel != term.LE || len(c.Monomials) != 1 {
			continue
		}
		x, bound := c.Monomials[0].Term, c.Const.Neg().Div(c.Monomials[0].Coef)
		if c.Monomials[0].Coef.Sign() > 0 {
			if old, ok := upper[x]; !ok || bound.Cmp(old) < 0 {
				upper[x] = bound.Floor()
			}
		} else if old, ok := lower[x]; !ok || bound.Cmp(old) > 0 {
			lower[x] = bound.Ceil()
		}
	}
	return lower, upper
}

// bitsWriter writes terms over bit-vectors.
type bitsWriter struct {
	p    *term.Pool
	memo map[*term.Term]*term.Term
	// naturals are what natural has written, without bits where it is not one, and moduli what modulo has.
	naturals map[*term.Term]natural
	moduli   map[moduloKey]*term.Term
}

// moduloKey is an integer modulo 2^width.
type moduloKey struct {
	t     *term.Term
	width int
}

func (w *bitsWriter) write(t *term.Term) *term.Term {
	if t.IsQuantifier() {
		return t
	}
	if u := w.memo[t]; u != nil {
		return u
	}
	u := w.p.MapArgs(t, w.write)
	switch u.Op() {
	case term.NatToBV:
		u = w.modulo(u.Arg(0), u.Sort().Width)
	case term.Le, term.Eq:
		u = w.comparison(u)
	}
	w.memo[t] = u
	return u
}

// modulo is an integer modulo 2^width, which sums and products respect.
func (w *bitsWriter) modulo(t *term.Term, width int) *term.Term {
	key := moduloKey{t, width}
	if w.moduli[key] == nil {
		w.moduli[key] = w.newModulo(t, width)
	}
	return w.moduli[key]
}

func (w *bitsWriter) newModulo(t *term.Term, width int) *term.Term {
	if n, ok := w.natural(t); ok {
		return w.resized(n.bits, width)
	}
	switch t.Op() {
	case term.Ite:
		return w.p.Ite(t.Arg(0), w.modulo(t.Arg(1), width), w.modulo(t.Arg(2), width))
	case term.Add, term.Mul:
		if factors := t.Factors(); factors != nil {
			out := w.modulo(factors[0], width)
			for _, f := range factors[1:] {
				out = w.p.BV(term.BVMul, out, w.modulo(f, width))
			}
			return out
		}
		l := w.p.Linear(t)
		out := w.p.BVNum(l.Const, width)
		for _, m := range l.Monomials {
			out = w.p.BV(term.BVAdd, out, w.p.BV(term.BVMul, w.p.BVNum(m.Coef, width), w.modulo(m.Term, width)))
		}
		return out
	}
	return w.p.NatToBV(width, t)
}

// comparison writes a comparison of integers whose sides cannot be negative when what is subtracted stands on the other one.
func (w *bitsWriter) comparison(u *term.Term) *term.Term {
	c, ok := w.p.AsConstraint(u)
	if !ok || c.Sort != term.Int || c.Rel == term.LT {
		return u
	}
	var sides [2]term.Linear // what is added, and what is subtracted
	for _, m := range c.Monomials {
		if m.Coef.Sign() > 0 {
			sides[0].Monomials = append(sides[0].Monomials, m)
		} else {
			sides[1].Monomials = append(sides[1].Monomials, term.Monomial{Coef: m.Coef.Neg(), Term: m.Term})
		}
	}
	if c.Const.Sign() > 0 {
		sides[0].Const = c.Const
	} else {
		sides[1].Const = c.Const.Neg()
	}
	a, ok := w.sum(sides[0])
	if !ok {
		return u
	}
	b, ok := w.sum(sides[1])
	if !ok {
		return u
	}
	width := max(a.bits.Sort().Width, b.bits.Sort().Width)
	x, y := w.resized(a.bits, width), w.resized(b.bits, width)
	if c.Rel == term.EQ {
		return w.p.Eq(x, y)
	}
	return w.p.BV(term.BVUle, x, y)
}

// natural is an integer from 0 to most as a bit-vector, which is wide enough for it.
type natural struct {
	bits *term.Term
	most *big.Int
}

// natural writes an integer that cannot be negative.
func (w *bitsWriter) natural(t *term.Term) (natural, bool) {
	n, known := w.naturals[t]
	if !known {
		n, _ = w.newNatural(t)
		w.naturals[t] = n
	}
	return n, n.bits != nil
}

func (w *bitsWriter) newNatural(t *term.Term) (natural, bool) {
	switch t.Op() {
	case term.Numeral:
		return w.sum(term.Linear{Const: t.Num()})
	case term.BVToNat:
		width := t.Arg(0).Sort().Width
		one := big.NewInt(1)
		return natural{t.Arg(0), new(big.Int).Sub(new(big.Int).Lsh(one, uint(width)), one)}, true
	case term.Ite:
		a, ok := w.natural(t.Arg(1))
		if !ok {
			return natural{}, false
		}
		b, ok := w.natural(t.Arg(2))
		if !ok {
			return natural{}, false
		}
		most := a.most
		if b.most.Cmp(most) > 0 {
			most = b.most
		}
		width := max(a.bits.Sort().Width, b.bits.Sort().Width)
		return natural{w.p.Ite(t.Arg(0), w.resized(a.bits, width), w.resized(b.bits, width)), most}, true
	case term.IntDiv, term.Mod:
		if !t.Arg(1).IsNumeral() || t.Arg(1).Num().Sign() <= 0 {
			return natural{}, false
		}
		a, ok := w.natural(t.Arg(0))
		if !ok {
			return natural{}, false
		}
		by := t.Arg(1).Num()
		width := max(a.bits.Sort().Width, by.BigInt().BitLen())
		x, y := w.resized(a.bits, width), w.p.BVNum(by, width)
		if t.Op() == term.IntDiv {
			return natural{w.p.BV(term.BVUdiv, x, y), new(big.Int).Div(a.most, by.BigInt())}, true
		}
		return natural{w.p.BV(term.BVUrem, x, y), new(big.Int).Sub(by.BigInt(), big.NewInt(1))}, true
	case term.Add:
		return w.sum(w.p.Linear(t))
	case term.Mul:
		factors := t.Factors()
		if factors == nil {
			return w.sum(w.p.Linear(t))
		}
		most := big.NewInt(1)
		parts := make([]natural, len(factors))
		for i, f := range factors {
			var ok bool
			if parts[i], ok = w.natural(f); !ok {
				return natural{}, false
			}
			most = new(big.Int).Mul(most, parts[i].most)
		}
		width := max(1, most.BitLen())
		if width > mostBits {
			return natural{}, false
		}
		out := w.resized(parts[0].bits, width)
		for _, part := range parts[1:] {
			out = w.p.BV(term.BVMul, out, w.resized(part.bits, width))
		}
		return natural{out, most}, true
	}
	return natural{}, false
}

// sum writes a sum without subtraction.
func (w *bitsWriter) sum(l term.Linear) (natural, bool) {
	if l.Const.Sign() < 0 || !l.Const.IsInt() {
		return natural{}, false
	}
	most := new(big.Int).Set(l.Const.BigInt())
	parts := make([]natural, len(l.Monomials))
	for i, m := range l.Monomials {
		if m.Coef.Sign() < 0 || !m.Coef.IsInt() {
			return natural{}, false
		}
		var ok bool
		if parts[i], ok = w.natural(m.Term); !ok {
			return natural{}, false
		}
		most.Add(most, new(big.Int).Mul(m.Coef.BigInt(), parts[i].most))
	}
	width := max(1, most.BitLen())
	if width > mostBits {
		return natural{}, false
	}
	out := w.p.BVNum(l.Const, width)
	for i, m := range l.Monomials {
		out = w.p.BV(term.BVAdd, out, w.p.BV(term.BVMul, w.p.BVNum(m.Coef, width), w.resized(parts[i].bits, width)))
	}
	return natural{out, most}, true
}

// resized is a bit-vector with zeros in front or without its first bits.
func (w *bitsWriter) resized(t *term.Term, width int) *term.Term {
	switch own := t.Sort().Width; {
	case width > own:
		return w.p.ZeroExtend(width-own, t)
	case width < own:
		return w.p.Extract(width-1, 0, t)
	}
	return t
}
