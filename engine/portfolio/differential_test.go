package portfolio_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

// On random systems over arrays, datatypes, bit-vectors and mixtures of them, no verdict contradicts what trial of many
// values shows, every witness passes its check again, and nothing breaks; whatever the passes.
func TestAgreesWithTrialOverTheories(t *testing.T) {
	mixtures := []hornoracle.Theory{
		hornoracle.BitVecs, hornoracle.BitVecs | hornoracle.Enums | hornoracle.FiniteArrays, hornoracle.BitVecs | hornoracle.Enums | hornoracle.Records,
		hornoracle.Ints | hornoracle.IntArrays, hornoracle.Ints | hornoracle.Records, hornoracle.Ints | hornoracle.Recursive,
		hornoracle.BitVecs | hornoracle.Enums | hornoracle.Records | hornoracle.FiniteArrays, hornoracle.All,
	}
	passes := [][]string{nil, nil, {}, {"default", "-inline"}, {"default", "-flatten"}}
	decided := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		mixture := hornoracle.DefaultMixture(rapid.SampledFrom(mixtures).Draw(t, "theories"))
		mixture.Partial = rapid.Bool().Draw(t, "partial")
		if rapid.Bool().Draw(t, "loop") {
			mixture.Predicates, mixture.Body, mixture.Arity, mixture.Clauses = 1, 1, 4, 4
		}
		sys := hornoracle.DrawOver(t, mixture)
		ctx, open, cancel := smttest.Budget(t.Context(), z3.Open, 200)
		defer cancel()
		answer := portfolio.Solve(ctx, portfolio.Request{
			System: sys, Open: open, Check: true, Passes: rapid.SampledFrom(passes).Draw(t, "passes"), Stats: engine.NewStats(),
		})
		decided[answer.Verdict]++
		requireAgreement(t, sys, answer, hornoracle.AllTried(sys))
	})
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
}

// Neither does any verdict of bounded model checking, k-induction, alone and with auxiliary invariants, IMPACT and predicate
// abstraction, with any blocks, or of the prover where bodies assume that queries hold.
func TestBlocksAgreeWithTrial(t *testing.T) {
	engines := []string{"bmc", "kinduction", "kinduction,houdini,affine", "impact", "predicates", "spacer"}
	decided := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(t, "sort")
		shape.Predicates, shape.Body, shape.DivMod = 4, rapid.IntRange(1, 2).Draw(t, "body"), shape.Number == term.Int
		sys := hornoracle.Draw(t, shape)
		if rapid.Bool().Draw(t, "theories") {
			mixture := hornoracle.DefaultMixture(hornoracle.All)
			mixture.Partial = rapid.Bool().Draw(t, "partial")
			sys = hornoracle.DrawOver(t, mixture)
		}
		ctx, open, cancel := smttest.Budget(t.Context(), z3.Open, 60)
		defer cancel()
		engine := rapid.SampledFrom(engines).Draw(t, "engine")
		req := portfolio.Request{
			System: sys, Open: open, Check: true, Engine: engine, Blocks: rapid.SampledFrom([]string{"", "single", "basic", "loops", "3"}).Draw(t, "blocks"),
		}
		if engine == "spacer" || rapid.Bool().Draw(t, "assume") {
			req.Passes = []string{"default", "assume-safe"}
		}
		answer := portfolio.Solve(ctx, req)
		decided[engine+" "+answer.Verdict.String()] = true
		requireAgreement(t, sys, answer, false)
	})
	for _, engine := range engines {
		require.True(t, decided[engine+" sat"], engine)
		require.True(t, decided[engine+" unsat"], engine)
	}
}

// requireAgreement holds an answer to what trial finds, which with exhaustive are all values.
func requireAgreement(t *rapid.T, sys *chc.System, answer engine.Answer, exhaustive bool) {
	require.False(t, answer.Internal, "%s\n%s", answer.Reason, text(t, sys))
	switch answer.Verdict {
	case engine.Sat:
		require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, answer.Model, smt.Limit{}), "%s", text(t, sys))
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation), "%s", text(t, sys))
	default:
		return
	}
	opts := hornoracle.DefaultOptions()
	opts.Tries = 3000
	tried := hornoracle.Solve(sys, opts)
	if ref := tried.Refutation(); ref != nil {
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, ref))
		require.Equal(t, engine.Unsat, answer.Verdict, "%s", text(t, sys))
	} else if tried.Exhausted && exhaustive {
		require.Equal(t, engine.Sat, answer.Verdict, "%s", text(t, sys))
	}
}

// Clauses over an uninterpreted sort are unsatisfiable only if they are over universes of every size: here of one, two and
// three elements, as enumerations that are searched through.
func TestUnsatisfiableOverEveryUniverse(t *testing.T) {
	decided := map[engine.Verdict]int{}
	open := 0
	rapid.Check(t, func(t *rapid.T) {
		theories := rapid.SampledFrom([]hornoracle.Theory{hornoracle.Universe, hornoracle.Universe | hornoracle.FiniteArrays,
			hornoracle.Universe | hornoracle.Enums | hornoracle.Records}).Draw(t, "theories")
		sys := hornoracle.DrawOver(t, hornoracle.DefaultMixture(theories))
		ctx, opener, cancel := smttest.Budget(t.Context(), z3.Open, 100)
		defer cancel()
		answer := portfolio.Solve(ctx, portfolio.Request{System: sys, Open: opener, Check: true, Stats: engine.NewStats()})
		require.False(t, answer.Internal, "%s\n%s", answer.Reason, text(t, sys))
		decided[answer.Verdict]++
		if answer.Verdict == engine.Unknown && strings.Contains(answer.Reason, "sort U") {
			open++
		}
		if answer.Verdict != engine.Unsat {
			return
		}
		for size, elements := range []string{"(e0)", "(e0) (e1)", "(e0) (e1) (e2)"} {
			source := strings.Replace(text(t, sys), "(declare-sort U 0)", "(declare-datatypes ((U 0)) (("+elements+")))", 1)
			script, err := smtlib.Read("universe", []byte(source), term.NewPool())
			require.NoError(t, err, source)
			tried := hornoracle.Solve(script.System, hornoracle.DefaultOptions())
			if tried.Exhausted && hornoracle.AllTried(script.System) {
				require.NotNil(t, tried.Query, "a model over %d elements\n%s", size+1, source)
			}
		}
	})
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
	require.Positive(t, open)
}

// text is the system as SMT-LIB.
func text(t require.TestingT, sys *chc.System) string {
	var b strings.Builder
	require.NoError(t, chc.Write(&b, sys))
	return b.String()
}
