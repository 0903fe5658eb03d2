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
	pr := explored(t, reverses)
	defer pr.Close()
	require.True(t, rules(pr.explorer))
}

// explored returns the prover of a system whose goals are proved with equations, and not without.
func explored(t *testing.T, src string) *Prover {
	pr := recognise(t, read(t, src))
	pr.options.QueryTime = 4 * time.Second
	ok, err := pr.Prove(context.Background())
	require.NoError(t, err)
	require.False(t, ok, "needs equations")
	ok, err = pr.Explore(context.Background())
	require.NoError(t, err)
	require.True(t, ok)
	return pr
}

// TestExploreGoesOn interrupts an exploration again and again: the equations that were tried stay tried.
func TestExploreGoesOn(t *testing.T) {
	pr := recognise(t, read(t, reverses))
	pr.options.QueryTime = 4 * time.Second
	defer pr.Close()
	symbols, tried, interrupted := 0, 0, 0
	for after := 1; ; after++ {
		ok, err := pr.Explore(&endsLater{Context: context.Background(), looks: 40 * after})
		require.GreaterOrEqual(t, pr.explorer.symbols, symbols)
		require.GreaterOrEqual(t, pr.explorer.tried, tried)
		symbols, tried = pr.explorer.symbols, pr.explorer.tried
		if err == nil {
			require.True(t, ok)
			break
		}
		interrupted++
	}
	require.Greater(t, interrupted, 1)
	require.Positive(t, tried)
}

// endsLater is a context that is done when its error has been asked for so many times.
type endsLater struct {
	context.Context
	looks int
}

func (c *endsLater) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// Lists of which neither the functions nor the results say what is asked.
const (
	// injective needs that a list is not as long as one with more in front of it.
	injective = `
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun append (L L L) Bool)
(assert (forall ((y L)) (append nil y y)))
(assert (forall ((x L) (y L) (z L) (c Int)) (=> (append x y z) (append (cons c x) y (cons c z)))))
(assert (forall ((x L) (y L) (z L) (w L)) (=> (and (append x z w) (append y z w) (not (= x y))) false)))
`
	// skips needs that to skip two numbers of elements is to skip their sum, which is true where they are not negative.
	skips = `
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun skip (Int L L) Bool)
(assert (forall ((l L)) (skip 0 l l)))
(assert (forall ((n Int)) (skip n nil nil)))
(assert (forall ((n Int) (x Int) (l L) (m L)) (=> (and (skip n l m) (>= n 0)) (skip (+ n 1) (cons x l) m))))
(assert (forall ((m Int) (n Int) (x L) (y L) (z L) (u L) (v L))
  (=> (and (skip m x y) (skip n y z) (skip n x u) (skip m u v) (>= m 0) (>= n 0) (not (= z v))) false)))
`
)

// TestExploreNumbers proves goals that need sizes, and sums of numbers that count under the condition that they are not negative.
func TestExploreNumbers(t *testing.T) {
	for name, src := range map[string]string{"injective": injective, "skips": skips} {
		t.Run(name, func(t *testing.T) {
			explored(t, src).Close()
		})
	}
}

// TestCounting finds the arguments that count: the number of elements that are skipped, and not the elements.
func TestCounting(t *testing.T) {
	pr := recognise(t, read(t, skips))
	defer pr.Close()
	counts := findCounting(pr.sys.Pool, pr.model.Definitions, pr.compared)
	require.Len(t, counts, 1, "what is compared with 0, or handed on less by one")
	for at := range counts {
		require.Equal(t, term.Int, at.fn.Domain[at.arg])
	}
}
