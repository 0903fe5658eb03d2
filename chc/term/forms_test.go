package term

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestBooleanForms(t *testing.T) {
	p := NewPool()
	a, b, c := p.Var("a", Bool), p.Var("b", Bool), p.Var("c", Bool)
	tru, fls := p.True(), p.False()
	require.Same(t, tru, p.And())
	require.Same(t, fls, p.Or())
	require.Same(t, a, p.And(a, tru, a))
	require.Same(t, p.And(a, b, c), p.And(c, p.And(b, a)))
	require.Same(t, fls, p.And(b, p.And(a, c), p.Not(a)))
	require.Same(t, tru, p.Or(p.Not(b), p.Or(a, b)))
	require.Equal(t, Not, p.Not(p.And(a, b)).Op())
	require.Same(t, p.Or(p.Not(a), b), p.Implies(a, b))
	require.Same(t, a, p.Not(p.Not(a)))
	require.Same(t, p.Iff(a, b), p.Iff(p.Not(b), p.Not(a)))
	require.Same(t, p.Not(p.Iff(a, b)), p.Xor(a, b))
	require.Same(t, p.Xor(a, b), p.Iff(p.Not(a), b))
	require.Same(t, p.Not(a), p.Iff(fls, a))
	require.Same(t, fls, p.Iff(a, p.Not(a)))
	require.Same(t, p.Ite(a, b, c), p.Ite(p.Not(a), c, b))
	x, y, z := p.Var("x", Int), p.Var("y", Int), p.Var("z", Int)
	require.Same(t, p.Ite(a, x, z), p.Ite(a, p.Ite(a, x, y), p.Ite(a, y, z)))
	require.Same(t, x, p.Ite(b, x, p.Ite(b, y, x)))
	require.Same(t, p.Or(a, b), p.Ite(a, tru, b))
	require.Same(t, p.And(p.Not(a), b), p.Ite(a, fls, b))
	require.Same(t, p.Iff(a, b), p.Ite(a, b, p.Not(b)))
	require.Same(t, fls, p.Distinct(a, b, c))
}

func TestComparisonForms(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", Int), p.Var("y", Int)
	r, s := p.Var("r", Real), p.Var("s", Real)
	i := p.Int
	half := p.Real(NewRat(1, 2))
	sum := p.Add(p.Scale(NewInt(4), x), p.Scale(NewInt(-6), y))
	require.Same(t, p.Not(p.Le(x, i(4))), p.Ge(x, i(5)))
	require.Same(t, p.Not(p.Le(x, y)), p.Lt(y, x))
	require.Same(t, p.Le(x, i(4)), p.Lt(x, i(5)))
	require.Same(t, p.Le(p.Sub(p.Scale(NewInt(2), x), p.Scale(NewInt(3), y)), i(3)), p.Le(sum, i(7)))
	require.Same(t, p.False(), p.Eq(sum, i(7)))
	require.Same(t, p.Eq(x, y), p.Eq(p.Neg(y), p.Neg(x)))
	require.Same(t, p.True(), p.Le(x, p.Add(x, i(1))))
	require.Same(t, p.False(), p.Lt(x, x))
	require.Same(t, p.Not(p.Lt(r, half)), p.Ge(r, half))
	require.Same(t, p.Not(p.Le(r, half)), p.Gt(r, half))
	require.Same(t, p.Lt(p.Sub(p.Scale(NewInt(3), r), p.Scale(NewInt(2), s)), p.Real(NewInt(3))),
		p.Lt(p.Scale(NewRat(1, 2), r), p.Add(p.Scale(NewRat(1, 3), s), half)))
	require.Same(t, p.Le(x, i(0)), p.Lt(p.ToReal(x), half))
	require.Same(t, p.False(), p.Eq(p.ToReal(x), half))
	c := p.Var("c", Bool)
	require.Same(t, c, p.Eq(p.Ite(c, i(1), i(0)), i(1)))
	require.Same(t, p.Not(c), p.Le(p.Ite(c, i(1), i(0)), i(0)))
	require.Same(t, p.Le(x, i(11)), p.Le(p.IntDiv(x, i(4)), i(2)))
	require.Same(t, p.Lt(r, p.Real(NewInt(3))), p.Le(p.ToInt(r), i(2)))
}

