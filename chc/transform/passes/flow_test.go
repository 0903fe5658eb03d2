package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/prune"
)

// What only guards steps is forgotten; what queries read, compare, or get values from stays.
func TestFlowKeepsWhatFlowsIntoQueries(t *testing.T) {
	const start = `(declare-fun p (Int Int Int) Bool)(assert (forall ((y Int) (z Int)) (p 0 y z)))`
	for name, test := range map[string]struct {
		clauses string
		// arity is that of the predicate then.
		arity int
	}{
		"guards": {`(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (> y z)) (p (+ x 1) (- y 1) z))))
			(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< x 0)) false)))`, 1},
		"a value": {`(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (> y z)) (p (+ x y) (- y 1) z))))
			(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< x 0)) false)))`, 2},
		"a value by an equation": {`(assert (forall ((x Int) (y Int) (z Int) (u Int)) (=> (and (p x y z) (or (= u (+ y 1)) (= u x))) (p u y z))))
			(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< x 0)) false)))`, 2},
		"a constant of the query": {`(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (> y z)) (p (+ x 1) (- y 1) z))))
			(assert (forall ((x Int) (y Int)) (=> (and (p x y 7) (< x 0)) false)))`, 2},
	} {
		sys := readSystem(t, start+test.clauses)
		next, _, err := prune.Flow(func() []transform.Pass { return nil }).Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Equal(t, test.arity, next.Predicates[0].Arity(), name)
		require.Equal(t, chc.Over, next.Approximation, name)
	}
}
