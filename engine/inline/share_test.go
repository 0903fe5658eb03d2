package inline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/hornoracle"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

// sharingHunter is a hunter on the system whose sites share callees.
func sharingHunter(t require.TestingT, sys *chc.System) *hunter {
	return sharingHunterWith(t, sys, z3.Open)
}

func sharingHunterWith(t require.TestingT, sys *chc.System, open smt.Opener) *hunter {
	o, err := newOptions(engine.Settings{})
	require.NoError(t, err)
	h, err := newHunter(sys, sys, engine.Settings{Open: open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	h.startSharing()
	return h
}

// inlineAll inlines open sites up to the bound.
func inlineAll(h *hunter, bound int) {
	for {
		within, _ := h.beyond(bound)
		if len(within) == 0 {
			return
		}
		h.inline(within...)
	}
}

// For linear clauses the graph has one node for each predicate and depth, not one for each path.
func TestLinearUnrollingIsLayered(t *testing.T) {
	src := `(declare-fun a (Int) Bool) (declare-fun b (Int) Bool)
		(assert (a 0))
		(assert (forall ((x Int)) (=> (a x) (b (+ x 1)))))
		(assert (forall ((x Int)) (=> (b x) (b (+ x 2)))))
		(assert (forall ((x Int)) (=> (a x) (a (+ x 3)))))
		(assert (forall ((x Int)) (=> (b x) (a (+ x 4)))))
		(assert (forall ((x Int)) (=> (and (a x) (> x 99)) false)))`
	h := sharingHunter(t, read(t, src))
	defer h.close()
	const bound = 5
	inlineAll(h, bound)
	require.NoError(t, h.exclusive())
	// The query; and a with i, b with j occurrences on the stack, the first being a.
	require.LessOrEqual(t, h.nodes, 1+2*(bound+1)*(bound+1))
	alone := newTestHunter(t, src)
	inlineAll(alone, bound)
	require.Greater(t, alone.nodes, 300)
}

// Loops one after the other: what follows a loop is the same whatever the number of its iterations, and is there once.
func TestLoopsInSequenceAreShared(t *testing.T) {
	h := sharingHunter(t, read(t, `(declare-fun a (Int) Bool) (declare-fun b (Int) Bool) (declare-fun c (Int) Bool)
		(assert (c 0)) (assert (forall ((x Int)) (=> (c x) (c (+ x 1)))))
		(assert (forall ((x Int)) (=> (and (c x) (> x 5)) (b x)))) (assert (forall ((x Int)) (=> (b x) (b (+ x 2)))))
		(assert (forall ((x Int)) (=> (and (b x) (> x 9)) (a x)))) (assert (forall ((x Int)) (=> (a x) (a (+ x 3)))))
		(assert (forall ((x Int)) (=> (and (a x) (> x 99)) false)))`))
	defer h.close()
	const bound = 7
	inlineAll(h, bound)
	require.NoError(t, h.exclusive())
	require.Equal(t, 1+3*bound, h.nodes)
}

// Calls of one rule are never shared, nor are those below them; calls of different rules are.
func TestCallsOfOneRuleAreNotShared(t *testing.T) {
	src := `(declare-fun leaf (Int Int) Bool) (declare-fun left (Int Int) Bool) (declare-fun right (Int Int) Bool) (declare-fun top (Int Int) Bool)
		(assert (forall ((x Int)) (leaf x x)))
		(assert (forall ((x Int) (y Int)) (=> (and (leaf (- x 1) y) (> x 0)) (leaf x y))))
		(assert (forall ((x Int) (y Int)) (=> (leaf (+ x 1) y) (left x y))))
		(assert (forall ((x Int) (y Int)) (=> (leaf (+ x 2) y) (right x y))))
		RULES
		(assert (forall ((x Int) (y Int)) (=> (and (top x y) (> x y)) false)))`
	for rules, shared := range map[string]int{
		`(assert (forall ((x Int) (y Int) (z Int)) (=> (and (left x y) (right y z)) (top x z))))`:                                                               0,
		`(assert (forall ((x Int) (y Int)) (=> (left x y) (top x y)))) (assert (forall ((x Int) (y Int)) (=> (right x y) (top x y))))`:                          1,
		`(assert (forall ((x Int) (y Int)) (=> (left x y) (top x y)))) (assert (forall ((x Int) (y Int) (z Int)) (=> (and (leaf x y) (right y z)) (top x z))))`: 1,
	} {
		h := sharingHunter(t, read(t, strings.Replace(src, "RULES", rules, 1)))
		inlineAll(h, 1)
		require.NoError(t, h.exclusive())
		require.Equal(t, shared, h.sharing.merges, rules)
		h.close()
	}
}

// A site may share a call only when no site below that is used together with it, however far away they were inlined.
func TestSharedCallsBelow(t *testing.T) {
	h := sharingHunter(t, read(t, `(declare-fun c (Int) Bool) (declare-fun b (Int) Bool) (declare-fun a1 (Int) Bool) (declare-fun a2 (Int) Bool) (declare-fun d (Int) Bool)
		(assert (c 0)) (assert (forall ((x Int)) (=> (c x) (c (+ x 1)))))
		(assert (forall ((x Int)) (=> (c x) (b x))))
		(assert (forall ((x Int)) (=> (c x) (d x))))
		(assert (forall ((x Int)) (=> (b x) (a1 x))))
		(assert (forall ((x Int) (y Int)) (=> (and (b x) (d y)) (a2 (+ x y)))))
		(assert (forall ((x Int)) (=> (and (a1 x) (> x 9)) false)))
		(assert (forall ((x Int)) (=> (and (a2 x) (> x 9)) false)))`))
	defer h.close()
	callOf := func(n *node, pred string) *site {
		for _, s := range n.sites {
			if s != nil && s.pred.Name == pred {
				return s
			}
		}
		t.Fatalf("no call of %s", pred)
		return nil
	}
	into := func(s *site) *node {
		h.inline(s)
		require.NoError(t, h.exclusive())
		return s.child
	}
	a1, a2 := into(callOf(h.root, "a1")), into(callOf(h.root, "a2"))
	b1 := into(callOf(a1, "b"))
	c1 := into(callOf(b1, "c"))
	d := into(callOf(a2, "d"))
	// c below d is exclusive to c below a1, and shares it. Then b below a2 may not share the b of a1: it is used with d.
	require.Same(t, c1, into(callOf(d, "c")))
	b2 := into(callOf(a2, "b"))
	require.NotSame(t, b1, b2)
	require.NotSame(t, c1, into(callOf(b2, "c")))
	require.Equal(t, 1, h.sharing.merges)
}

// Constants travel into shared calls, which are those with the same ones.
func TestSharedCallsHaveTheSameConstants(t *testing.T) {
	h := sharingHunter(t, read(t, `(declare-fun f (Int Int) Bool) (declare-fun g (Int) Bool) (declare-fun k (Int) Bool) (declare-fun l (Int) Bool)
		(assert (forall ((x Int)) (f 0 x)))
		(assert (forall ((n Int) (x Int)) (=> (and (f (- n 1) x) (> n 0)) (f n (+ x 1)))))
		(assert (forall ((x Int)) (=> (f 1 x) (g x))))
		(assert (forall ((x Int)) (=> (f 2 x) (k x))))
		(assert (forall ((x Int)) (=> (f 2 (- x 7)) (l x))))
		(assert (forall ((x Int)) (=> (and (g x) (> x 9)) false)))
		(assert (forall ((x Int)) (=> (and (k x) (> x 9)) false)))
		(assert (forall ((x Int)) (=> (and (l x) (> x 9)) false)))`))
	defer h.close()
	inlineAll(h, 9)
	require.NoError(t, h.exclusive())
	// f of 2, which k and l share, of 1 and 0; and, below g, of 1 and 0.
	require.Equal(t, 1+3+3+2, h.nodes)
	require.Equal(t, 1, h.sharing.merges)
	require.Empty(t, h.open)
}

// drawLayered draws a non-linear system with layers of predicates, which call those of their own and of the layer below in
// one or several rules, so that much can be shared and much must not be.
func drawLayered(t *rapid.T) *chc.System {
	const layers = 3
	number := func(what string, from, to int) int { return rapid.IntRange(from, to).Draw(t, what) }
	var b strings.Builder
	for i := range layers {
		fmt.Fprintf(&b, "(declare-fun p%d0 (Int) Bool) (declare-fun p%d1 (Int) Bool)\n", i, i)
	}
	for i := range layers {
		for j := range 2 {
			if i == 0 {
				fmt.Fprintf(&b, "(assert (p%d%d %d))\n", i, j, number("fact", 0, 2))
			}
			for range number("rules", 1, 3) {
				var body, sum []string
				for k := range number("body", 1, 2) {
					layer := max(0, i-number("down", 0, 1))
					if i > 0 && k == 0 {
						layer = i - 1
					}
					body = append(body, fmt.Sprintf("(p%d%d y%d)", layer, number("which", 0, 1), k))
					sum = append(sum, fmt.Sprintf("y%d", k))
				}
				relation := rapid.SampledFrom([]string{"=", ">=", "="}).Draw(t, "relation")
				fmt.Fprintf(&b, "(assert (forall ((x Int) (y0 Int) (y1 Int)) (=> (and %s (%s x (+ %s %d))) (p%d%d x))))\n",
					strings.Join(body, " "), relation, strings.Join(sum, " "), number("step", 0, 3), i, j)
			}
		}
	}
	for j := range 2 {
		fmt.Fprintf(&b, "(assert (forall ((x Int)) (=> (and (p%d%d x) (< x %d)) false)))\n", layers-1, j, number("goal", -3, 4))
	}
	return read(t, b.String())
}

// Whatever is inlined in whatever order, no derivation uses a node twice, costs are those of every caller's stack, and the
// sets that are kept say what may be used together.
func TestSharingIsExclusive(t *testing.T) {
	merges := 0
	rapid.Check(t, func(t *rapid.T) {
		var sys *chc.System
		if rapid.Bool().Draw(t, "layered") {
			sys = drawLayered(t)
		} else {
			shape := hornoracle.DefaultShape()
			shape.Clauses, shape.Twins = 14, 0
			sys = hornoracle.Draw(t, shape)
		}
		h := sharingHunter(t, sys)
		defer h.close()
		for range rapid.IntRange(1, 60).Draw(t, "sites") {
			if len(h.open) == 0 {
				break
			}
			h.inline(rapid.SampledFrom(h.open).Draw(t, "site"))
			require.NoError(t, h.exclusive())
		}
		merges += h.sharing.merges
		for _, s := range h.sharing.sites {
			var walk func(n *node, on int)
			walk = func(n *node, on int) {
				if n.pred == s.pred {
					on++
				}
				if n.site == nil {
					require.Equal(t, s.cost, on+1)
				}
				for _, c := range n.callers {
					walk(c.caller, on)
				}
			}
			walk(s.caller, 0)
		}
	})
	require.Positive(t, merges)
}

// Two nodes that one rule calls both are found out when they are made one by force.
func TestWrongSharingIsFoundOut(t *testing.T) {
	h := sharingHunter(t, read(t, strings.ReplaceAll(fibonacci, "R", "8")))
	defer h.close()
	h.inline(h.root.sites[0])
	n := h.root.sites[0].child
	h.inline(n.sites[0])
	require.NoError(t, h.exclusive())
	h.attach(n.sites[1], n.sites[0].child)
	h.sharing.merged(n.sites[1], n.sites[0].child)
	require.ErrorContains(t, h.exclusive(), "2 times in one derivation")
	require.True(t, h.noBug(3).Internal)
}

// diamonds is a chain of choices: each level calls one of two below it, which add one or two. Unshared, its unrolling has
// 2^n calls. The sum is goal more than the number of levels.
func diamonds(levels, goal int) string {
	var b strings.Builder
	for i := range levels + 1 {
		fmt.Fprintf(&b, "(declare-fun l%d (Int) Bool) (declare-fun r%d (Int) Bool)\n", i, i)
	}
	b.WriteString("(assert (l0 0)) (assert (r0 0))\n")
	for i := range levels {
		for _, p := range []string{"l", "r"} {
			for k, q := range []string{"l", "r"} {
				fmt.Fprintf(&b, "(assert (forall ((x Int)) (=> (%s%d x) (%s%d (+ x %d)))))\n", q, i, p, i+1, k+1)
			}
		}
	}
	fmt.Fprintf(&b, "(assert (forall ((x Int)) (=> (and (l%d x) (= x %d)) false)))", levels, levels+goal)
	return b.String()
}

func TestDiamonds(t *testing.T) {
	const levels = 6
	for goal, want := range map[int]engine.Verdict{3: engine.Unsat, -1: engine.Sat} {
		for _, e := range []engine.Engine{Engine(), BMC()} {
			answer, stats := solve(t, e, read(t, diamonds(levels, goal)), map[string]string{"inline.share": "first"}, patience)
			require.Equal(t, want, answer.Verdict, answer.Reason)
			require.LessOrEqual(t, stats.Get("inline.instances"), int64(4*levels))
			if e.Name == "bmc" {
				require.Positive(t, stats.Get("inline.shared"))
			}
		}
	}
}

// A graph that stands for too large a tree is labelled as it is, and gives a model.
func TestGraphsAreLabelled(t *testing.T) {
	const levels = 7
	src := diamonds(levels, 0)
	// That the sum is at least the number of levels is what one label a level says.
	src = strings.Replace(src, fmt.Sprintf("(= x %d)", levels), fmt.Sprintf("(< x %d)", levels), 1)
	for _, options := range []map[string]string{{"inline.share": "first"}, {"inline.share": "first", "inline.bounded-labels": "false"}} {
		answer, stats := solve(t, BMC(), read(t, src), options, patience)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		require.LessOrEqual(t, stats.Get("inline.proof.nodes"), int64(4*levels))
		require.Equal(t, stats.Get("inline.proof.kept")-1, stats.Get("inline.proof.labels"))
	}
	h := sharingHunter(t, read(t, src))
	defer h.close()
	inlineAll(h, 1)
	require.Greater(t, unfolded(h.root, map[*node]int{}), mostUnfolded)
	require.LessOrEqual(t, h.nodes, 4*levels)
}

// The label of a shared call serves all its callers, which need different things of it.
func TestLabelsServeAllCallers(t *testing.T) {
	h := sharingHunter(t, read(t, `(declare-fun a (Int) Bool) (declare-fun b (Int) Bool) (declare-fun c (Int) Bool) (declare-fun d (Int) Bool)
		(assert (forall ((x Int)) (=> (<= 1 x 9) (d x))))
		(assert (forall ((x Int)) (=> (d x) (c x))))
		(assert (forall ((x Int)) (=> (c x) (a x))))
		(assert (forall ((x Int)) (=> (c x) (b x))))
		(assert (forall ((x Int)) (=> (and (a x) (< x 0)) false)))
		(assert (forall ((x Int)) (=> (and (b x) (> x 10)) false)))`))
	defer h.close()
	inlineAll(h, 1)
	require.Equal(t, 1, h.sharing.merges)
	p := &proof{hunter: h}
	p.newGraph(nil)
	require.NoError(t, p.label(t.Context(), itp.Options{}))
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, h.sys, p.model(), smt.Limit{}))
	require.NoError(t, p.shrinkCalls(t.Context(), true))
	require.NoError(t, p.label(t.Context(), itp.Options{}))
	require.NoError(t, witness.CheckModel(t.Context(), z3.Open, h.sys, p.model(), smt.Limit{}))
}

