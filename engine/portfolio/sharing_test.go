package portfolio

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/engine"
	"hornbeam/engine/inline"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
	"hornbeam/spacer"
)

// The hunter whose sites share callees, the one whose sites do not, and the prover never contradict each other: a wrong
// share would lose bugs. Where the prover has a refutation, a hunter that has seen all up to its bound says no less than
// the other one.
func TestSharingContradictsNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Clauses, shape.DivMod = 12, false
		sys := hornoracle.Draw(t, shape)
		run := func(e engine.Engine, options map[string]string) engine.Answer {
			ctx, open, cancel := smttest.Budget(context.Background(), z3.Open, 100)
			defer cancel()
			answer, err := e.Solve(ctx, sys, withInference(engine.Settings{Open: open, Options: options}))
			require.NoError(t, err)
			return answer
		}
		const none = "no bug up to recursion bound 4"
		prover := run(spacer.Engine(), nil)
		for _, e := range []engine.Engine{inline.Engine(), inline.BMC()} {
			alone := run(e, map[string]string{"inline.bound": "4"})
			shared := run(e, map[string]string{"inline.bound": "4", "inline.share": "first"})
			for _, pair := range [][2]engine.Answer{{alone, shared}, {prover, alone}, {prover, shared}} {
				if a, b := pair[0].Verdict, pair[1].Verdict; a != engine.Unknown && b != engine.Unknown {
					require.Equal(t, a, b)
				}
			}
			if alone.Verdict == engine.Unsat {
				require.NotEqual(t, none, shared.Reason, "a bug was lost")
			}
			if shared.Verdict == engine.Unsat {
				require.NotEqual(t, none, alone.Reason)
			}
		}
	})
}
