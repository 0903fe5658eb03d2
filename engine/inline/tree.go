package inline

import (
	"fmt"
	"slices"

	"hornbeam/chc/term"
)

// node is an inlined call: an instance of its predicate's rules.
type node struct {
	pred *predicate
	// site is the call that was inlined; nil for the root.
	site *site
	inst *instance
	// act is true in every model in which the call is made.
	act *term.Term
	// selectors has a literal for each rule, nil for those that cannot be used here.
	selectors []*term.Term
	// sites has the call of each slot, nil for those that no usable rule makes.
	sites []*site
	depth int
	// callers are the sites that were inlined to this call: one, or several that share it.
	callers []*site
}

// site is a call site: a body atom below a chain of inlined ones, its stack.
type site struct {
	caller *node
	pred   *predicate
	args   []*term.Term
	// edge is the control literal: it is true in every model in which a chosen rule makes the call.
	edge *term.Term
	// cost is the number of occurrences of the predicate on the stack, this one included (Sect. 2 of the paper).
	cost int
	// child is the inlined call, nil while the site is open.
	child *node
	// impossible says that no rule derives the predicate.
	impossible bool
	// index is the site's number for sharing, together are the numbers of those that a derivation can use beside it.
	index    int
	together set
}

// tree is the partially inlined program below the queries. What it asserts are implications only: more selectors than a
// derivation needs may be true in a model, but a derivation can always be read from it.
type tree struct {
	*program
	root *node
	// open has the sites that were not inlined, in the order in which they were made.
	open []*site
	// byEdge finds the sites by their control literals.
	byEdge map[*term.Term]*site
	nodes  int
	// equations says that a call is attached by equations of its arguments with parameters of the callee's own, which its
	// control literal implies, and not by substituting the arguments for the parameters. Constants do not travel into what
	// is inlined then, but calls can share a callee.
	equations bool
	// sharing is nil when every site gets a callee of its own.
	sharing *sharing
	// asserted are the formulas about the tree; sent is how many of them the solver knows.
	asserted []*term.Term
	sent     int
}

// withRoot gives a tree that has its settings its root.
func withRoot(t *tree) *tree {
	t.byEdge = map[*term.Term]*site{}
	t.root = &node{pred: t.goal, act: t.pool.True()}
	t.instantiateNode(t.root, nil)
	return t
}

// inline makes open sites nodes; those that are nodes already are left alone.
func (t *tree) inline(sites ...*site) {
	for _, s := range sites {
		if s.child == nil {
			t.inlineSite(s)
		}
	}
	t.open = slices.DeleteFunc(t.open, func(s *site) bool { return s.child != nil })
}

func (t *tree) inlineSite(s *site) {
	n := &node{pred: s.pred, site: s, act: s.edge, depth: s.caller.depth + 1}
	args := t.received(s.pred, s.args)
	shareable := t.sharing.shareable(s)
	if shareable {
		if m := t.sharing.find(s, n.key()); m != nil {
			t.attach(s, m)
			t.sharing.merged(s, m)
			return
		}
	}
	if t.equations || shareable {
		n.act = t.pool.Fresh("call", term.Bool)
		own := s.pred.Fresh()
		for i, a := range args {
			if !t.equations && a.IsValue() {
				// Whoever shares the call passes the same.
				own[i] = a
			}
		}
		args = own
	}
	t.instantiateNode(n, args)
	t.attach(s, n)
	if shareable {
		t.sharing.add(n)
	}
}

// attach makes n the callee of a site: the site's literal implies n's and the equations of the arguments. Both are true
// as they are where n was instantiated with the site's literal and arguments.
func (t *tree) attach(s *site, n *node) {
	s.child = n
	n.callers = append(n.callers, s)
	t.assert(t.pool.Implies(s.edge, n.act))
	for _, e := range t.passed(s) {
		t.assert(t.pool.Implies(s.edge, e))
	}
}

