package witness_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// Arguments go in at once: a swap stays a swap, and a bound variable is not captured.
func TestApply(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	i := witness.Interpretation{Params: []*term.Term{x, y}, Body: p.Lt(x, y)}
	require.Equal(t, p.Lt(y, x), i.Apply(p, []*term.Term{y, x}))
	require.Equal(t, p.Lt(p.Int(3), x), i.Apply(p, []*term.Term{p.Int(3), x}))
	require.Panics(t, func() { i.Apply(p, []*term.Term{x}) })

	array := p.Array(term.Int, term.Int)
	a := p.Var("a", array)
	positive := witness.Interpretation{
		Params: []*term.Term{a, x},
		Body:   p.Forall([]*term.Term{y}, p.Implies(p.Lt(y, x), p.Gt(p.Select(a, y), p.Int(0)))),
	}
	got := positive.Apply(p, []*term.Term{a, y})
	require.Equal(t, []*term.Term{y, a}, sortedByName(term.Vars(got)))
	require.NotEqual(t, y, got.Bound()[0])
}

func sortedByName(vs []*term.Term) []*term.Term {
	if len(vs) == 2 && vs[0].Name() < vs[1].Name() {
		vs[0], vs[1] = vs[1], vs[0]
	}
	return vs
}

func TestCanonicalParamsAreDistinct(t *testing.T) {
	p := term.NewPool()
	q := &chc.Predicate{Name: "q", Sorts: []*term.Sort{term.Int, term.Int, term.Bool}}
	r := &chc.Predicate{Name: "q$1", Sorts: []*term.Sort{term.Int}}
	seen := map[*term.Term]bool{}
	for _, x := range append(witness.CanonicalParams(p, q), witness.CanonicalParams(p, r)...) {
		require.False(t, seen[x])
		seen[x] = true
	}
	require.Equal(t, witness.CanonicalParams(p, q), witness.CanonicalParams(p, q))
}

func TestCloneIsIndependent(t *testing.T) {
	sys, inv, x := counter()
	m := model(inv, []*term.Term{x}, sys.Pool.True())
	c := m.Clone()
	c.Interpretations[inv] = witness.False(sys.Pool, inv)
	require.True(t, m.Interpretations[inv].Body.IsTrue())
}

// Prune keeps a right refutation right, and keeps only what the last step depends on.
func TestPrune(t *testing.T) {
	dropped := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := drawSystem(t)
		_, r := decide(sys)
		if r == nil {
			return
		}
		// Steps that nothing uses go in at random places.
		padded := &witness.Refutation{}
		number := make([]int, len(r.Steps))
		for i, s := range r.Steps {
			q := s
			q.Premises = nil
			for _, k := range s.Premises {
				q.Premises = append(q.Premises, number[k])
			}
			for range rapid.IntRange(0, 1).Draw(t, "useless") {
				padded.Steps = append(padded.Steps, q)
			}
			number[i] = len(padded.Steps)
			padded.Steps = append(padded.Steps, q)
		}
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, padded))
		small := padded.Prune()
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, small))
		require.Equal(t, len(r.Steps), len(small.Steps))
		used := map[int]bool{len(small.Steps) - 1: true}
		for _, s := range small.Steps {
			for _, k := range s.Premises {
				used[k] = true
			}
		}
		require.Len(t, used, len(small.Steps))
		dropped += len(padded.Steps) - len(small.Steps)
	})
	require.Positive(t, dropped)
}

func TestBuilderSharesAtoms(t *testing.T) {
	sys, _, x := counter()
	b := witness.NewRefutationBuilder(sys.Pool)
	zero := b.Add(sys.Clauses[0], nil, nil)
	at := func(n int64) map[*term.Term]term.Value {
		return map[*term.Term]term.Value{x: term.NumValue(term.NewInt(n), term.Int)}
	}
	one := b.Add(sys.Clauses[1], at(0), []int{zero})
	require.Equal(t, one, b.Add(sys.Clauses[1], at(0), []int{zero}))
	require.Equal(t, zero, b.Add(sys.Clauses[0], at(5), nil))
	require.Len(t, b.Refutation(one).Steps, 2)
}

