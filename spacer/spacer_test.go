package spacer

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// amply is a time that is never needed, however slow the machine is.
const amply = 5 * time.Minute

// variants are settings that must not change any verdict.
var variants = []map[string]string{
	nil,
	{"spacer.halfspaces": "false"},
	{"spacer.inductive": "false"},
	{"spacer.congruences": "-1", "spacer.strength": "middle"},
	{"spacer.rebuild-after": "3"},
	{"spacer.arith-solver": "6"},
}

// decide runs an engine and holds its answer to the witness that comes with it.
func decide(t require.TestingT, e engine.Engine, sys *chc.System, options map[string]string, limit time.Duration) (engine.Answer, *engine.Stats) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	stats := engine.NewStats()
	answer, err := e.Solve(ctx, sys, engine.Settings{Open: z3.Open, Options: options, Stats: stats})
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

// read reads a system from SMT-LIB.
func read(t require.TestingT, src string) *chc.System {
	script, err := smtlib.Read("test.smt2", []byte(src), term.NewPool())
	require.NoError(t, err)
	return script.System
}

// TestAgainstOracle compares verdicts on random small systems with those of an exhaustive search: whatever the oracle
// derives must be unsat here, and where a witness comes it must pass its check.
func TestAgainstOracle(t *testing.T) {
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		t.Run(sort.String(), func(t *testing.T) {
			decided := 0
			rapid.Check(t, func(t *rapid.T) {
				shape := hornoracle.DefaultShape()
				shape.Number = sort
				shape.DivMod = sort == term.Int
				shape.Loose = 0
				sys := hornoracle.Draw(t, shape)
				e := rapid.SampledFrom([]engine.Engine{Engine(), GPDR()}).Draw(t, "engine")
				options := rapid.SampledFrom(variants).Draw(t, "options")
				answer, _ := decide(t, e, sys, options, 5*time.Second)
				if answer.Verdict != engine.Unknown {
					decided++
				}
				expected := hornoracle.Solve(sys, hornoracle.DefaultOptions())
				if expected.Query != nil {
					require.NotEqual(t, engine.Sat, answer.Verdict)
				}
				if answer.Verdict == engine.Unknown {
					return
				}
				if expected.Query != nil {
					require.Equal(t, engine.Unsat, answer.Verdict)
				}
			})
			require.Positive(t, decided)
		})
	}
}

const counter = `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i N)) (loop (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (>= i N) (not (= s GOAL))) false)))`

func counterTo(t require.TestingT, n, goal string) *chc.System {
	return read(t, replace(counter, "N", n, "GOAL", goal))
}

// TestLinear decides a loop both ways, with both engines and all variants.
func TestLinear(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), GPDR()} {
		for _, options := range variants {
			safe, _ := decide(t, e, counterTo(t, "5", "10"), options, amply)
			require.Equal(t, engine.Sat, safe.Verdict, "%s %v", e.Name, options)
			unsafe, _ := decide(t, e, counterTo(t, "5", "9"), options, amply)
			require.Equal(t, engine.Unsat, unsafe.Verdict, "%s %v", e.Name, options)
			require.Len(t, unsafe.Refutation.Steps, 7)
		}
	}
}

const fibonacci = `
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= 1 n 2) (fib n 1))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (=> (fib 6 R) false))`

// TestNonLinear decides a recursion with two calls both ways.
func TestNonLinear(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), GPDR()} {
		unsafe, _ := decide(t, e, read(t, replace(fibonacci, "R", "8")), nil, amply)
		require.Equal(t, engine.Unsat, unsafe.Verdict, e.Name)
		safe, _ := decide(t, e, read(t, replace(fibonacci, "R", "9")), nil, amply)
		require.Equal(t, engine.Sat, safe.Verdict, e.Name)
	}
}

