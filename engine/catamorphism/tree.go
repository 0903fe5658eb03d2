package catamorphism

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// tree is the shape of a refutation, with the clauses of the source and a copy of their variables for each node.
type tree struct {
	pool  *term.Pool
	nodes []node
	// formulas hold together, where the terms of each link are equal, exactly when the tree is a refutation of the source
	// for some values of the variables. A link is an argument of a node's body and what its premise has for it.
	formulas []*term.Term
	links    [][2]*term.Term
}

// overComponents is what the tree says over components: it is a refutation of the abstract system when that can hold.
// Links are between components, as they are there: that equal constructor terms have equal fields is lost.
func (t *tree) overComponents(e *encoding) *term.Term {
	a := newAbstraction(e)
	var equal []*term.Term
	for _, l := range t.links {
		equal = append(equal, a.equal(a.value(l[0]), a.value(l[1])))
	}
	return t.pool.And(append(equal, a.conjunction(t.formulas))...)
}

// node is one step; its premises are earlier nodes.
type node struct {
	clause   *chc.Clause
	premises []int
	rename   map[*term.Term]*term.Term
}

// newTree reads the shape of a refutation of the abstract system off its steps: clause i stands for clause i of sys. facts
// are those of abstractSystem. In trees of more than so many nodes, steps that several others use stay one step.
func newTree(sys *chc.System, r *witness.Refutation, facts [][]*term.Term, most int) (*tree, error) {
	t := &tree{pool: sys.Pool}
	if len(r.Steps) == 0 {
		return nil, errors.New("a refutation without steps")
	}
	for _, s := range r.Steps {
		if s.Clause == nil || s.Clause.ID < 0 || s.Clause.ID >= len(sys.Clauses) || len(s.Premises) != len(sys.Clauses[s.Clause.ID].Body) {
			return nil, errors.New("a refutation that does not fit the clauses")
		}
	}
	last := len(r.Steps) - 1
	b := treeBuilder{tree: t, sys: sys, steps: r.Steps, facts: facts, share: treeSize(r.Steps, most) > most, done: map[int]int{}}
	b.add(last)
	return t, nil
}

// treeSize is the number of steps when none is shared, or a number above most.
func treeSize(steps []witness.Step, most int) int {
	size := make([]int, len(steps))
	for i, s := range steps {
		size[i] = 1
		for _, q := range s.Premises {
			size[i] = min(size[i]+size[q], most+1)
		}
	}
	return size[len(steps)-1]
}

type treeBuilder struct {
	*tree
	sys   *chc.System
	steps []witness.Step
	facts [][]*term.Term
	share bool
	done  map[int]int
}

// add adds the tree above a step and returns its node.
func (b *treeBuilder) add(step int) int {
	if at, ok := b.done[step]; ok && b.share {
		return at
	}
	s := b.steps[step]
	n := node{clause: b.sys.Clauses[s.Clause.ID], rename: map[*term.Term]*term.Term{}}
	for _, q := range s.Premises {
		n.premises = append(n.premises, b.add(q))
	}
	for _, x := range n.clause.Vars() {
		n.rename[x] = b.pool.Fresh(x.Name(), x.Sort())
	}
	here := b.pool.NewSubstitution(n.rename)
	b.formulas = append(b.formulas, here.Apply(n.clause.Constraint))
	for _, f := range b.facts[n.clause.ID] {
		b.formulas = append(b.formulas, here.Apply(f))
	}
	for i, q := range n.premises {
		child := b.nodes[q]
		there := b.pool.NewSubstitution(child.rename)
		for k, x := range n.clause.Body[i].Args {
			b.links = append(b.links, [2]*term.Term{there.Apply(child.clause.Head.Args[k]), here.Apply(x)})
		}
	}
	b.nodes = append(b.nodes, n)
	b.done[step] = len(b.nodes) - 1
	return b.done[step]
}

// refutation asks whether the tree is a refutation of the source: it returns one that passed its check, or whether it is
// spurious; neither when that stays open.
func (t *tree) refutation(ctx context.Context, q *querier, sys *chc.System) (r *witness.Refutation, spurious bool, err error) {
	formulas := slices.Clone(t.formulas)
	for _, l := range t.links {
		formulas = append(formulas, t.pool.Eq(l[0], l[1]))
	}
	err = smt.Within(q.solver, formulas, func() error {
		status, err := q.solver.Check(ctx)
		if err != nil || status != smt.Sat {
			spurious = status == smt.Unsat
			return err
		}
		m, err := q.solver.Model()
		if err == nil {
			r = t.instance(m)
		}
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("checking a refutation on datatypes: %w", err)
	}
	if r == nil || witness.CheckRefutation(ctx, sys, r) != nil {
		return nil, spurious, nil
	}
	return r, false, nil
}

// instance is the tree with the values of a model.
func (t *tree) instance(m *smt.Model) *witness.Refutation {
	values := term.Complete(t.pool, m)
	b := witness.NewRefutationBuilder(t.pool)
	step := make([]int, len(t.nodes))
	for i, n := range t.nodes {
		own := make(map[*term.Term]term.Value, len(n.rename))
		for x, y := range n.rename {
			own[x], _ = values.Lookup(y)
		}
		premises := make([]int, len(n.premises))
		for k, q := range n.premises {
			premises[k] = step[q]
		}
		step[i] = b.Add(n.clause, own, premises)
	}
	return b.Refutation(step[len(step)-1])
}
