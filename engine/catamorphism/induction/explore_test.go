package induction

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// reverses needs that the reverse of two lists together is their reverses the other way round, and that a relation that is defined
// as equality is reflexive.
const reverses = `
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun append (L L L) Bool)
(declare-fun rev (L L) Bool)
(declare-fun same (L L Bool) Bool)
(assert (forall ((y L)) (append nil y y)))
(assert (forall ((x L) (y L) (z L) (c Int)) (=> (append x y z) (append (cons c x) y (cons c z)))))
(assert (rev nil nil))
(assert (forall ((x L) (y L) (z L) (c Int)) (=> (and (rev x y) (append y (cons c nil) z)) (rev (cons c x) z))))
(assert (same nil nil true))
(assert (forall ((x L) (c Int)) (same nil (cons c x) false)))
(assert (forall ((x L) (c Int)) (same (cons c x) nil false)))
(assert (forall ((x L) (y L) (c Int) (d Int)) (=> (not (= c d)) (same (cons c x) (cons d y) false))))
(assert (forall ((x L) (y L) (c Int) (v Bool)) (=> (same x y v) (same (cons c x) (cons c y) v))))
(assert (forall ((x L) (y L) (z L) (u L) (v L) (w L) (q L))
  (=> (and (append x y z) (rev z w) (rev x u) (rev y v) (append v u q) (same q w false)) false)))
`

// rules reports whether no larger side of an equation is an instance of that of an earlier one.
func rules(e *explorer) bool {
	for i, r := range e.rules {
		for k, s := range e.rules {
			if i < k && instanceOf(r, s, map[*term.Term]*term.Term{}) {
				return false
			}
		}
	}
	return true
}

// TestExplore proves the goal with equations, of which none is one that follows from computing alone or from earlier ones.
func TestExplore(t *testing.T) {
	pr := recognise(t, read(t, reverses))
	pr.options.QueryTime = 400 * time.Millisecond
	defer pr.Close()
	ok, err := pr.Prove(context.Background())
	require.NoError(t, err)
	require.False(t, ok, "needs equations")
	ok, err = pr.Explore(context.Background())
	require.NoError(t, err)
	require.True(t, ok)
	require.True(t, rules(pr.explorer))
}

// TestExploreGoesOn interrupts an exploration again and again: the equations that were tried stay tried.
func TestExploreGoesOn(t *testing.T) {
	pr := recognise(t, read(t, reverses))
	pr.options.QueryTime = 400 * time.Millisecond
	defer pr.Close()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := pr.Explore(ended)
	require.Error(t, err)
	before := len(pr.explorer.pending)
	require.Positive(t, before)
	_, err = pr.Explore(ended)
	require.Error(t, err)
	require.LessOrEqual(t, len(pr.explorer.pending), before)
	require.Equal(t, 1, pr.explorer.symbols)
	ok, err := pr.Explore(context.Background())
	require.NoError(t, err)
	require.True(t, ok)
}
