package itp

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt/z3"
)

func newInterpolator(t testing.TB, p *term.Pool, opts Options) *Interpolator {
	it, err := New(p, z3.Open, opts)
	require.NoError(t, err)
	t.Cleanup(it.Close)
	return it
}

// mixedVocabularies are shared variables, and those with each side's own.
func mixedVocabularies(p *term.Pool) (shared, ofA, ofB vocabulary) {
	shared = vocabulary{ints: names(p, term.Int, "x", "y"), reals: names(p, term.Real, "r", "s"), bools: names(p, term.Bool, "c", "d")}
	ofA = vocabulary{ints: names(p, term.Int, "a"), reals: names(p, term.Real, "ra"), bools: names(p, term.Bool, "ca")}
	ofB = vocabulary{ints: names(p, term.Int, "b"), reals: names(p, term.Real, "rb"), bools: names(p, term.Bool, "cb")}
	return shared, shared.and(ofA), shared.and(ofB)
}

func requireInterpolant(t require.TestingT, o *oracle, a, b, i *term.Term, shared []*term.Term) {
	require.True(t, o.implies(t, a, i), "%v does not imply %v", a, i)
	require.True(t, o.unsat(t, i, b), "%v and %v", i, b)
	for _, v := range term.Vars(i) {
		require.Contains(t, shared, v)
	}
}

// Sides that a random formula over the shared variables keeps apart have an interpolant; sides that have a common
// solution are told so.
func TestBinaryInterpolates(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	its := []*Interpolator{
		newInterpolator(t, p, Options{}),
		newInterpolator(t, p, Options{Strength: Weak, NoEqualities: true}),
		newInterpolator(t, p, Options{Strength: Middle, Constants: []term.Num{term.NewInt(5)}}),
		newInterpolator(t, p, Options{NoSeparation: true}),
	}
	shared, ofA, ofB := mixedVocabularies(p)
	rapid.Check(t, func(t *rapid.T) {
		it := rapid.SampledFrom(its).Draw(t, "options")
		a, b := formula(t, p, ofA, 3), formula(t, p, ofB, 3)
		if rapid.IntRange(0, 3).Draw(t, "planted") > 0 {
			wall := formula(t, p, shared, 2)
			a, b = p.And(a, wall), p.And(b, p.Not(wall))
		}
		i, err := it.Binary(context.Background(), a, b, shared.all())
		if !o.unsat(t, a, b) {
			require.ErrorIs(t, err, ErrNotDisjoint)
			return
		}
		require.NoError(t, err)
		requireInterpolant(t, o, a, b, i, shared.all())
	})
	for _, it := range its {
		require.Zero(t, it.stats.Failed)
		require.Zero(t, it.stats.Sides)
		t.Logf("%+v", it.stats)
	}
}

// With fewer shared variables than common ones, the others are each side's own.
func TestBinaryRenamesWhatIsNotShared(t *testing.T) {
	p := term.NewPool()
	it := newInterpolator(t, p, Options{})
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	a := p.And(p.Ge(x, y), p.Ge(y, p.Int(3)))
	b := p.And(p.Le(x, y), p.Le(y, p.Int(2)))
	i, err := it.Binary(context.Background(), a, b, []*term.Term{x})
	require.NoError(t, err)
	require.Equal(t, []*term.Term{x}, term.Vars(i))
	_, err = it.Binary(context.Background(), p.Eq(y, p.Int(1)), p.Eq(y, p.Int(2)), []*term.Term{x})
	require.ErrorIs(t, err, ErrNotDisjoint)
}

