package inline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// long is a loop that no unrolling proves, and its invariant, of which the second part leans on the first.
const long = `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i 1000)) (loop (+ i 1) (ite (> i 1000) 7 (+ s 2))))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (not (= s (* 2 i)))) false)))`

func invariant(sys *chc.System) []engine.Lemma {
	p := sys.Pool
	x := witness.CanonicalParams(p, sys.Predicates[0])
	return []engine.Lemma{
		{Predicate: sys.Predicates[0], Formula: p.Le(x[0], p.Int(1000))},
		{Predicate: sys.Predicates[0], Formula: p.Eq(x[1], p.Mul(p.Int(2), x[0]))},
	}
}

// TestReadsLemmas: an invariant on the exchange is a proof, whether it is there from the beginning or comes later, when
// calls have been inlined; both engines use it.
func TestReadsLemmas(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), BMC()} {
		for _, moment := range []int{0, 1, 2, 5} {
			sys := read(t, long)
			exchange := engine.NewExchange(sys)
			poster := exchange.Join(sys)
			b := &bench{before: func(_, check int, _ []*term.Term) bool {
				if check == moment {
					poster.PostLemmas(invariant(sys)...)
				}
				return false
			}}
			if moment == 0 {
				poster.PostLemmas(invariant(sys)...)
			}
			stats := engine.NewStats()
			answer, err := e.Solve(context.Background(), sys, engine.Settings{
				Open: b.open, Stats: stats, Exchange: exchange, Options: map[string]string{"inline.bound": "20"},
			})
			require.NoError(t, err)
			require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
			require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
			require.EqualValues(t, 2, stats.Get("exchange.lemmas.read"))
		}
	}
}

// TestPostsWhatIsInductive: what the hunter finds inductive among its labels is posted over the canonical parameters.
func TestPostsWhatIsInductive(t *testing.T) {
	sys := read(t, long)
	h, err := newHunter(sys, sys, engine.Settings{Open: z3.Open, Exchange: engine.NewExchange(sys), Stats: engine.NewStats()}, options{arithSolver: 2})
	require.NoError(t, err)
	defer h.close()
	reader := h.settings.Exchange.Join(sys)
	p := h.preds[0]
	h.postLemmas(map[*predicate][]*term.Term{p: {h.pool.Le(p.Params[0], h.pool.Int(1000))}})
	require.Equal(t, invariant(sys)[:1], reader.Lemmas())
	// What the hunter has posted is no news to it.
	h.readLemmas()
	require.Zero(t, h.settings.Stats.Get("exchange.lemmas.read"))
	require.True(t, p.summary.IsTrue())
}

// TestSummariesOfInlinedCalls: a proof says the summaries of calls that are inlined, too. Where their arguments are not
// tracked, what is inlined does not imply them, and a call's label does not exclude the query without them.
func TestSummariesOfInlinedCalls(t *testing.T) {
	for _, track := range []string{"all", "none", "p.1"} {
		sys := read(t, `
(declare-fun p (Int Int) Bool)
(declare-fun q (Int) Bool)
(assert (q 0))
(assert (forall ((x Int)) (=> (q x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (p x (- 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x y)) false)))`)
		exchange := engine.NewExchange(sys)
		var lemmas []engine.Lemma
		for _, p := range sys.Predicates {
			x := witness.CanonicalParams(sys.Pool, p)[0]
			lemmas = append(lemmas, engine.Lemma{Predicate: p, Formula: sys.Pool.Ge(x, sys.Pool.Int(0))})
		}
		exchange.Join(sys).PostLemmas(lemmas...)
		stats := engine.NewStats()
		answer, err := BMC().Solve(context.Background(), sys, engine.Settings{
			Open: z3.Open, Stats: stats, Exchange: exchange, Options: map[string]string{"inline.track": track, "inline.bound": "3"},
		})
		require.NoError(t, err)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
		require.Greater(t, stats.Get("inline.instances"), int64(2))
	}
}

// TestForwardsReadsLemmas: read from its facts, a system has other invariants, but what holds of all that is derivable may be taken
// to hold on the way to a query, and is part of the model then: the loop ends only where its lemma holds.
func TestForwardsReadsLemmas(t *testing.T) {
	sys := read(t, `
(declare-fun loop (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (or (< i 3) (not (= s (* 2 i))))) (loop (+ i 1) (+ s 2)))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (= i 7)) false)))`)
	for _, e := range []engine.Engine{Engine(), BMC(), KInduction()} {
		exchange := engine.NewExchange(sys)
		exchange.Join(sys).PostLemmas(invariant(sys)[1])
		stats := engine.NewStats()
		answer, err := e.Solve(context.Background(), sys, engine.Settings{
			Open: z3.Open, Stats: stats, Exchange: exchange, Options: map[string]string{"inline.direction": "forward", "kinduction.direction": "forward", "inline.bound": "6"},
		})
		require.NoError(t, err)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
		require.EqualValues(t, 1, stats.Get("exchange.lemmas.read"))
	}
}

// TestLemmasOfUntrackedArguments: a lemma that comes when its argument was left out of the callers' formulas brings back
// what they say of it, so that the argument need not be tracked.
func TestLemmasOfUntrackedArguments(t *testing.T) {
	sys := read(t, long)
	exchange := engine.NewExchange(sys)
	poster := exchange.Join(sys)
	b := &bench{before: func(_, check int, _ []*term.Term) bool {
		if check == 1 {
			poster.PostLemmas(invariant(sys)...)
		}
		return false
	}}
	h, err := newHunter(sys, sys, engine.Settings{Open: b.open, Exchange: exchange, Stats: engine.NewStats()}, options{arithSolver: 2, track: "none"})
	require.NoError(t, err)
	defer h.close()
	status, _, err := h.ask(context.Background(), over, nil, false)
	require.NoError(t, err)
	require.Equal(t, smt.Sat, status)
	status, _, err = h.ask(context.Background(), over, nil, false)
	require.NoError(t, err)
	require.Equal(t, smt.Unsat, status)
	require.Zero(t, h.tracking.count())
}
