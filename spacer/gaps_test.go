package spacer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/engine"
)

// reentrant are the clauses of a contract whose state is a number up to 1000 that calls may set again, within calls too.
const reentrant = `
(declare-fun state (Int) Bool)
(declare-fun calls (Int Int) Bool)
(declare-fun call (Int Int) Bool)
(assert (forall ((d Int)) (=> (and (<= 0 d) (<= d 1000)) (state d))))
(assert (forall ((d Int)) (calls d d)))
(assert (forall ((d Int) (e Int) (f Int)) (=> (and (calls d e) (<= 0 e) (<= 0 f) (<= f 1000)) (calls d f))))
(assert (forall ((d Int) (e Int) (f Int)) (=> (and (calls d e) (call e f)) (calls d f))))
(assert (forall ((d Int) (e Int)) (=> (calls d e) (call d e))))
(assert (forall ((d Int) (e Int)) (=> (and (state d) (call d e)) (state e))))
(assert (forall ((d Int)) (=> (and (state d) (>= d 1000000)) false)))`

// Lemmas that say how far calls take the number need another distance at each level: without closed gaps there are 17 levels.
func TestGapsAreClosed(t *testing.T) {
	answer, stats := decide(t, Engine(), read(t, reentrant), nil, amply)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.Positive(t, stats.Get("gaps"))
	require.LessOrEqual(t, stats.Get("level"), int64(8))
}

func TestCloseGap(t *testing.T) {
	pr := newTestProver(t, reentrant)
	p := pr.pool
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	closed := func(t, u *term.Term) *term.Term {
		b, _ := pr.asBound(t)
		c, _ := pr.asBound(u)
		return pr.closeGap(b, c)
	}
	require.Equal(t, p.Le(x, p.Int(8)), closed(p.Le(x, p.Int(3)), p.Ge(y, p.Int(9))))
	require.Equal(t, p.Ge(y, p.Int(4)), closed(p.Ge(y, p.Int(9)), p.Le(x, p.Int(3))))
	require.Nil(t, closed(p.Le(x, p.Int(8)), p.Ge(y, p.Int(9))))
	require.Nil(t, closed(p.Le(x, p.Int(12)), p.Ge(y, p.Int(9))))
	for _, none := range []*term.Term{p.Eq(x, p.Int(3)), p.Le(x, y), p.Le(p.Mul(p.Int(2), x), y), p.Var("b", term.Bool)} {
		_, ok := pr.asBound(none)
		require.False(t, ok, none)
	}
}
