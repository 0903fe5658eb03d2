package z3

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3/z3test"
)

func TestConformance(t *testing.T) {
	smttest.Conformance(t, Open, smttest.Options{Theories: smttest.All, Deep: 50000})
}

func open(t testing.TB, p *term.Pool, cfg smt.Config, params smt.Params) (*solverContext, *solver) {
	c, err := Open(p, cfg)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	s, err := c.NewSolver(params)
	require.NoError(t, err)
	return c.(*solverContext), s.(*solver)
}

func check(t require.TestingT, s smt.Solver, assumptions ...*term.Term) smt.Status {
	status, err := s.Check(context.Background(), assumptions...)
	require.NoError(t, err)
	return status
}

// A check that ran out of resources leaves the solver in a state that answers rightly.
func TestUsableAfterLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sig, err := smttest.NewSignature(term.NewPool(), smttest.Linear)
		require.NoError(t, err)
		c, err := Open(sig.Pool, smt.Config{})
		require.NoError(t, err)
		defer c.Close()
		params := rapid.SampledFrom([]smt.Params{{}, {ArithSolver: 2}, {Auto: true}}).Draw(t, "params")
		s, err := c.NewSolver(params)
		require.NoError(t, err)
		var all []*term.Term
		for range 3 {
			if rapid.Bool().Draw(t, "push") {
				require.NoError(t, s.Push())
			}
			g := sig.Formula(t, 3)
			all = append(all, g)
			require.NoError(t, s.Assert(g))
			as := []*term.Term{sig.Formula(t, 2), sig.Formula(t, 1)}
			for range 3 {
				s.SetLimit(smt.Limit{Resources: uint64(rapid.IntRange(1, 3000).Draw(t, "resources"))})
				_, err := s.Check(context.Background(), as...)
				require.NoError(t, err)
			}
			s.SetLimit(smt.Limit{Resources: 20000})
			fresh, err := c.NewSolver(params)
			require.NoError(t, err)
			fresh.SetLimit(smt.Limit{Resources: 20000})
			require.NoError(t, fresh.Assert(append(all, as...)...))
			want, got := check(t, fresh), check(t, s, as...)
			fresh.Close()
			if want != smt.Unknown && got != smt.Unknown {
				require.Equal(t, want, got)
			}
			if got == smt.Sat {
				m, err := s.Model()
				require.NoError(t, err)
				for _, g := range append(all, as...) {
					require.True(t, term.NewEvaluator(sig.Pool, term.Complete(sig.Pool, m)).True(g), "%v\n%v\n%+v", g, m, params)
				}
			}
		}
	})
}

func TestResourcesBoundACheck(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{})
	require.NoError(t, s.Assert(smttest.Pigeons(p, 9)))
	s.SetLimit(smt.Limit{Resources: 1000})
	require.Equal(t, smt.Unknown, check(t, s))
	require.Contains(t, s.ReasonUnknown(), "resource")
	// The limit is each check's own.
	require.Equal(t, smt.Unsat, check(t, s, p.False()))
	s.SetLimit(smt.Limit{Resources: 100000})
	require.Equal(t, smt.Unknown, check(t, s))
}

// The bits of terms are work: those of a remainder of 32 bits are thousands of clauses, which take as long as many steps of a search.
func TestBitsAreCounted(t *testing.T) {
	worked := func(op term.Op) uint64 {
		p := term.NewPool()
		c, s := open(t, p, smt.Config{Count: true}, smt.Params{})
		sort := p.BitVec(32)
		require.NoError(t, s.Assert(p.Eq(p.BV(op, p.Var("x", sort), p.Var("y", sort)), p.Var("z", sort))))
		require.Equal(t, smt.Sat, check(t, s))
		return c.Stats().Resources
	}
	require.Greater(t, worked(term.BVUrem), 20*worked(term.BVAnd))
}

// A cancellation that comes at any moment of a check never reaches the next one.
func TestCancellationIsOneChecks(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{})
	x := p.Var("x", term.Int)
	require.NoError(t, s.Assert(p.Ge(x, p.Int(0))))
	for i := range 300 {
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			time.Sleep(time.Duration(i%30) * time.Microsecond)
			cancel()
		}()
		status, err := s.Check(ctx, p.Le(x, p.Int(int64(i))))
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		} else {
			require.Equal(t, smt.Sat, status)
		}
		require.Equal(t, smt.Unsat, check(t, s, p.Lt(x, p.Int(0))))
		require.Equal(t, smt.Sat, check(t, s, p.Lt(x, p.Int(5))))
		wg.Wait()
	}
}

