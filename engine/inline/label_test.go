package inline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// chain is a chain of calls each of which adds 1 or 2, with a second call whose result does not count, and a query that
// the results never reach.
func chain(depth int) string {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n")
	for i := range depth + 1 {
		fmt.Fprintf(&b, "(declare-fun p%d (Int Int) Bool)\n", i)
	}
	for i := range depth {
		fmt.Fprintf(&b, "(assert (forall ((x Int) (y Int) (u Int) (v Int)) (=> (and (p%d x y) (p%d u v)) (p%d x (+ y 1)))))\n", i+1, i+1, i)
		fmt.Fprintf(&b, "(assert (forall ((x Int) (y Int)) (=> (and (> x 9) (p%d x y)) (p%d x (+ y 2)))))\n", i+1, i)
	}
	fmt.Fprintf(&b, "(assert (forall ((x Int)) (p%d x x)))\n", depth)
	fmt.Fprintf(&b, "(assert (forall ((x Int) (y Int)) (=> (and (p0 x y) (= x 0) (> y %d)) false)))\n(check-sat)\n", depth)
	return b.String()
}

// The labels of long chains, which are found by halves, make a model as those of short ones do; the model is checked. A
// predicate of facts only is labelled with what they say.
func TestLongChainsAreLabelledByHalves(t *testing.T) {
	for _, depth := range []int{3, smallTree - 1, smallTree, smallTree + 1, 2*smallTree + 1} {
		sys := read(t, chain(depth))
		answer, stats := solve(t, Engine(), sys, nil, 30*time.Second)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		require.GreaterOrEqual(t, stats.Get("inline.proof.labels"), int64(depth-1))
		last := answer.Model.Interpretations[sys.Predicates[depth]]
		require.Equal(t, sys.Pool.Eq(last.Params[0], last.Params[1]), last.Body)
	}
}

// The middle of a tree is the call that has as many calls below it as are wanted, or fewer.
func TestTheMiddleOfATree(t *testing.T) {
	at := &call{}
	calls := []*call{}
	for range 9 {
		at = &call{caller: at}
		calls = append([]*call{at}, calls...)
	}
	beside := &call{caller: calls[4]}
	calls = append([]*call{beside}, calls...)
	for wanted, want := range map[int]int{0: 1, 1: 1, 2: 2, 4: 4, 5: 4, 6: 6, 9: 9, 10: 10} {
		c, below := middleOf(calls, wanted)
		require.Equal(t, want, below, wanted)
		if want == 4 {
			require.Same(t, calls[4], c)
		}
	}
}

// diverging is a chain of calls each of which adds any of many numbers, which only the query bounds: the label of a call
// far up the chain takes more cubes than are tried.
func diverging(depth int) string {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n")
	for i := range depth + 1 {
		fmt.Fprintf(&b, "(declare-fun p%d (Int Int Int) Bool)\n", i)
	}
	for i := range depth {
		fmt.Fprintf(&b, "(assert (forall ((w Int) (x Int) (y Int)) (=> (and (<= w 0) (p%d w x y)) (p%d w x y))))\n", i+1, i)
		fmt.Fprintf(&b, "(assert (forall ((w Int) (x Int) (y Int)) (=> (and (= w 1) (p%d w (+ x 1) y)) (p%d w x y))))\n", i+1, i)
		fmt.Fprintf(&b, "(assert (forall ((w Int) (x Int) (y Int)) (=> (and (> w 1) (p%d w (+ x w) y)) (p%d w x y))))\n", i+1, i)
	}
	fmt.Fprintf(&b, "(assert (forall ((w Int) (x Int)) (p%d w x x)))\n", depth)
	fmt.Fprintf(&b, "(assert (forall ((w Int) (y Int)) (=> (and (p0 w 0 y) (= w 1) (> y %d)) false)))\n(check-sat)\n", depth)
	return b.String()
}

// Where a call in the middle has no label that is found quickly, smaller ones are labelled first.
func TestLabelsThatAreHardAreFoundFromSmallerOnes(t *testing.T) {
	sys := read(t, diverging(smallTree+8))
	answer, _ := solve(t, Engine(), sys, nil, 30*time.Second)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
}