// TestMustSummariesSaveWork holds the prover to the reason for must summaries: a call whose result is known is not
// searched again.
func TestMustSummariesSaveWork(t *testing.T) {
	src := replace(fibonacci, "R", "8")
	_, with := decide(t, Engine(), read(t, src), nil, amply)
	_, without := decide(t, GPDR(), read(t, src), nil, amply)
	require.Positive(t, with.Get("rule.DecideMust"))
	require.Zero(t, without.Get("rule.DecideMust"))
	require.Less(t, with.Get("obligations"), without.Get("obligations"))
}

// TestCongruence needs a divisibility lemma: no set of half-spaces excludes every odd number.
func TestCongruence(t *testing.T) {
	src := `
(declare-fun even (Int) Bool)
(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (even (+ n 2)))))
(assert (forall ((n Int)) (=> (and (even n) (even (+ n 1))) false)))`
	answer, stats := decide(t, Engine(), read(t, src), nil, amply)
	require.Equal(t, engine.Sat, answer.Verdict)
	require.Positive(t, stats.Get("congruences"))
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	without, err := Engine().Solve(ctx, read(t, src), engine.Settings{Open: z3.Open, Options: map[string]string{"spacer.congruences": "-1"}})
	require.NoError(t, err)
	require.Equal(t, engine.Unknown, without.Verdict)
}

// TestForever needs the bound of the second phase, which the frames' half-spaces only creep up to.
func TestForever(t *testing.T) {
	src := `
(declare-fun inv (Int) Bool)
(assert (inv 0))
(assert (forall ((a Int)) (=> (inv a) (inv (ite (<= 200 (div a 5)) (+ a 5) (+ a 1))))))
(assert (forall ((a Int)) (=> (and (inv a) (>= a 2000) (not (= (mod a 5) 0))) false)))`
	answer, stats := decide(t, Engine(), read(t, src), nil, amply)
	require.Equal(t, engine.Sat, answer.Verdict)
	require.Positive(t, stats.Get("forever.found"))
}

// TestSameRun: the same input, seed and engine give the same run.
func TestSameRun(t *testing.T) {
	for _, src := range []string{replace(counter, "N", "5", "GOAL", "10"), replace(fibonacci, "R", "9")} {
		_, first := decide(t, Engine(), read(t, src), nil, amply)
		_, second := decide(t, Engine(), read(t, src), nil, amply)
		for _, row := range first.Rows() {
			if !row.IsTime {
				require.Equal(t, row.Count, second.Get(row.Name), row.Name)
			}
		}
	}
}

// TestCancel: a run that would go on for ever ends with its context and says so.
func TestCancel(t *testing.T) {
	src := `
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 1000000000)) (p (+ x 1)))))
(assert (=> (p 1000000000) false))`
	answer, _ := decide(t, Engine(), read(t, src), nil, 300*time.Millisecond)
	require.Equal(t, engine.Unknown, answer.Verdict)
}

// recorder keeps events.
type recorder struct{ events []engine.Event }

func (r *recorder) Enabled() bool       { return true }
func (r *recorder) Emit(e engine.Event) { r.events = append(r.events, e) }

// TestEvents: the trace tells of each lemma, reach fact, obligation and level.
func TestEvents(t *testing.T) {
	r := &recorder{}
	stats := engine.NewStats()
	_, err := Engine().Solve(context.Background(), counterTo(t, "3", "5"), engine.Settings{Open: z3.Open, Stats: stats, Events: r})
	require.NoError(t, err)
	seen := map[string]int64{}
	for _, e := range r.events {
		seen[e.Kind]++
		_, err := e.MarshalJSON()
		require.NoError(t, err)
	}
	require.Equal(t, stats.Get("lemmas"), seen["lemma"])
	require.Equal(t, stats.Get("facts"), seen["reach"])
	require.Equal(t, stats.Get("level")+1, seen["level"])
	require.GreaterOrEqual(t, seen["obligation"], stats.Get("obligations"))
}
