package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

// Whatever the abstraction to elements at tracked indices ends with holds of the arrays: its models and refutations pass the check on
// the clauses with arrays, and where there is a model no refutation is found by trying.
func TestTrackedElementsAnswerRightly(t *testing.T) {
	verdicts := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		d := &arrayClauses{T: t, pool: pool, array: pool.Array(term.Int, term.Int), step: 1, constant: rapid.Bool().Draw(t, "constant indices")}
		sys := d.system()
		ctx, open, cancel := smttest.Budget(t.Context(), z3.Open, 100)
		defer cancel()
		a := portfolio.Solve(ctx, portfolio.Request{System: sys, Engine: "indices", Passes: []string{}, Open: open, Check: true, Stats: engine.NewStats()})
		verdicts[a.Verdict]++
		requireRight(t, sys, a)
	})
	require.Positive(t, verdicts[engine.Sat])
	require.Positive(t, verdicts[engine.Unsat])
}
