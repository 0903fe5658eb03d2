package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/transform/demand"
	"hornbeam/engine"
)

// reentered is a contract whose call to another one, s, may enter it again and fail with the error e where a number was negative.
const reentered = `
(declare-fun state (Int) Bool)
(declare-fun other (Int Int Int) Bool)
(declare-fun s (Int Int Int) Bool)
(assert (state 0))
(assert (forall ((x Int) (y Int)) (=> (and (state x) (s 0 x y)) (state y))))
(assert (forall ((x Int)) (other 0 x x)))
(assert (forall ((x Int) (y Int) (z Int) (e Int)) (=> (and (other 0 x y) (s e y z)) (other e x z))))
(assert (forall ((x Int) (y Int) (z Int) (e Int)) (=> (and (< x 3) (= y (+ x 1)) (other e y z)) (s e x z))))
(assert (forall ((x Int)) (=> (< x 0) (s 1 x x))))
`

// What a call is asked for is what its callers know: its number and the error that they look for, and not the result.
func TestDemandAsksForInputs(t *testing.T) {
	sys := readSystem(t, reentered+`(assert (forall ((x Int) (y Int)) (=> (and (state x) (s 1 x y)) false)))`)
	next, back := run(t, demand.Pass(), sys)
	require.Equal(t, sys.Predicates, next.Predicates[:3])
	var asked []string
	for _, p := range next.Predicates[3:] {
		asked = append(asked, p.Name)
		require.Equal(t, 2, p.Arity(), p.Name)
	}
	require.Equal(t, []string{"other/asked", "s/asked"}, asked)
	for _, c := range next.Clauses {
		if c.Head != nil && (c.Head.Pred.Name == "other" || c.Head.Pred.Name == "s") {
			require.Equal(t, c.Head.Pred.Name+"/asked", c.Body[len(c.Body)-1].Pred.Name, "only what is asked for is derived")
		}
	}
	requireSat(t, sys, next, back)
}

// The questions are no steps of a refutation that comes back.
func TestDemandLeavesQuestionsOut(t *testing.T) {
	sys := readSystem(t, reentered+`(assert (forall ((x Int) (y Int)) (=> (and (state x) (s 0 x y) (> y 2)) false)))`)
	next, back := run(t, demand.Pass(), sys)
	ref := requireUnsat(t, sys, next, back)
	for _, s := range ref.Steps {
		require.Contains(t, sys.Clauses, s.Clause)
	}
}

// A premise whose arguments nothing determines before is no call.
func TestDemandIsForCalls(t *testing.T) {
	for name, query := range map[string]string{
		"one premise":     `(assert (forall ((x Int) (y Int)) (=> (and (s 1 x y) (> x 0)) false)))`,
		"no common value": `(assert (forall ((x Int) (y Int) (z Int)) (=> (and (state z) (s 1 x y) (> x 0)) false)))`,
	} {
		sys := readSystem(t, `(declare-fun state (Int) Bool)(declare-fun s (Int Int Int) Bool)
			(assert (forall ((x Int)) (s 0 x x)))(assert (state 1))
			(assert (forall ((x Int) (y Int) (e Int)) (=> (s e x y) (s 1 x (+ y e)))))`+query)
		next, _, err := demand.Pass().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Same(t, sys, next, name)
	}
}

// A place inside a procedure, whose only use has no other premise, passes the procedure's inputs on to the calls before it.
func TestDemandPassesThroughPlaces(t *testing.T) {
	sys := readSystem(t, reentered+`(declare-fun place (Int Int) Bool)
		(assert (forall ((x Int) (y Int)) (=> (other 0 x y) (place x y))))
		(assert (forall ((x Int) (y Int)) (=> (and (place x y) (< y 0)) (other 2 x y))))
		(assert (forall ((x Int) (y Int)) (=> (and (state x) (s 1 x y)) false)))`)
	next, back := run(t, demand.Pass(), sys)
	require.Equal(t, map[string]int{"other/asked": 2, "s/asked": 2, "place/asked": 1}, asked(next, sys))
	requireSat(t, sys, next, back)
}

// What a caller chooses and returns is no result of the call.
func TestDemandOfWhatIsChosen(t *testing.T) {
	sys := readSystem(t, reentered+`
		(assert (forall ((x Int) (y Int) (z Int) (v Int)) (=> (and (<= 0 v) (= y (+ x v)) (other 0 y z)) (s 0 x (+ z v)))))
		(assert (forall ((x Int) (y Int)) (=> (and (state x) (s 1 x y)) false)))`)
	next, _ := run(t, demand.Pass(), sys)
	require.Equal(t, map[string]int{"other/asked": 2, "s/asked": 2}, asked(next, sys))
	require.Equal(t, engine.Sat, decide(t, sys, "demand").Verdict)
}

// asked returns how many inputs are asked for, by the predicates' names.
func asked(next, sys *chc.System) map[string]int {
	arities := map[string]int{}
	for _, p := range next.Predicates[len(sys.Predicates):] {
		arities[p.Name] = p.Arity()
	}
	return arities
}
