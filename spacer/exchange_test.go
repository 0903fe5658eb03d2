package spacer

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// requireInductive holds lemmas to what a exchange promises: that they are inductive together. It reports whether the
// solver could tell.
func requireInductive(t require.TestingT, sys *chc.System, lemmas []engine.Lemma) bool {
	m := witness.NewModel()
	for _, p := range sys.Predicates {
		body := sys.Pool.True()
		for _, l := range lemmas {
			if l.Predicate == p {
				body = sys.Pool.And(body, l.Formula)
			}
		}
		m.Interpretations[p] = witness.Interpretation{Params: witness.CanonicalParams(sys.Pool, p), Body: body}
	}
	err := witness.CheckModel(context.Background(), z3.Open, hornoracle.WithoutQueries(sys), m, smt.Limit{})
	if errors.Is(err, witness.ErrUndecided) {
		return false
	}
	require.NoError(t, err)
	return true
}

// watchedContext calls a function whenever one of its solvers is told something.
type watchedContext struct {
	smt.Context
	look func()
}

func (c watchedContext) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	return watchedSolver{s, c.look}, err
}

type watchedSolver struct {
	smt.Solver
	look func()
}

func (s watchedSolver) Assert(ts ...*term.Term) error {
	s.look()
	return s.Solver.Assert(ts...)
}

// TestPostsAreInductive: at every moment of a run what the prover has posted is inductive together, over the canonical
// parameters; and posting changes neither what it does nor what it answers.
func TestPostsAreInductive(t *testing.T) {
	posted, checked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		shape.Number = rapid.SampledFrom([]*term.Sort{term.Int, term.Int, term.Real}).Draw(t, "sort")
		shape.DivMod = shape.Number == term.Int && rapid.Bool().Draw(t, "division")
		shape.Loose = 0
		sys := hornoracle.Draw(t, shape)
		e := rapid.SampledFrom([]engine.Engine{Engine(), GPDR()}).Draw(t, "engine")
		exchange := engine.NewExchange(sys)
		reader := exchange.Join(sys)
		var all []engine.Lemma
		read := func() {
			if news := reader.Lemmas(); len(news) > 0 {
				all = append(all, news...)
				posted += len(news)
				if requireInductive(t, sys, all) {
					checked++
				}
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		stats := engine.NewStats()
		open := func(p *term.Pool, c smt.Config) (smt.Context, error) {
			inner, err := z3.Open(p, c)
			return watchedContext{inner, read}, err
		}
		answer, err := e.Solve(ctx, sys, engine.Settings{Open: open, Stats: stats, Exchange: exchange})
		require.NoError(t, err)
		read()
		require.EqualValues(t, len(all), stats.Get("exchange.lemmas.posted"))
		require.Zero(t, stats.Get("exchange.lemmas.read"))
		for _, l := range all {
			require.Subset(t, witness.CanonicalParams(sys.Pool, l.Predicate), term.Vars(l.Formula))
		}
		if answer.Verdict == engine.Sat {
			require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
		}
	})
	require.Positive(t, posted)
	require.Positive(t, checked)
}

// TestOnlyWhatHoldsForEverIsPosted: where there is a bug in the end, most lemmas hold only up to a level.
func TestOnlyWhatHoldsForEverIsPosted(t *testing.T) {
	for _, sys := range []*chc.System{counterTo(t, "5", "9"), read(t, replace(fibonacci, "R", "8")), counterTo(t, "5", "10")} {
		exchange := engine.NewExchange(sys)
		answer, err := Engine().Solve(context.Background(), sys, engine.Settings{Open: z3.Open, Exchange: exchange})
		require.NoError(t, err)
		require.NotEqual(t, engine.Unknown, answer.Verdict)
		require.True(t, requireInductive(t, sys, exchange.Join(sys).Lemmas()))
	}
}

// TestFramesArePostedWhole: lemmas that lean on each other come to infinity one after the other, and to the exchange at once.
func TestFramesArePostedWhole(t *testing.T) {
	sys := read(t, `
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (forall ((x Int)) (=> (even x) (odd (+ x 1)))))
(assert (forall ((x Int)) (=> (odd x) (even (+ x 1)))))
(assert (forall ((x Int)) (=> (and (even x) (< x 0)) false)))`)
	pr := newTestProverOn(t, sys)
	exchange := engine.NewExchange(sys)
	reader := exchange.Join(sys)
	pr.exchange = exchange.Join(sys)
	told := 0
	pr.smt = watchedContext{pr.smt, func() {
		told++
		require.Empty(t, reader.Lemmas())
	}}
	for _, p := range pr.preds[:2] {
		_, err := pr.frameFor(p)
		require.NoError(t, err)
		_, err = pr.learn(p, []*term.Term{pr.pool.Lt(p.Params[0], pr.pool.Int(0))}, 2)
		require.NoError(t, err)
	}
	before := told
	require.NoError(t, pr.settle(1))
	require.Greater(t, told, before)
	require.NoError(t, pr.share())
	lemmas := reader.Lemmas()
	require.Len(t, lemmas, 2)
	require.True(t, requireInductive(t, sys, lemmas))
}

