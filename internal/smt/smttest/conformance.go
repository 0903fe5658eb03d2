package smttest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Options say what a solver can do.
type Options struct {
	// Theories are those that it decides.
	Theories Theory
	// Deep is how deep a term it takes.
	Deep int
}

// Conformance checks that an implementation of the smt interfaces keeps their promises. An Unknown is accepted, a wrong
// answer never.
func Conformance(t *testing.T, open smt.Opener, options Options) {
	for _, c := range []struct {
		name     string
		theories Theory
		depth    int
	}{
		{"Bool", 0, 4}, {"Ints", Ints, 3}, {"Reals", Reals, 3}, {"Mixed", Linear, 3}, {"BitVecs", BitVecs, 3},
		{"Arrays", Ints | BitVecs | Arrays, 3}, {"ConstArrays", Ints | BitVecs | Arrays | ConstArrays, 3},
		{"Datatypes", Ints | Datatypes, 2}, {"Nested", Ints | Datatypes | Nested, 2}, {"Functions", Ints | Functions, 2},
		{"All", options.Theories, 2},
	} {
		if c.theories&^options.Theories != 0 {
			continue
		}
		t.Run("Answers/"+c.name, func(t *testing.T) { answers(t, open, c.theories, c.depth) })
	}
	t.Run("Scopes", func(t *testing.T) { scopes(t, open, options.Theories&Linear) })
	t.Run("Assumptions", func(t *testing.T) { assumptions(t, open) })
	t.Run("Params", func(t *testing.T) { params(t, open) })
	t.Run("BigNumbers", func(t *testing.T) { bigNumbers(t, open) })
	if options.Theories&Datatypes != 0 {
		t.Run("DatatypesAsIndices", func(t *testing.T) { datatypesAsIndices(t, open) })
	}
	t.Run("Deep", func(t *testing.T) { deep(t, open, options.Deep) })
	t.Run("Cancelled", func(t *testing.T) { cancelled(t, open) })
	t.Run("Closed", func(t *testing.T) { closed(t, open) })
}

// fixture is an open context with one solver.
type fixture struct {
	*Signature
	ctx    smt.Context
	solver smt.Solver
}

type failer interface {
	require.TestingT
	Helper()
}

func setUp(t failer, open smt.Opener, theories Theory) *fixture {
	t.Helper()
	sig, err := NewSignature(term.NewPool(), theories)
	require.NoError(t, err)
	c, err := open(sig.Pool, smt.Config{})
	require.NoError(t, err)
	f := &fixture{Signature: sig, ctx: c}
	f.solver = f.newSolver(t)
	return f
}

// newSolver opens a solver that does not think for long: random formulas are now and then hard.
func (f *fixture) newSolver(t require.TestingT) smt.Solver {
	s, err := f.ctx.NewSolver(smt.Params{})
	require.NoError(t, err)
	s.SetLimit(smt.Limit{Resources: 100000, Time: 5 * time.Second})
	return s
}

// check runs a check that must not fail.
func check(t require.TestingT, s smt.Solver, assumptions ...*term.Term) smt.Status {
	status, err := s.Check(context.Background(), assumptions...)
	require.NoError(t, err)
	return status
}

// requireModel requires that the solver's model makes the formulas true.
func (f *fixture) requireModel(t require.TestingT, s smt.Solver, ts ...*term.Term) {
	m, err := s.Model()
	require.NoError(t, err)
	e := term.NewEvaluator(f.Pool, term.Complete(f.Pool, m))
	for _, g := range ts {
		require.True(t, e.True(g), "the model\n%vdoes not satisfy %v", m, g)
	}
}

// answers: a model satisfies the assertions and the assumptions; what is unsatisfiable has no model among those tried; a
// core is a subsequence of the assumptions that is unsatisfiable with the assertions.
func answers(t *testing.T, open smt.Opener, theories Theory, depth int) {
	rapid.Check(t, func(t *rapid.T) {
		f := setUp(t, open, theories)
		defer f.ctx.Close()
		var base []*term.Term
		for range rapid.IntRange(0, 2).Draw(t, "assertions") {
			base = append(base, f.Formula(t, depth))
		}
		require.NoError(t, f.solver.Assert(base...))
		for round := range 3 {
			var as []*term.Term
			if round > 0 {
				for range rapid.IntRange(1, 6).Draw(t, "assumptions") {
					as = append(as, f.Formula(t, rapid.IntRange(0, depth-1).Draw(t, "depth")))
				}
			}
			switch check(t, f.solver, as...) {
			case smt.Sat:
				f.requireModel(t, f.solver, slices.Concat(base, as)...)
			case smt.Unsat:
				f.requireCore(t, base, as)
				all := f.Pool.And(slices.Concat(base, as)...)
				for range 5 {
					e := term.NewEvaluator(f.Pool, f.Assignment(t, all))
					require.False(t, e.True(all), "unsat, but satisfiable: %v", all)
				}
			}
		}
	})
}

