package portfolio_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/houdini"
	"hornbeam/engine/inline"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
	"hornbeam/spacer"
)

// drawAnySystem draws a system over numbers or over other theories.
func drawAnySystem(t *rapid.T) *chc.System {
	if rapid.Bool().Draw(t, "numbers") {
		shape := hornoracle.DefaultShape()
		shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(t, "sort")
		shape.DivMod, shape.Loose = shape.Number == term.Int, 0
		return hornoracle.Draw(t, shape)
	}
	return hornoracle.DrawOver(t, hornoracle.DefaultMixture(rapid.SampledFrom([]hornoracle.Theory{
		hornoracle.Ints | hornoracle.IntArrays, hornoracle.Finite, hornoracle.Ints | hornoracle.Recursive,
	}).Draw(t, "theory")))
}

// requireBoard holds the lemmas on a board to its promise: a model of the clauses without the queries. It returns their
// number.
func requireBoard(t require.TestingT, sys *chc.System, board *engine.Exchange) int {
	m := witness.NewModel()
	for _, p := range sys.Predicates {
		m.Interpretations[p] = witness.True(sys.Pool, p)
	}
	lemmas := board.Join(sys).Lemmas()
	for _, l := range lemmas {
		i := m.Interpretations[l.Predicate]
		i.Body = sys.Pool.And(i.Body, l.Formula)
		m.Interpretations[l.Predicate] = i
	}
	if err := witness.CheckModel(context.Background(), z3.Open, hornoracle.WithoutQueries(sys), m, smt.Limit{}); !errors.Is(err, witness.ErrUndecided) {
		require.NoError(t, err)
	}
	return len(lemmas)
}

// requireRight holds an answer to its witness and to what trial finds.
func requireRight(t *rapid.T, sys *chc.System, a engine.Answer) {
	switch a.Verdict {
	case engine.Sat:
		if err := witness.CheckModel(context.Background(), z3.Open, sys, a.Model, smt.Limit{}); !errors.Is(err, witness.ErrUndecided) {
			require.NoError(t, err)
		}
		opts := hornoracle.DefaultOptions()
		opts.Tries = 300
		require.Nil(t, hornoracle.Solve(sys, opts).Query)
	case engine.Unsat:
		if err := witness.CheckRefutation(context.Background(), sys, a.Refutation); !errors.Is(err, witness.ErrUndecided) {
			require.NoError(t, err)
		}
	}
}

// drawSettings draws settings under which engines use lemmas in other ways.
func drawSettings(t *rapid.T) map[string]string {
	return map[string]string{
		"inline.track":     rapid.SampledFrom([]string{"all", "none", "query"}).Draw(t, "track"),
		"inline.share":     rapid.SampledFrom([]string{"none", "first"}).Draw(t, "share"),
		"inline.direction": rapid.SampledFrom([]string{"backward", "backward", "forward"}).Draw(t, "direction"),
	}
}

// infer is the inference that engines are handed.
func infer(ctx context.Context, sys *chc.System, candidates map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error) {
	survivors, _, err := houdini.InferFrom(ctx, sys, engine.Settings{Open: z3.Open}, candidates)
	return survivors, err
}

// several are engines that may work on one system, each with a name to choose it by.
func several() []engine.Engine {
	return []engine.Engine{spacer.Engine(), inline.Engine(), houdini.Engine(), spacer.GPDR(), inline.BMC()}
}

// TestEnginesShare runs engines at once on one system with one board: what they answer is right, and what they posted is
// inductive together.
func TestEnginesShare(t *testing.T) {
	posted, read := 0, int64(0)
	decided := map[engine.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		sys := drawAnySystem(t)
		board := engine.NewExchange(sys)
		engines := rapid.Permutation(several()).Draw(t, "engines")[:rapid.IntRange(2, 3).Draw(t, "how many")]
		ctx, open, cancel := smttest.Budget(t.Context(), z3.Open, 150)
		defer cancel()
		stats := engine.NewStats()
		options := drawSettings(t)
		answers, failures := make([]engine.Answer, len(engines)), make([]error, len(engines))
		var all sync.WaitGroup
		for i, e := range engines {
			all.Go(func() {
				answers[i], failures[i] = e.Solve(ctx, sys, engine.Settings{Open: open, Stats: stats, Exchange: board, Inductive: infer, Options: options})
			})
		}
		all.Wait()
		for i, e := range engines {
			require.NoError(t, failures[i], e.Name)
			requireRight(t, sys, answers[i])
			decided[answers[i].Verdict]++
		}
		require.EqualValues(t, requireBoard(t, sys, board), stats.Get("exchange.lemmas.posted"))
		posted += int(stats.Get("exchange.lemmas.posted"))
		read += stats.Get("exchange.lemmas.read")
	})
	require.Positive(t, posted)
	require.Positive(t, read)
	require.Positive(t, decided[engine.Sat])
	require.Positive(t, decided[engine.Unsat])
}

