package term

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// draw draws a term of a random sort.
func (w *world) draw(t *rapid.T) expr {
	sorts := []*Sort{Bool, Bool, Bool, Bool, Int, Int, Real, w.arr, w.barr, w.list, w.p.BitVec(4), w.p.BitVec(70), w.p.BitVec(1)}
	return w.gen(t, rapid.SampledFrom(sorts).Draw(t, "sort"), rapid.IntRange(1, 4).Draw(t, "depth"))
}

// Whatever a constructor simplifies, the term keeps its value; and the evaluator finds it.
func TestConstructorsKeepTheMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		xs := []expr{w.draw(t), w.draw(t), w.draw(t), w.draw(t)}
		for i := range 12 {
			x := xs[i%4]
			m, e := w.assignment(t)
			want := x.eval(e)
			if want == nil {
				continue
			}
			got, ok := NewEvaluator(w.p, funcs{m, w}).Eval(x.t)
			require.True(t, ok, "undetermined: %v", x.t)
			require.Same(t, x.t.Sort(), got.Sort())
			require.True(t, sameNaive(want, naiveOf(got.Term(w.p))), "%v: want %v, got %v", x.t, show(want), got)
		}
	})
}

// Values that are the same have one representation.
func TestEqualValuesAreEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		s := rapid.SampledFrom([]*Sort{w.barr, w.arr, w.list, w.color, w.p.BitVec(4), Real}).Draw(t, "sort")
		a, b := w.value(t, s), w.value(t, s)
		require.True(t, a.IsValue())
		require.Equal(t, sameNaive(naiveOf(a), naiveOf(b)), a == b, "%v and %v", a, b)
		require.Equal(t, a == b, TermValue(a).Equal(TermValue(b)))
		require.Equal(t, a == b, TermValue(a).Compare(TermValue(b)) == 0)
		require.Equal(t, TermValue(a).Compare(TermValue(b)), -TermValue(b).Compare(TermValue(a)))
		require.Same(t, w.p.Bool(a == b), w.p.Eq(a, b))
		require.Same(t, a, TermValue(a).Term(w.p))
	})
}

// A determined result stands for every completion of the assignment.
func TestPartialEvaluationIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		x := w.draw(t)
		full, _ := w.assignment(t)
		part := MapAssignment{}
		for _, v := range w.allVars {
			if rapid.Bool().Draw(t, "keep") {
				part[v] = full[v]
			}
		}
		e := NewEvaluator(w.p, funcs{part, w})
		got, ok := e.Eval(x.t)
		if x.t.IsBool() {
			require.Equal(t, ok && got.Bool(), e.True(x.t))
			require.Equal(t, ok && !got.Bool(), e.False(x.t))
		}
		if !ok {
			return
		}
		all, ok := NewEvaluator(w.p, funcs{full, w}).Eval(x.t)
		require.True(t, ok, "determined only in part: %v", x.t)
		require.True(t, got.Equal(all), "%v: %v, then %v", x.t, got, all)
	})
}

// Substituting terms and then evaluating is evaluating with the terms' values.
func TestSubstitutionLemma(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		x := w.draw(t)
		m := map[*Term]*Term{}
		for _, v := range w.allVars {
			if rapid.IntRange(0, 2).Draw(t, "replace") == 0 {
				m[v] = w.gen(t, v.Sort(), 1).t
			}
		}
		a, _ := w.assignment(t)
		updated := MapAssignment{}
		for _, v := range w.allVars {
			updated[v] = a[v]
			if u, ok := m[v]; ok {
				if updated[v], ok = NewEvaluator(w.p, funcs{a, w}).Eval(u); !ok {
					return
				}
			}
		}
		got, ok := NewEvaluator(w.p, funcs{a, w}).Eval(w.p.Substitute(x.t, m))
		want, ok2 := NewEvaluator(w.p, funcs{updated, w}).Eval(x.t)
		if ok && ok2 {
			require.True(t, want.Equal(got), "%v: want %v, got %v", x.t, want, got)
		}
		require.False(t, ok2 && !ok, "substitution lost the value of %v", x.t)
	})
}

// Printing with and without lets re-reads to the same term.
func TestPrintedTermsReread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		for range 5 {
			x := w.draw(t).t
			require.Same(t, x, w.read(Format(x)), "%s", Format(x))
			require.Same(t, x, w.read(x.String()), "%s", x)
		}
	})
}