func TestBinaryExamples(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	x, y, a, b, n := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("a", term.Int), p.Var("b", term.Int), p.Var("n", term.Int)
	c := p.Var("c", term.Bool)
	m := p.Var("m", p.Array(term.Int, term.Int))
	k := p.Var("k", p.Array(term.Int, term.Int))
	i := p.Int
	points := func(at ...[2]int64) *term.Term {
		var out []*term.Term
		for _, q := range at {
			out = append(out, p.And(p.Eq(x, i(q[0])), p.Eq(y, i(q[1]))))
		}
		return p.Or(out...)
	}
	for name, q := range map[string]struct{ a, b, want *term.Term }{
		"several points share a half-space": {
			points([2]int64{0, 0}, [2]int64{1, 1}, [2]int64{3, 2}), p.And(p.Gt(y, x), p.Ge(x, i(0))), p.Le(y, x),
		},
		"several points share an equality": {
			points([2]int64{0, 0}, [2]int64{1, 2}, [2]int64{2, 4}), points([2]int64{1, 1}, [2]int64{1, 3}, [2]int64{0, 2}),
			p.Eq(y, p.Scale(term.NewInt(2), x)),
		},
		"parity": {
			p.Eq(x, p.Scale(term.NewInt(2), a)), p.Eq(x, p.Add(i(1), p.Scale(term.NewInt(2), b))), p.Divides(term.NewInt(2), x),
		},
		"two cases": {
			p.Or(p.And(c, p.Ge(x, i(5))), p.And(p.Not(c), p.Le(x, i(-5)))),
			p.Or(p.And(c, p.Le(x, i(2))), p.And(p.Not(c), p.Ge(x, i(0)))), nil,
		},
		"cases with one direction": {
			p.Or(p.And(c, p.Ge(x, i(5))), p.And(p.Not(c), p.Ge(x, i(7)))),
			p.Or(p.And(c, p.Le(x, i(2))), p.And(p.Not(c), p.Le(x, i(6)))), nil,
		},
		"cases with one direction, the other first": {
			p.Or(p.And(p.Not(c), p.Ge(x, i(5))), p.And(c, p.Ge(x, i(7)))),
			p.Or(p.And(p.Not(c), p.Le(x, i(2))), p.And(c, p.Le(x, i(6)))), nil,
		},
		"an A without common variables": {p.Eq(a, i(1)), p.And(p.Eq(b, i(1)), p.Ne(b, i(1))), p.True()},
		"a contradictory A":             {p.And(p.Lt(a, x), p.Lt(x, a)), p.Eq(b, x), p.False()},
		"nonlinear":                     {p.And(p.Eq(x, p.Mul(a, a)), p.Eq(a, i(3))), p.Lt(x, i(5)), p.Ge(x, i(5))},
		"arrays": {
			p.And(p.Eq(m, p.Store(k, x, i(1))), p.Eq(y, p.Select(m, x))), p.Ne(y, i(1)), p.Eq(y, i(1)),
		},
		"a disequality": {
			p.Or(p.Lt(x, y), p.Gt(x, y)), p.And(p.Eq(x, p.Add(b, n)), p.Eq(y, p.Add(n, b))), p.Ne(x, y),
		},
	} {
		t.Run(name, func(t *testing.T) {
			it := newInterpolator(t, p, Options{})
			shared := []*term.Term{x, y, c}
			got, err := it.Binary(context.Background(), q.a, q.b, shared)
			require.NoError(t, err)
			requireInterpolant(t, o, q.a, q.b, got, shared)
			require.Zero(t, it.stats.Sides+it.stats.Dual, "answered by search")
			if q.want != nil {
				require.True(t, o.unsat(t, p.Not(p.Iff(q.want, got))), "want %v, got %v", q.want, got)
			}
		})
	}
}

// Twenty even numbers are twenty cubes, but the odd ones are one.
func TestBinaryExchangesTheSides(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	x, y, a, b := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("a", term.Int), p.Var("b", term.Int)
	var evens []*term.Term
	for k := range int64(20) {
		evens = append(evens, p.And(p.Eq(x, p.Add(a, p.Int(k))), p.Eq(a, p.Int(k))))
	}
	it := newInterpolator(t, p, Options{Rounds: 8})
	odd := p.Eq(x, p.Add(p.Int(1), p.Scale(term.NewInt(2), b)))
	i, err := it.Binary(context.Background(), p.Or(evens...), odd, []*term.Term{x})
	require.NoError(t, err)
	requireInterpolant(t, o, p.Or(evens...), odd, i, []*term.Term{x})
	require.Equal(t, 1, it.stats.Dual)

	// Interleaved points need more cubes than allowed on both sides, but one side is an answer.
	at := func(k, own *term.Term) *term.Term {
		return p.And(p.Eq(p.Sub(x, own), k), p.Eq(y, k), p.Eq(own, p.Int(0)))
	}
	var left, right []*term.Term
	for k := range int64(10) {
		left = append(left, p.And(p.Eq(x, p.Int(3*k)), p.Eq(y, p.Int(3*k))))
		right = append(right, at(p.Int(3*k+1), b))
	}
	it = newInterpolator(t, p, Options{Rounds: 3, NoEqualities: true})
	i, err = it.Binary(context.Background(), p.Or(left...), p.Or(right...), []*term.Term{x, y})
	require.NoError(t, err)
	requireInterpolant(t, o, p.Or(left...), p.Or(right...), i, []*term.Term{x, y})
	require.Equal(t, 1, it.stats.Sides)
}

// The solver context is renewed on the way, and counts go on.
func TestInterpolatorRenewsItsSolvers(t *testing.T) {
	p := term.NewPool()
	it := newInterpolator(t, p, Options{})
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	it.problems = maxProblems - 2
	for k := range int64(5) {
		i, err := it.Binary(context.Background(), p.And(p.Le(x, y), p.Le(y, p.Int(k))), p.Gt(x, p.Int(k)), []*term.Term{x})
		require.NoError(t, err)
		require.Equal(t, p.Le(x, p.Int(k)), i)
	}
	require.Equal(t, 3, it.problems)
	require.GreaterOrEqual(t, it.Solvers().Checks, 5*3)
}

