package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/prune"
	"hornbeam/internal/hornoracle"
)

// What the only user of a loop asks of an argument that the loop leaves alone is asked of what enters it, also when the
// loop has several predicates that keep the argument at different places; what it asks of others is not.
func TestContextOfALoop(t *testing.T) {
	sys := read(t, `
(declare-rel p (Int Int))
(declare-rel q (Int Int Int))
(rule (=> (= x 0) (p x z)))
(rule (=> (p x z) (q z (+ x 1) 7)))
(rule (=> (and (q z y u) (< y 9)) (p y z)))
(query (and (p x z) (= x 5) (> z 3)))`)
	next, back := run(t, prune.Context(), sys)
	require.Equal(t, "(and (= x 0) (>= z 4)) => (p x z)", lines(next)[0])
	require.Equal(t, lines(sys)[1:], lines(next)[1:])
	requireUnsat(t, sys, next, back)
}

// What is asked of a loop is asked of the loops before it at once, however many there are.
func TestContextOfLoopsInARow(t *testing.T) {
	sys := read(t, `
(declare-rel p (Int Int))
(declare-rel q (Int Int))
(declare-rel r (Int Int))
(rule (=> (= x 0) (p x z)))
(rule (=> (p x z) (p (+ x 1) z)))
(rule (=> (and (p x z) (> x 0)) (q x z)))
(rule (=> (q x z) (q (+ x 1) z)))
(rule (=> (and (q x z) (> x 1)) (r z x)))
(rule (=> (r z x) (r z (- x 1))))
(query (and (r z x) (= z 2) (< x z)))`)
	next, back := run(t, prune.Context(), sys)
	for _, entry := range []int{0, 2, 4} {
		require.Contains(t, lines(next)[entry], "(= z 2)")
	}
	requireUnsat(t, sys, next, back)

	sys = read(t, `
(declare-rel p (Int Int))
(declare-rel q (Int Int))
(rule (=> (= x z) (p x z)))
(rule (=> (and (p x z) (< x 5)) (p (+ x 1) z)))
(rule (=> (and (p x z) (> x 2)) (q x z)))
(rule (=> (and (q x z) (< x 5)) (q (+ x 1) z)))
(query (and (q x z) (= z 2) (< x z)))`)
	next, back = run(t, prune.Context(), sys)
	require.Contains(t, lines(next)[0], "(= z 2)")
	requireSat(t, sys, next, back)
}

// With several users, one of them has to be served; a user that asks nothing is served by all.
func TestContextOfSeveralUsers(t *testing.T) {
	const loop = `
(declare-rel p (Int Int))
(rule (=> (= x 0) (p x z)))
(rule (=> (and (p x z) (< x 2)) (p (+ x 1) z)))
(query (and (p x z) (= z 1) (< x 0)))
`
	sys := read(t, loop+"(query (and (p x 2) (< x 0)))")
	next, back := run(t, prune.Context(), sys)
	require.Equal(t, "(and (= x 0) (or (= z 1) (= z 2))) => (p x z)", lines(next)[0])
	requireSat(t, sys, next, back)

	sys = read(t, loop+"(query (and (p x z) (< x (- z))))")
	next, _, err := prune.Context().Run(t.Context(), env, sys)
	require.NoError(t, err)
	require.Same(t, sys, next)
}

// An argument that a step changes, or that a step with several premises takes from one of them, is none that is kept.
func TestContextOfWhatChanges(t *testing.T) {
	for _, step := range []string{"(rule (=> (p x z) (p x (+ z 1))))", "(rule (=> (p x z) (p z x)))", "(rule (=> (and (p x z) (p y z)) (p (+ x y) z)))", "(rule (=> (p x y) (p x z)))"} {
		sys := read(t, "(declare-rel p (Int Int))\n(rule (=> (= x 0) (p x z)))\n"+step+"\n(query (and (p x z) (= z 1)))")
		next, _, err := prune.Context().Run(t.Context(), env, sys)
		require.NoError(t, err)
		require.Same(t, sys, next, step)
	}
}

// handedOn is a system in which every predicate has one more argument, which every clause hands on from its first premise; the further
// premises get theirs from that by what further returns. What uses a predicate asks something of it by chance.
func handedOn(t *rapid.T, sys *chc.System, further func(first *term.Term) *term.Term) *chc.System {
	out := &chc.System{Pool: sys.Pool}
	for _, p := range sys.Predicates {
		q := *p
		q.Sorts = append(append([]*term.Sort(nil), p.Sorts...), term.Bool)
		q.ArgNames = nil
		out.Predicates = append(out.Predicates, &q)
	}
	for _, c := range sys.Clauses {
		first := sys.Pool.Fresh("k", term.Bool)
		widen := func(a chc.App, more *term.Term) chc.App {
			return chc.App{Pred: out.Predicates[a.Pred.ID], Args: append(append([]*term.Term(nil), a.Args...), more)}
		}
		d := *c
		d.Body = nil
		for i, a := range c.Body {
			more := first
			if i > 0 {
				more = further(first)
			}
			d.Body = append(d.Body, widen(a, more))
		}
		if c.Head != nil {
			h := widen(*c.Head, first)
			d.Head = &h
		}
		if rapid.IntRange(0, 3).Draw(t, "asks") > 0 {
			ask := rapid.SampledFrom([]*term.Term{first, sys.Pool.Not(first)}).Draw(t, "ask")
			d.Constraint = sys.Pool.And(c.Constraint, ask)
		}
		out.Clauses = append(out.Clauses, &d)
	}
	return out
}

// carriesHandedOn runs a pass on such systems until it has changed satisfiable and unsatisfiable ones.
func carriesHandedOn(t *testing.T, pass transform.Pass, further func(t *rapid.T, first *term.Term) *term.Term) {
	var n tally
	n.untilBoth(t, func(t *rapid.T) {
		n.carriesOne(t, func(sys *chc.System) (*chc.System, transform.Translator) {
			next, back, err := pass.Run(t.Context(), env, sys)
			require.NoError(t, err)
			return next, back
		}, handedOn(t, hornoracle.Draw(t, drawShape(t)), func(first *term.Term) *term.Term { return further(t, first) }))
	})
	t.Logf("%+v", n)
	require.Positive(t, n.sat)
	require.Positive(t, n.unsat)
}

func TestContextCarriesWitnessesBack(t *testing.T) {
	carriesHandedOn(t, prune.Context(), func(_ *rapid.T, first *term.Term) *term.Term { return first.Pool().Fresh("k", term.Bool) })
}