// requireCore requires that the solver's core is a subsequence of the assumptions as and unsatisfiable with base.
func (f *fixture) requireCore(t require.TestingT, base, as []*term.Term) {
	core := f.solver.Core()
	rest := as
	for _, c := range core {
		i := slices.Index(rest, c)
		require.GreaterOrEqual(t, i, 0, "the core %v is no subsequence of %v", core, as)
		rest = rest[i+1:]
	}
	fresh := f.newSolver(t)
	defer fresh.Close()
	require.NoError(t, fresh.Assert(slices.Concat(base, core)...))
	require.NotEqual(t, smt.Sat, check(t, fresh), "the core %v of %v is satisfiable with %v", core, as, base)
}

// scopes: a solver that pushes and pops agrees with one that is handed what is left.
func scopes(t *testing.T, open smt.Opener, theories Theory) {
	rapid.Check(t, func(t *rapid.T) {
		f := setUp(t, open, theories)
		defer f.ctx.Close()
		stack := [][]*term.Term{nil}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				g := f.Formula(t, 2)
				stack[len(stack)-1] = append(stack[len(stack)-1], g)
				require.NoError(t, f.solver.Assert(g))
			case 2:
				stack = append(stack, nil)
				require.NoError(t, f.solver.Push())
			case 3:
				if len(stack) > 1 {
					stack = stack[:len(stack)-1]
					require.NoError(t, f.solver.Pop())
				}
			case 4:
				// An assumption with a proxy, whose definition belongs to the scope.
				as := []*term.Term{f.Formula(t, 1), f.Formula(t, 1)}
				all := append(slices.Concat(stack...), as...)
				fresh := f.newSolver(t)
				require.NoError(t, fresh.Assert(all...))
				want, got := check(t, fresh), check(t, f.solver, as...)
				if want != smt.Unknown && got != smt.Unknown {
					require.Equal(t, want, got, "%v", all)
				}
				if got == smt.Sat {
					f.requireModel(t, f.solver, all...)
				}
				fresh.Close()
			}
		}
		if len(stack) == 1 {
			require.Error(t, f.solver.Pop())
		}
	})
}

func assumptions(t *testing.T, open smt.Opener) {
	f := setUp(t, open, Ints)
	defer f.ctx.Close()
	p := f.Pool
	x, b := f.Vars(term.Int)[0], f.Vars(term.Bool)[0]
	low, high := p.Le(x, p.Int(3)), p.Ge(x, p.Int(5))
	require.NoError(t, f.solver.Assert(p.Or(p.Not(b), p.Ge(x, p.Int(10)))))

	require.Equal(t, smt.Unsat, check(t, f.solver, low, b, high))
	core := f.solver.Core()
	require.NotEmpty(t, core)
	require.Subset(t, []*term.Term{low, b, high}, core)
	require.Equal(t, smt.Sat, check(t, f.solver, p.True(), low))
	f.requireModel(t, f.solver, low)
	require.Equal(t, smt.Unsat, check(t, f.solver, p.Not(p.Not(b)), p.False(), low))
	require.Equal(t, []*term.Term{p.False()}, f.solver.Core())
	require.Equal(t, smt.Unsat, check(t, f.solver, low, p.Not(low)))
	require.Equal(t, []*term.Term{low, p.Not(low)}, f.solver.Core())
	require.Equal(t, smt.Unsat, check(t, f.solver, b, p.Not(b)))
	require.Equal(t, smt.Sat, check(t, f.solver))
	require.Empty(t, f.solver.Core())

	// A proxy that was defined in a scope is defined anew after it.
	higher := p.Ge(x, p.Int(6))
	require.NoError(t, f.solver.Push())
	require.Equal(t, smt.Sat, check(t, f.solver, higher))
	require.NoError(t, f.solver.Pop())
	require.NoError(t, f.solver.Assert(p.Le(x, p.Int(4))))
	require.Equal(t, smt.Unsat, check(t, f.solver, higher))
	require.Equal(t, []*term.Term{higher}, f.solver.Core())
	_, err := f.solver.Model()
	require.Error(t, err)

	st := f.ctx.Stats()
	require.Equal(t, st.Checks, st.Sat+st.Unsat+st.Unknown)
	require.Equal(t, 8, st.Checks)
	require.Positive(t, st.InCheck)
}

