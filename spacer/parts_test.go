package spacer

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
	"hornbeam/mbp"
)

func replace(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }

// newTestProver opens a prover on a system without running it.
func newTestProver(t *testing.T, src string) *prover { return newTestProverOn(t, read(t, src)) }

func newTestProverOn(t *testing.T, sys *chc.System) *prover {
	smtContext, err := z3.Open(sys.Pool, smt.Config{})
	require.NoError(t, err)
	t.Cleanup(smtContext.Close)
	o, err := newOptions(engine.Settings{}, true)
	require.NoError(t, err)
	return &prover{problem: newProblem(sys, o), options: o, smt: smtContext, projector: mbp.New(sys.Pool, mbp.Options{}),
		lowest: infinity}
}

// step is a counter that also copies its argument: x' = x + 1.
const step = `
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))`

// TestQueueOrder: the lowest level first, then the most general cube, then the oldest.
func TestQueueOrder(t *testing.T) {
	pr := newTestProver(t, step)
	p := pr.preds[0]
	x := p.Params[0]
	atMost := func(k int64) *term.Term { return pr.pool.Le(x, pr.pool.Int(k)) }
	atLeast := func(k int64) *term.Term { return pr.pool.Ge(x, pr.pool.Int(k)) }
	high := pr.obligationFor(p, []*term.Term{atMost(1)}, 3, nil)
	long := pr.obligationFor(p, []*term.Term{atMost(1), atLeast(0)}, 2, nil)
	old := pr.obligationFor(p, []*term.Term{atMost(2)}, 2, nil)
	young := pr.obligationFor(p, []*term.Term{atMost(3)}, 2, nil)
	q := newObligationQueue()
	for _, o := range []*obligation{young, high, long, old, old} {
		q.push(o)
	}
	require.Equal(t, 4, q.size())
	for _, want := range []*obligation{old, young, long, high} {
		require.Same(t, want, q.pop())
	}
	require.Nil(t, q.pop())
	require.Same(t, old, pr.obligationFor(p, []*term.Term{atMost(2)}, 2, nil))
}

// TestLevels: a query sees a body lemma one level up and no further, a lemma at infinity always, and the answer names
// the level that was used.
func TestLevels(t *testing.T) {
	pr := newTestProver(t, step)
	ctx := context.Background()
	require.NoError(t, pr.seedFacts())
	p := pr.preds[0]
	x := p.Params[0]
	f, err := pr.frameFor(p)
	require.NoError(t, err)
	_, err = pr.learn(p, []*term.Term{pr.pool.Lt(x, pr.pool.Int(0))}, 1)
	require.NoError(t, err)
	status := func(cube *term.Term, level int) (smt.Status, int) {
		s, err := f.check(ctx, append([]*term.Term{cube}, f.background(level)...))
		require.NoError(t, err)
		used := -1
		if s == smt.Unsat {
			used = f.usedLevel(f.solver.Core())
		}
		return s, used
	}
	below := pr.pool.Lt(x, pr.pool.Int(0))
	s, used := status(below, 0)
	require.Equal(t, smt.Unsat, s)
	require.LessOrEqual(t, used, 1)
	s, used = status(below, 2)
	require.Equal(t, smt.Unsat, s)
	require.Equal(t, 2, used)
	s, _ = status(below, 3)
	require.Equal(t, smt.Sat, s)
	s, _ = status(pr.pool.Eq(x, pr.pool.Int(1)), 0)
	require.Equal(t, smt.Unsat, s, "at level 0 only facts count")
	require.NoError(t, pr.raise(p.lemmas[0], infinity))
	s, used = status(below, 7)
	require.Equal(t, smt.Unsat, s)
	require.Equal(t, infinity, used)
}

