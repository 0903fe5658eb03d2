package term

import (
	"math/big"

	"pgregory.net/rapid"
)

// gen draws an expression of sort s with at most depth nested operators.
func (w *world) gen(t *rapid.T, s *Sort, depth int) expr {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		if rapid.IntRange(0, 2).Draw(t, "value") == 0 {
			v := w.value(t, s)
			return expr{v, func(env) naive { return naiveOf(v) }}
		}
		x := rapid.SampledFrom(w.vars[s]).Draw(t, "var")
		return expr{x, func(e env) naive { return e[x] }}
	}
	if rapid.IntRange(0, 7).Draw(t, "ite") == 0 {
		c, a, b := w.gen(t, Bool, depth-1), w.gen(t, s, depth-1), w.gen(t, s, depth-1)
		return op(w.p.Ite(c.t, a.t, b.t), func(v []naive) naive {
			if v[0].(bool) {
				return v[1]
			}
			return v[2]
		}, c, a, b)
	}
	if rapid.IntRange(0, 7).Draw(t, "across") == 0 {
		if x, ok := w.genAcross(t, s, depth-1); ok {
			return x
		}
	}
	switch s.Kind {
	case BoolKind:
		return w.genBool(t, depth-1)
	case IntKind:
		return w.genInt(t, depth-1)
	case RealKind:
		return w.genReal(t, depth-1)
	case BitVecKind:
		return w.genBV(t, s, depth-1)
	case ArrayKind:
		a, i, v := w.gen(t, s, depth-1), w.gen(t, s.Index, depth-1), w.gen(t, s.Elem, depth-1)
		return op(w.p.Store(a.t, i.t, v.t), func(v []naive) naive { return v[0].(*array).with(show(v[1]), v[2]) }, a, i, v)
	}
	if s == w.list {
		c := s.Data.Constructors[0]
		if rapid.Bool().Draw(t, "tail") {
			l := w.gen(t, s, depth-1)
			return op(w.p.Field(c.Selectors[1], l.t), field(1), l)
		}
		h, l := w.gen(t, Int, depth-1), w.gen(t, s, depth-1)
		return op(w.p.Construct(c, h.t, l.t), func(v []naive) naive { return &data{0, v} }, h, l)
	}
	return w.gen(t, s, 0)
}

func field(i int) func([]naive) naive {
	return func(v []naive) naive {
		if d := v[0].(*data); d.ctor == 0 {
			return d.fields[i]
		}
		return nil
	}
}

// genAcross draws an expression whose root takes arguments of another theory.
func (w *world) genAcross(t *rapid.T, s *Sort, depth int) (expr, bool) {
	p := w.p
	for _, as := range []*Sort{w.arr, w.barr} {
		if as.Elem == s {
			a, i := w.gen(t, as, depth), w.gen(t, as.Index, depth)
			return op(p.Select(a.t, i.t), func(v []naive) naive { return v[0].(*array).at(show(v[1])) }, a, i), true
		}
	}
	if s == Bool {
		i := rapid.IntRange(0, 1).Draw(t, "ctor")
		l := w.gen(t, w.list, depth)
		return op(p.Is(w.list.Data.Constructors[i], l.t), func(v []naive) naive { return v[0].(*data).ctor == i }, l), true
	}
	return expr{}, false
}

