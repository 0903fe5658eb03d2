package inline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

func newTestHunter(t *testing.T, src string) *hunter {
	o, err := newOptions(engine.Settings{})
	require.NoError(t, err)
	sys := read(t, src)
	h, err := newHunter(sys, sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	t.Cleanup(h.close)
	return h
}

// The cost of a call site is the number of its predicate's occurrences on its stack.
func TestCost(t *testing.T) {
	h := newTestHunter(t, `(declare-fun a (Int) Bool) (declare-fun b (Int) Bool)
		(assert (a 0)) (assert (b 0))
		(assert (forall ((x Int)) (=> (b x) (a (+ x 1)))))
		(assert (forall ((x Int)) (=> (and (a x) (b x)) (b (+ x 1)))))
		(assert (forall ((x Int)) (=> (and (a x) (> x 9)) false)))`)
	costs := func(n *node) map[string]int {
		out := map[string]int{}
		for _, s := range n.sites {
			out[s.pred.Name] = s.cost
		}
		return out
	}
	// goal; a; b; a and b.
	require.Equal(t, map[string]int{"a": 1}, costs(h.root))
	inline := func(s *site) *node {
		h.inline(s)
		return s.child
	}
	a := inline(h.root.sites[0])
	require.Equal(t, map[string]int{"b": 1}, costs(a))
	b := inline(a.sites[0])
	require.Equal(t, map[string]int{"a": 2, "b": 2}, costs(b))
	require.Equal(t, 2, b.depth)
	within, over := h.beyond(1)
	require.Empty(t, within)
	require.Len(t, over, 2)
	require.Equal(t, 2, leastCost(over))
	require.Equal(t, 2, leastCost([]*site{{cost: 3}, {cost: 2}, {cost: 4}}))
	// What a core teaches is that one of its sites is called.
	h.learn(over)
	require.Same(t, h.pool.Or(over[0].edge, over[1].edge), h.asserted[len(h.asserted)-1])
}

// Rules share the places of their calls, but the calls of one rule have a place each.
func TestSlotsAreShared(t *testing.T) {
	h := newTestHunter(t, `(declare-fun a (Int) Bool)
		(assert (a 0))
		(assert (forall ((x Int)) (=> (a x) (a (+ x 1)))))
		(assert (forall ((x Int)) (=> (a x) (a (+ x 2)))))
		(assert (forall ((x Int) (y Int)) (=> (and (a x) (a y)) (a (+ x y)))))
		(assert (forall ((x Int)) (=> (and (a x) (> x 9)) false)))`)
	h.inline(h.root.sites[0])
	n := h.root.sites[0].child
	require.Len(t, n.sites, 2)
	require.NotEqual(t, n.sites[0].args, n.sites[1].args)
}

// Constants travel down the calls, and rules that they contradict are not there; facts are inlined at once.
func TestConstantsArePushedDown(t *testing.T) {
	h := newTestHunter(t, `(declare-fun f (Int Int) Bool) (declare-fun g (Int Int) Bool) (declare-fun h (Int Int) Bool)
		(assert (forall ((x Int)) (h x (* 2 x))))
		(assert (forall ((x Int) (y Int)) (=> (and (h x y) (> x 3)) (g x y))))
		(assert (forall ((x Int) (y Int)) (=> (and (g (+ x 1) y) (< x 3)) (g x y))))
		(assert (forall ((x Int) (y Int)) (=> (g x y) (f x y))))
		(assert (forall ((y Int)) (=> (and (f 5 y) (> y 9)) false)))`)
	five := h.pool.Int(5)
	require.Same(t, five, h.root.sites[0].args[0])
	h.inline(h.root.sites[0])
	f := h.root.sites[0].child
	require.Same(t, five, f.sites[0].args[0])
	h.inline(f.sites[0])
	g := f.sites[0].child
	require.NotNil(t, g.sites[0].child, "h has facts only")
	require.Same(t, five, g.sites[0].args[0])
	require.Nil(t, g.sites[1], "5 is not below 3")
	require.Empty(t, h.open)
}

// A summary that is inductive makes query 2 prove without inlining anything, and is the model; one that is not gets no
// verdict out.
func TestSummaries(t *testing.T) {
	src := `(declare-fun p (Int Int) Bool)
		(assert (p 0 0))
		(assert (forall ((i Int) (s Int)) (=> (p i s) (p (+ i 1) (+ s 2)))))
		(assert (forall ((i Int) (s Int)) (=> (and (p i s) (= s 7)) false)))`
	for _, inductive := range []bool{true, false} {
		h := newTestHunter(t, src)
		pr := newProgram(h.sys)
		i, s := pr.preds[0].Params[0], pr.preds[0].Params[1]
		pr.preds[0].summary = h.pool.Eq(s, h.pool.Add(i, i))
		if !inductive {
			pr.preds[0].summary = h.pool.Lt(s, h.pool.Int(5))
		}
		h.tree = withRoot(&tree{program: pr})
		answer, err := h.stratified(t.Context())
		if !inductive {
			require.ErrorIs(t, err, witness.ErrInvalid)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, engine.Sat, answer.Verdict)
		require.Equal(t, 1, h.nodes)
		require.Equal(t, []*term.Term{i, s}, answer.Model.Interpretations[h.sys.Predicates[0]].Params)
		require.Same(t, pr.preds[0].summary, answer.Model.Interpretations[h.sys.Predicates[0]].Body)
	}
}

// Calls that a proof does not need are open sites again, and their predicates mean true.
func TestProofsAreShrunk(t *testing.T) {
	src := `(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
		(assert (p 1)) (assert (q 1))
		(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
		(assert (forall ((x Int)) (=> (q x) (q (+ x 2)))))
		(assert (forall ((x Int) (y Int)) (=> (and (p x) (q y) (= x 0) (> y 20)) false)))`
	sys := read(t, src)
	// p backwards from 0 never ends; so the query is cut to what one step excludes.
	sys.Clauses[2].Constraint = sys.Pool.Gt(sys.Clauses[2].Vars()[0], sys.Pool.Int(0))
	answer, stats := solve(t, Engine(), sys, map[string]string{"inline.choice": "trace"}, patience)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
	require.Equal(t, int64(2), stats.Get("inline.proof.kept"))
	require.Greater(t, stats.Get("inline.proof.nodes"), int64(2))
	require.True(t, answer.Model.Interpretations[sys.Predicates[1]].Body.IsTrue())
}

// Predicates that no clause derives, and clauses with the constraint false.
func TestEmptyPredicates(t *testing.T) {
	src := `(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
		(assert (forall ((x Int)) (=> (and (p x) (> x 0)) (q x))))
		(assert (forall ((x Int)) (=> (q x) false)))`
	for _, e := range []engine.Engine{Engine(), BMC()} {
		answer, _ := solve(t, e, read(t, src), nil, patience)
		require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
		answer, _ = solve(t, e, read(t, src+"(assert (forall ((x Int)) (=> (> x 3) (p x))))"), nil, patience)
		require.Equal(t, engine.Unsat, answer.Verdict, answer.Reason)
	}
	// No query: anything is a model.
	answer, _ := solve(t, Engine(), read(t, "(declare-fun p (Int) Bool) (assert (p 0))"), nil, patience)
	require.Equal(t, engine.Sat, answer.Verdict, answer.Reason)
}

// Several rules may hold in a model and share their callees; a derivation is found all the same, and soon: a search
// through all choices would take 2^60 steps here.
func TestDerivationAmongMany(t *testing.T) {
	h := newTestHunter(t, `(declare-fun p (Int) Bool)
		(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
		(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
		(assert (p 0))
		(assert (forall ((x Int)) (=> (p x) false)))`)
	m := smt.NewModel(0)
	n := h.root
	for range 60 {
		h.inline(n.sites[0])
		n = n.sites[0].child
		for _, selector := range n.selectors[:2] {
			m.Set(selector, term.BoolValue(true))
		}
	}
	require.Equal(t, 1, h.cheapest(m).costs[h.root], "the open site at the end")
	m.Set(n.selectors[2], term.BoolValue(true))
	d := h.cheapest(m)
	require.Equal(t, 0, d.costs[h.root], "a fact is cheaper")
	require.Empty(t, d.openSites(h.root))
	require.Equal(t, 2, d.rules[n])
}
