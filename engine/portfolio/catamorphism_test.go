package portfolio

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
)

const lengths = `
(declare-datatypes ((Pair 0)) (((pair (left Int) (right Int)))))
(declare-datatypes ((List 0)) (((nil) (cons (head Pair) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun length (List Int) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((a Pair) (x List) (y List) (z List)) (=> (append x y z) (append (cons a x) y (cons a z)))))
(assert (length nil 0))
(assert (forall ((a Pair) (x List) (n Int)) (=> (length x n) (length (cons a x) (+ n 1)))))
(assert (forall ((x List) (y List) (z List) (n Int) (m Int) (k Int))
  (=> (and (append x y z) (length x n) (length y m) (length z k) (not (= (* 2 k) (* 2 (+ n m GOAL))))) false)))`

// The engine for recursive datatypes decides lists both ways, by folds alone and with inductions, and its witnesses pass
// their checks on the clauses as they were read.
func TestCatamorphismDecidesLists(t *testing.T) {
	for _, induction := range []string{"true", "false"} {
		for goal, want := range map[string]engine.Verdict{"0": engine.Sat, "1": engine.Unsat} {
			script, err := smtlib.Read("lists.smt2", []byte(strings.ReplaceAll(lengths, "GOAL", goal)), term.NewPool())
			require.NoError(t, err)
			req := request(script.System)
			req.Engine = "catamorphism"
			req.Options = map[string]string{"catamorphism.induction": induction}
			a := Solve(context.Background(), req)
			require.Equal(t, want, a.Verdict, a.Reason)
			if want == engine.Sat {
				require.NotEmpty(t, a.Model.Definitions)
			}
		}
	}
}