// TestRebuild: a rebuilt solver knows what the old one knew.
func TestRebuild(t *testing.T) {
	pr := newTestProver(t, step)
	ctx := context.Background()
	require.NoError(t, pr.seedFacts())
	p := pr.preds[0]
	x := p.Params[0]
	f, err := pr.frameFor(p)
	require.NoError(t, err)
	_, err = pr.learn(p, []*term.Term{pr.pool.Lt(x, pr.pool.Int(0))}, 1)
	require.NoError(t, err)
	f.stale = pr.options.rebuildAfter + 1
	again, err := pr.frameFor(p)
	require.NoError(t, err)
	require.Same(t, f, again)
	require.Zero(t, f.stale)
	for level, want := range map[int]smt.Status{0: smt.Unsat, 2: smt.Unsat, 3: smt.Sat} {
		s, err := f.check(ctx, append([]*term.Term{pr.pool.Lt(x, pr.pool.Int(0))}, f.background(level)...))
		require.NoError(t, err)
		require.Equal(t, want, s, "level %d", level)
	}
	must := f.mustChain(rule.Use{Rule: p.Rules[1], Position: 0})
	require.NotNil(t, must)
	s, err := f.check(ctx, []*term.Term{must, p.Rules[1].Tag, pr.pool.Eq(x, pr.pool.Int(5))})
	require.NoError(t, err)
	require.Equal(t, smt.Unsat, s, "from the only reach fact, x = 0, one step leads to 1")
}

// TestSubsumption: a lemma drops those that it implies at no higher a level, and no others.
func TestSubsumption(t *testing.T) {
	pr := newTestProver(t, step)
	p := pr.preds[0]
	x := p.Params[0]
	a, b := pr.pool.Gt(x, pr.pool.Int(5)), pr.pool.Divides(term.NewInt(2), x)
	weak, err := pr.learn(p, []*term.Term{a, b}, 2)
	require.NoError(t, err)
	high, err := pr.learn(p, []*term.Term{a, b, pr.pool.Divides(term.NewInt(3), x)}, 4)
	require.NoError(t, err)
	strong, err := pr.learn(p, []*term.Term{a}, 3)
	require.NoError(t, err)
	require.True(t, weak.gone)
	require.False(t, high.gone)
	require.Equal(t, []*lemma{high, strong}, p.lemmas)
	require.Equal(t, []*lemma{high}, p.may(4))
}

// TestFactCopies: the locals of a fact are different ones at every body position.
func TestFactCopies(t *testing.T) {
	pr := newTestProver(t, `
(declare-fun p (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x (* 3 y)) (> (* y y) 1)) (p (+ x y)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (> x y)) false)))`)
	require.NoError(t, pr.seedFacts())
	f := pr.preds[0].facts[0]
	body := pr.goal.Rules[0].Body
	first, second := f.at(pr, body[0]), f.at(pr, body[1])
	for _, v := range term.Vars(first) {
		require.False(t, term.Contains(second, v))
	}
}

// A query that the solver leaves open is asked again with other settings before the run gives up, and where it may take little time, with
// more of it.
func TestRetune(t *testing.T) {
	for limit, rounds := range map[time.Duration]int{time.Hour: 1, time.Minute: 1, 12 * time.Second: 2, time.Second: 3} {
		pr := newTestProver(t, step)
		pr.options.checkTime = limit
		require.NoError(t, pr.seedFacts())
		p := pr.preds[0]
		f, err := pr.frameFor(p)
		require.NoError(t, err)
		for n := 1; n < rounds*len(pr.tunings()); n++ {
			again, err := f.retune()
			require.NoError(t, err)
			require.True(t, again)
			s, err := f.check(context.Background(), append([]*term.Term{pr.pool.Eq(p.Params[0], pr.pool.Int(1))}, f.background(1)...))
			require.NoError(t, err)
			require.Equal(t, smt.Sat, s)
		}
		require.Equal(t, limit*[]time.Duration{1, 5, 25}[rounds-1], f.checkLimit())
		again, err := f.retune()
		require.NoError(t, err)
		require.False(t, again)
	}
}
