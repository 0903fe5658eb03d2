package itp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Node is a node of a tree of formulas whose conjunction is unsatisfiable.
type Node struct {
	// Formula is over Vars, the Vars of the children, and variables that no other node has.
	Formula *term.Term
	// Parent is the index of the parent, which comes after its children; the root, the last node, has none.
	Parent int
	// Vars are what the node's subtree has in common with the rest of the tree.
	Vars []*term.Term
}

// Tree returns an interpolant for each node of a tree: it is over the node's Vars, the interpolants of the children and the
// node's formula imply it, and that of the root is false. A sequence is a tree in which each node has one child.
// Interpolants are found from the leaves up, so that the formulas of finished subtrees are not looked at again, and among
// the conjuncts of one core. Errors are those of Binary.
func (it *Interpolator) Tree(ctx context.Context, nodes []Node) ([]*term.Term, error) {
	formulas, err := it.treeCore(ctx, nodes)
	if err != nil {
		return nil, err
	}
	t := &tree{it: it, nodes: nodes, formulas: formulas, labels: make([]*term.Term, len(nodes)), subtree: make([]int, len(nodes))}
	for i, n := range nodes {
		t.subtree[i]++
		if i < len(nodes)-1 {
			t.subtree[n.Parent] += t.subtree[i]
		}
	}
	for i := range nodes {
		if t.labels[i], err = t.label(ctx, i); err != nil {
			return nil, fmt.Errorf("label node %d of %d: %w", i, len(nodes), err)
		}
	}
	return t.labels, nil
}

// treeCore returns, for each node, the conjunction of those conjuncts of its formula that one refutation of all uses.
func (it *Interpolator) treeCore(ctx context.Context, nodes []Node) ([]*term.Term, error) {
	s, err := it.solvers.NewSolver(smt.Params{})
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	defer s.Close()
	split := make([][]*term.Term, len(nodes))
	var all []*term.Term
	for i, n := range nodes {
		split[i] = parts(n.Formula)
		all = append(all, split[i]...)
	}
	for range coreRounds {
		status, err := check(ctx, s, all...)
		if err != nil {
			return nil, fmt.Errorf("check a tree of %d nodes: %w", len(nodes), err)
		}
		if status == smt.Sat {
			return nil, it.together(s, all...)
		}
		core := s.Core()
		if len(core) == len(all) {
			break
		}
		all = slices.Clone(core)
	}
	used := setOf(all)
	formulas := make([]*term.Term, len(nodes))
	for i := range nodes {
		formulas[i] = it.pool.And(slices.DeleteFunc(slices.Clone(split[i]), func(c *term.Term) bool { return !used[c] })...)
	}
	return formulas, nil
}

// tree is a call of Tree in progress.
type tree struct {
	it       *Interpolator
	nodes    []Node
	formulas []*term.Term
	// labels are nil where there is none yet.
	labels []*term.Term
	// subtree has the number of nodes of each node's subtree, which are those before it.
	subtree []int
}

// children returns the indices of a node's children, the last one first.
func (t *tree) children(i int) []int {
	var out []int
	for c, first := i-1, i-t.subtree[i]; c > first; c -= t.subtree[c] {
		out = append(out, c)
	}
	return out
}

// below is what is known of a node when its children have labels.
func (t *tree) below(i int) *term.Term {
	known := []*term.Term{t.formulas[i]}
	for _, c := range t.children(i) {
		known = append(known, t.labels[c])
	}
	return t.it.pool.And(known...)
}

// beyond is what is known outside a node's subtree: what comes later has no labels yet.
func (t *tree) beyond(i int) *term.Term {
	known := slices.Clone(t.formulas[i+1:])
	// Of what comes before, the highest nodes that have labels and whose parents come later.
	for c := i - t.subtree[i]; c >= 0; c -= t.subtree[c] {
		known = append(known, t.labels[c])
	}
	return t.it.pool.And(known...)
}

func (t *tree) label(ctx context.Context, i int) (*term.Term, error) {
	a := t.below(i)
	if i == len(t.nodes)-1 || a.IsTrue() || a.IsFalse() {
		return t.it.pool.Bool(!a.IsFalse() && i < len(t.nodes)-1), nil
	}
	b := t.beyond(i)
	label, err := t.it.Binary(ctx, a, b, t.nodes[i].Vars)
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrNotDisjoint) {
		return label, err
	}
	// The strongest interpolant is one, too.
	label, failure := t.it.Eliminate(ctx, a, t.nodes[i].Vars)
	if failure != nil {
		return nil, err
	}
	if ok, failure := t.it.verify(ctx, a, b, label, t.nodes[i].Vars); failure != nil || !ok {
		return nil, err
	}
	return label, nil
}
