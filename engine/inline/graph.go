package inline

import (
	"context"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/internal/itp"
)

// graph is a proof over calls that are shared: one label for all the callers of a call, instead of one for each path that
// leads to it. Since no derivation uses a call twice, the formula of the graph, in which a shared call's variables occur
// once, is exact, and so is its part above a call, the disjunction over its callers (the clause-dependence-disjoint
// systems of "Solving Constrained Horn Clauses Using Dependence-Disjoint Expansions").
type graph struct {
	*proof
	// calls come callees before callers; the root's is the last.
	calls []*call
	uses  map[*call][]use
}

// use is a call's place in a caller.
type use struct {
	caller *call
	slot   int
}

// unfolded is the number of calls when nothing is shared, or more than mostUnfolded.
func unfolded(n *node, sizes map[*node]int) int {
	if size, ok := sizes[n]; ok {
		return size
	}
	size := 1
	for _, s := range n.sites {
		if s != nil && s.child != nil && size <= mostUnfolded {
			size += unfolded(s.child, sizes)
		}
	}
	sizes[n] = size
	return size
}

// newGraph makes calls of the nodes that are kept, or of all.
func (p *proof) newGraph(kept map[*node]bool) {
	g := &graph{proof: p, uses: map[*call][]use{}}
	of := map[*node]*call{}
	var visit func(n *node, caller *call, slot int) *call
	visit = func(n *node, caller *call, slot int) *call {
		c := of[n]
		if c == nil {
			c = &call{node: n, pred: n.pred, caller: caller, slot: slot, callees: make([]*call, len(n.sites))}
			of[n] = c
			c.inst = p.instantiate(n.pred, n.pred.Fresh(), false)
			for i, s := range n.sites {
				if s != nil && s.child != nil && (kept == nil || kept[s.child]) {
					c.callees[i] = visit(s.child, c, i)
				}
			}
			g.calls = append(g.calls, c)
		}
		if caller != nil {
			g.uses[c] = append(g.uses[c], use{caller, slot})
		}
		return c
	}
	p.graph, p.top = g, visit(p.root, nil, 0)
}

// label labels the calls, callees before callers.
func (g *graph) label(ctx context.Context, labeller *itp.Interpolator) error {
	for _, c := range g.calls {
		if c == g.top {
			break
		}
		known := map[*call]*term.Term{}
		above := map[*call]*term.Term{}
		label, err := labeller.Binary(ctx, g.inside(c, -1, known), g.outside(c, known, above), c.inst.args)
		if err != nil {
			return fmt.Errorf("label a shared call of %s: %w", c.pred.Name, err)
		}
		c.label = label
		g.count("inline.proof.labels", 1)
	}
	return nil
}

// known is a call's label, or the formula of it and of what it calls; of keeps what has been made.
func (g *graph) known(c *call, of map[*call]*term.Term) *term.Term {
	if c.label != nil {
		return c.label
	}
	f := of[c]
	if f == nil {
		f = g.inside(c, -1, of)
		of[c] = f
	}
	return f
}

func (g *graph) inside(c *call, without int, known map[*call]*term.Term) *term.Term {
	return g.ways(c, without, func(d *call) *term.Term { return g.known(d, known) })
}

// outside is the formula of the ways from the root to a call, with all the calls beside them; above keeps those that have
// been made.
func (g *graph) outside(c *call, known, above map[*call]*term.Term) *term.Term {
	if c == g.top {
		return g.pool.True()
	}
	if f := above[c]; f != nil {
		return f
	}
	var ways []*term.Term
	for _, u := range g.uses[c] {
		ways = append(ways, g.pool.And(g.inside(u.caller, u.slot, known), g.outside(u.caller, known, above)))
	}
	f := g.pool.Or(ways...)
	above[c] = f
	return f
}
