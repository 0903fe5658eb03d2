package spacer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// pushed are the clauses of a stack of linked elements, of which (k, v, n) is any: its address, value and successor. It is built from
// address 100 on with values that are not negative, and walked from its top.
const pushed = `
(declare-fun build (Int Int Int Int Int) Bool)
(declare-fun walk (Int Int Int Int Int) Bool)
(assert (forall ((k Int) (v Int) (n Int)) (build 100 0 k v n)))
(assert (forall ((top Int) (h Int) (k Int) (v Int) (n Int) (x Int)) (=> (and (build top h k v n) (>= x 0))
	(build (+ top 1) top k (ite (= k top) x v) (ite (= k top) h n)))))
(assert (forall ((top Int) (h Int) (k Int) (v Int) (n Int)) (=> (build top h k v n) (walk top h k v n))))
(assert (forall ((top Int) (p Int) (k Int) (v Int) (n Int) (w Int) (m Int)) (=> (and (walk top p k v n) (walk top p p w m) (<= 100 p) (< p top))
	(walk top m k v n))))
(assert (forall ((top Int) (p Int) (v Int) (n Int)) (=> (and (walk top p p v n) (<= 100 p) (< p top) (< v 0)) false)))`

// What the query says of the element behind a pointer is said of every element: with any pointer in the lemmas, each is about those
// that were built so far.
func TestWhatHoldsOfOneElementIsSaidOfAll(t *testing.T) {
	answer, stats := decide(t, Engine(), read(t, pushed), nil, amply)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.Positive(t, stats.Get("carried"))
	require.LessOrEqual(t, stats.Get("level"), int64(3))
}

func TestCarried(t *testing.T) {
	pr := newTestProver(t, pushed)
	build, walk := pr.preds[0], pr.preds[1]
	require.Equal(t, []bool{false, false, true, false, false}, carriedOf(build))
	require.Equal(t, []bool{true, false, true, true, true}, carriedOf(walk))
}

func carriedOf(p *predicate) (out []bool) {
	for _, x := range p.Params {
		out = append(out, p.carried()[x])
	}
	return out
}
