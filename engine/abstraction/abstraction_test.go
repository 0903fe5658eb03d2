package abstraction

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

// configured has an engine with the options that choose it, for each configuration of the table.
var configured = []struct {
	engine  engine.Engine
	options map[string]string
}{
	{Impact(), map[string]string{"impact.forced-covering": "false"}},
	{Impact(), nil},
	{Predicates(), nil},
	{Predicates(), map[string]string{"predicates.abstraction": "boolean"}},
}

// decide runs an engine with a budget of queries and holds its answer to the witness.
func decide(t require.TestingT, e engine.Engine, sys *chc.System, options map[string]string, queries int) (engine.Answer, *engine.Stats) {
	ctx, open, cancel := smttest.Budget(context.Background(), z3.Open, queries)
	defer cancel()
	stats := engine.NewStats()
	answer, err := e.Solve(ctx, sys, engine.Settings{Open: open, Options: options, Stats: stats})
	require.NoError(t, err)
	switch answer.Verdict {
	case engine.Sat:
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation))
	default:
		require.NotEmpty(t, answer.Reason)
	}
	return answer, stats
}

func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// ample is a number of queries that is never needed.
const ample = 1 << 20

// On random systems no configuration contradicts an exhaustive search, and every witness holds.
func TestAgainstOracle(t *testing.T) {
	for _, c := range configured {
		decided := map[engine.Verdict]int{}
		rapid.Check(t, func(t *rapid.T) {
			shape := hornoracle.DefaultShape()
			shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(t, "number")
			shape.DivMod = shape.Number == term.Int
			sys := hornoracle.Draw(t, shape)
			answer, _ := decide(t, c.engine, sys, c.options, 300)
			decided[answer.Verdict]++
			// A search without a query says nothing: rational numbers have values that it does not try. Refutations were checked.
			if expected := hornoracle.Solve(sys, hornoracle.DefaultOptions()); expected.Query != nil {
				require.NotEqual(t, engine.Sat, answer.Verdict)
			}
		})
		require.Greater(t, decided[engine.Sat], decided[engine.Unknown], "%s %v", c.engine.Name, c.options)
		require.Positive(t, decided[engine.Unsat])
	}
}

// The same over the other theories, held to trial.
func TestAgainstTrialOverTheories(t *testing.T) {
	mixtures := []hornoracle.Theory{
		hornoracle.BitVecs, hornoracle.Finite, hornoracle.Ints | hornoracle.IntArrays, hornoracle.Ints | hornoracle.Records,
		hornoracle.Ints | hornoracle.Recursive, hornoracle.All,
	}
	decided := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(configured).Draw(t, "configuration")
		sys := hornoracle.DrawOver(t, hornoracle.DefaultMixture(rapid.SampledFrom(mixtures).Draw(t, "theories")))
		answer, _ := decide(t, c.engine, sys, c.options, 200)
		decided[answer.Verdict]++
		opts := hornoracle.DefaultOptions()
		opts.Tries = 3000
		switch tried := hornoracle.Solve(sys, opts); {
		case tried.Query != nil:
			require.NotEqual(t, engine.Sat, answer.Verdict)
		case tried.Exhausted && hornoracle.AllTried(sys):
			require.NotEqual(t, engine.Unsat, answer.Verdict)
		}
	})
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
}

const counter = `(declare-fun loop (Int Int) Bool)
	(assert (loop 0 0))
	(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i 5)) (loop (+ i 1) (+ s 2)))))
	(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (>= i 5) (not (= s GOAL))) false)))`

const unbounded = `(declare-fun loop (Int Int) Bool)
	(assert (loop 0 0))
	(assert (forall ((i Int) (s Int)) (=> (loop i s) (loop (+ i 1) (+ s 2)))))
	(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (= i 5) (not (= s 10))) false)))`

const sum = `(declare-fun p (Int) Bool)
	(assert (p 2))
	(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
	(assert (forall ((x Int)) (=> (and (p x) (= x GOAL)) false)))`

// Every configuration decides a loop and a sum, both ways.
func TestBothWays(t *testing.T) {
	for _, c := range configured {
		for source, goals := range map[string][2]string{counter: {"10", "9"}, sum: {"1", "8"}} {
			safe, _ := decide(t, c.engine, read(t, strings.ReplaceAll(source, "GOAL", goals[0])), c.options, ample)
			require.Equal(t, engine.Sat, safe.Verdict, "%s %v", c.engine.Name, c.options)
			unsafe, _ := decide(t, c.engine, read(t, strings.ReplaceAll(source, "GOAL", goals[1])), c.options, ample)
			require.Equal(t, engine.Unsat, unsafe.Verdict, "%s %v", c.engine.Name, c.options)
		}
	}
}

// What others have learned is assumed, and is part of the model.
func TestLemmas(t *testing.T) {
	for _, c := range configured {
		sys := read(t, unbounded)
		board := engine.NewExchange(sys)
		v := witness.CanonicalParams(sys.Pool, sys.Predicates[0])
		board.Join(sys).PostLemmas(engine.Lemma{Predicate: sys.Predicates[0], Formula: sys.Pool.Eq(v[1], sys.Pool.Scale(term.NewInt(2), v[0]))})
		stats := engine.NewStats()
		answer, err := c.engine.Solve(t.Context(), sys, engine.Settings{Open: z3.Open, Options: c.options, Stats: stats, Exchange: board})
		require.NoError(t, err)
		require.Equal(t, engine.Sat, answer.Verdict)
		require.NoError(t, witness.CheckModel(t.Context(), z3.Open, sys, answer.Model, smt.Limit{}))
		require.Zero(t, stats.Get("refinements"), c.engine.Name)
		require.EqualValues(t, 1, stats.Get("exchange.lemmas.read"))
	}
}

// The options choose each row of the table, and no two rows are for the same.
func TestTable(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range table {
		rows[row.engine+" "+row.variant] = true
		require.Equal(t, row.variant, configurationOf(row.engine, row.variant).variant)
	}
	require.Len(t, rows, len(table))
	require.Len(t, configured, len(table))
	for i, c := range configured {
		_, stats := decide(t, c.engine, read(t, strings.ReplaceAll(counter, "GOAL", "10")), c.options, ample)
		require.Equal(t, table[i].engine, c.engine.Name)
		require.Equal(t, c.engine.Name == "predicates", stats.Get("predicates.tracked") > 0)
		require.Equal(t, table[i].variant == "forced", stats.Get("cover.forcing") > 0)
	}
}

// Interpolants select fields of a constructor only where they say that it is the one, so that they can be evaluated.
func TestSelectorsAreGuarded(t *testing.T) {
	source, err := os.ReadFile("../../examples/tree-height-bug.smt2")
	require.NoError(t, err)
	answer, _ := decide(t, Impact(), read(t, string(source)), nil, ample)
	require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
}
