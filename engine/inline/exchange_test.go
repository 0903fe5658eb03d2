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

// TestReadsLemmas: an invariant on the board is a proof, whether it is there from the beginning or comes later, when
// calls have been inlined; both engines use it.
func TestReadsLemmas(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), BMC()} {
		for _, moment := range []int{0, 1, 2, 5} {
			sys := read(t, long)
			board := engine.NewExchange(sys)
			poster := board.Join(sys)
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
				Open: b.open, Stats: stats, Exchange: board, Options: map[string]string{"inline.bound": "20"},
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
	h, err := newHunter(sys, engine.Settings{Open: z3.Open, Exchange: engine.NewExchange(sys), Stats: engine.NewStats()}, options{arithSolver: 2})
	require.NoError(t, err)
	defer h.close()
	reader := h.settings.Exchange.Join(sys)
	p := h.preds[0]
	h.postLemmas(map[*predicate][]*term.Term{p: {h.pool.Le(p.params[0], h.pool.Int(1000))}})
	require.Equal(t, invariant(sys)[:1], reader.Lemmas())
	// What the hunter has posted is no news to it.
	h.readLemmas()
	require.Zero(t, h.settings.Stats.Get("exchange.lemmas.read"))
	require.True(t, p.summary.IsTrue())
}