func TestDivisionForms(t *testing.T) {
	p := NewPool()
	x, y, r := p.Var("x", Int), p.Var("y", Int), p.Var("r", Real)
	i := p.Int
	scale := func(k int64, t *Term) *Term { return p.Scale(NewInt(k), t) }
	require.Same(t, i(-3), p.IntDiv(i(-7), i(3)))
	require.Same(t, i(2), p.Mod(i(-7), i(3)))
	require.Same(t, i(3), p.IntDiv(i(-7), i(-3)))
	require.Same(t, p.Neg(p.IntDiv(x, i(3))), p.IntDiv(x, i(-3)))
	require.Same(t, p.Mod(x, i(3)), p.Mod(x, i(-3)))
	require.Same(t, x, p.IntDiv(x, i(1)))
	require.Same(t, i(0), p.Mod(x, i(1)))
	require.Same(t, p.Add(x, i(1)), p.IntDiv(p.Add(scale(3, x), i(5)), i(3)))
	require.Same(t, p.Mod(p.Add(x, i(1)), i(3)), p.Mod(p.Add(scale(4, x), scale(3, y), i(-2)), i(3)))
	require.Same(t, scale(2, p.Mod(x, i(3))), p.Mod(scale(2, x), i(6)))
	require.Same(t, p.Mod(x, i(3)), p.Mod(p.Mod(x, i(6)), i(3)))
	require.Same(t, p.Mod(x, i(3)), p.Mod(p.Mod(x, i(3)), i(6)))
	require.Same(t, p.IntDiv(x, i(6)), p.IntDiv(p.IntDiv(x, i(2)), i(3)))
	require.Equal(t, IntDiv, p.IntDiv(x, i(0)).Op())
	require.Equal(t, IntDiv, p.IntDiv(i(5), i(0)).Op())
	require.Equal(t, Mod, p.Mod(x, y).Op())
	require.Equal(t, RealDiv, p.Div(r, p.Real(Num{})).Op())
	require.Same(t, p.Scale(NewRat(1, 2), r), p.Div(r, p.Real(NewInt(2))))

	require.Same(t, p.Divides(NewInt(2), p.Add(x, i(1))), p.Eq(p.Mod(x, i(2)), i(1)))
	require.Same(t, p.False(), p.Eq(p.Mod(x, i(2)), i(2)))
	require.Same(t, p.True(), p.Lt(p.Mod(x, i(2)), i(2)))
	require.Same(t, p.Divides(NewInt(2), x), p.Le(p.Mod(x, i(2)), i(0)))
	require.Same(t, p.Not(p.Divides(NewInt(2), x)), p.Ne(p.Mod(x, i(2)), i(0)))
	require.Same(t, p.True(), p.Divides(NewInt(1), x))
	require.Same(t, p.Divides(NewInt(3), p.Add(x, i(1))), p.Divides(NewInt(-6), p.Add(scale(2, x), i(2))))
	require.Same(t, p.False(), p.Divides(NewInt(4), p.Add(scale(2, x), i(1))))
	require.Same(t, p.Divides(NewInt(5), p.Add(x, i(2))), p.Divides(NewInt(5), p.Add(scale(3, x), i(1))))
	require.Same(t, p.Eq(x, i(0)), p.Divides(Num{}, x))

	require.Same(t, p.Add(x, i(1)), p.ToInt(p.Add(p.ToReal(x), p.Real(NewRat(3, 2)))))
	require.Same(t, p.True(), p.IsInt(p.ToReal(x)))
	require.Same(t, p.ToReal(p.Add(x, y)), p.Add(p.ToReal(x), p.ToReal(y)))
}

