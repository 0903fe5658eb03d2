package inline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
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
	fmt.Fprintf(&b, "(assert (forall ((x Int)) (p%d x x)))\n(assert (forall ((x Int)) (p%d x (- x 5))))\n", depth, depth)
	fmt.Fprintf(&b, "(assert (forall ((x Int) (y Int)) (=> (and (p0 x y) (= x 0) (> y %d)) false)))\n(check-sat)\n", depth)
	return b.String()
}

// The labels of long chains, which are found by halves, make a model as those of short ones do; the model is checked. A
// predicate of facts only is labelled with what they say.
func TestLongChainsAreLabelledByHalves(t *testing.T) {
	for _, depth := range []int{3, smallTree, smallTree + 2, 50} {
		sys := read(t, chain(depth))
		answer, stats := solve(t, Engine(), sys, nil, patience)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		require.GreaterOrEqual(t, stats.Get("inline.proof.labels"), int64(depth-1))
		last := answer.Model.Interpretations[sys.Predicates[depth]]
		for y, want := range map[int64]bool{0: true, -5: true, -1: false, -6: false, 1: false} {
			require.Equal(t, sys.Pool.Bool(want), last.Apply(sys.Pool, []*term.Term{sys.Pool.Int(0), sys.Pool.Int(y)}))
		}
	}
}

// Facts that say what they say through a variable of their own are no label as they are.
func TestFactsWithVariablesOfTheirOwn(t *testing.T) {
	answer, _ := solve(t, Engine(), read(t, `(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
		(assert (forall ((x Int) (u Int)) (=> (and (= x (* 2 u)) (>= u 1)) (p x))))
		(assert (forall ((x Int)) (=> (p x) (q x))))
		(assert (forall ((x Int)) (=> (and (q x) (< x 1)) false)))`), nil, patience)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
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

// Where a call in the middle has no label that is quickly found, smaller ones are labelled first: with none that are
// found quickly, all are labelled callees before callers, by the one that tries longer. What is known of a call that has no
// label follows the labels below it.
func TestLabelsThatAreHardAreFoundFromSmallerOnes(t *testing.T) {
	o, err := newOptions(engine.Settings{})
	require.NoError(t, err)
	sys := read(t, chain(12))
	h, err := newHunter(sys, sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	defer h.close()
	for n := h.root; len(n.sites) > 0; n = n.sites[0].child {
		h.inline(n.sites[0])
	}
	p := &proof{hunter: h}
	require.NoError(t, p.shrink(t.Context()))
	quick, err := itp.New(h.pool, z3.Open, itp.Options{Time: time.Nanosecond})
	require.NoError(t, err)
	defer quick.Close()
	thorough, err := itp.New(h.pool, z3.Open, itp.Options{})
	require.NoError(t, err)
	defer thorough.Close()
	calls := p.top.unlabelled(nil)
	size := len(calls)
	require.Greater(t, size, 10)
	before := p.known(calls[1])
	require.NoError(t, p.labelCall(t.Context(), thorough, p.top, calls[0]))
	require.NotEqual(t, before, p.known(calls[1]))
	halves := halving{proof: p, quick: quick, thorough: thorough, most: size}
	require.NoError(t, halves.label(t.Context(), p.top))
	require.Equal(t, 1, halves.most)
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, h.sys, p.model(), smt.Limit{}))
}