// Building a term again from its arguments gives it again, so constructors are idempotent.
func TestNormalFormsAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		for range 5 {
			Walk(w.draw(t).t, func(u *Term) bool {
				require.Same(t, u, w.p.Rebuild(u, u.Args()), "%v", u)
				requireNormal(t, u)
				return true
			})
		}
	})
}

// requireNormal checks the documented form of u.
func requireNormal(t *rapid.T, u *Term) {
	p := u.Pool()
	for _, a := range u.Args() {
		require.Less(t, a.ID(), u.ID())
	}
	switch u.Op() {
	case Not:
		require.False(t, u.Arg(0).IsNot())
	case And, Or:
		require.GreaterOrEqual(t, len(u.Args()), 2)
		require.True(t, slices.IsSortedFunc(u.Args(), byID))
		for i, a := range u.Args() {
			require.NotEqual(t, u.Op(), a.Op())
			require.False(t, a.IsTrue() || a.IsFalse())
			require.False(t, i > 0 && u.Arg(i-1) == a)
			require.NotContains(t, u.Args(), p.Not(a))
		}
	case Le, Lt, Eq:
		if !u.Arg(0).Sort().IsArith() {
			return
		}
		require.True(t, u.Op() != Lt || u.Arg(0).Sort() == Real)
		require.True(t, u.Arg(1).IsNumeral())
		l := p.Linear(u.Arg(0))
		require.True(t, l.Const.IsZero())
		require.NotEmpty(t, l.Monomials)
		require.Equal(t, 1, l.Monomials[0].Coef.Sign())
		requireCoprime(t, l, Num{})
	case Divides:
		l := p.Linear(u.Arg(1))
		k := u.Num()
		require.Equal(t, 1, k.Cmp(NewInt(1)))
		requireCoprime(t, l, k)
		for _, n := range append(l.coefs(), l.Const) {
			require.True(t, n.Sign() >= 0 && n.Cmp(k) < 0)
		}
	case Add:
		l := p.Linear(u)
		require.Same(t, u, p.FromLinear(l, u.Sort()))
		require.True(t, slices.IsSortedFunc(l.Monomials, func(a, b Monomial) int { return byID(a.Term, b.Term) }))
	case Store:
		if a := u.Arg(0); a.Op() == Store && a.Arg(1).IsValue() && u.Arg(1).IsValue() {
			require.Negative(t, CompareValues(a.Arg(1), u.Arg(1)), "%v", u)
		}
	case IntDiv, Mod:
		if u.Arg(1).IsNumeral() && !u.Arg(1).Num().IsZero() {
			require.Equal(t, 1, u.Arg(1).Num().Cmp(NewInt(1)))
			requireCoprime(t, p.Linear(u.Arg(0)), u.Arg(1).Num())
		}
	case BVNand, BVNor, BVXnor, BVUlt, BVUge, BVUgt, BVSlt, BVSge, BVSgt:
		require.Fail(t, "derived operator in a term", "%v", u)
	}
}

func (l Linear) coefs() []Num {
	var out []Num
	for _, m := range l.Monomials {
		out = append(out, m.Coef)
	}
	return out
}

// requireCoprime checks that l's coefficients and k are integers with greatest common divisor 1.
func requireCoprime(t *rapid.T, l Linear, k Num) {
	g := k
	for _, c := range l.coefs() {
		require.True(t, c.IsInt())
		g = GCD(g, c)
	}
	require.True(t, g.IsOne(), "%v", l)
}

// Only formulas about integers and truth values, without quantifiers, are about integers only.
func TestIntegersOnly(t *testing.T) {
	p := NewPool()
	x, b, r, a := p.Var("x", Int), p.Var("b", Bool), p.Var("r", Real), p.Var("a", p.Array(Int, Int))
	for formula, want := range map[*Term]bool{
		p.And(b, p.Le(p.Mod(x, p.Int(3)), p.Int(1))):         true,
		p.Or(b, p.Le(r, p.Real(NewInt(1)))):                  false,
		p.Eq(p.Select(a, x), x):                              false,
		p.And(b, p.Forall([]*Term{x}, p.Le(x, p.Mul(x, x)))): false,
	} {
		require.Equal(t, want, IntegersOnly(formula), "%v", formula)
	}
}