// Simplify returns a model whenever it is given one, and never a larger one.
func TestSimplifyKeepsModels(t *testing.T) {
	smaller := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := drawSystem(t)
		m, _ := decide(sys)
		if m == nil {
			return
		}
		for _, pred := range sys.Predicates {
			i := m.Interpretations[pred]
			switch rapid.SampledFrom([]string{"tuples", "conjunction", "redundant tuples"}).Draw(t, "form") {
			case "conjunction":
				i.Body = asConjunction(sys.Pool, i)
			case "redundant tuples":
				for _, x := range i.Params {
					if x.Sort() == term.Int {
						part := sys.Pool.And(i.Body, sys.Pool.Le(x, sys.Pool.Int(1)))
						i.Body = sys.Pool.And(sys.Pool.Or(i.Body, part), sys.Pool.Le(x, sys.Pool.Int(5)))
					}
				}
			}
			m.Interpretations[pred] = i
		}
		require.True(t, modelHolds(sys, m))
		size := m.Size()
		small, err := witness.Simplify(context.Background(), z3.Open, sys, m, 10*time.Second)
		require.NoError(t, err)
		require.True(t, modelHolds(sys, small))
		require.LessOrEqual(t, small.Size(), size)
		require.Equal(t, size, m.Size())
		if small.Size() < size {
			smaller++
		}
	})
	require.Positive(t, smaller)
}

// asConjunction writes the interpretation, of tuples within -1..4, as a conjunction of what it excludes, so that dropping
// any of it changes the meaning.
func asConjunction(p *term.Pool, i witness.Interpretation) *term.Term {
	var conjuncts []*term.Term
	var rec func(k int, tuple []*term.Term)
	rec = func(k int, tuple []*term.Term) {
		if k == len(i.Params) {
			if i.Apply(p, tuple).IsFalse() {
				var eqs []*term.Term
				for n, x := range i.Params {
					eqs = append(eqs, p.Eq(x, tuple[n]))
				}
				conjuncts = append(conjuncts, p.Not(p.And(eqs...)))
			}
			return
		}
		tuple = append(tuple[:k:k], nil)
		if i.Params[k].Sort() == term.Bool {
			for _, b := range []bool{false, true} {
				tuple[k] = p.Bool(b)
				rec(k+1, tuple)
			}
			return
		}
		for n := int64(-1); n <= 4; n++ {
			tuple[k] = p.Int(n)
			rec(k+1, tuple)
		}
	}
	rec(0, nil)
	for _, x := range i.Params {
		if x.Sort() == term.Int {
			conjuncts = append(conjuncts, p.Le(p.Int(-1), x), p.Le(x, p.Int(4)))
		}
	}
	return p.And(conjuncts...)
}

// Lemmas that no query needs by itself are kept when a needed one rests on them.
func TestSimplifyKeepsSupport(t *testing.T) {
	p := term.NewPool()
	inv := &chc.Predicate{Name: "inv", Sorts: []*term.Sort{term.Int, term.Int}}
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	at := func(ts ...*term.Term) chc.App { return chc.App{Pred: inv, Args: ts} }
	first, next := at(p.Int(0), p.Int(0)), at(p.Add(x, y), p.Add(y, p.Int(1)))
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{inv}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &first},
		{ID: 1, Body: []chc.App{at(x, y)}, Constraint: p.True(), Head: &next},
		{ID: 2, Body: []chc.App{at(x, y)}, Constraint: p.Lt(x, p.Int(0))},
	}}
	support := p.And(p.Ge(x, p.Int(0)), p.Ge(y, p.Int(0)))
	m := model(inv, []*term.Term{x, y}, p.And(support, p.Ge(p.Add(x, y), p.Int(0)), p.Ge(p.Add(x, p.Scale(term.NewInt(2), y)), p.Int(0))))
	small, err := witness.Simplify(context.Background(), z3.Open, sys, m, 10*time.Second)
	require.NoError(t, err)
	require.NoError(t, check(sys, small))
	require.Less(t, small.Size(), m.Size())
}