func (w *world) genBool(t *rapid.T, d int) expr {
	p := w.p
	some := func(s *Sort) []expr {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) expr { return w.gen(t, s, d) }), 0, 4).Draw(t, "args")
	}
	two := func(s *Sort) (expr, expr) { return w.gen(t, s, d), w.gen(t, s, d) }
	arith := rapid.SampledFrom([]*Sort{Int, Int, Real})
	switch rapid.IntRange(0, 13).Draw(t, "boolop") {
	case 0:
		a := w.gen(t, Bool, d)
		return op(p.Not(a.t), func(v []naive) naive { return !v[0].(bool) }, a)
	case 1:
		xs := some(Bool)
		return op(p.And(terms(xs)...), func(v []naive) naive {
			all := true
			for _, x := range v {
				all = all && x.(bool)
			}
			return all
		}, xs...)
	case 2:
		xs := some(Bool)
		return op(p.Or(terms(xs)...), func(v []naive) naive {
			any := false
			for _, x := range v {
				any = any || x.(bool)
			}
			return any
		}, xs...)
	case 3:
		a, b := two(Bool)
		return op(p.Implies(a.t, b.t), func(v []naive) naive { return !v[0].(bool) || v[1].(bool) }, a, b)
	case 4:
		a, b := two(Bool)
		return op(p.Iff(a.t, b.t), func(v []naive) naive { return v[0] == v[1] }, a, b)
	case 5:
		a, b := two(Bool)
		return op(p.Xor(a.t, b.t), func(v []naive) naive { return v[0] != v[1] }, a, b)
	case 6, 7:
		s := rapid.SampledFrom([]*Sort{Bool, Int, Real, w.arr, w.barr, w.list, w.color, w.elem, p.BitVec(4), p.BitVec(70)}).Draw(t, "eqsort")
		a, b := two(s)
		return op(p.Eq(a.t, b.t), func(v []naive) naive { return sameNaive(v[0], v[1]) }, a, b)
	case 8:
		xs := some(rapid.SampledFrom([]*Sort{Bool, Int, w.color}).Draw(t, "sort"))
		return op(p.Distinct(terms(xs)...), func(v []naive) naive {
			for i := range v {
				for j := range i {
					if sameNaive(v[i], v[j]) {
						return false
					}
				}
			}
			return true
		}, xs...)
	case 9:
		k := int64(rapid.IntRange(-12, 12).Draw(t, "divisor"))
		a := w.gen(t, Int, d)
		return op(p.Divides(NewInt(k), a.t), func(v []naive) naive {
			x := v[0].(*big.Rat).Num()
			if k == 0 {
				return x.Sign() == 0
			}
			return new(big.Int).Mod(x, big.NewInt(k)).Sign() == 0
		}, a)
	case 10:
		a := w.gen(t, Real, d)
		return op(p.IsInt(a.t), func(v []naive) naive { return v[0].(*big.Rat).IsInt() }, a)
	case 11:
		return w.genBVCompare(t, d)
	}
	a, b := two(arith.Draw(t, "sort"))
	cmp := func(ok func(int) bool) func([]naive) naive {
		return func(v []naive) naive { return ok(v[0].(*big.Rat).Cmp(v[1].(*big.Rat))) }
	}
	switch rapid.IntRange(0, 3).Draw(t, "comparison") {
	case 0:
		return op(p.Le(a.t, b.t), cmp(func(c int) bool { return c <= 0 }), a, b)
	case 1:
		return op(p.Lt(a.t, b.t), cmp(func(c int) bool { return c < 0 }), a, b)
	case 2:
		return op(p.Ge(a.t, b.t), cmp(func(c int) bool { return c >= 0 }), a, b)
	}
	return op(p.Gt(a.t, b.t), cmp(func(c int) bool { return c > 0 }), a, b)
}