// late is a context that is done, but does not say so when it is asked first.
type late struct {
	context.Context
	asked atomic.Bool
	done  chan struct{}
}

func (c *late) Err() error {
	if c.asked.Swap(true) {
		return context.Canceled
	}
	return nil
}

func (c *late) Done() <-chan struct{} { return c.done }

// A cancellation that comes before Z3 has begun to check, while the proxies' definitions are asserted, is not lost.
func TestEarlyCancellation(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{})
	require.NoError(t, s.Assert(smttest.Pigeons(p, 40)))
	x := p.Var("x", term.Int)
	var as []*term.Term
	for i := range int64(10000) {
		as = append(as, p.Ge(x, p.Int(i)))
	}
	ctx := &late{Context: context.Background(), done: make(chan struct{})}
	close(ctx.done)
	status, err := s.Check(ctx, as...)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, smt.Unknown, status)
}

func TestCancellationOfAutomaticSolver(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{Auto: true})
	require.NoError(t, s.Assert(smttest.Pigeons(p, 40)))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	status, err := s.Check(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, smt.Unknown, status)
}

// Closed contexts leave no memory behind: solvers, models, proofs, datatypes, failed translations included.
func TestNothingLeaks(t *testing.T) {
	work := func() {
		sig, err := smttest.NewSignature(term.NewPool(), smttest.All)
		require.NoError(t, err)
		p := sig.Pool
		c, err := Open(p, smt.Config{Proofs: true})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{ArithSolver: 2})
		require.NoError(t, err)
		for _, srt := range []*term.Sort{term.Int, term.Real, term.Bool} {
			for _, v := range sig.Vars(srt) {
				require.NoError(t, s.Assert(p.Ne(v, term.DefaultValue(p, srt).Term(p))))
			}
		}
		x := sig.Vars(term.Int)[0]
		list := p.Var("list", p.Array(term.Int, p.BitVec(70)))
		require.NoError(t, s.Assert(p.Ne(p.Select(list, x), p.BVNum(term.NewInt(5), 70))))
		require.Equal(t, smt.Sat, check(t, s, p.Ge(x, p.Int(3)), p.Le(x, p.Int(9))))
		_, err = s.Model()
		require.NoError(t, err)
		require.Equal(t, smt.Unsat, check(t, s, p.Ge(x, p.Int(3)), p.Le(x, p.Int(1))))
		_, err = s.Proof()
		require.NoError(t, err)
		s.SetLimit(smt.Limit{Resources: 1})
		require.Equal(t, smt.Unknown, check(t, s, smttest.Pigeons(p, 5)))
		_, err = s.Check(context.Background(), term.NewPool().Var("foreign", term.Bool))
		require.Error(t, err)
		require.NoError(t, s.SetParams(smt.Params{}))
	}
	work()
	before := z3test.Memory()
	for range 60 {
		work()
	}
	require.Less(t, z3test.Memory(), before+1<<20)
}

// Contexts of several goroutines share terms and nothing else.
func TestContextsInParallel(t *testing.T) {
	sig, err := smttest.NewSignature(term.NewPool(), smttest.Linear)
	require.NoError(t, err)
	p := sig.Pool
	x, y := sig.Vars(term.Int)[0], sig.Vars(term.Int)[1]
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				c, err := Open(p, smt.Config{})
				if err != nil {
					t.Error(err)
					return
				}
				s, err := c.NewSolver(smt.Params{})
				if err != nil {
					t.Error(err)
					return
				}
				k := p.Int(int64(i * g))
				if err := s.Assert(p.Le(p.Add(x, y), k), p.Ge(x, k), p.Gt(y, p.Int(0))); err != nil {
					t.Error(err)
				}
				if status, err := s.Check(context.Background()); err != nil || status != smt.Unsat {
					t.Errorf("%v, %v instead of unsat", status, err)
				}
				c.Close()
			}
		})
	}
	wg.Wait()
}