// params: settings may change between checks, and the assertions and scopes stay.
func params(t *testing.T, open smt.Opener) {
	f := setUp(t, open, Ints)
	defer f.ctx.Close()
	p := f.Pool
	x, y := f.Vars(term.Int)[0], f.Vars(term.Int)[1]
	// Only the integers make this unsatisfiable: 2x = 2y + 1 in two inequalities that normalisation does not see through.
	odd := p.And(
		p.Le(p.Add(p.Scale(term.NewInt(4), x), p.Scale(term.NewInt(-6), y)), p.Int(3)),
		p.Ge(p.Add(p.Scale(term.NewInt(4), x), p.Scale(term.NewInt(-10), y)), p.Int(1)),
		p.Ge(p.Add(x, y), p.Int(0)), p.Le(p.Add(x, y), p.Int(0)),
	)
	require.NoError(t, f.solver.Assert(p.Ge(x, p.Int(-100))))
	require.NoError(t, f.solver.Push())
	require.NoError(t, f.solver.Assert(odd))
	want := check(t, f.solver)
	require.NotEqual(t, smt.Unknown, want)
	for _, params := range []smt.Params{
		{ArithSolver: 2}, {ArithSolver: 2, IgnoreInt: true}, {ArithSolver: 2, IgnoreInt: true, WeakArrays: true}, {ArithSolver: 2},
		{Auto: true}, {ArithSolver: 6}, {},
	} {
		require.NoError(t, f.solver.SetParams(params))
		got := check(t, f.solver)
		if got != smt.Unknown || !params.IgnoreInt {
			require.Equal(t, want, got, "%+v", params)
		}
		require.Equal(t, smt.Unsat, check(t, f.solver, p.Lt(x, p.Int(-100))), "%+v", params)
	}
	require.NoError(t, f.solver.Pop())
	require.Equal(t, smt.Sat, check(t, f.solver))
	require.Equal(t, smt.Unsat, check(t, f.solver, p.Lt(x, p.Int(-100))))
}

// bigNumbers: numbers beyond a machine word get in and out.
func bigNumbers(t *testing.T, open smt.Opener) {
	f := setUp(t, open, Linear|BitVecs)
	defer f.ctx.Close()
	p := f.Pool
	x, r := f.Vars(term.Int)[0], f.Vars(term.Real)[0]
	big, err := term.ParseNum("-123456789012345678901234567890")
	require.NoError(t, err)
	third, err := term.ParseNum("1000000000000000000000000000001/3")
	require.NoError(t, err)
	wide := p.Var("wide", p.BitVec(100))
	word := p.Var("word", p.BitVec(64))
	bits := term.NewInt(1)
	for range 99 {
		bits = bits.Add(bits)
	}
	top := term.NewInt(1)
	for range 63 {
		top = top.Add(top)
	}
	require.NoError(t, f.solver.Assert(
		p.Eq(x, p.IntNum(big)), p.Eq(r, p.Real(third)), p.Eq(wide, p.BVNum(bits, 100)), p.Eq(word, p.BVNum(top, 64)),
	))
	require.Equal(t, smt.Sat, check(t, f.solver))
	m, err := f.solver.Model()
	require.NoError(t, err)
	for v, want := range map[*term.Term]term.Num{x: big, r: third, wide: bits, word: top} {
		got, ok := m.Lookup(v)
		require.True(t, ok)
		require.True(t, want.Equal(got.Num()), "%v: %v instead of %v", v, got, want)
	}
	require.Equal(t, smt.Unsat, check(t, f.solver, p.Gt(x, p.IntNum(big))))
}

// datatypesAsIndices: a datatype may be the index of an array in another one.
func datatypesAsIndices(t *testing.T, open smt.Opener) {
	f := setUp(t, open, Ints)
	defer f.ctx.Close()
	p := f.Pool
	colours, err := p.Datatypes(term.DatatypeDecl{Name: "Colour", Constructors: []term.ConstructorDecl{{Name: "red"}, {Name: "green"}}})
	require.NoError(t, err)
	shade := p.Uninterpreted("Shade")
	paints, err := p.Datatypes(term.DatatypeDecl{Name: "Paint", Constructors: []term.ConstructorDecl{
		{Name: "paint", Selectors: []term.SelectorDecl{
			{Name: "amounts", Sort: term.Of(p.Array(colours[0], term.Int))}, {Name: "shades", Sort: term.Of(p.Array(term.Int, shade))},
		}},
	}})
	require.NoError(t, err)
	v := p.Var("v", paints[0])
	amount := func(i int) *term.Term {
		paint := paints[0].Data.Constructors[0]
		return p.Select(p.Field(paint.Selectors[0], v), p.Construct(colours[0].Data.Constructors[i]))
	}
	require.NoError(t, f.solver.Assert(p.Lt(amount(0), amount(1))))
	require.Equal(t, smt.Unsat, check(t, f.solver, p.Eq(amount(0), p.Int(3)), p.Eq(amount(1), p.Int(2))))
	require.Equal(t, smt.Sat, check(t, f.solver))
	f.requireModel(t, f.solver, p.Lt(amount(0), amount(1)))
}

