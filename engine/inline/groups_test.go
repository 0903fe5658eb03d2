package inline

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
)

// groupOf returns the number of the group of an argument.
func groupOf(g *groups, sys *chc.System, pred string, i int) int {
	for _, p := range sys.Predicates {
		if p.Name == pred {
			return g.of[p.ID][i]
		}
	}
	panic("no predicate " + pred)
}

const passing = `
	(declare-fun begin (Int Int Int) Bool) (declare-fun loop (Int Int Int) Bool) (declare-fun end (Int Int) Bool) (declare-fun call (Int Int) Bool)
	(assert (forall ((n Int)) (begin n n 0)))
	(assert (forall ((n Int) (i Int) (s Int)) (=> (begin i n s) (loop i n s))))
	(assert (forall ((n Int) (i Int) (s Int) (t Int)) (=> (and (loop i n s) (call s t) (> i 0)) (loop (- i 1) n t))))
	(assert (forall ((n Int) (i Int) (s Int)) (=> (loop n i s) (loop i n s))))
	(assert (forall ((n Int) (i Int) (s Int)) (=> (and (loop i n s) (<= i 0)) (end s s))))
	(assert (forall ((x Int)) (call x (+ x 1))))
	(assert (forall ((x Int) (y Int)) (=> (and (end x y) (> y 3)) false)))`

// A variable that is passed from predicate to predicate is one group; what is copied, what a loop exchanges and what a
// fact equates is not.
func TestGroups(t *testing.T) {
	sys := read(t, passing)
	g := newGroups(sys)
	of := func(pred string, i int) int { return groupOf(g, sys, pred, i) }
	for i := range 3 {
		require.Equal(t, of("begin", i), of("loop", i))
		for j := range i {
			require.NotEqual(t, of("loop", i), of("loop", j))
		}
	}
	require.Equal(t, of("loop", 2), of("end", 0), "the first of two places for a copied variable")
	require.NotEqual(t, of("end", 0), of("end", 1))
	require.Equal(t, of("loop", 2), of("call", 0))
	require.Equal(t, of("loop", 2), of("call", 1), "the result of the call is the variable in the head")
	require.Equal(t, []string{"begin.0", "loop.0"}, g.names[of("loop", 0)])
	require.Len(t, g.names, 4)
}

// Names of the source join what they agree on, though no variable is passed, and keep apart what they do not.
func TestGroupsByName(t *testing.T) {
	sys := read(t, `
		(declare-fun p (Int Int Bool) Bool) (declare-fun q (Int Int Int) Bool)
		(assert (forall ((x Int) (y Int) (z Int) (w Int)) (=> (and (q x y z) (= w (+ x 1))) (p w y (> z 0)))))`)
	for _, named := range []bool{true, false} {
		if named {
			sys.Predicates[0].ArgNames = []string{"x", "u", "z"}
			sys.Predicates[1].ArgNames = []string{"x", "v", "z"}
		}
		g := newGroups(sys)
		require.Equal(t, named, groupOf(g, sys, "p", 0) == groupOf(g, sys, "q", 0))
		require.Equal(t, !named, groupOf(g, sys, "p", 1) == groupOf(g, sys, "q", 1))
		require.NotEqual(t, groupOf(g, sys, "p", 2), groupOf(g, sys, "q", 2), "sorts differ")
		if named {
			require.Equal(t, []string{"x", "p.0", "q.0"}, g.names[groupOf(g, sys, "p", 0)])
		}
		sys.Predicates[0].ArgNames, sys.Predicates[1].ArgNames = nil, nil
	}
}

// What a clause assigns to is the variable at the same place before, when the predicates have the same arguments.
func TestGroupsByPlace(t *testing.T) {
	sys := read(t, `
		(declare-fun p (Int Int Int) Bool) (declare-fun q (Int Int Int) Bool)
		(assert (forall ((x Int) (y Int) (z Int) (w Int)) (=> (and (q x y z) (= w (+ x z))) (p w (+ y 1) x))))`)
	g := newGroups(sys)
	require.Equal(t, groupOf(g, sys, "p", 1), groupOf(g, sys, "q", 1))
	require.Equal(t, groupOf(g, sys, "p", 2), groupOf(g, sys, "q", 0))
	require.Len(t, g.names, 4)
}

// The queries' cone at distance 0 and 1.
func TestQueried(t *testing.T) {
	sys := read(t, `
		(declare-fun p (Int Int Int Int Int) Bool) (declare-fun q (Int Int) Bool)
		(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int) (f Int)) (=> (and (p a b c d e) (= f (+ c 1)) (> b 3)) (p f c d e b))))
		(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int)) (=> (and (p a b c d e) (q 3 e) (> a 2)) false)))`)
	g := newGroups(sys)
	var got []bool
	near := g.queried(sys)
	for i := range 5 {
		got = append(got, slices.Contains(near, groupOf(g, sys, "p", i)))
	}
	// The queries speak of p.0, and of p.4 by way of q; p.0 is computed from p.2, and p.4 is p.1 before.
	require.Equal(t, []bool{true, true, true, false, true}, got)
	require.True(t, slices.Contains(near, groupOf(g, sys, "q", 0)), "a constant is passed")
}

// The words of inline.track.
func TestTrackedFromTheStart(t *testing.T) {
	sys := read(t, passing)
	sys.Predicates[1].ArgNames = []string{"i", "n", "s"}
	for track, want := range map[string][]string{
		"none": {}, "query": {"s", "end.1"}, "n": {"n"}, "begin.1, i": {"i", "n"}, "nothing.7,s": {"s"}, "query,loop.1": {"n", "s", "end.1"},
	} {
		pr := newProgram(sys)
		pr.abstract(sys, track)
		var on []int
		for k, tracked := range pr.tracking.on {
			if tracked {
				on = append(on, k)
			}
		}
		require.Equal(t, want, pr.tracking.namesOf(on), track)
		require.Equal(t, len(want), pr.tracking.count())
	}
	for _, track := range []string{"all", "i,all"} {
		pr := newProgram(sys)
		pr.abstract(sys, track)
		require.Nil(t, pr.tracking)
	}
}
