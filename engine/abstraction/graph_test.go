package abstraction

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt/z3"
)

// line counts up from any number that is not negative.
const line = `(declare-fun p (Int) Bool)
	(assert (forall ((x Int)) (=> (>= x 0) (p x))))
	(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
	(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))`

// exploring returns an explorer of a configuration on clauses, with its predicate's only parameter.
func exploring(t *testing.T, src, engineName, variant string) (*explorer, *term.Term) {
	var o options
	tables := map[string]func(*options) []engine.Option{"impact": (*options).impact, "predicates": (*options).predicates}
	require.NoError(t, engine.Bind(tables[engineName](&o), nil))
	x, err := newExplorer(read(t, src), configurationOf(engineName, variant), engine.Settings{Open: z3.Open, Stats: engine.NewStats()}, o)
	require.NoError(t, err)
	t.Cleanup(x.close)
	return x, x.system.Predicates[0].Params[0]
}

// chain adds the nodes that a fact and a rule applied again and again derive, and settles them, with these labels.
func (x *explorer) chain(t *testing.T, fact, step *rule.Rule, labels ...*term.Term) []*node {
	var nodes []*node
	for i, l := range labels {
		e := edge{rule: fact}
		if i > 0 {
			e = edge{step, []*node{nodes[i-1]}}
		}
		n := x.add(e, term.Conjuncts(l))
		require.NoError(t, x.settle(t.Context(), n))
		nodes = append(nodes, n)
	}
	return nodes
}

// A node is covered by an earlier one with a weaker label, what follows from it is inactive then, and comes back when the cover's
// label becomes stronger.
func TestCover(t *testing.T) {
	x, v := exploring(t, line, "impact", "plain")
	p := x.pool
	n := x.chain(t, x.system.Rules[0], x.system.Rules[1], p.Ge(v, p.Int(0)), p.Le(v, p.Int(100)), p.Le(v, p.Int(200)), p.And(p.Ge(v, p.Int(2)), p.Le(v, p.Int(50))))
	require.Nil(t, n[1].cover)
	require.True(t, n[2].active)
	require.Same(t, n[0], n[3].cover)
	require.False(t, n[3].active)

	// A label is made stronger on the way, which covers the node; the next one is not explored any more.
	d, err := unfold(n[1], nil)
	require.NoError(t, err)
	require.NoError(t, x.strengthen(t.Context(), d, []*term.Term{p.True(), p.Ge(v, p.Int(1))}))
	require.Same(t, n[0], n[1].cover)
	require.False(t, n[1].active)
	require.False(t, n[2].active)
	require.True(t, n[0].active)

	// With a stronger label the first node covers no longer.
	require.NoError(t, x.strengthen(t.Context(), d, []*term.Term{p.Ge(v, p.Int(2)), p.True()}))
	require.Nil(t, n[1].cover)
	require.Same(t, n[0], n[3].cover)
	for _, m := range x.uncovered {
		require.NoError(t, x.settle(t.Context(), m))
	}
	require.True(t, n[1].active)
	require.True(t, n[2].active)
	require.False(t, n[3].active)

	// What a node covered has no cover when it is removed, nor is what follows from it in the graph.
	x.remove(n[0])
	require.True(t, n[3].removed)
	require.Nil(t, n[3].cover)
	require.Empty(t, x.of[0])
}

// What the solver found is asked first: the second question about a label needs no query.
func TestCoverEvaluates(t *testing.T) {
	x, v := exploring(t, line, "impact", "plain")
	p := x.pool
	n := x.add(edge{rule: x.system.Rules[0]}, []*term.Term{p.Ge(v, p.Int(0))})
	for range 2 {
		implied, err := x.implies(t.Context(), n, []*term.Term{p.Ge(v, p.Int(10))})
		require.NoError(t, err)
		require.False(t, implied)
	}
	require.EqualValues(t, 1, x.settings.Stats.Get("cover.checks"))
	require.EqualValues(t, 1, x.settings.Stats.Get("cover.evaluated"))
}

