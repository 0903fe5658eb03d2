package inline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt/z3"
)

// exchanges is a program that fills an array of n elements, puts them in order by exchanges, each in one clause of two ways,
// and looks at two neighbours. With slip it looks at what need not be in order.
func exchanges(n int, slip string) string {
	const arrays = "(Array Int Int)"
	return fmt.Sprintf(`(set-logic HORN)
(declare-fun fill (%[1]s Int) Bool)
(declare-fun sort (%[1]s Int Int) Bool)
(assert (forall ((a %[1]s)) (fill a 0)))
(assert (forall ((a %[1]s) (i Int) (x Int)) (=> (and (fill a i) (< i %[2]d)) (fill (store a i x) (+ i 1)))))
(assert (forall ((a %[1]s) (i Int)) (=> (and (fill a i) (>= i %[2]d)) (sort a %[3]d 0))))
(assert (forall ((a %[1]s) (last Int) (j Int) (b %[1]s) (m Int) (k Int)) (=> (and (sort a last j)
  (or (and (< j last) (= m last) (= k (+ j 1)) (<= (select a j) (select a (+ j 1))) (= b a))
      (and (< j last) (= m last) (= k (+ j 1)) (> (select a j) (select a (+ j 1)))
           (= b (store (store a j (select a (+ j 1))) (+ j 1) (select a j))))
      (and (= j last) (> last 1) (= m (- last 1)) (= k 0) (= b a)))) (sort b m k))))
(assert (forall ((a %[1]s) (last Int) (j Int)) (=> (and (sort a last j) (= last 1) (= j 1) (> (select a 0) (%[4]s (select a 1) 0))) false)))
(check-sat)`, arrays, n, n-1, slip)
}

// Arrays that one way of a clause changes at known indices and another one does not are taken apart: neither a store nor an
// array but the first is left in what the solver is told, and the answers are the same.
func TestExchangesLeaveNoArrays(t *testing.T) {
	forward := map[string]string{"inline.direction": "forward", "inline.start": "100", "inline.constants": "true", "inline.prove": "false"}
	sys := reversed(read(t, exchanges(4, "+")))
	o, err := newOptions(engine.Settings{Options: forward})
	require.NoError(t, err)
	h, err := newHunter(sys, sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	defer h.close()
	_, err = h.static(t.Context())
	require.NoError(t, err)
	require.Empty(t, h.open, "every turn is counted by constants")
	for _, f := range h.asserted {
		term.Walk(f, func(u *term.Term) bool {
			require.NotEqual(t, term.Store, u.Op(), f)
			return true
		})
	}
	for _, e := range []engine.Engine{Engine(), BMC()} {
		answer, _ := solve(t, e, read(t, exchanges(4, "+")), forward, 60*time.Second)
		require.Equal(t, "no bug at any recursion bound", answer.Reason)
		answer, _ = solve(t, e, read(t, strings.Replace(exchanges(4, "+"), "(= last 1) (= j 1)", "(= last 1) (= j 0)", 1)), forward, 60*time.Second)
		require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	}
}

// Without a model there is no verdict, and what is said is no more than what was asked: a bound that is smaller than the first
// one is explored, and nothing beyond it.
func TestStartAndWord(t *testing.T) {
	loop := `(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x %d)) false)))`
	for _, e := range []engine.Engine{Engine(), BMC()} {
		answer, _ := solve(t, e, read(t, fmt.Sprintf(loop, 20)), map[string]string{"inline.prove": "false", "inline.direction": "forward"}, 60*time.Second)
		require.Equal(t, engine.Answer{Reason: "no bug at any recursion bound"}, answer)
		answer, _ = solve(t, e, read(t, fmt.Sprintf(loop, 3)), map[string]string{"inline.start": "1000", "inline.bound": "4", "inline.direction": "forward"}, 60*time.Second)
		require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
		answer, _ = solve(t, e, read(t, fmt.Sprintf(loop, 8)), map[string]string{"inline.start": "1000", "inline.bound": "4", "inline.direction": "forward", "inline.prove": "false"}, 60*time.Second)
		require.Equal(t, engine.Unknown, answer.Verdict)
		require.Equal(t, "no bug up to recursion bound 4", answer.Reason)
	}
}

// Equations of arrays that are taken apart say the same as before: nothing, where the arrays are made from different ones.
func TestElementwise(t *testing.T) {
	p := term.NewPool()
	pr := &program{pool: p}
	s := p.Array(term.Int, term.Int)
	a, b := p.Var("a", s), p.Var("b", s)
	rapid.Check(t, func(t *rapid.T) {
		chain := func(base *term.Term) *term.Term {
			for range rapid.IntRange(0, 3).Draw(t, "stores") {
				base = p.Store(base, p.Int(rapid.Int64Range(0, 2).Draw(t, "index")), p.Int(rapid.Int64Range(0, 1).Draw(t, "value")))
			}
			return base
		}
		x, y := chain(a), chain(a)
		require.Nil(t, pr.elementwise(chain(a), chain(b)))
		e := pr.elementwise(x, y)
		value := p.ConstArray(s, p.Int(rapid.Int64Range(0, 1).Draw(t, "before")))
		for i := range int64(3) {
			value = p.Store(value, p.Int(i), p.Int(rapid.Int64Range(0, 1).Draw(t, "element")))
		}
		at := map[*term.Term]*term.Term{a: value}
		require.Equal(t, p.Substitute(p.Eq(x, y), at).IsTrue(), p.Substitute(e, at).IsTrue(), "%s = %s", x, y)
	})
}
