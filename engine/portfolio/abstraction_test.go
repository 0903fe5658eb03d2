package portfolio_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/inline"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
	"hornbeam/spacer"
)

// Under variable abstraction the hunter's verdicts are the prover's, and its witnesses hold of the clauses.
func TestVariableAbstractionAgreesWithProver(t *testing.T) {
	decided := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Arity = 4
		sys := hornoracle.Draw(t, shape)
		solve := func(e engine.Engine, options map[string]string) engine.Answer {
			ctx, open, cancel := smttest.Budget(context.Background(), z3.Open, 150)
			defer cancel()
			answer, err := e.Solve(ctx, sys, engine.Settings{Open: open, Options: options})
			require.NoError(t, err)
			return answer
		}
		hunted := solve(inline.Engine(), map[string]string{
			"inline.track":  rapid.SampledFrom([]string{"none", "query"}).Draw(t, "track"),
			"inline.refine": rapid.SampledFrom([]string{"hierarchical", "program", "linear"}).Draw(t, "refine"),
		})
		switch hunted.Verdict {
		case engine.Sat:
			require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, hunted.Model, smt.Limit{}))
		case engine.Unsat:
			require.NoError(t, witness.CheckRefutation(context.Background(), sys, hunted.Refutation))
		default:
			return
		}
		if proved := solve(spacer.Engine(), nil); proved.Verdict != engine.Unknown {
			require.Equal(t, proved.Verdict, hunted.Verdict)
			decided[hunted.Verdict]++
		}
	})
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
}
