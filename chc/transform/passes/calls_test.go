package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/chc/transform/calls"
)

// loopInLoop is a loop of a caller that calls a procedure with a loop: p relates what it was called with and what there is now.
const loopInLoop = `
(declare-rel r (Int Int))
(declare-rel p (Int Int))
(rule (r 0 7))
(rule (p x x))
(rule (=> (and (p x y) (< y 3)) (p x (+ y 1))))
(rule (=> (and (r x u) (p x y) (< x 3)) (r (+ y 1) u)))
`

// The loop of the procedure is entered from that of the caller, with the argument that the caller needs afterwards. The model that
// comes back tells p for all calls, and a refutation has both premises again.
func TestCallsOfALoopInALoop(t *testing.T) {
	sys := read(t, loopInLoop+"(query (and (r x u) (> x 9)))")
	next, back := run(t, calls.Pass(), sys)
	for _, c := range next.Clauses {
		require.LessOrEqual(t, len(c.Body), 1)
	}
	require.Equal(t, []*term.Sort{term.Int, term.Int, term.Int}, next.Predicates[len(next.Predicates)-1].Sorts)
	requireSat(t, sys, next, back)

	sys = read(t, loopInLoop+"(query (and (r x u) (= x 4) (= u 7)))")
	next, back = run(t, calls.Pass(), sys)
	ref := requireUnsat(t, sys, next, back)
	two := 0
	for _, s := range ref.Steps {
		if len(s.Premises) == 2 {
			two++
		}
	}
	require.Positive(t, two)
}

// Uses with the same atoms before share a copy, others get one of their own; what follows from the results stays a premise.
func TestCallsFromSeveralPlaces(t *testing.T) {
	sys := read(t, loopInLoop+`
(declare-rel q (Int))
(rule (q 4))
(query (and (r x u) (p x y) (> y 9)))
(query (and (q z) (p z y) (< y 4)))
(query (and (r x u) (p x y) (q y) (> u 7)))`)
	next, back := run(t, calls.Pass(), sys)
	require.Len(t, next.Predicates, 4, "%v", lines(next))
	requireSat(t, sys, next, back)
}

// A premise that determines nothing with which a loop was entered is no call, nor is one that gets its value from the loop.
func TestCallsAreNoOtherJoins(t *testing.T) {
	for _, query := range []string{"(query (and (r x u) (p z y) (< y u)))", "(query (and (p x y) (r y u) (> y u)))", "(query (and (p x y) (> x y)))"} {
		sys := read(t, `
(declare-rel r (Int Int))
(declare-rel p (Int Int))
(rule (r 0 7))
(rule (=> (and (r x u) (< x 3)) (r (+ x 1) u)))
(rule (p x x))
(rule (=> (and (p x y) (< y 3)) (p x (+ y 1))))`+query)
		next, _, err := calls.Pass().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Same(t, sys, next, query)
	}
}

// A further premise gets its argument from the first one, as a procedure gets it from its caller.
func TestCallsCarryWitnessesBack(t *testing.T) {
	carriesHandedOn(t, calls.Pass(), func(t *rapid.T, first *term.Term) *term.Term {
		return rapid.SampledFrom([]*term.Term{first, first.Pool().Not(first)}).Draw(t, "input")
	})
}
