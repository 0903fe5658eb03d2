package intblast

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/internal/smt/z3"
)

// words makes a system of one recursive predicate over words of 32 bits: from y below x each step obeys the constraint over
// x, y and the next y'; y above 10 is an error.
func words(constraint func(p *term.Pool, x, y, next *term.Term) *term.Term) *chc.System {
	p := term.NewPool()
	s := p.BitVec(32)
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{s, s}}
	x, y, next := p.Var("x", s), p.Var("y", s), p.Var("y'", s)
	at := func(ts ...*term.Term) chc.App { return chc.App{Pred: pred, Args: ts} }
	initial, after := at(x, y), at(x, next)
	return &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.BV(term.BVUlt, y, x), Head: &initial},
		{ID: 1, Body: []chc.App{at(x, y)}, Constraint: constraint(p, x, y, next), Head: &after},
		{ID: 2, Body: []chc.App{at(x, y)}, Constraint: p.BV(term.BVSgt, y, p.BVNum(term.NewInt(10), 32))},
	}}
}

// A system is left alone as a whole when some term has no linear meaning, and the term is named.
func TestIntBlastObstacle(t *testing.T) {
	env, opts := transform.Environment{Open: z3.Open}, DefaultOptions()
	for _, op := range []term.Op{term.BVMul, term.BVXor, term.BVUdiv, term.BVSrem, term.BVLshr} {
		sys := words(func(p *term.Pool, x, y, next *term.Term) *term.Term { return p.Eq(next, p.BV(op, x, y)) })
		next, back, err := Pass().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Same(t, sys, next)
		require.Nil(t, back)
		b, _, err := prepareIntBlast(t.Context(), env, opts, sys)
		require.NoError(t, err)
		require.Contains(t, b.obstacle, op.String())
	}
	sys := words(func(p *term.Pool, x, y, next *term.Term) *term.Term { return p.Eq(next, p.BV(term.BVAdd, x, y)) })
	b, _, err := prepareIntBlast(t.Context(), env, opts, sys)
	require.NoError(t, err)
	require.Empty(t, b.obstacle)
}

// A guard that keeps a sum below the end of its range leaves no way to wrap around, and an argument that is only handed
// on is not bounded.
func TestIntBlastUsesGuards(t *testing.T) {
	sys := words(func(p *term.Pool, x, y, next *term.Term) *term.Term {
		one, ten := p.BVNum(term.NewInt(1), 32), p.BVNum(term.NewInt(10), 32)
		return p.And(p.BV(term.BVSlt, y, ten), p.Eq(next, p.BV(term.BVAdd, y, one)))
	})
	b := &intBlast{opts: DefaultOptions(), pool: sys.Pool, old: sys}
	require.NoError(t, b.run(t.Context()))
	step := b.next.Clauses[1]
	x, y, after := step.Body[0].Args[0], step.Body[0].Args[1], step.Head.Args[1]
	require.NotContains(t, term.Vars(step.Constraint), x)
	require.Contains(t, term.Conjuncts(step.Constraint), sys.Pool.Eq(after, sys.Pool.Add(y, sys.Pool.Int(1))))
	require.Contains(t, term.Conjuncts(step.Constraint), sys.Pool.Le(y, sys.Pool.Int(9)))
}
