package abstraction

import (
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// node is an abstract state: a predicate with a formula that holds of all tuples that the hyperedge into the node derives from
// those of the nodes in its body. Every node has one hyperedge into it: what could be one node of two hyperedges are two, of
// which one covers the other.
type node struct {
	id   int
	pred *rule.Predicate
	edge
	// label are the conjuncts of the formula, over the predicate's parameters. It only ever becomes stronger.
	label []*term.Term
	// depth is the number of hyperedges on the longest path to the node.
	depth int
	// uses are the nodes that have this one in their body.
	uses []*node
	// cover is a node, made earlier, whose label is implied by this one's; covered are those that have this one as cover.
	cover   *node
	covered []*node
	// active says that hyperedges go on from the node: neither it nor a node of the paths to it is covered.
	active bool
	// removed says that the node is not in the graph any more.
	removed bool
	// models are tuples of which the label holds, as far as they are known.
	models []term.Assignment
}

// edge is a hyperedge: a rule with a node for each atom of its body.
type edge struct {
	rule *rule.Rule
	body []*node
}

// active reports whether all nodes of the body are.
func (e edge) active() bool {
	return !slices.ContainsFunc(e.body, func(n *node) bool { return !n.active })
}

// graph is the abstract reachability graph. At any time, and this is what makes a model of it when no hyperedge waits: the
// labels of a hyperedge's body and the rule's formula imply the label of its head; and each rule with active nodes for its body
// is a hyperedge in the graph, or infeasible, or waits.
type graph struct {
	system *rule.System
	// of has the nodes of each predicate in the graph, by rule.Predicate.ID, in the order in which they were made.
	of    [][]*node
	nodes int
	// waiting are the hyperedges that are not in the graph yet, and known those that are, were found infeasible, or wait.
	waiting queue
	known   map[string]bool
	// uncovered are nodes that lost their cover and were not looked at since.
	uncovered []*node
}

func newGraph(s *rule.System) *graph {
	g := &graph{system: s, of: make([][]*node, len(s.Predicates)), known: map[string]bool{}}
	for _, r := range s.Rules {
		if r.IsFact() {
			g.wait(edge{rule: r})
		}
	}
	return g
}

// add adds the head of a hyperedge; hyperedges go on from it once it is activated.
func (g *graph) add(e edge, label []*term.Term) *node {
	n := &node{id: g.nodes, pred: e.rule.Head, edge: e, label: label}
	g.nodes++
	for _, b := range e.body {
		n.depth = max(n.depth, b.depth+1)
		b.uses = append(b.uses, n)
	}
	g.of[n.pred.ID] = append(g.of[n.pred.ID], n)
	return n
}

// activate makes a node active, and with it its descendants, unless the node or one of its ancestors is covered.
func (g *graph) activate(n *node) {
	if n.active || n.removed || n.cover != nil || !n.edge.active() {
		return
	}
	n.active = true
	for _, u := range n.pred.Uses {
		g.connect(u, n)
	}
	for _, m := range n.uses {
		g.activate(m)
	}
}

// deactivate makes a node and its descendants inactive. What they cover is no longer covered.
func (g *graph) deactivate(n *node) {
	if !n.active {
		return
	}
	n.active = false
	for len(n.covered) > 0 {
		g.uncover(n.covered[len(n.covered)-1])
	}
	for _, m := range n.uses {
		g.deactivate(m)
	}
}

// setCover lets a node be covered by another one, of which it is no descendant.
func (g *graph) setCover(n, by *node) {
	g.deactivate(n)
	n.cover = by
	by.covered = append(by.covered, n)
}

// uncover takes a node's cover away.
func (g *graph) uncover(n *node) {
	by := n.cover
	n.cover = nil
	at := slices.Index(by.covered, n)
	by.covered = slices.Delete(by.covered, at, at+1)
	g.uncovered = append(g.uncovered, n)
}

// remove takes a node and its descendants out of the graph.
func (g *graph) remove(n *node) {
	if n.removed {
		return
	}
	g.deactivate(n)
	n.removed = true
	if n.cover != nil {
		g.uncover(n)
	}
	// The list is cloned, as callers may be iterating over it.
	g.of[n.pred.ID] = slices.DeleteFunc(slices.Clone(g.of[n.pred.ID]), func(m *node) bool { return m == n })
	for _, m := range n.uses {
		g.remove(m)
	}
}

// connect adds to the waiting hyperedges those with the node at the position of the use and active nodes at all others.
func (g *graph) connect(u rule.Use, n *node) {
	body := make([]*node, len(u.Rule.Body))
	var choose func(int)
	choose = func(i int) {
		switch {
		case i == len(body):
			g.wait(edge{u.Rule, slices.Clone(body)})
		case i == u.Position:
			body[i] = n
			choose(i + 1)
		default:
			for _, m := range g.of[u.Rule.Body[i].Pred.ID] {
				if m.active {
					body[i] = m
					choose(i + 1)
				}
			}
		}
	}
	choose(0)
}