// deep: a term that is n deep.
func deep(t *testing.T, open smt.Opener, n int) {
	f := setUp(t, open, Ints)
	defer f.ctx.Close()
	p := f.Pool
	x := f.Vars(term.Int)[0]
	b := f.Vars(term.Bool)
	f.solver.SetLimit(smt.Limit{Time: 10 * time.Second})
	g := b[0]
	for k := range n / 2 {
		g = p.Iff(p.Or(g, p.Le(x, p.Int(int64(k%50)))), b[k%3])
	}
	require.NoError(t, f.solver.Assert(g))
	if check(t, f.solver) == smt.Sat {
		f.requireModel(t, f.solver, g)
	}
}

// Pigeons says that n+1 pigeons sit alone in n holes: small, and out of reach of a solver for n beyond 12.
func Pigeons(p *term.Pool, n int) *term.Term {
	in := make([][]*term.Term, n+1)
	var ts []*term.Term
	for i := range in {
		for range n {
			in[i] = append(in[i], p.Fresh("in", term.Bool))
		}
		ts = append(ts, p.Or(in[i]...))
	}
	for h := range n {
		for i := range in {
			for j := range i {
				ts = append(ts, p.Or(p.Not(in[i][h]), p.Not(in[j][h])))
			}
		}
	}
	return p.And(ts...)
}

// cancelled: a cancelled check is unknown with the context's error, and the solver can be used again.
func cancelled(t *testing.T, open smt.Opener) {
	f := setUp(t, open, Ints)
	defer f.ctx.Close()
	p := f.Pool
	x := f.Vars(term.Int)[0]
	f.solver.SetLimit(smt.Limit{})
	require.NoError(t, f.solver.Assert(p.Ge(x, p.Int(7))))

	gone, cancel := context.WithCancel(context.Background())
	cancel()
	status, err := f.solver.Check(gone)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, smt.Unknown, status)

	require.NoError(t, f.solver.Push())
	require.NoError(t, f.solver.Assert(Pigeons(p, 40)))
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan struct{})
	go func() {
		<-started
		cancel()
	}()
	close(started)
	status, err = f.solver.Check(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, smt.Unknown, status)
	require.NotEmpty(t, f.solver.ReasonUnknown())

	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	status, err = f.solver.Check(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, smt.Unknown, status)

	f.solver.SetLimit(smt.Limit{Time: 20 * time.Millisecond})
	status, err = f.solver.Check(context.Background())
	require.NoError(t, err)
	require.Equal(t, smt.Unknown, status)
	require.Equal(t, "timeout", f.solver.ReasonUnknown())

	f.solver.SetLimit(smt.Limit{})
	require.NoError(t, f.solver.Pop())
	require.Equal(t, smt.Unsat, check(t, f.solver, p.Lt(x, p.Int(7))))
	require.Equal(t, smt.Sat, check(t, f.solver))
	f.requireModel(t, f.solver, p.Ge(x, p.Int(7)))
}

// closed: closing twice is nothing, and using what is closed is an error.
func closed(t *testing.T, open smt.Opener) {
	f := setUp(t, open, Ints)
	p := f.Pool
	other := f.newSolver(t)
	f.solver.Close()
	f.solver.Close()
	require.Equal(t, smt.Sat, check(t, other))
	f.ctx.Close()
	f.ctx.Close()
	for _, s := range []smt.Solver{f.solver, other} {
		require.ErrorIs(t, s.Assert(p.True()), smt.ErrClosed)
		require.ErrorIs(t, s.Push(), smt.ErrClosed)
		require.ErrorIs(t, s.Pop(), smt.ErrClosed)
		require.ErrorIs(t, s.SetParams(smt.Params{Auto: true}), smt.ErrClosed)
		_, err := s.Check(context.Background())
		require.ErrorIs(t, err, smt.ErrClosed)
		_, err = s.Model()
		require.ErrorIs(t, err, smt.ErrClosed)
		_, err = s.Proof()
		require.True(t, errors.Is(err, smt.ErrClosed))
		s.Close()
	}
	_, err := f.ctx.NewSolver(smt.Params{})
	require.ErrorIs(t, err, smt.ErrClosed)
}
