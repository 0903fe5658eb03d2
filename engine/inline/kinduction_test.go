package inline

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/engine"
)

// rotation is a loop over numbers that are turned round, of which no two neighbours are equal at first. That this stays so is
// inductive from so many steps on as there are numbers.
func rotation(numbers int) string {
	vars, sorts, args, first := "", "", "", ""
	for i := range numbers {
		vars += fmt.Sprintf("(x%d Int) ", i)
		sorts += "Int "
		args += fmt.Sprintf("x%d ", i)
		first += fmt.Sprintf("%d ", i)
	}
	return fmt.Sprintf(`(declare-fun p (%s) Bool) (assert (p %s))
		(assert (forall (%s) (=> (p %s) (p %s x0))))
		(assert (forall (%s) (=> (and (p %s) (= x0 x1)) false)))`, sorts, first, vars, args, args[3:], vars, args)
}

// k-induction proves what is inductive from k steps on, and no sooner; its model is one of the clauses as they are. Forwards k is the
// number of steps after which the fact comes again. Inlining alone has no end.
func TestKInduction(t *testing.T) {
	for numbers := 3; numbers <= 5; numbers++ {
		sys := read(t, rotation(numbers))
		for _, direction := range []string{"backward", "forward"} {
			options := map[string]string{"inline.direction": direction, "kinduction.direction": direction, "inline.bound": "9"}
			answer, stats := solve(t, KInduction(), sys, options, patience)
			require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
			require.EqualValues(t, numbers, stats.Get("level"), direction)
			answer, _ = solve(t, BMC(), sys, options, patience)
			require.Equal(t, engine.Unknown, answer.Verdict)
		}
	}
}

// Refutations are those of the clauses as they were given: with what is assumed in bodies, one is found at its depth.
func TestKInductionRefutes(t *testing.T) {
	sys := read(t, `(declare-fun p (Int Int) Bool) (assert (p 0 0))
		(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y x)))))
		(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 20)) false)))`)
	for _, direction := range []string{"backward", "forward", "both"} {
		answer, stats := solve(t, KInduction(), sys, map[string]string{"kinduction.direction": direction}, patience)
		require.Equal(t, engine.Unsat, answer.Verdict)
		require.Len(t, answer.Refutation.Steps, 9)
		require.EqualValues(t, 8, stats.Get("level"), direction)
	}
}

// givesUp finds no counterpart of a witness.
type givesUp struct{ transform.Translator }

func (givesUp) Refutation(context.Context, *witness.Refutation) (*witness.Refutation, error) {
	return nil, fmt.Errorf("%w: a value is not determined", transform.ErrGaveUp)
}

// A refutation of clauses that assume that queries hold may have no counterpart that can be found, which is no fault.
func TestRefutationsThatAreNotCarriedBack(t *testing.T) {
	h := &hunter{assumed: givesUp{}}
	_, err := h.carryBack(t.Context(), &witness.Refutation{})
	answer, err := engine.Ended(t.Context(), "kinduction", engine.Answer{}, err)
	require.NoError(t, err)
	require.Equal(t, engine.Unknown, answer.Verdict)
	require.Contains(t, answer.Reason, "a value is not determined")
}