// TestPostingChangesNothing: a run with a exchange that nobody else writes to is the run without one.
func TestPostingChangesNothing(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), GPDR()} {
		rows := func(shared bool) map[string]int64 {
			sys := counterTo(t, "9", "18")
			stats := engine.NewStats()
			s := engine.Settings{Open: z3.Open, Stats: stats}
			if shared {
				s.Exchange = engine.NewExchange(sys)
			}
			answer, err := e.Solve(context.Background(), sys, s)
			require.NoError(t, err)
			require.Equal(t, engine.Sat, answer.Verdict)
			out := map[string]int64{}
			for _, r := range stats.Rows() {
				if !r.IsTime && r.Name != "exchange.lemmas.posted" {
					out[r.Name] = r.Count
				}
			}
			return out
		}
		require.Equal(t, rows(false), rows(true), e.Name)
	}
}

// TestReadsLemmas: an invariant that others have posted is a proof as it stands, one of theirs that leans on another is
// in the model with it, and what is on the exchange of another system is not read.
func TestReadsLemmas(t *testing.T) {
	for _, e := range []engine.Engine{Engine(), GPDR()} {
		sys := counterTo(t, "1000", "2000")
		p := sys.Pool
		x := witness.CanonicalParams(p, sys.Predicates[0])
		lemma := func(f *term.Term) engine.Lemma { return engine.Lemma{Predicate: sys.Predicates[0], Formula: f} }
		// The second needs the first; the third says nothing new.
		invariant := []engine.Lemma{
			lemma(p.Le(x[0], p.Int(1000))),
			lemma(p.And(p.Ge(x[1], p.Int(0)), p.Eq(x[1], p.Mul(p.Int(2), x[0])))),
			lemma(p.Or(p.Le(x[0], p.Int(1000)), p.Le(x[1], p.Int(7)))),
		}
		requireInductive(t, sys, invariant)
		exchange := engine.NewExchange(sys)
		require.Equal(t, 3, exchange.Join(sys).PostLemmas(invariant...))
		stats := engine.NewStats()
		answer, err := e.Solve(context.Background(), sys, engine.Settings{Open: z3.Open, Stats: stats, Exchange: exchange})
		require.NoError(t, err)
		require.Equal(t, engine.Sat, answer.Verdict)
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
		require.LessOrEqual(t, stats.Get("level"), int64(1))
		require.EqualValues(t, 4, stats.Get("exchange.lemmas.read"))
		require.Zero(t, stats.Get("exchange.lemmas.posted"))

		other := counterTo(t, "5", "9")
		stats = engine.NewStats()
		answer, err = e.Solve(context.Background(), other, engine.Settings{Open: z3.Open, Stats: stats, Exchange: exchange})
		require.NoError(t, err)
		require.Equal(t, engine.Unsat, answer.Verdict)
		require.Zero(t, stats.Get("exchange.lemmas.read"))
	}
}

// TestWeakenedLemmasStayWhole: where the prover's own form of a lemma is weaker, as the one about a field that only one
// constructor has, the model still says the lemma itself, since others lean on it.
func TestWeakenedLemmasStayWhole(t *testing.T) {
	sys := read(t, `
(declare-datatypes ((Opt 0)) (((none) (some (value Int)))))
(declare-fun p (Opt) Bool)
(assert (p (some 1)))
(assert (forall ((x Opt)) (=> (p x) (p (some (+ 1 (value x)))))))
(assert (forall ((x Opt)) (=> (and (p x) ((_ is some) x) (< (value x) 0)) false)))`)
	pool := sys.Pool
	pr := newTestProverOn(t, sys)
	pr.vocabulary.Variants = true
	exchange := engine.NewExchange(sys)
	pr.exchange = exchange.Join(sys)
	x := witness.CanonicalParams(pool, sys.Predicates[0])[0]
	some := x.Sort().Data.Constructors[1]
	positive := pool.Ge(pool.Field(some.Selectors[0], x), pool.Int(1))
	exchange.Join(sys).PostLemmas(engine.Lemma{Predicate: sys.Predicates[0], Formula: positive})
	require.NoError(t, pr.share())
	require.Len(t, pr.preds[0].lemmas, 1)
	require.Len(t, pr.preds[0].lemmas[0].cube, 2)
	require.Equal(t, infinity, pr.preds[0].lemmas[0].level)
	m := pr.model()
	body := m.Interpretations[sys.Predicates[0]]
	require.Contains(t, term.Conjuncts(body.Apply(pool, []*term.Term{x})), positive)
}

// TestStrongerLemmasAreKept: what a lemma at infinity implies already is not learned again, and a lemma below infinity
// does not keep one out.
func TestStrongerLemmasAreKept(t *testing.T) {
	pr := newTestProver(t, step)
	p := pr.preds[0]
	x := p.Params[0]
	below, five := pr.pool.Lt(x, pr.pool.Int(0)), pr.pool.Eq(x, pr.pool.Int(5))
	_, err := pr.learn(p, []*term.Term{below}, 3)
	require.NoError(t, err)
	require.False(t, p.knows([]*term.Term{below, five}))
	_, err = pr.learn(p, []*term.Term{below}, infinity)
	require.NoError(t, err)
	require.True(t, p.knows([]*term.Term{below, five}))
	require.True(t, p.knows([]*term.Term{below}))
	require.False(t, p.knows([]*term.Term{five}))
}
