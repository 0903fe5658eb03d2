package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/engine"
)

// summing is a loop that adds up the first n elements of an array in the order of the step, and what is done to the array between the
// two times that it runs.
func summing(change, violation string) string {
	return `(set-logic HORN)
		(declare-fun one ((Array Int Int) Int Int Int) Bool) (declare-fun two ((Array Int Int) Int Int Int Int) Bool)
		(assert (forall ((a (Array Int Int)) (n Int)) (=> (>= n 2) (one a n 0 0))))
		(assert (forall ((a (Array Int Int)) (n Int) (i Int) (s Int)) (=> (and (one a n i s) (< i n)) (one a n (+ i 1) (+ s (select a i))))))
		(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int) (i Int) (s Int))
			(=> (and (one a n i s) (>= i n) (= b ` + change + `)) (two b n (- n 1) s 0))))
		(assert (forall ((a (Array Int Int)) (n Int) (i Int) (s Int) (t Int))
			(=> (and (two a n i s t) (>= i 0)) (two a n (- i 1) s (+ t (select a i))))))
		(assert (forall ((a (Array Int Int)) (n Int) (i Int) (s Int) (t Int)) (=> (and (two a n i s t) (< i 0) ` + violation + `) false)))`
}

// Sums of elements before indices prove what loops add up, in both directions, and find no proof where there is none.
func TestFoldsProveSums(t *testing.T) {
	const swap = "(store (store a 0 (select a 1)) 1 (select a 0))"
	for name, test := range map[string]struct {
		change, violation string
		verdict           engine.Verdict
	}{
		"same":      {"a", "(not (= s t))", engine.Sat},
		"swapped":   {swap, "(not (= s t))", engine.Sat},
		"increased": {"(store a 1 (+ (select a 1) 5))", "(not (= (+ s 5) t))", engine.Sat},
		"lost":      {"(store a 0 (select a 1))", "(not (= s t))", engine.Unsat},
		"outside":   {"(store a n 3)", "(= s t)", engine.Unsat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passes := "default,unwrap,folds,forget-arrays"
			if test.verdict == engine.Unsat {
				passes = "default,unwrap,folds"
			}
			a := decide(t, readSystem(t, summing(test.change, test.violation)), passes)
			require.False(t, a.Internal, a.Reason)
			require.Equal(t, test.verdict, a.Verdict, a.Reason)
		})
	}
}

// Whatever is answered with sums before indices, and numbers for remainders, holds of the arrays.
func TestFoldsAnswerRightly(t *testing.T) {
	verdicts := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		d := &arrayClauses{T: t, pool: pool, array: pool.Array(term.Int, term.Int), step: 1}
		sys := d.system()
		a := decide(t, sys, rapid.SampledFrom([]string{"folds", "default,unwrap,folds"}).Draw(t, "pass"))
		verdicts[a.Verdict]++
		requireRight(t, sys, a)
	})
	require.Positive(t, verdicts[engine.Sat])
	require.Positive(t, verdicts[engine.Unsat])
}

// A remainder that is handed on, added to or divided is as good as the number.
func TestUnwrapKeepsVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		first, next, violation string
		verdict                engine.Verdict
	}{
		"handed on":       {"(- (mod (+ x 128) 256) 128)", "r", "(not (= (mod (- r x) 256) 0))", engine.Sat},
		"added to":        {"(mod x 256)", "(mod (+ r y 3) 256)", "(> r 255)", engine.Sat},
		"of two kinds":    {"(mod x 256)", "(mod (+ r 1) 255)", "(> r 255)", engine.Sat},
		"begins outside":  {"300", "(mod (+ r 1) 256)", "(> r 299)", engine.Unsat},
		"quotient":        {"(div x 10)", "r", "(not (= r (div x 10)))", engine.Sat},
		"reached":         {"(mod x 256)", "(mod (+ r y) 256)", "(= r 17)", engine.Unsat},
		"of another body": {"(div x 10)", "r", "(> (* r 10) (- x 9))", engine.Unsat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := decide(t, readSystem(t, `(set-logic HORN)
				(declare-fun p (Int Int Int) Bool)
				(assert (forall ((x Int) (r Int)) (=> (= r `+test.first+`) (p x r 0))))
				(assert (forall ((x Int) (r Int) (i Int) (y Int)) (=> (and (p x r i) (< i 4)) (p x `+test.next+` (+ i 1)))))
				(assert (forall ((x Int) (r Int) (i Int)) (=> (and (p x r i) `+test.violation+`) false)))`), "unwrap")
			require.False(t, a.Internal, a.Reason)
			if test.verdict == engine.Unsat || a.Verdict != engine.Unknown {
				require.Equal(t, test.verdict, a.Verdict, a.Reason)
			}
		})
	}
}