func TestProductForms(t *testing.T) {
	p := NewPool()
	x, y, z := p.Var("x", Int), p.Var("y", Int), p.Var("z", Int)
	two := p.Int(2)
	require.Same(t, p.Mul(p.Mul(x, y), z), p.Mul(z, p.Mul(y, x)))
	require.Same(t, p.Scale(NewInt(-6), p.Mul(x, y)), p.Mul(p.Scale(NewInt(2), y), p.Scale(NewInt(-3), x)))
	require.Same(t, p.Scale(NewInt(2), p.Mul(p.Add(x, p.Int(1)), y)), p.Mul(y, p.Add(x, x, two)))
	require.Equal(t, []*Term{x, y, z}, p.Mul(z, p.Mul(y, x)).Factors())
	require.Nil(t, p.Scale(NewInt(2), p.Mul(x, y)).Factors())
	require.Nil(t, p.Add(x, y).Factors())
	require.Same(t, p.Add(x, x), p.Mul(x, two))
	require.Same(t, p.Int(0), p.Mul(x, p.Int(0)))
	require.Same(t, p.Scale(NewInt(3), p.Abs(x)), p.Abs(p.Scale(NewInt(-3), x)))
	require.Same(t, p.Abs(p.Sub(x, y)), p.Abs(p.Sub(y, x)))
}

func TestArrayForms(t *testing.T) {
	p := NewPool()
	s := p.Array(Int, Int)
	a, i, j := p.Var("a", s), p.Var("i", Int), p.Var("j", Int)
	n := p.Int
	require.Same(t, n(7), p.Select(p.Store(a, i, n(7)), i))
	require.Same(t, p.Select(a, i), p.Select(p.Store(a, p.Add(i, n(1)), n(7)), i))
	require.Equal(t, Select, p.Select(p.Store(a, j, n(7)), i).Op())
	require.Same(t, n(3), p.Select(p.Store(p.ConstArray(s, n(3)), n(1), n(7)), n(2)))
	require.Same(t, p.Store(p.Store(a, n(1), n(5)), n(2), n(6)), p.Store(p.Store(p.Store(a, n(2), n(6)), n(1), n(4)), n(1), n(5)))
	require.Same(t, a, p.Store(a, i, p.Select(a, i)))
	require.Same(t, p.ConstArray(s, n(3)), p.Store(p.Store(p.ConstArray(s, n(3)), n(1), n(7)), n(1), n(3)))
	require.Same(t, p.Eq(i, j), p.Eq(p.ConstArray(s, i), p.ConstArray(s, j)))
	require.Same(t, p.False(), p.Eq(p.Store(p.ConstArray(s, n(3)), n(1), n(7)), p.ConstArray(s, n(3))))
}

func TestDatatypes(t *testing.T) {
	p := NewPool()
	ss, err := p.Datatypes(
		DatatypeDecl{"tree", []ConstructorDecl{
			{Name: "node", Selectors: []SelectorDecl{{"label", Of(Int)}, {"kids", Declared(1)}}}}},
		DatatypeDecl{"forest", []ConstructorDecl{
			{Name: "grow", Selectors: []SelectorDecl{{"first", Declared(0)}, {"rest", Declared(1)},
				{"index", func(ss []*Sort) *Sort { return p.Array(Int, ss[1]) }}}},
			{Name: "empty"}}})
	require.NoError(t, err)
	tree, forest := ss[0], ss[1]
	node, grow, empty := tree.Data.Constructors[0], forest.Data.Constructors[0], forest.Data.Constructors[1]
	require.Same(t, tree, grow.Selectors[0].Sort)
	require.Same(t, p.Array(Int, forest), grow.Selectors[2].Sort)
	require.Same(t, grow, grow.Selectors[1].Ctor)
	require.Equal(t, "(node 0 empty)", DefaultValue(p, tree).String())
	require.Equal(t, "empty", DefaultValue(p, forest).String())
	require.Equal(t, "((as const (Array Int forest)) empty)", DefaultValue(p, grow.Selectors[2].Sort).String())

	x, y, f, g := p.Var("x", Int), p.Var("y", Int), p.Var("f", forest), p.Var("g", forest)
	tx := p.Construct(node, x, f)
	require.Same(t, x, p.Field(node.Selectors[0], tx))
	require.Same(t, p.True(), p.Is(node, p.Var("t", tree)))
	require.Same(t, p.Eq(f, p.Construct(empty)), p.Is(empty, f))
	require.Same(t, p.And(p.Eq(x, y), p.Eq(f, g)), p.Eq(tx, p.Construct(node, y, g)))
	require.Same(t, p.False(), p.Is(grow, p.Construct(empty)))
	require.Equal(t, "((_ is grow) f)", p.Is(grow, f).String())

	for _, bad := range [][]DatatypeDecl{
		{{"a", nil}},
		{{"a", []ConstructorDecl{{Name: "c"}}}, {"a", []ConstructorDecl{{Name: "d"}}}},
		{{"a", []ConstructorDecl{{Name: "c"}, {Name: "c"}}}},
		{{"a", []ConstructorDecl{{Name: "c", Selectors: []SelectorDecl{{"s", Of(Int)}, {"s", Of(Int)}}}}}},
		{{"a", []ConstructorDecl{{Name: "c", Selectors: []SelectorDecl{{"s", Declared(0)}}}}}},
		{{"a", []ConstructorDecl{{Name: "c", Selectors: []SelectorDecl{{"s", Declared(1)}}}}},
			{"b", []ConstructorDecl{{Name: "d", Selectors: []SelectorDecl{{"u", Declared(0)}}}}}},
	} {
		_, err := p.Datatypes(bad...)
		require.Error(t, err, "%v", bad)
	}
}