func TestBinaryKeepsItsBudget(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	// Every second point of the diagonal against the others, with sides that are no answer by themselves.
	var evens, odds []*term.Term
	a, b := p.Var("a", term.Int), p.Var("b", term.Int)
	for k := range int64(12) {
		evens = append(evens, p.And(p.Eq(p.Add(x, a), p.Int(2*k)), p.Eq(p.Add(y, a), p.Int(2*k)), p.Eq(a, p.Int(k))))
		odds = append(odds, p.And(p.Eq(p.Add(x, b), p.Int(2*k)), p.Eq(p.Add(y, b), p.Int(2*k)), p.Eq(b, p.Int(k+12))))
	}
	it := newInterpolator(t, p, Options{Rounds: 2})
	_, err := it.Binary(context.Background(), p.Or(evens...), p.Or(odds...), []*term.Term{x, y})
	if err != nil {
		require.ErrorIs(t, err, ErrBudget)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = it.Binary(ctx, p.Or(evens...), p.Or(odds...), []*term.Term{x, y})
	require.ErrorIs(t, err, ErrBudget)
	require.ErrorIs(t, err, context.Canceled)
	it = newInterpolator(t, p, Options{Time: time.Nanosecond})
	_, err = it.Binary(context.Background(), p.Or(evens...), p.Or(odds...), []*term.Term{x, y})
	require.ErrorIs(t, err, ErrBudget)
}

// Eliminate is equivalent to the quantified formula.
func TestEliminateIsExact(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	it := newInterpolator(t, p, Options{Rounds: 1000})
	shared, all, _ := mixedVocabularies(p)
	keep := shared.all()
	all.unmixed = true // an integer between reals has no finite projection
	rapid.Check(t, func(t *rapid.T) {
		f := formula(t, p, all, 3)
		got, err := it.Eliminate(context.Background(), f, keep)
		require.NoError(t, err)
		require.False(t, got.HasQuantifier())
		for _, v := range term.Vars(got) {
			require.Contains(t, keep, v)
		}
		// f implies the result; and points of the result, some near its edges, have a witness.
		require.True(t, o.implies(t, f, got), "%v does not imply %v", f, got)
		for range 8 {
			near := p.True()
			if rapid.Bool().Draw(t, "near") {
				near = p.And(cube(t, p, shared, 0, 2)...)
			}
			for _, where := range []*term.Term{p.And(got, near), got} {
				point := o.point(t, where, keep)
				if point == nil {
					continue
				}
				require.False(t, o.unsat(t, p.Substitute(f, point)), "%v has no witness in %v at %v", got, f, point)
				break
			}
		}
	})
	t.Logf("%+v", it.stats)
}

func TestEliminateExamples(t *testing.T) {
	p := term.NewPool()
	it := newInterpolator(t, p, Options{})
	x, y, z := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)
	c, d := p.Var("c", term.Bool), p.Var("d", term.Bool)
	for name, q := range map[string]struct{ f, want *term.Term }{
		"a definition":   {p.And(p.Eq(z, p.Add(x, p.Int(1))), p.Or(p.Le(z, y), c)), p.Or(p.Lt(x, y), c)},
		"a bound":        {p.And(p.Le(x, z), p.Le(z, y)), p.Le(x, y)},
		"a multiple":     {p.Eq(x, p.Scale(term.NewInt(3), z)), p.Divides(term.NewInt(3), x)},
		"apart":          {p.And(p.Le(x, y), p.Or(d, c), p.Ge(z, y)), p.Le(x, y)},
		"contradictory":  {p.And(p.Lt(x, z), p.Lt(z, x)), p.False()},
		"nothing to do":  {p.Or(p.Le(x, y), c), p.Or(p.Le(x, y), c)},
		"an implied row": {p.And(p.Le(x, p.Int(3)), p.Le(p.Add(x, z), p.Int(9)), p.Ge(z, p.Int(2))), p.Le(x, p.Int(3))},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := it.Eliminate(context.Background(), q.f, []*term.Term{x, y, c})
			require.NoError(t, err)
			require.Equal(t, q.want.String(), got.String())
		})
	}
	_, err := newInterpolator(t, p, Options{Rounds: 1}).Eliminate(context.Background(),
		p.And(p.Or(p.Le(x, z), p.Le(y, z)), p.Le(z, p.Int(0))), []*term.Term{x, y})
	require.ErrorIs(t, err, ErrBudget)
}

func BenchmarkBinarySmall(b *testing.B) {
	p := term.NewPool()
	x, y, a := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("a", term.Int)
	i := p.Int
	left := p.Or(p.And(p.Eq(x, i(0)), p.Eq(y, i(0))), p.And(p.Eq(x, p.Add(a, i(1))), p.Eq(y, p.Add(a, i(3))), p.Ge(a, i(0))))
	right := p.Or(p.And(p.Gt(x, y), p.Ge(x, i(2))), p.Lt(x, i(-3)))
	it := newInterpolator(b, p, Options{})
	for b.Loop() {
		if _, err := it.Binary(context.Background(), left, right, []*term.Term{x, y}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEliminateSmall(b *testing.B) {
	p := term.NewPool()
	x, y, z, u := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int), p.Var("u", term.Int)
	f := p.And(p.Or(p.Le(x, z), p.Le(y, u)), p.Or(p.Ge(x, u), p.Ge(y, p.Add(z, z))), p.Le(z, u))
	it := newInterpolator(b, p, Options{})
	for b.Loop() {
		if _, err := it.Eliminate(context.Background(), f, []*term.Term{x, y}); err != nil {
			b.Fatal(err)
		}
	}
}
