package itp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// The interpolants of a tree that contradicts itself hold from the leaves to the root, with what was known before; a tree that
// has a model has none.
func TestTree(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	// All trees as small ones, and none.
	its := []*Interpolator{newInterpolator(t, p, Options{SmallTree: 100}), newInterpolator(t, p, Options{SmallTree: 1})}
	vocabularyOf := func(name string) vocabulary {
		return vocabulary{ints: names(p, term.Int, name+"x", name+"y"), bools: names(p, term.Bool, name+"b")}
	}
	own, slots, local := vocabularyOf(""), []vocabulary{vocabularyOf("first."), vocabularyOf("second.")}, vocabulary{ints: names(p, term.Int, "z")}
	found := map[bool]int{}
	branching := 0
	rapid.Check(t, func(t *rapid.T) {
		var nodes []Node
		// draw draws a subtree and returns its index.
		var draw func(depth int) int
		draw = func(depth int) int {
			n := Node{Vars: own.all()}
			v := own.and(local)
			for k := range rapid.IntRange(min(depth, 1), min(depth, 2)).Draw(t, "children") {
				n.Children = append(n.Children, draw(depth-1))
				n.Slots = append(n.Slots, slots[k].all())
				v = v.and(slots[k])
			}
			n.Formula = p.And(formula(t, p, v, 2), formula(t, p, v, 1))
			nodes = append(nodes, n)
			return len(nodes) - 1
		}
		it := rapid.SampledFrom(its).Draw(t, "interpolator")
		root := draw(rapid.IntRange(0, 3).Draw(t, "depth"))
		whole := (&tree{it: it, nodes: nodes}).whole
		for i, n := range nodes {
			// What is known may be anything that follows.
			if f := formula(t, p, own, 1); o.implies(t, whole(i, n.Vars), f) {
				nodes[i].Known = []*term.Term{f}
			}
		}
		interpolants, err := it.Tree(context.Background(), nodes)
		unsat := o.unsat(t, whole(root, own.all()))
		found[unsat]++
		if !unsat {
			require.ErrorIs(t, err, ErrNotDisjoint)
			return
		}
		require.NoError(t, err)
		require.Same(t, p.False(), interpolants[root])
		for i, n := range nodes {
			known := append([]*term.Term{n.Formula}, n.Known...)
			for k, c := range n.Children {
				known = append(known, renaming(p, own.all(), n.Slots[k]).Apply(p.And(append(nodes[c].Known, interpolants[c])...)))
			}
			require.True(t, o.implies(t, p.And(known...), interpolants[i]), "node %d of %v", i, nodes)
			require.Subset(t, own.all(), term.Vars(interpolants[i]))
			if len(n.Children) > 1 {
				branching++
			}
		}
	})
	require.Positive(t, found[true])
	require.Positive(t, found[false])
	require.Positive(t, branching)
}

// Of a path whose last step contradicts itself nothing is said before it, and one query is about one step.
func TestTreeSaysWhatIsNeeded(t *testing.T) {
	p := term.NewPool()
	it := newInterpolator(t, p, Options{Strength: Middle})
	x, before := p.Var("x", term.Int), p.Var("before", term.Int)
	step := p.Eq(x, p.Add(before, p.Int(1)))
	path := func(last *term.Term) []Node {
		nodes := []Node{{Formula: p.Eq(x, p.Int(0)), Vars: []*term.Term{x}}}
		for i := range 10 {
			nodes = append(nodes, Node{Formula: step, Vars: []*term.Term{x}, Children: []int{i}, Slots: [][]*term.Term{{before}}})
		}
		nodes[10].Formula = last
		return nodes
	}
	interpolants, err := it.Tree(context.Background(), path(p.And(step, p.False())))
	require.NoError(t, err)
	for _, i := range interpolants[:10] {
		require.Same(t, p.True(), i)
	}
	_, err = it.Tree(context.Background(), path(p.And(step, p.Eq(x, p.Int(10)))))
	require.ErrorIs(t, err, ErrNotDisjoint)
	interpolants, err = it.Tree(context.Background(), path(p.And(step, p.Lt(x, p.Int(0)))))
	require.NoError(t, err)
	for _, i := range interpolants[:10] {
		require.Equal(t, "(>= x 0)", i.String())
	}
}