// Mutually recursive datatypes whose first constructors need each other have default values.
func TestDefaultOfMutualRecursion(t *testing.T) {
	p := NewPool()
	ss, err := p.Datatypes(
		DatatypeDecl{"a", []ConstructorDecl{{Name: "a1", Selectors: []SelectorDecl{{"ab", Declared(1)}}}, {Name: "a0"}}},
		DatatypeDecl{"b", []ConstructorDecl{{Name: "b1", Selectors: []SelectorDecl{{"ba", Declared(0)}}}, {Name: "b0"}}})
	require.NoError(t, err)
	require.Equal(t, "(a1 b0)", DefaultValue(p, ss[0]).String())
	require.Equal(t, "(b1 a0)", DefaultValue(p, ss[1]).String())
}

func TestPrinting(t *testing.T) {
	p := NewPool()
	x, y, z, r := p.Var("x", Int), p.Var("y", Int), p.Var("z", Int), p.Var("a real", Real)
	i := p.Int
	for want, u := range map[string]*Term{
		"(>= x 5)":                             p.Ge(x, i(5)),
		"(< x y)":                              p.Lt(x, y),
		"(> x y)":                              p.Gt(x, y),
		"(<= x (+ y 3))":                       p.Le(p.Sub(x, y), i(3)),
		"(<= (+ x 3) y)":                       p.Le(p.Sub(x, y), i(-3)),
		"(= x y)":                              p.Eq(y, x),
		"(not (= x y))":                        p.Ne(y, x),
		"(<= (+ x y) (- 3))":                   p.Le(p.Add(x, y), i(-3)),
		"(+ (* 2 x) y (* (- 1) z) 7)":          p.Sub(p.Add(x, y, x, i(7)), z),
		"(= (mod x 3) 1)":                      p.Eq(p.Mod(x, i(3)), i(1)),
		"(not (= (mod (+ x y) 2) 0))":          p.Ne(p.Mod(p.Sub(x, y), i(2)), i(0)),
		"(- 4)":                                i(-4),
		"(- (/ 1.0 3.0))":                      p.Real(NewRat(-1, 3)),
		"5.0":                                  p.Real(NewInt(5)),
		"(> |a real| (/ 1.0 2.0))":             p.Gt(r, p.Real(NewRat(1, 2))),
		"#x0f":                                 p.BVNum(NewInt(15), 8),
		"#b011":                                p.BVNum(NewInt(3), 3),
		"(bvult v #x1)":                        p.BV(BVUlt, p.Var("v", p.BitVec(4)), p.BVNum(NewInt(1), 4)),
		"(forall ((x Int)) (<= y (* x x)))":    p.Forall([]*Term{x}, p.Ge(p.Mul(x, x), y)),
		"((as const (Array Int Int)) 0)":       p.ConstArray(p.Array(Int, Int), i(0)),
		"(>= (* 2 x) (* 3 (to_int |a real|)))": p.Le(p.Scale(NewInt(3), p.ToInt(r)), p.Add(x, x)),
	} {
		require.Equal(t, want, Format(u))
		require.Equal(t, want, u.String())
	}
	require.Equal(t, "(let ((?0 (* x (+ y 1)))) (or (= z ?0) (>= ?0 4)))",
		Format(p.Or(p.Eq(p.Mul(x, p.Add(y, i(1))), z), p.Gt(p.Mul(x, p.Add(y, i(1))), i(3)))))
	// A let never takes a name that the term has.
	q := p.Var("?0", Int)
	require.Equal(t, "(let ((??0 (* x (+ y ?0)))) (or (= z ??0) (>= ??0 4)))",
		Format(p.Or(p.Eq(p.Mul(x, p.Add(y, q)), z), p.Gt(p.Mul(x, p.Add(y, q)), i(3)))))
}