// genArith draws the operators that Int and Real share.
func (w *world) genArith(t *rapid.T, s *Sort, d int) expr {
	p := w.p
	rat := func(f func(z, x, y *big.Rat) *big.Rat) func([]naive) naive {
		return func(v []naive) naive { return f(new(big.Rat), v[0].(*big.Rat), v[1].(*big.Rat)) }
	}
	a := w.gen(t, s, d)
	switch rapid.IntRange(0, 5).Draw(t, "arithop") {
	case 0:
		xs := append(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) expr { return w.gen(t, s, d) }), 0, 4).Draw(t, "args"), a)
		return op(p.Add(terms(xs)...), func(v []naive) naive {
			z := new(big.Rat)
			for _, x := range v {
				z.Add(z, x.(*big.Rat))
			}
			return z
		}, xs...)
	case 1:
		b := w.gen(t, s, d)
		return op(p.Sub(a.t, b.t), rat((*big.Rat).Sub), a, b)
	case 2:
		return op(p.Neg(a.t), func(v []naive) naive { return new(big.Rat).Neg(v[0].(*big.Rat)) }, a)
	case 3:
		c := w.value(t, s).Num()
		return op(p.Scale(c, a.t), func(v []naive) naive { return new(big.Rat).Mul(c.Rat(), v[0].(*big.Rat)) }, a)
	case 4:
		return op(p.Abs(a.t), func(v []naive) naive { return new(big.Rat).Abs(v[0].(*big.Rat)) }, a)
	}
	b := w.gen(t, s, d)
	return op(p.Mul(a.t, b.t), rat((*big.Rat).Mul), a, b)
}

func (w *world) genInt(t *rapid.T, d int) expr {
	p := w.p
	// divisor draws numerals mostly, so that the rules for them are used.
	divisor := func() expr {
		if rapid.IntRange(0, 4).Draw(t, "termdivisor") == 0 {
			return w.gen(t, Int, d)
		}
		k := p.Int(int64(rapid.IntRange(-12, 12).Draw(t, "divisor")))
		return expr{k, func(env) naive { return naiveOf(k) }}
	}
	div := func(div bool) func(v []naive) naive {
		return func(v []naive) naive {
			x, y := v[0].(*big.Rat).Num(), v[1].(*big.Rat).Num()
			if y.Sign() == 0 {
				return nil
			}
			q, m := new(big.Int).DivMod(x, y, new(big.Int))
			if div {
				return new(big.Rat).SetInt(q)
			}
			return new(big.Rat).SetInt(m)
		}
	}
	switch rapid.IntRange(0, 8).Draw(t, "intop") {
	case 0, 1:
		a, b := w.gen(t, Int, d), divisor()
		return op(p.IntDiv(a.t, b.t), div(true), a, b)
	case 2, 3:
		a, b := w.gen(t, Int, d), divisor()
		return op(p.Mod(a.t, b.t), div(false), a, b)
	case 4:
		a := w.gen(t, Real, d)
		return op(p.ToInt(a.t), func(v []naive) naive {
			x := v[0].(*big.Rat)
			return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
		}, a)
	case 5:
		a, b := w.gen(t, Int, d), w.gen(t, Bool, d)
		return op(p.Apply(w.f, a.t, b.t), func(v []naive) naive {
			x := new(big.Rat).Mul(v[0].(*big.Rat), big.NewRat(3, 1))
			if v[1].(bool) {
				x.Add(x, big.NewRat(1, 1))
			}
			return x
		}, a, b)
	case 6:
		l := w.gen(t, w.list, d)
		return op(p.Field(w.list.Data.Constructors[0].Selectors[0], l.t), field(0), l)
	case 7:
		a := w.gen(t, p.BitVec(7), d)
		return op(p.BVToNat(a.t), func(v []naive) naive { return new(big.Rat).SetInt(v[0].(*big.Int)) }, a)
	}
	return w.genArith(t, Int, d)
}

func (w *world) genReal(t *rapid.T, d int) expr {
	p := w.p
	switch rapid.IntRange(0, 4).Draw(t, "realop") {
	case 0:
		a := w.gen(t, Int, d)
		return op(p.ToReal(a.t), func(v []naive) naive { return v[0] }, a)
	case 1:
		a, b := w.gen(t, Real, d), w.gen(t, Real, d)
		return op(p.Div(a.t, b.t), func(v []naive) naive {
			if v[1].(*big.Rat).Sign() == 0 {
				return nil
			}
			return new(big.Rat).Quo(v[0].(*big.Rat), v[1].(*big.Rat))
		}, a, b)
	}
	return w.genArith(t, Real, d)
}