func TestQuantifiers(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{})
	x, y, z := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)
	some := p.Exists([]*term.Term{y}, p.And(p.Lt(x, y), p.Lt(y, p.Add(x, p.Int(2)))))
	require.Equal(t, smt.Unsat, check(t, s, p.Not(some)))
	require.Equal(t, []*term.Term{p.Not(some)}, s.Core())
	f := p.DeclareFunc("f", []*term.Sort{term.Int}, term.Int)
	// y occurs free beside the quantifiers that bind it.
	require.NoError(t, s.Assert(p.Forall([]*term.Term{y, z}, p.Ge(p.Apply(f, y), p.Sub(x, p.Int(3)))), p.Eq(y, p.Int(41)), p.Eq(p.Apply(f, p.Int(2)), y)))
	require.Equal(t, smt.Unsat, check(t, s, p.Ge(x, p.Int(45))))
	require.Equal(t, smt.Sat, check(t, s, p.Ge(x, p.Int(44))))
	m, err := s.Model()
	require.NoError(t, err)
	v, ok := m.Lookup(y)
	require.True(t, ok)
	require.True(t, v.Num().Equal(term.NewInt(41)))
	_, ok = m.Lookup(z)
	require.False(t, ok, "a bound variable has no value")
}

func TestElementsDiffer(t *testing.T) {
	p := term.NewPool()
	c, s := open(t, p, smt.Config{}, smt.Params{})
	thing := p.Uninterpreted("Thing")
	u, v := p.Var("u", thing), p.Var("v", thing)
	e := []*term.Term{p.Element(thing, 0), p.Element(thing, 1), p.Element(thing, 7)}
	require.NoError(t, s.Push())
	require.NoError(t, s.Assert(p.Eq(u, e[0])))
	require.Equal(t, smt.Unsat, check(t, s, p.Eq(u, e[2])))
	require.NoError(t, s.Pop())
	require.NoError(t, s.Assert(p.Or(p.Eq(u, e[1]), p.Eq(u, e[2])), p.Ne(u, e[1]), p.Distinct(v, u, e[0], e[1])))
	require.Equal(t, smt.Sat, check(t, s))
	m, err := s.Model()
	require.NoError(t, err)
	x, _ := m.Lookup(u)
	require.Equal(t, e[2], x.Term(p))
	y, _ := m.Lookup(v)
	require.NotContains(t, e, y.Term(p))
	// A solver that was opened before the elements were met knows them too.
	other, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	require.Equal(t, smt.Unsat, check(t, other, p.Eq(u, e[0]), p.Eq(u, e[2])))
}

func TestIrrationalIsAnError(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{Auto: true})
	r := p.Var("r", term.Real)
	require.NoError(t, s.Assert(p.Eq(p.Mul(r, r), p.Real(term.NewInt(2)))))
	require.Equal(t, smt.Sat, check(t, s))
	_, err := s.Model()
	require.ErrorIs(t, err, smt.ErrNoValue)
	require.ErrorContains(t, err, "irrational")
}

func TestErrorsAreErrors(t *testing.T) {
	p, q := term.NewPool(), term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{})
	require.ErrorContains(t, s.Assert(q.Var("b", term.Bool)), "another pool")
	require.Error(t, s.Assert(p.Var("x", term.Int)))
	_, err := s.Check(context.Background(), p.Var("x", term.Int))
	require.Error(t, err)
	_, err = s.Proof()
	require.ErrorIs(t, err, smt.ErrNoProofs)
	_, err = s.Model()
	require.Error(t, err)
	require.Equal(t, smt.Sat, check(t, s, p.Var("b", term.Bool)), "the solver goes on after an error")
}

// A failed translation leaves no trace, so that a later one does not meet half of it.
func TestFailedTranslation(t *testing.T) {
	p, q := term.NewPool(), term.NewPool()
	c, s := open(t, p, smt.Config{}, smt.Params{})
	x := p.Var("x", term.Int)
	foreign := q.Le(q.Var("y", term.Int), q.Int(3))
	require.NoError(t, s.Assert(p.Ge(x, p.Int(1))))
	before := c.made
	_, err := s.Check(context.Background(), p.Le(x, p.Int(7)), foreign)
	require.Error(t, err)
	require.Equal(t, before, c.made)
	require.Equal(t, uint32(c.h.n_nodes), c.made)
	require.Equal(t, smt.Sat, check(t, s, p.Le(x, p.Int(7))))
	require.Equal(t, smt.Unsat, check(t, s, p.Le(x, p.Int(0))))
}