func TestQuoteSymbol(t *testing.T) {
	for name, want := range map[string]string{"x": "x", "x!1": "x!1", "@a": "@a", "a b": "|a b|", "": "||", "1x": "|1x|", "let": "|let|", "é": "|é|",
		"main@loop.head~2": "main@loop.head~2", "a|b": "|a_b|", "x'": "|x'|"} {
		require.Equal(t, want, QuoteSymbol(name))
	}
}

func TestEvaluationIsPartial(t *testing.T) {
	p := NewPool()
	x, y, b, c := p.Var("x", Int), p.Var("y", Int), p.Var("b", Bool), p.Var("c", Bool)
	a := MapAssignment{x: NumValue(NewInt(4), Int), b: BoolValue(true)}
	e := NewEvaluator(p, a)
	undetermined := func(u *Term) {
		_, ok := e.Eval(u)
		require.False(t, ok, "%v", u)
		if u.IsBool() {
			require.False(t, e.True(u) || e.False(u))
		}
	}
	require.True(t, e.True(p.Or(c, b)))
	require.True(t, e.False(p.And(c, p.Not(b))))
	undetermined(p.And(c, b))
	undetermined(p.Le(p.Add(x, y), p.Int(3)))
	undetermined(p.IntDiv(x, p.Int(0)))
	undetermined(p.Mod(x, p.Sub(x, p.Int(4)))) // the divisor is 0 under a
	require.True(t, e.True(p.Eq(p.Mul(p.Sub(x, p.Int(4)), y), p.Int(0))))
	require.True(t, e.True(p.Le(p.Ite(c, x, p.Sub(p.Int(8), x)), p.Int(4))))
	undetermined(p.Exists([]*Term{y}, p.Le(x, y)))
	require.True(t, e.True(p.Exists([]*Term{y}, p.Or(p.Le(y, p.Int(0)), b))))
	arr := p.Var("arr", p.Array(Int, Int))
	require.True(t, e.True(p.Eq(p.Select(p.Store(p.Store(arr, x, p.Int(9)), p.Int(5), y), p.Int(4)), p.Int(9))))
	undetermined(p.Select(p.Store(arr, y, p.Int(9)), p.Int(4)))

	full := NewEvaluator(p, Complete(p, a))
	require.True(t, full.False(p.And(c, b)))
	require.True(t, full.True(p.Eq(p.Add(x, y), p.Int(4))))
	require.True(t, full.True(p.Eq(p.Select(arr, x), p.Int(0))))
}

