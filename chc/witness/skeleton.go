package witness

import (
	"errors"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Skeleton is the shape of a refutation, with a copy of the variables of its clause for each node: which values make it a
// refutation is left open.
type Skeleton struct {
	pool *term.Pool
	// Nodes have their premises before them; the last is the query. The skeleton is a refutation for the values that satisfy the
	// constraints of all nodes and make the terms of each link equal.
	Nodes []SkeletonNode
}

// SkeletonNode is one step; its premises are earlier nodes.
type SkeletonNode struct {
	Clause   *chc.Clause
	Premises []int
	// Step is the index of the step in the refutation.
	Step int
	// Own maps the clause's variables to the node's.
	Own map[*term.Term]*term.Term
	// Links are pairs of an argument in the node's body and what its premise has for it, over the nodes' variables.
	Links [][2]*term.Term
}

// NewSkeleton reads the skeleton off a refutation of a system that stands for sys: clause i of that one stands for clause i of sys.
// In trees of more than so many nodes, steps that several others use stay one node. The error is for a refutation that does not fit.
func NewSkeleton(sys *chc.System, r *Refutation, most int) (*Skeleton, error) {
	if len(r.Steps) == 0 {
		return nil, errors.New("a refutation without steps")
	}
	for _, s := range r.Steps {
		if s.Clause == nil || s.Clause.ID < 0 || s.Clause.ID >= len(sys.Clauses) || len(s.Premises) != len(sys.Clauses[s.Clause.ID].Body) {
			return nil, errors.New("a refutation that does not fit the clauses")
		}
	}
	t := &Skeleton{pool: sys.Pool}
	b := skeletonBuilder{Skeleton: t, sys: sys, steps: r.Steps, share: treeSize(r.Steps, most) > most, done: map[int]int{}}
	b.add(len(r.Steps) - 1)
	return t, nil
}

// treeSize is the number of steps when none is shared, or a number above most.
func treeSize(steps []Step, most int) int {
	size := make([]int, len(steps))
	for i, s := range steps {
		size[i] = 1
		for _, q := range s.Premises {
			size[i] = min(size[i]+size[q], most+1)
		}
	}
	return size[len(steps)-1]
}

type skeletonBuilder struct {
	*Skeleton
	sys   *chc.System
	steps []Step
	share bool
	done  map[int]int
}

// add adds the tree above a step and returns its node.
func (b *skeletonBuilder) add(step int) int {
	if at, ok := b.done[step]; ok && b.share {
		return at
	}
	s := b.steps[step]
	n := SkeletonNode{Clause: b.sys.Clauses[s.Clause.ID], Step: step, Own: map[*term.Term]*term.Term{}}
	for _, q := range s.Premises {
		n.Premises = append(n.Premises, b.add(q))
	}
	for _, x := range n.Clause.Vars() {
		n.Own[x] = b.pool.Fresh(x.Name(), x.Sort())
	}
	here := b.pool.NewSubstitution(n.Own)
	for i, q := range n.Premises {
		child := b.Nodes[q]
		there := b.pool.NewSubstitution(child.Own)
		for k, x := range n.Clause.Body[i].Args {
			n.Links = append(n.Links, [2]*term.Term{here.Apply(x), there.Apply(child.Clause.Head.Args[k])})
		}
	}
	b.Nodes = append(b.Nodes, n)
	b.done[step] = len(b.Nodes) - 1
	return b.done[step]
}

// Refutation is the skeleton with values of the nodes' variables, those that are missing having any.
func (t *Skeleton) Refutation(values term.Assignment) *Refutation {
	all := term.Complete(t.pool, values)
	b := NewRefutationBuilder(t.pool)
	step := make([]int, len(t.Nodes))
	for i, n := range t.Nodes {
		own := make(map[*term.Term]term.Value, len(n.Own))
		for x, y := range n.Own {
			own[x], _ = all.Lookup(y)
		}
		premises := make([]int, len(n.Premises))
		for k, q := range n.Premises {
			premises[k] = step[q]
		}
		step[i] = b.Add(n.Clause, own, premises)
	}
	return b.Refutation(step[len(step)-1])
}
