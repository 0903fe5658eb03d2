package hornoracle_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// Every refutation that the oracle finds is one, and when all variables are bounded to the tried values, every
// exhausted search without a query yields a model.
func TestOracleWitnesses(t *testing.T) {
	sat, unsat := 0, 0
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		rapid.Check(t, func(t *rapid.T) {
			shape := hornoracle.DefaultShape()
			shape.Number = sort
			shape.Loose = 0
			sys := hornoracle.Draw(t, shape)
			r := hornoracle.Solve(sys, hornoracle.DefaultOptions())
			if ref := r.Refutation(); ref != nil {
				unsat++
				require.NoError(t, witness.CheckRefutation(context.Background(), sys, ref))
			} else if r.Exhausted {
				sat++
				require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, r.Model(), smt.Limit{}))
			}
		})
	}
	require.Positive(t, sat)
	require.Positive(t, unsat)
}

// The same over other theories: refutations are always refutations, and over finite sorts an exhausted search without a
// query yields a model.
func TestOracleWitnessesOverTheories(t *testing.T) {
	for name, theories := range map[string]hornoracle.Theory{
		"Finite": hornoracle.Finite, "BitVecs": hornoracle.BitVecs, "All": hornoracle.All, "IntArrays": hornoracle.Ints | hornoracle.IntArrays,
		"Recursive": hornoracle.Ints | hornoracle.Recursive,
	} {
		t.Run(name, func(t *testing.T) {
			sat, unsat := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				sys := hornoracle.DrawOver(t, hornoracle.DefaultMixture(theories))
				opts := hornoracle.DefaultOptions()
				opts.Tries = 2000
				r := hornoracle.Solve(sys, opts)
				if ref := r.Refutation(); ref != nil {
					unsat++
					require.NoError(t, witness.CheckRefutation(context.Background(), sys, ref))
				} else if r.Exhausted && hornoracle.AllTried(sys) {
					sat++
					require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, r.Model(), smt.Limit{}))
				}
			})
			require.Positive(t, unsat)
			if theories&^hornoracle.Finite == 0 {
				require.Positive(t, sat)
			}
		})
	}
}