// The arithmetic and array theories are weakened and restored between checks of one solver.
func TestWeakTheories(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{ArithSolver: 2})
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	two := func(a *term.Term) *term.Term { return p.Scale(term.NewInt(2), a) }
	// 0 < 3x - 2y < 1 after 2y <= 3x - 1 and a product that hides it from normalisation.
	odd := p.And(p.Eq(p.Add(x, y), two(p.Var("k", term.Int))), p.Eq(p.Sub(x, y), p.Add(two(p.Var("l", term.Int)), p.Int(1))))
	require.NoError(t, s.Assert(odd))
	require.Equal(t, smt.Unsat, check(t, s))
	for range 3 {
		require.NoError(t, s.SetParams(smt.Params{ArithSolver: 2, IgnoreInt: true}))
		require.Equal(t, smt.Unknown, check(t, s, p.Le(x, p.Int(100))))
		require.Equal(t, smt.Unsat, check(t, s, p.Le(x, p.Int(100)), p.Gt(x, p.Int(100))))
		require.NoError(t, s.SetParams(smt.Params{ArithSolver: 2}))
		require.Equal(t, smt.Unsat, check(t, s, p.Le(x, p.Int(100))))
	}
}

func TestSeedIsTaken(t *testing.T) {
	p := term.NewPool()
	for seed := range uint64(3) {
		_, s := open(t, p, smt.Config{Seed: seed<<40 + 1}, smt.Params{Auto: seed == 2})
		require.NoError(t, s.Assert(smttest.Pigeons(p, 4)))
		require.Equal(t, smt.Unsat, check(t, s))
	}
}

// Two runs of the same calls give the same answers, values included.
func TestSameRunTwice(t *testing.T) {
	run := func() string {
		p := term.NewPool()
		_, s := open(t, p, smt.Config{Seed: 7}, smt.Params{})
		x, y, z := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)
		require.NoError(t, s.Assert(p.Lt(p.Add(x, y), p.Scale(term.NewInt(3), z)), p.Or(p.Gt(x, y), p.Gt(y, z)), p.Ge(z, p.Int(4))))
		require.Equal(t, smt.Sat, check(t, s))
		m, err := s.Model()
		require.NoError(t, err)
		return m.String()
	}
	require.Equal(t, run(), run())
}

// TestPatterns: with patterns, and nothing but matching, a quantifier is used where its patterns' terms occur, and only
// there.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		name    string
		pattern func(p *term.Pool, f, g, x *term.Term) []*term.Term
		want    smt.Status
	}{
		{"the term occurs", func(p *term.Pool, f, _, x *term.Term) []*term.Term { return []*term.Term{p.Select(f, x)} }, smt.Unsat},
		{"it does not", func(p *term.Pool, _, g, x *term.Term) []*term.Term { return []*term.Term{p.Select(g, x)} }, smt.Unknown},
		{"one of two does not", func(p *term.Pool, f, g, x *term.Term) []*term.Term {
			return []*term.Term{p.Select(f, x), p.Select(g, x)}
		}, smt.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := term.NewPool()
			ctx, err := Open(p, smt.Config{})
			require.NoError(t, err)
			defer ctx.Close()
			arrays := p.Array(term.Int, term.Int)
			f, g, x, a := p.Var("f", arrays), p.Var("g", arrays), p.Var("x", term.Int), p.Var("a", term.Int)
			q := p.Forall([]*term.Term{x}, p.And(p.Gt(p.Select(f, x), p.Int(0)), p.Gt(p.Select(g, x), p.Int(0))))
			ctx.SetPatterns(q, [][]*term.Term{c.pattern(p, f, g, x)})
			s, err := ctx.NewSolver(smt.Params{Matching: true})
			require.NoError(t, err)
			require.NoError(t, s.Assert(q, p.Lt(p.Select(f, a), p.Int(0))))
			got, err := s.Check(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// The solver that makes bits of integers agrees with counting through all values, whatever is computed of them. With a library that has models
// that are none, such a model is no answer.
func TestFiniteIntegers(t *testing.T) {
	doubted := finiteModelsAreDoubted(t)
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		vars := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)}
		low := make([]int64, len(vars))
		var formulas []*term.Term
		const width = 4
		for i, v := range vars {
			low[i] = rapid.Int64Range(-9, 9).Draw(t, "low")
			formulas = append(formulas, p.Ge(v, p.Int(low[i])), p.Le(v, p.Int(low[i]+width-1)))
		}
		var number func(depth int) *term.Term
		var truth func(depth int) *term.Term
		number = func(depth int) *term.Term {
			k := p.Int(rapid.Int64Range(-7, 7).Draw(t, "constant"))
			if depth == 0 {
				return rapid.SampledFrom(append([]*term.Term{k}, vars...)).Draw(t, "leaf")
			}
			switch rapid.IntRange(0, 6).Draw(t, "operation") {
			case 0:
				return p.Add(number(depth-1), number(depth-1))
			case 1:
				return p.Sub(number(depth-1), number(depth-1))
			case 2:
				return p.Mul(k, number(depth-1))
			case 3:
				return p.Mul(number(depth-1), number(depth-1))
			case 4:
				return p.Mod(number(depth-1), p.Int(rapid.Int64Range(1, 5).Draw(t, "modulus")))
			case 5:
				return p.IntDiv(number(depth-1), p.Int(rapid.Int64Range(1, 5).Draw(t, "divisor")))
			default:
				return p.Ite(truth(depth-1), number(depth-1), number(depth-1))
			}
		}
		truth = func(depth int) *term.Term {
			if depth > 0 {
				switch rapid.IntRange(0, 3).Draw(t, "connective") {
				case 0:
					return p.And(truth(depth-1), truth(depth-1))
				case 1:
					return p.Not(truth(depth - 1))
				}
			}
			a, b := number(max(depth-1, 0)), number(max(depth-1, 0))
			if rapid.Bool().Draw(t, "equal") {
				return p.Eq(a, b)
			}
			return p.Le(a, b)
		}
		for range rapid.IntRange(1, 4).Draw(t, "formulas") {
			formulas = append(formulas, truth(3))
		}
		all := p.And(formulas...)
		satisfiable := false
		for n := range width * width * width {
			values := map[*term.Term]*term.Term{
				vars[0]: p.Int(low[0] + int64(n%width)), vars[1]: p.Int(low[1] + int64(n/width%width)), vars[2]: p.Int(low[2] + int64(n/width/width)),
			}
			satisfiable = satisfiable || p.Substitute(all, values).IsTrue()
		}
		c, err := Open(p, smt.Config{})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{Finite: true})
		require.NoError(t, err)
		require.NoError(t, s.Assert(formulas...))
		status, err := s.Check(t.Context())
		require.NoError(t, err)
		if status == smt.Sat {
			m, err := s.Model()
			require.NoError(t, err)
			if !term.NewEvaluator(p, term.Complete(p, m)).True(all) {
				require.True(t, doubted, "the model is none: %v", all)
				return
			}
		}
		require.NotEqual(t, map[bool]smt.Status{true: smt.Unsat, false: smt.Sat}[satisfiable], status, "%v", all)
	})
}

