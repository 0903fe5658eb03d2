package portfolio_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

const openDeclarations = `(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun P (Int) Bool) (declare-fun Q (L) Bool) (declare-fun R (Real) Bool) (declare-fun S (Int Int) Bool)
(assert (forall ((v Int)) (P v))) (assert (forall ((l L)) (Q l))) (assert (forall ((v Real)) (R v)))
`

// Where SMT-LIB leaves open what an operation yields, unsat needs values for which it does not, or holds for every
// choice; sat holds for every choice too. Nothing is an internal error, whatever the engine and passes.
func TestOpenOperations(t *testing.T) {
	for name, c := range map[string]struct {
		clauses string
		want    engine.Verdict // of the portfolio; Unknown where the verdict depends on the choice, or no witness is known
	}{
		"div":                   {"(assert (forall ((y Int)) (=> (P (div 1 y)) false)))", engine.Unsat},
		"mod":                   {"(assert (forall ((y Int)) (=> (P (mod 1 y)) false)))", engine.Unsat},
		"real":                  {"(assert (forall ((y Real)) (=> (R (/ 1.0 y)) false)))", engine.Unsat},
		"abs":                   {"(assert (=> (P (abs (div 2 0))) false))", engine.Unsat},
		"real by zero":          {"(assert (=> (R (/ 2.0 0.0)) false))", engine.Unsat},
		"head":                  {"(assert (forall ((l L)) (=> (P (hd l)) false)))", engine.Unsat},
		"head of nil":           {"(assert (=> (P (hd nil)) false))", engine.Unsat},
		"tail of nil":           {"(assert (=> (Q (tl (tl nil))) false))", engine.Unsat},
		"values that do":        {"(assert (S 0 5)) (assert (forall ((v Int) (w Int)) (=> (S v w) (S (+ v 1) w)))) (assert (forall ((v Int) (w Int)) (=> (and (S v w) (= (div 10 v) 2)) false)))", engine.Unsat},
		"same everywhere":       {"(assert (S 0 (div 10 0))) (assert (forall ((v Int) (w Int)) (=> (and (S v w) (= w (div 10 v))) false)))", engine.Unsat},
		"one choice refutes":    {"(assert (S 0 5)) (assert (forall ((v Int) (w Int)) (=> (and (S v w) (= (div 10 v) 2)) false)))", engine.Unknown},
		"no choice refutes":     {"(assert (S 0 5)) (assert (forall ((v Int) (w Int)) (=> (and (S v w) (= v 0) (= w 4) (= (div 10 v) 2)) false)))", engine.Sat},
		"sat by being the same": {"(assert (forall ((v Int)) (S v (div 10 v)))) (assert (forall ((v Int) (w Int)) (=> (and (S v w) (distinct w (div 10 v))) false)))", engine.Sat},
		"different arguments":   {"(assert (S 0 (div 10 0))) (assert (forall ((v Int) (w Int)) (=> (and (S v w) (= w (div 11 v))) false)))", engine.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			for _, asked := range []struct {
				engine string
				passes []string
			}{{}, {"spacer", []string{"free-arguments"}}, {"spacer", []string{"default", "-divisions", "-selectors"}},
				{"bmc", nil}, {"kinduction", nil}, {"inline", []string{}}, {"spacer", []string{"determined"}}} {
				script, err := smtlib.Read("open", []byte(openDeclarations+c.clauses), term.NewPool())
				require.NoError(t, err)
				ctx, open, cancel := smttest.Budget(t.Context(), z3.Open, 300)
				answer := portfolio.Solve(ctx, portfolio.Request{
					System: script.System, Open: open, CheckOpen: z3.Open, Check: true, Engine: asked.engine, Passes: asked.passes, Stats: engine.NewStats(),
				})
				cancel()
				require.False(t, answer.Internal, "%v: %s", asked, answer.Reason)
				if answer.Verdict == engine.Unsat {
					require.NoError(t, witness.CheckRefutation(context.Background(), script.System, answer.Refutation))
				}
				if asked.engine == "" && asked.passes == nil || answer.Verdict != engine.Unknown {
					require.Equal(t, c.want, answer.Verdict, "%v: %s", asked, answer.Reason)
				}
			}
		})
	}
}