// passed has the equations of an inlined site's arguments with its callee's parameters that are not true as they are, but
// for the arguments that are not tracked.
func (t *tree) passed(s *site) []*term.Term {
	var out []*term.Term
	for _, e := range t.equationsOf(s) {
		if t.tracking == nil || t.tracking.on[e.group] {
			out = append(out, e.formula(t.pool))
		}
	}
	return out
}

// instantiateNode instantiates the rules of n's predicate: n's literal implies that of a rule, and that implies the
// rule's formula and the literals of its calls.
func (t *tree) instantiateNode(n *node, args []*term.Term) {
	t.nodes++
	p := t.pool
	n.inst = t.instantiate(n.pred, args, true)
	usable := 0
	for _, f := range n.inst.formulas {
		if !f.IsFalse() {
			usable++
		}
	}
	n.selectors = make([]*term.Term, len(n.pred.Rules))
	n.sites = make([]*site, len(n.pred.slots))
	choices := []*term.Term{p.Not(n.act)}
	for i, r := range n.pred.Rules {
		f := n.inst.formulas[i]
		if f.IsFalse() {
			continue
		}
		selector := n.act
		if usable > 1 {
			selector = p.Fresh(fmt.Sprintf("rule#%d", r.Clause.ID), term.Bool)
		}
		n.selectors[i] = selector
		choices = append(choices, selector)
		t.assert(p.Implies(selector, f))
		for _, slot := range r.Slots {
			if n.sites[slot] == nil {
				n.sites[slot] = t.newSite(n, slot)
			}
			t.assert(p.Implies(selector, n.sites[slot].edge))
		}
	}
	if usable != 1 {
		t.assert(p.Or(choices...))
	}
	if t.sharing != nil {
		t.sharing.register(n)
	}
	for _, s := range n.sites {
		if s != nil && s.pred.flat && !s.impossible {
			t.inlineSite(s)
		}
	}
}

func (t *tree) newSite(n *node, slot int) *site {
	s := &site{caller: n, pred: n.pred.slots[slot], args: n.inst.slots[slot], cost: 1}
	s.edge = t.pool.Fresh(s.pred.Name, term.Bool)
	for m := n; m.site != nil; m = m.site.caller {
		if m.pred == s.pred {
			// The costs above are known already.
			s.cost = m.site.cost + 1
			break
		}
	}
	if len(s.pred.Rules) == 0 {
		s.impossible = true
		t.assert(t.pool.Not(s.edge))
		return s
	}
	if !s.pred.summary.IsTrue() {
		t.assert(t.pool.Implies(s.edge, s.pred.At(s.pred.summary, s.args)))
	}
	if !s.pred.flat {
		t.byEdge[s.edge] = s
		t.open = append(t.open, s)
	}
	return s
}

func (t *tree) assert(f *term.Term) {
	if !f.IsTrue() {
		t.asserted = append(t.asserted, f)
	}
}

// block returns the negated literals of the sites: the assumptions under which no rule calls them.
func (t *tree) block(sites []*site) []*term.Term {
	out := make([]*term.Term, len(sites))
	for i, s := range sites {
		out[i] = t.pool.Not(s.edge)
	}
	return out
}

// sitesOf returns the sites of negated literals, in their order.
func (t *tree) sitesOf(assumptions []*term.Term) []*site {
	var out []*site
	for _, a := range assumptions {
		if s := t.byEdge[t.pool.Not(a)]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// beyond splits the open sites by cost: those up to the bound and those over it (split-on-cost of the paper).
func (t *tree) beyond(bound int) (within, over []*site) {
	for _, s := range t.open {
		if s.cost > bound {
			over = append(over, s)
		} else {
			within = append(within, s)
		}
	}
	return within, over
}

// leastCost is the smallest cost of the sites.
func leastCost(sites []*site) int {
	return slices.MinFunc(sites, func(a, b *site) int { return a.cost - b.cost }).cost
}
