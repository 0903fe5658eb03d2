package portfolio

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// The engine for puzzles takes systems without recursion over integers and truth values, and no others.
func TestFiniteFragment(t *testing.T) {
	fragment := func(arg *term.Sort, recursive, quantified bool) error {
		pool := term.NewPool()
		p := &chc.Predicate{Name: "p", Sorts: []*term.Sort{arg}}
		x, n := pool.Var("x", arg), pool.Var("n", term.Int)
		constraint := pool.Le(n, pool.Int(3))
		if quantified {
			constraint = pool.Forall([]*term.Term{n}, pool.Le(n, pool.Mul(n, n)))
		}
		sys := &chc.System{Pool: pool, Predicates: []*chc.Predicate{p}, Clauses: []*chc.Clause{
			{ID: 0, Constraint: constraint, Head: &chc.App{Pred: p, Args: []*term.Term{x}}},
			{ID: 1, Constraint: pool.True(), Body: []chc.App{{Pred: p, Args: []*term.Term{x}}}},
		}}
		if recursive {
			sys.Clauses[0].Body = []chc.App{{Pred: p, Args: []*term.Term{x}}}
		}
		return fragments([]string{"finite"})(sys)
	}
	pool := term.NewPool()
	require.NoError(t, fragment(term.Int, false, false))
	require.NoError(t, fragment(term.Bool, false, false))
	require.Error(t, fragment(term.Real, false, false))
	require.Error(t, fragment(pool.Array(term.Int, term.Int), false, false))
	require.Error(t, fragment(term.Int, true, false))
	require.Error(t, fragment(term.Int, false, true))
}

// Clauses multiply where a product has two factors that are no numbers.
func TestProducts(t *testing.T) {
	pool := term.NewPool()
	x, y := pool.Var("x", term.Int), pool.Var("y", term.Int)
	p := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int}}
	of := func(constraint, arg *term.Term) bool {
		return products(&chc.System{Pool: pool, Predicates: []*chc.Predicate{p}, Clauses: []*chc.Clause{
			{Constraint: constraint, Head: &chc.App{Pred: p, Args: []*term.Term{arg}}},
		}})
	}
	require.False(t, of(pool.Le(pool.Mul(pool.Int(3), x), y), pool.Add(x, y)))
	require.True(t, of(pool.Le(pool.Mul(x, y), y), x))
	require.True(t, of(pool.True(), pool.Mul(x, x)))
}