// A constraint says the same as its literal, and gives it back.
func TestConstraintsGiveTheLiteralBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		p := w.p
		s := rapid.SampledFrom([]*Sort{Int, Real}).Draw(t, "sort")
		a, b := w.gen(t, s, 2), w.gen(t, s, 2)
		lit := [](func(a, b *Term) *Term){p.Le, p.Lt, p.Eq, p.Ge, p.Gt, p.Ne}[rapid.IntRange(0, 5).Draw(t, "relation")](a.t, b.t)
		c, ok := p.AsConstraint(lit)
		if atom, positive := lit.Atom(); !ok {
			require.False(t, atom.Op() == Le || atom.Op() == Lt || positive && atom.Op() == Eq && atom.Arg(0).Sort().IsArith())
			return
		}
		require.Same(t, lit, c.Term(p))
		require.False(t, c.Rel == LT && c.Sort == Int)
		k := NewRat(int64(rapid.IntRange(1, 5).Draw(t, "n")), int64(rapid.IntRange(1, 5).Draw(t, "d")))
		require.Same(t, lit, p.Compare(c.Scale(k), c.Rel, c.Sort))
		m, _ := w.assignment(t)
		e := NewEvaluator(p, funcs{m, w})
		sum := c.Const
		for _, mono := range c.Monomials {
			v, ok := e.Eval(mono.Term)
			if !ok {
				return
			}
			sum = sum.Add(mono.Coef.Mul(v.Num()))
		}
		require.Equal(t, related(c.Rel, sum.Sign()), e.True(lit))
	})
}

func TestLinearForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		p := w.p
		a, b := w.gen(t, Int, 3).t, w.gen(t, Int, 3).t
		la, lb := p.Linear(a), p.Linear(b)
		k := NewInt(int64(rapid.IntRange(-4, 4).Draw(t, "k")))
		require.Same(t, a, p.FromLinear(la, Int))
		require.Same(t, p.Add(a, b), p.FromLinear(la.Add(lb), Int))
		require.Same(t, p.Sub(a, b), p.FromLinear(la.Sub(lb), Int))
		require.Same(t, p.Scale(k, a), p.FromLinear(la.Scale(k), Int))
		require.Same(t, p.Add(a, p.Scale(k, b)), p.FromLinear(la.AddTerm(k, b), Int))
		x := w.vars[Int][0]
		rest := la.Without(x)
		require.True(t, rest.Coef(x).IsZero())
		require.Same(t, a, p.FromLinear(rest.AddTerm(la.Coef(x), x), Int))
		require.Equal(t, a.IsNumeral(), la.IsConst())
	})
}

func TestTraversals(t *testing.T) {
	p := NewPool()
	x, y, z := p.Var("x", Int), p.Var("y", Int), p.Var("z", Int)
	f := p.Or(p.Le(p.Mul(y, x), z), p.Exists([]*Term{z}, p.Eq(p.Mul(z, x), p.Int(1))))
	require.Equal(t, []*Term{z, x, y}, Vars(f), "in the order of the arguments; the sum is -z + x*y")
	require.Equal(t, []*Term{y, z, x}, Vars(y, f))
	require.Empty(t, Vars())
	seen := map[*Term]int{}
	Walk(f, func(u *Term) bool { seen[u]++; return u.Op() != Exists })
	require.Equal(t, 1, seen[x])
	require.NotContains(t, seen, p.Int(1))
	require.Len(t, seen, f.Size()-3, "without the equation, its product and 1")
	require.True(t, Contains(f, z))
	require.False(t, Contains(f.Arg(1), z))
	require.False(t, HasAny(f, nil))
}

// A conversion to a bit-vector and back is a remainder, which needs no bit-vectors; the vector of a remainder is that of the number.
func TestConversionsThereAndBack(t *testing.T) {
	p := NewPool()
	x := p.Var("x", Int)
	mod := func(n int64) *Term { return p.Mod(x, p.Int(n)) }
	require.Same(t, mod(256), p.BVToNat(p.NatToBV(8, x)))
	require.Same(t, p.NatToBV(8, x), p.NatToBV(8, mod(256)))
	require.Same(t, p.NatToBV(8, x), p.NatToBV(8, mod(512)))
	require.NotSame(t, p.NatToBV(8, x), p.NatToBV(8, mod(128)), "a bit is lost")
	require.NotSame(t, p.NatToBV(8, x), p.NatToBV(8, mod(384)), "not a multiple")
}
