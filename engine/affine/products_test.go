package affine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// TestProducts: what follows by multiplying equations is decided, models are of the products themselves, and what needs products of
// inequalities stays open.
func TestProducts(t *testing.T) {
	pool := term.NewPool()
	x, y, z := pool.Var("x", term.Int), pool.Var("y", term.Int), pool.Var("z", term.Int)
	one := pool.Int(1)
	square := func(t *term.Term) *term.Term { return pool.Mul(t, t) }
	for name, c := range map[string]struct {
		base     *term.Term
		formulas []*term.Term
		want     smt.Status
	}{
		"a square of a sum": {pool.Eq(y, pool.Add(x, one)), []*term.Term{
			pool.Eq(z, square(x)), pool.Not(pool.Eq(square(y), pool.Add(z, x, x, one)))}, smt.Unsat},
		"two comparisons are an equation": {pool.And(pool.Le(x, y), pool.Ge(x, y)), []*term.Term{
			pool.Not(pool.Eq(square(x), square(y)))}, smt.Unsat},
		"a cube": {pool.Eq(y, pool.Neg(x)), []*term.Term{
			pool.Not(pool.Eq(pool.Mul(square(x), x), pool.Neg(pool.Mul(square(y), y))))}, smt.Unsat},
		"a factor is known":     {pool.Eq(x, pool.Int(2)), []*term.Term{pool.Eq(pool.Mul(x, y), pool.Int(6))}, smt.Sat},
		"values of the factors": {pool.Gt(pool.Mul(x, y), z), nil, smt.Sat},
		"signs":                 {pool.And(pool.Gt(x, one), pool.Lt(y, pool.Int(0))), []*term.Term{pool.Gt(pool.Mul(x, y), pool.Int(0))}, smt.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			opened, err := z3.Open(pool, smt.Config{})
			require.NoError(t, err)
			defer opened.Close()
			solver, err := opened.NewSolver(smt.Params{ArithSolver: 2})
			require.NoError(t, err)
			defer solver.Close()
			expand := newExpander(pool, 64)
			base := expand.expand(c.base)
			p, err := newProducts(pool, expand, base, solver)
			require.NoError(t, err)
			all := []*term.Term{base}
			var formulas []*term.Term
			for _, f := range c.formulas {
				formulas = append(formulas, expand.expand(f))
			}
			all = append(all, formulas...)
			for range 2 { // the second time with what is known of products from the first
				status, model, err := p.check(context.Background(), formulas)
				require.NoError(t, err)
				require.Equal(t, c.want, status)
				if status == smt.Sat {
					values := term.NewEvaluator(pool, term.Complete(pool, model))
					for _, f := range all {
						require.True(t, values.True(f), "%v", f)
					}
				}
			}
		})
	}
}