// A node whose label says nothing is covered by force where its derivation implies the label of an earlier one, which is the label
// of both then.
func TestForcedCover(t *testing.T) {
	x, v := exploring(t, line, "impact", "forced")
	p := x.pool
	at := func(least int64) *term.Term { return p.Ge(v, p.Int(least)) }
	n := x.chain(t, x.system.Rules[0], x.system.Rules[1], at(0), p.True())
	require.Same(t, n[0], n[1].cover)
	require.Equal(t, []*term.Term{at(0)}, n[1].label)

	// A label that the derivation does not imply forces nothing.
	x, v = exploring(t, line, "impact", "forced")
	p = x.pool
	n = x.chain(t, x.system.Rules[0], x.system.Rules[1], p.And(p.Ge(v, p.Int(0)), p.Le(v, p.Int(7))), p.True())
	require.Nil(t, n[1].cover)
	require.True(t, n[1].active)
	require.Empty(t, n[1].label)
	require.EqualValues(t, 1, x.settings.Stats.Get("cover.forcing"))
}

// A refinement tracks conjuncts and atoms of the interpolants, takes out of the graph what it labels anew, with all that follows, and
// leaves the rest.
func TestRefinementIsLazy(t *testing.T) {
	x, v := exploring(t, line, "predicates", "cartesian")
	p := x.pool
	n := x.chain(t, x.system.Rules[0], x.system.Rules[1], p.Ge(v, p.Int(0)), p.Le(v, p.Int(100)), p.Le(v, p.Int(200)))
	require.True(t, n[2].active)
	for _, ok := x.next(); ok; _, ok = x.next() {
		continue
	}
	d, err := unfold(n[2], nil)
	require.NoError(t, err)
	either := p.Or(p.Ge(v, p.Int(3)), p.Le(v, p.Int(1)))
	require.NoError(t, x.track(t.Context(), d, []*term.Term{p.Ge(v, p.Int(0)), either, p.True()}))
	tracked := x.precision[0].predicates
	require.Len(t, tracked, 3)
	require.Subset(t, tracked, []*term.Term{either, p.Le(v, p.Int(2))})
	require.False(t, x.precision[0].add(p.Le(v, p.Int(1))), "or its negation")
	require.Len(t, x.of[0], 1)
	require.Same(t, n[0], x.of[0][0])
	require.True(t, n[2].removed)
	again, ok := x.next()
	require.True(t, ok)
	require.Same(t, n[1].rule, again.rule)
	require.Same(t, n[0], again.body[0])
	label, feasible, err := x.abstract(x, t.Context(), again)
	require.NoError(t, err)
	require.True(t, feasible)
	// One step from x >= 0 leads to x >= 1, of which none of the two holds, but not their disjunction either.
	require.Empty(t, label)
}

// Cartesian abstraction keeps the predicates that hold in all ways, Boolean abstraction how they hold together.
func TestAbstractions(t *testing.T) {
	src := strings.Replace(line, "(>= x 0)", "(or (= x 1) (= x 7))", 1)
	for _, variant := range []string{"cartesian", "boolean"} {
		x, v := exploring(t, src, "predicates", variant)
		p := x.pool
		for _, k := range []*term.Term{p.Ge(v, p.Int(1)), p.Le(v, p.Int(3)), p.Eq(v, p.Int(7))} {
			x.precision[0].add(k)
		}
		label, feasible, err := x.abstract(x, t.Context(), edge{rule: x.system.Rules[0]})
		require.NoError(t, err)
		require.True(t, feasible)
		implied := func(f *term.Term) bool {
			ok, err := x.implies(t.Context(), &node{label: label}, []*term.Term{f})
			require.NoError(t, err)
			return ok
		}
		require.True(t, implied(p.Ge(v, p.Int(1))))
		require.False(t, implied(p.Le(v, p.Int(3))))
		require.Equal(t, variant == "boolean", implied(p.Or(p.Le(v, p.Int(3)), p.Eq(v, p.Int(7)))))
	}
}
