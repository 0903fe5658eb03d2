package region

import "hornbeam/frontend/c/tree"

// findOpaque finds the groups whose pointers are opaque, when all that the program does is known.
func (a *analysis) findOpaque(r *Regions) {
	// at has the offset that the pointers to a node lead to, and several the nodes that they lead into at different offsets.
	at, several := map[*node]int64{}, map[*node]bool{}
	meet := func(c cell) {
		if c.nowhere() {
			return
		}
		c = c.find()
		if offset, ok := at[c.node]; ok && offset != c.offset {
			several[c.node] = true
		}
		at[c.node] = c.offset
	}
	for _, c := range a.values {
		meet(c)
	}
	for _, n := range a.nodes {
		for _, c := range n.links {
			meet(c)
		}
	}
	for n, g := range r.byNode {
		g.Start = at[n]
		g.Opaque = n.heap && !n.unknown && !n.outside && !n.ordered && !g.Given && len(n.objects) == 0 && len(n.folds) == 0 && !several[n]
		for _, region := range g.Regions {
			g.Opaque = g.Opaque && !region.Mixed
		}
	}
}

// order notes that the program compares the addresses that two pointers are, or subtracts one from the other.
func (a *analysis) order(x, y tree.Value) {
	for _, v := range []tree.Value{x, y} {
		if c := a.value(v); !c.nowhere() {
			c.find().node.ordered = true
		}
	}
}
