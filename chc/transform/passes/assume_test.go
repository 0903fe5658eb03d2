package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/transform/assume"
)

// A rotation keeps its entries different, which follows from three steps in a row and from no single one.
const rotation = `(declare-rel p (Int Int Int))
	(rule (p 1 2 3))
	(rule (=> (p x y z) (p y z x)))
	(rule (=> (and (p x y z) (= x y)) false))`

// Where a rule goes on from no query is violated; the query itself asks what it asked.
func TestAssumeSafe(t *testing.T) {
	sys := read(t, rotation)
	next, back := run(t, assume.Pass(), sys)
	require.Equal(t, []string{
		"true => (p 1 2 3)", "(p x y z) & (not (= x y)) => (p y z x)", "(p x y z) & (= x y) =>",
	}, lines(next))
	requireSat(t, sys, next, back)
	again, _, err := assume.Pass().Run(t.Context(), env, next)
	require.NoError(t, err)
	require.Same(t, next, again)
}

// Every atom of a body violates no query with one atom, also in a query with several; variables of queries are eliminated.
func TestAssumeSafeOfTrees(t *testing.T) {
	sys := read(t, `(declare-rel p (Int Int)) (declare-rel q (Int))
		(rule (p 0 0)) (rule (=> (p x y) (q (+ x y))))
		(rule (=> (and (p x y) (p y z)) (p (+ x 1) z)))
		(rule (=> (and (p x x) (> x 7)) false))
		(rule (=> (and (p x y) (< y z) (< z (- x))) false))
		(rule (=> (and (p x y) (q y) (> x 1)) false))`)
	next, back := run(t, assume.Pass(), sys)
	require.Equal(t, []string{
		"true => (p 0 0)",
		"(p x y) & (not (or (and (>= x 8) (= x y)) (<= (+ x y) (- 2)))) => (q (+ x y))",
		"(p x y) & (p y z) & (and (not (or (and (>= x 8) (= x y)) (<= (+ x y) (- 2)))) " +
			"(not (or (and (= y z) (>= y 8)) (<= (+ y z) (- 2))))) => (p (+ x 1) z)",
		"(p x x) & (>= x 8) =>",
		"(p x y) & (and (< y z) (<= (+ x z) (- 1))) =>",
		"(p x y) & (q y) & (and (>= x 2) (not (or (and (>= x 8) (= x y)) (<= (+ x y) (- 2))))) =>",
	}, lines(next))
	requireUnsat(t, sys, next, back)
}

// A query with a variable that cannot be eliminated exactly is not assumed.
func TestAssumeSafeNeedsExactness(t *testing.T) {
	sys := read(t, `(declare-rel p (Int))
		(rule (p 0)) (rule (=> (p x) (p (+ x 1))))
		(rule (=> (and (p x) (= x (* y y y)) (> (* x y) 3)) false))`)
	next, _, err := assume.Pass().Run(t.Context(), env, sys)
	require.NoError(t, err)
	require.Same(t, sys, next)
}