func TestSimplifyDropsWhatIsNotNeeded(t *testing.T) {
	sys, inv, x := counter()
	p := sys.Pool
	needless := p.And(p.Le(x, p.Int(10)), p.Ge(x, p.Int(0)), p.Ge(x, p.Int(-7)), p.Or(p.Le(x, p.Int(2)), p.Le(x, p.Int(12))))
	small, err := witness.Simplify(context.Background(), z3.Open, sys, model(inv, []*term.Term{x}, needless), 10*time.Second)
	require.NoError(t, err)
	require.Equal(t, p.Le(x, p.Int(10)), small.Interpretations[inv].Body)

	_, err = witness.Simplify(context.Background(), z3.Open, sys, model(inv, []*term.Term{x}, p.Le(x, p.Int(11))), 10*time.Second)
	require.ErrorIs(t, err, witness.ErrInvalid)
}

// Without time, and with a solver that decides nothing, the result is still a model.
func TestSimplifyOutOfBudget(t *testing.T) {
	sys, inv, x := counter()
	p := sys.Pool
	m := model(inv, []*term.Term{x}, p.And(p.Le(x, p.Int(10)), p.Ge(x, p.Int(0))))
	small, err := witness.Simplify(context.Background(), z3.Open, sys, m, time.Nanosecond)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, small, smt.Limit{}))

	checks := 0
	small, err = witness.Simplify(context.Background(), silent(&checks), sys, m, time.Minute)
	require.NoError(t, err)
	require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, small, smt.Limit{}))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = witness.Simplify(ctx, z3.Open, sys, m, time.Minute)
	require.ErrorIs(t, err, context.Canceled)
}

// stuck opens solvers of which one check, the nth, only ends with its context. late counts the assertions after that.
type stuck struct {
	smt.Context
	nth, checks, late *int
	ended             *bool
}

func (c stuck) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	return stuckSolver{s, c}, err
}

type stuckSolver struct {
	smt.Solver
	stuck
}

func (s stuckSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	if *s.checks++; *s.checks == *s.nth {
		<-ctx.Done()
		*s.ended = true
	}
	return s.Solver.Check(ctx, assumptions...)
}

func (s stuckSolver) Assert(ts ...*term.Term) error {
	if *s.ended {
		*s.late++
	}
	return s.Solver.Assert(ts...)
}

// Once the time is over nothing is asked any more, whatever was going on, and the result is a model.
func TestSimplifyEndsWithItsTime(t *testing.T) {
	sys, inv, x := counter()
	p := sys.Pool
	var values, bounds []*term.Term
	for i := range int64(11) {
		values = append(values, p.Eq(x, p.Int(i)))
		bounds = append(bounds, p.Le(p.Mul(p.Int(i+3), x), p.Add(p.Int(10*(i+3)), p.Mul(x, x))))
	}
	m := model(inv, []*term.Term{x}, p.And(append(bounds, p.Or(values...))...))
	reached := 0
	for nth := 1; nth < 40; nth++ {
		checks, late, ended := 0, 0, false
		open := func(p *term.Pool, c smt.Config) (smt.Context, error) {
			inner, err := z3.Open(p, c)
			return stuck{inner, &nth, &checks, &late, &ended}, err
		}
		small, err := witness.Simplify(context.Background(), open, sys, m, 20*time.Millisecond)
		require.NoError(t, err)
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, small, smt.Limit{}))
		require.Zero(t, late, "stuck in check %d", nth)
		if ended {
			reached++
		}
	}
	require.NotZero(t, reached)
}