// interrupter posts lemmas on a board when an engine's events have reached a number.
type interrupter struct {
	board  *engine.Participant
	lemmas []engine.Lemma
	left   int
}

func (i *interrupter) Enabled() bool { return true }

func (i *interrupter) Emit(engine.Event) {
	if i.left--; i.left == 0 {
		i.board.PostLemmas(i.lemmas...)
	}
}

// TestLemmasMayComeAtAnyMoment: survivors of an inference that come in the middle of an engine's run leave its answer
// right and what it posts inductive.
func TestLemmasMayComeAtAnyMoment(t *testing.T) {
	came, read := 0, int64(0)
	rapid.Check(t, func(t *rapid.T) {
		sys := drawAnySystem(t)
		found := engine.NewExchange(sys)
		_, err := houdini.Engine().Solve(t.Context(), sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats(), Exchange: found, Options: map[string]string{"houdini.candidates": "30"}})
		require.NoError(t, err)
		board := engine.NewExchange(sys)
		late := &interrupter{board: board.Join(sys), left: rapid.IntRange(1, 30).Draw(t, "moment"), lemmas: found.Join(sys).Lemmas()}
		e := rapid.SampledFrom([]engine.Engine{spacer.Engine(), inline.Engine(), spacer.GPDR(), inline.BMC()}).Draw(t, "engine")
		ctx, open, cancel := smttest.Budget(t.Context(), z3.Open, 80)
		defer cancel()
		stats := engine.NewStats()
		answer, err := e.Solve(ctx, sys, engine.Settings{Open: open, Stats: stats, Exchange: board, Events: late, Inductive: infer, Options: drawSettings(t)})
		require.NoError(t, err)
		requireRight(t, sys, answer)
		requireBoard(t, sys, board)
		if late.left <= 0 && len(late.lemmas) > 0 {
			came++
		}
		read += stats.Get("exchange.lemmas.read")
	})
	require.Positive(t, came)
	require.Positive(t, read)
}

// What the hunter finds to be inductive by itself may speak of arguments that it does not track: then what the rules say of them counts
// in the search and in the proof alike. Here the lemma is that the last argument of p is never 1.
func TestOwnLemmasOfUntrackedArguments(t *testing.T) {
	script, err := smtlib.Read("untracked.smt2", []byte(`(declare-fun p (Bool Bool Int) Bool) (declare-fun q (Bool) Bool) (declare-fun r (Bool Bool Bool) Bool)
(assert (forall ((a Bool) (n Int)) (=> (and (>= n 0) (<= n 2)) (p a a (+ n (ite a n 2))))))
(assert (forall ((a Bool) (b Bool) (c Bool) (n Int)) (=> (and (r b b c) (p a a n)) (q a))))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (and (q b) (p a b 1)) (r false b c))))
(assert (forall ((a Bool)) (=> (q a) false)))`), term.NewPool())
	require.NoError(t, err)
	for _, engine := range []string{"inline", "inline,houdini"} {
		answer := portfolio.Solve(t.Context(), portfolio.Request{
			System: script.System, Engine: engine, Check: true, Passes: []string{}, Options: map[string]string{"inline.track": "none"},
		})
		require.Equal(t, "sat", answer.Verdict.String(), answer.Reason)
	}
}

// TestAuxiliaryInvariants: k-induction proves with the equation that affine finds what neither proves by itself. The numbers come
// round after three steps, unless another two are apart.
func TestAuxiliaryInvariants(t *testing.T) {
	script, err := smtlib.Read("rounds.smt2", []byte(`(declare-fun p (Int Int Int Int Int) Bool)
(assert (p 0 3 30 0 0))
(assert (forall ((x Int) (y Int) (z Int) (i Int) (s Int)) (=> (p x y z i s) (p y z x (+ i 1) (+ s 2)))))
(assert (forall ((x Int) (y Int) (z Int) (i Int) (s Int)) (=> (and (p x y z i s) (not (= s (* 2 i)))) (p 10 0 0 (+ i 1) (+ s 2)))))
(assert (forall ((x Int) (y Int) (z Int) (i Int) (s Int)) (=> (and (p x y z i s) (= x (+ y 10))) false)))`), term.NewPool())
	require.NoError(t, err)
	solve := func(engines, bound string) engine.Answer {
		return portfolio.Solve(t.Context(), portfolio.Request{
			System: script.System, Engine: engines, Check: true, Options: map[string]string{"affine.degree": "1", "inline.bound": bound},
		})
	}
	require.Equal(t, engine.Unknown, solve("affine", "0").Verdict)
	require.Equal(t, engine.Unknown, solve("kinduction", "6").Verdict)
	together := solve("kinduction,affine", "0")
	require.Equal(t, engine.Sat, together.Verdict, together.Reason)
	require.Equal(t, "kinduction", together.Engine)
}