// Whatever the graph: what a call's rules and the labels of its callees say implies its own label, and excludes the root;
// and where nothing was blocked, the labels are a model.
func TestLabelsOfGraphs(t *testing.T) {
	labelled := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := drawLayered(t)
		ctx, open, cancel := smttest.Budget(context.Background(), z3.Open, 300)
		defer cancel()
		h := sharingHunterWith(t, sys, open)
		defer h.close()
		inlineAll(h, rapid.IntRange(1, 2).Draw(t, "bound"))
		if h.nodes > 24 || h.sharing.merges == 0 {
			return
		}
		status, blocked, err := h.ask(ctx, under, h.open, false)
		if err != nil || status != smt.Unsat {
			return
		}
		p := &proof{hunter: h, blocked: map[*site]bool{}}
		for _, b := range blocked {
			p.blocked[b] = true
		}
		if rapid.Bool().Draw(t, "all") {
			p.newGraph(nil)
		} else if err := p.shrinkCalls(ctx, true); err != nil {
			require.Error(t, ctx.Err(), err)
			return
		}
		if err := p.label(ctx, itp.Options{}); err != nil {
			require.True(t, ctx.Err() != nil || unproved(ctx, err), "%v", err)
			return
		}
		judge, err := z3.Open(h.pool, smt.Config{})
		require.NoError(t, err)
		defer judge.Close()
		solver, err := judge.NewSolver(smt.Params{})
		require.NoError(t, err)
		for _, c := range p.calls() {
			label := h.pool.False()
			if c != p.top {
				label = c.label
				labelled++
			}
			status, err := solver.Check(context.Background(), p.graph.inside(c, -1, map[*call]*term.Term{}), h.pool.Not(label))
			require.NoError(t, err)
			require.Equal(t, smt.Unsat, status)
		}
		if len(blocked) == 0 {
			require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, p.model(), smt.Limit{}))
		}
	})
	require.Positive(t, labelled)
}
