package abstraction

import (
	"slices"

	"hornbeam/engine"
	"hornbeam/internal/itp"
)

// derivation is the tree of the hyperedges that derive a node, in which each use of a node is a place of its own.
type derivation struct {
	// places are those of the tree, bodies before heads.
	places []place
}

// place is a node in a derivation, with the indices of the places of its body.
type place struct {
	node *node
	body []int
	// end says that the derivation does not go on below, and the node's label is all that is known.
	end bool
}

// unfold returns the tree of a node. It ends at the nodes of ends.
func unfold(n *node, ends map[*node]bool) (*derivation, error) {
	d := &derivation{}
	var visit func(*node) int
	visit = func(n *node) int {
		p := place{node: n, end: ends[n]}
		if len(d.places) <= mostPlaces && !p.end {
			for _, b := range n.body {
				p.body = append(p.body, visit(b))
			}
		}
		d.places = append(d.places, p)
		return len(d.places) - 1
	}
	if visit(n); len(d.places) > mostPlaces {
		return nil, &engine.Incomplete{Reason: "the abstract derivation of a query, as a tree, is too large to be looked at; try --engine spacer"}
	}
	return d, nil
}

// tree is the derivation as an interpolation problem.
func (x *explorer) tree(d *derivation) []itp.Node {
	nodes := make([]itp.Node, len(d.places))
	for i, at := range d.places {
		nodes[i] = itp.Node{
			Formula: x.pool.True(), Vars: at.node.pred.Params, Known: slices.Concat(at.node.label, x.lemmas[at.node.pred.ID]),
		}
		if at.end {
			continue
		}
		nodes[i].Formula, nodes[i].Children = at.node.rule.Trans, at.body
		for _, a := range at.node.rule.Body {
			nodes[i].Slots = append(nodes[i].Slots, a.Args)
		}
	}
	return nodes
}
