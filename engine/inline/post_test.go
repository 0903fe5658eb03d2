package inline

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/engine"
)

// sorting is bubble sort of the first n elements of any array, of which the last is the largest then. The border of the part that is
// compared ends at the given one.
func sorting(n, border int) string {
	return fmt.Sprintf(`(set-logic HORN)(declare-fun sort ((Array Int Int) Int Int) Bool)(declare-fun check ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (sort a %[1]d 0)))
(assert (forall ((a (Array Int Int)) (n Int) (j Int)) (=> (and (sort a n j) (< j n) (<= (select a j) (select a (+ j 1)))) (sort a n (+ j 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (j Int)) (=> (and (sort a n j) (< j n) (> (select a j) (select a (+ j 1))))
  (sort (store (store a j (select a (+ j 1))) (+ j 1) (select a j)) n (+ j 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (j Int)) (=> (and (sort a n j) (>= j n) (> n %[2]d)) (sort a (- n 1) 0))))
(assert (forall ((a (Array Int Int)) (n Int) (j Int)) (=> (and (sort a n j) (>= j n) (<= n %[2]d)) (check a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (check a i) (< i %[1]d)) (check a (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (check a i) (< i %[1]d) (> (select a i) (select a (+ i 1)))) false)))`, n-1, border)
}

// unrolled writes loops out from their beginning, as far as their bounds are known.
var unrolled = map[string]string{"inline.direction": "forward", "inline.constants": "true"}

// What is known, and compares, at each call of an unrolling makes a model without any interpolant; a bug is found all the same.
func TestUnrollingsAreLabelledByWhatHolds(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), BMC()} {
		answer, stats := solve(t, e, read(t, sorting(4, 1)), unrolled, patience)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		require.Positive(t, stats.Get("inline.proof.post"))
		require.Equal(t, stats.Get("inline.proof.labels"), stats.Get("inline.proof.post"))
		answer, _ = solve(t, e, read(t, sorting(4, 2)), unrolled, patience)
		require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	}
}

// Where what is known is not enough, there are interpolants: here the sum of two numbers counts.
func TestUnrollingsThatNeedMore(t *testing.T) {
	answer, stats := solve(t, BMC(), read(t, `(set-logic HORN)(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (= (+ x y) 9) (p 0 x y))))
(assert (forall ((i Int) (x Int) (y Int)) (=> (and (p i x y) (< i 3)) (p (+ i 1) (+ x 1) (- y 1)))))
(assert (forall ((i Int) (x Int) (y Int)) (=> (and (p i x y) (= i 3) (not (= (+ x y) 9))) false)))`), unrolled, patience)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.Zero(t, stats.Get("inline.proof.post"))
	require.Positive(t, stats.Get("inline.proof.labels"))
}

// Comparisons that follow from others are left out, and the others still say them.
func TestReducedComparisons(t *testing.T) {
	p := term.NewPool()
	v := []*term.Term{p.Var("a", term.Int), p.Var("b", term.Int), p.Var("c", term.Int)}
	le := func(i, j int) fact { return fact{p.Le(v[i], v[j]), v[i], v[j], false} }
	lt := func(i, j int) fact { return fact{p.Lt(v[i], v[j]), v[i], v[j], true} }
	for _, test := range []struct{ given, want []fact }{
		{[]fact{le(0, 2), le(0, 1), le(1, 2)}, []fact{le(0, 1), le(1, 2)}},
		{[]fact{lt(0, 2), le(0, 1), le(1, 2)}, []fact{lt(0, 2), le(0, 1), le(1, 2)}},
		{[]fact{lt(0, 2), lt(0, 1), le(1, 2)}, []fact{lt(0, 1), le(1, 2)}},
		{[]fact{le(0, 1), lt(0, 1)}, []fact{lt(0, 1)}},
		// Each of a cycle follows from two others, and not all can go.
		{[]fact{le(0, 1), le(1, 0), le(1, 2), le(2, 1), le(0, 2), le(2, 0)}, []fact{le(1, 2), le(2, 1), le(0, 2), le(2, 0)}},
	} {
		require.Equal(t, terms(test.want), terms(reduced(append([]fact(nil), test.given...))))
	}
}