// The solver that makes bits of bit-vectors agrees with counting through all values, and does not know what else there is.
func TestBlast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		bits := p.BitVec(3)
		vars := []*term.Term{p.Var("x", bits), p.Var("y", bits)}
		number := func(n int64) *term.Term { return p.BVNum(term.NewInt(n), 3) }
		operations := []term.Op{term.BVAdd, term.BVSub, term.BVMul, term.BVUdiv, term.BVUrem, term.BVAnd, term.BVXor, term.BVShl}
		var word func(depth int) *term.Term
		word = func(depth int) *term.Term {
			if depth == 0 {
				return rapid.SampledFrom(append(slices.Clone(vars), number(rapid.Int64Range(0, 7).Draw(t, "constant")))).Draw(t, "leaf")
			}
			return p.BV(rapid.SampledFrom(operations).Draw(t, "operation"), word(depth-1), word(depth-1))
		}
		var formulas []*term.Term
		for range rapid.IntRange(1, 3).Draw(t, "formulas") {
			f := p.Eq(word(2), word(1))
			if rapid.Bool().Draw(t, "negated") {
				f = p.Not(f)
			}
			formulas = append(formulas, f)
		}
		all := p.And(formulas...)
		want := smt.Unsat
		for n := range int64(64) {
			if p.Substitute(all, map[*term.Term]*term.Term{vars[0]: number(n % 8), vars[1]: number(n / 8)}).IsTrue() {
				want = smt.Sat
			}
		}
		c, err := Open(p, smt.Config{})
		require.NoError(t, err)
		defer c.Close()
		s, err := c.NewSolver(smt.Params{Blast: true})
		require.NoError(t, err)
		require.NoError(t, s.Assert(formulas...))
		status, err := s.Check(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, status, "%v", all)
		if status == smt.Sat {
			m, err := s.Model()
			require.NoError(t, err)
			require.True(t, term.NewEvaluator(p, term.Complete(p, m)).True(all), "the model is none: %v", all)
		}
		require.NoError(t, s.Assert(p.Gt(p.Var("n", term.Int), p.Int(0))))
		status, err = s.Check(t.Context())
		require.NoError(t, err)
		require.NotEqual(t, map[smt.Status]smt.Status{smt.Unsat: smt.Sat, smt.Sat: smt.Unsat}[want], status)
	})
}
