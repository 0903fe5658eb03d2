package abstraction

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/itp"
)

// instance is a hyperedge over variables of its own.
type instance struct {
	node *node
	// args stand for the parameters, and values for all variables of the rule.
	args   []*term.Term
	values *term.Substitution
	// formula is the rule's; it is nil where the derivation ends before its facts, and the label is all that is known.
	formula *term.Term
	body    []*instance
}

// derivation is the tree of the hyperedges that derive a node.
type derivation struct {
	// instances are those of the tree, bodies before heads, and parents the indices of those whose body they are in.
	instances []*instance
	parents   []int
	// goal is what is conjoined to the formula of the root.
	goal *term.Term
}

func (d *derivation) root() *instance { return d.instances[len(d.instances)-1] }

// unfold returns the tree of a node, in which each use of a node is an instance of its own. It ends at the nodes of ends.
func (x *explorer) unfold(n *node, ends map[*node]bool) (*derivation, error) {
	d := &derivation{goal: x.pool.True()}
	used := map[*node]bool{}
	var visit func(*node) (*instance, int)
	visit = func(n *node) (*instance, int) {
		if len(d.instances) > mostInstances {
			return nil, 0
		}
		if ends[n] {
			in := &instance{node: n, args: n.pred.Fresh()}
			d.instances = append(d.instances, in)
			d.parents = append(d.parents, -1)
			return in, len(d.instances) - 1
		}
		var body []*instance
		var children []int
		for _, b := range n.body {
			in, i := visit(b)
			if in == nil {
				return nil, 0
			}
			body = append(body, in)
			children = append(children, i)
		}
		in := n.inst
		if in == nil || used[n] || !slices.Equal(in.body, body) {
			in = x.instantiate(n, body)
			if !used[n] && len(ends) == 0 {
				n.inst = in
			}
		}
		used[n] = true
		d.instances = append(d.instances, in)
		d.parents = append(d.parents, -1)
		for _, c := range children {
			d.parents[c] = len(d.instances) - 1
		}
		return in, len(d.instances) - 1
	}
	if in, _ := visit(n); in == nil {
		return nil, &incomplete{"the abstract derivation of a query, as a tree, is too large to be looked at; try --engine spacer"}
	}
	return d, nil
}

func (x *explorer) instantiate(n *node, body []*instance) *instance {
	in := &instance{node: n, args: n.pred.Fresh(), body: body}
	m := map[*term.Term]*term.Term{}
	for i, v := range n.pred.Params {
		m[v] = in.args[i]
	}
	for _, v := range n.rule.Locals {
		m[v] = x.pool.Fresh(v.Name(), v.Sort())
	}
	for i, a := range n.rule.Body {
		for k, v := range a.Args {
			m[v] = body[i].args[k]
		}
	}
	in.values = x.pool.NewSubstitution(m)
	in.formula = in.values.Apply(n.rule.Trans)
	return in
}

// deny conjoins to the root that a formula over its parameters does not hold.
func (d *derivation) deny(p *term.Pool, formula []*term.Term) {
	root := d.root()
	d.goal = p.Not(root.node.pred.At(p.And(formula...), root.args))
}

// tree is the derivation as an interpolation problem.
func (d *derivation) tree(p *term.Pool) []itp.Node {
	nodes := make([]itp.Node, len(d.instances))
	for i, in := range d.instances {
		f := in.formula
		if f == nil {
			f = in.node.pred.At(p.And(in.node.label...), in.args)
		}
		nodes[i] = itp.Node{Formula: f, Parent: d.parents[i], Vars: in.args}
	}
	last := len(nodes) - 1
	nodes[last].Formula = p.And(nodes[last].Formula, d.goal)
	return nodes
}
