package itp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Node is a node of a tree of formulas. The variables of a formula stand for values of its own: what a node says of its children
// it says in Slots.
type Node struct {
	// Formula is over Vars, Slots and other variables. Nodes may have the same one, which then is asserted once.
	Formula *term.Term
	// Vars are the variables that the parent knows.
	Vars []*term.Term
	// Children are the indices of the children, which come before the node, and Slots the variables that stand for their Vars.
	Children []int
	Slots    [][]*term.Term
	// Known are formulas over Vars that are known to follow from the node's subtree.
	Known []*term.Term
}

// Tree returns interpolants of a tree that contradicts itself, whose last node is the root. The interpolant of a node is over
// its Vars; what is known of the node and its formula, with the interpolants of its children and what is known of them, imply
// it; that of the root is false. A sequence is a tree in which each node has one child.
//
// They are found from the root down, as in property-directed reachability: as long as a node's formula has a model with what is
// said of its children so far, a cube of a child is projected from it and excluded in the same way, and what excludes it from
// what is below the child is conjoined to the child's interpolant. So no query is about more than one formula, but for nodes
// with several children, and nothing is said of what the contradiction does not need.
//
// Errors are those of Binary; ErrNotDisjoint says that the tree has a model, as far as projection is exact.
func (it *Interpolator) Tree(ctx context.Context, nodes []Node) ([]*term.Term, error) {
	it.stats.Trees++
	ctx, cancel, err := it.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	root := len(nodes) - 1
	t := &tree{
		it: it, nodes: nodes, lemmas: make([][]*term.Term, len(nodes)), downs: make([]*term.Substitution, len(nodes)),
		rounds: it.opts.Rounds * len(nodes),
	}
	err = ErrBudget
	if 1 < len(nodes) && len(nodes) <= it.opts.SmallTree {
		err = t.interpolate(ctx)
	}
	if gaveUp(ctx, err) {
		clear(t.lemmas)
		_, err = t.exclude(ctx, root, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("interpolate a tree of %d nodes: %w", len(nodes), err)
	}
	t.lemmas[root] = []*term.Term{it.pool.False()}
	out := make([]*term.Term, len(nodes))
	for i, ls := range t.lemmas {
		out[i] = it.pool.And(ls...)
	}
	return out, nil
}

// tree is a call of Tree in progress.
type tree struct {
	it    *Interpolator
	nodes []Node
	// lemmas are the conjuncts of the interpolants so far, and downs rename nodes' variables to those of their slots.
	lemmas [][]*term.Term
	downs  []*term.Substitution
	rounds int
}

// said is what is known at a node beside its formula: of itself, and of its children.
func (t *tree) said(i int) []*term.Term {
	n := &t.nodes[i]
	out := slices.Clone(n.Known)
	for k, c := range n.Children {
		if t.downs[c] == nil {
			t.downs[c] = renaming(t.it.pool, t.nodes[c].Vars, n.Slots[k])
		}
		for _, f := range t.nodes[c].Known {
			out = append(out, t.downs[c].Apply(f))
		}
		for _, f := range t.lemmas[c] {
			out = append(out, t.downs[c].Apply(f))
		}
	}
	return out
}

func renaming(p *term.Pool, from, to []*term.Term) *term.Substitution {
	m := make(map[*term.Term]*term.Term, len(from))
	for i, v := range from {
		m[v] = to[i]
	}
	return p.NewSubstitution(m)
}

// instantiate calls visit for the nodes of a subtree, children first, with the arguments that stand for their Vars and their
// formula over these, those of the children, and variables that nothing else has.
func (t *tree) instantiate(i int, args []*term.Term, visit func(i int, args []*term.Term, formula *term.Term)) {
	n := &t.nodes[i]
	p := t.it.pool
	m := map[*term.Term]*term.Term{}
	for _, v := range slices.Concat(append([][]*term.Term{term.Vars(n.Formula)}, n.Slots...)...) {
		if m[v] == nil {
			m[v] = p.Fresh(v.Name(), v.Sort())
		}
	}
	for k, v := range n.Vars {
		m[v] = args[k]
	}
	for k, c := range n.Children {
		below := make([]*term.Term, len(n.Slots[k]))
		for j, v := range n.Slots[k] {
			below[j] = m[v]
		}
		t.instantiate(c, below, visit)
	}
	visit(i, args, p.NewSubstitution(m).Apply(p.And(append([]*term.Term{n.Formula}, n.Known...)...)))
}

// whole is the conjunction of a subtree, over args and variables that nothing else has.
func (t *tree) whole(i int, args []*term.Term) *term.Term {
	var parts []*term.Term
	t.instantiate(i, args, func(_ int, _ []*term.Term, formula *term.Term) { parts = append(parts, formula) })
	return t.it.pool.And(parts...)
}

// interpolate finds the interpolants of a small tree one by one from the leaves up, each between all that is below it and all
// that is not: that takes larger queries, and what it finds is simpler.
func (t *tree) interpolate(ctx context.Context) error {
	root := len(t.nodes) - 1
	formulas := make([]*term.Term, len(t.nodes))
	args := make([][]*term.Term, len(t.nodes))
	t.instantiate(root, t.nodes[root].Vars, func(i int, as []*term.Term, formula *term.Term) { formulas[i], args[i] = formula, as })
	for i, n := range t.nodes[:root] {
		// The formulas of finished subtrees have become interpolants.
		var below, beyond []*term.Term
		for j, f := range formulas {
			if j == i || slices.Contains(n.Children, j) {
				below = append(below, f)
			} else {
				beyond = append(beyond, f)
			}
		}
		interpolant, err := t.it.binary(ctx, t.it.pool.And(below...), t.it.pool.And(beyond...), args[i], smallRounds)
		if err != nil {
			return err
		}
		for _, c := range n.Children {
			formulas[c] = t.it.pool.True()
		}
		formulas[i] = interpolant
		t.lemmas[i] = term.Conjuncts(renaming(t.it.pool, args[i], n.Vars).Apply(interpolant))
	}
	return nil
}

// exclude makes the interpolants below a node so strong that they exclude a cube over the node's variables, and returns the
// part of the cube that they do.
func (t *tree) exclude(ctx context.Context, i int, cube Cube) (Cube, error) {
	s, err := t.it.knowing(t.nodes[i].Formula)
	if err != nil {
		return nil, err
	}
	children := t.nodes[i].Children
	var core []*term.Term
	for k := range max(1, len(children)) {
		// Until it is their turn, children are what they are.
		var later []*term.Term
		for l := k + 1; l < len(children); l++ {
			later = append(later, t.whole(children[l], t.nodes[i].Slots[l]))
		}
		for {
			given := slices.Concat(later, t.said(i))
			var m *smt.Model
			err := smt.Within(s, given, func() (err error) {
				m, core, err = ask(ctx, s, cube)
				return err
			})
			if err != nil {
				return nil, err
			}
			if m == nil {
				break
			}
			given = slices.Concat(given, cube, Cube{t.nodes[i].Formula})
			if len(children) == 0 {
				return nil, t.it.together(m, given...)
			}
			if err := t.learn(ctx, i, k, m, given); err != nil {
				return nil, err
			}
		}
	}
	used := setOf(core)
	return slices.DeleteFunc(slices.Clone(cube), func(l *term.Term) bool { return !used[l] }), nil
}

// ask returns a model of the solver's assertions and the cube, or, where there is none, a core of the cube.
func ask(ctx context.Context, s smt.Solver, cube Cube) (*smt.Model, []*term.Term, error) {
	status, err := check(ctx, s, cube...)
	if err != nil {
		return nil, nil, err
	}
	if status == smt.Unsat {
		return nil, s.Core(), nil
	}
	m, err := modelOf(s)
	return m, nil, err
}

// learn excludes from the k-th child of a node a cube that the model of the given formulas is in.
func (t *tree) learn(ctx context.Context, i, k int, m *smt.Model, given []*term.Term) error {
	if t.rounds--; t.rounds < 0 {
		return fmt.Errorf("%d cubes a node: %w", t.it.opts.Rounds, ErrBudget)
	}
	c, slot := t.nodes[i].Children[k], t.nodes[i].Slots[k]
	projected, err := t.it.project(m, setOf(slot), given...)
	if err != nil {
		return err
	}
	up := renaming(t.it.pool, slot, t.nodes[c].Vars)
	cube := make(Cube, len(projected))
	for j, l := range projected {
		cube[j] = up.Apply(l)
	}
	if cube, err = t.exclude(ctx, c, cube); err != nil {
		return err
	}
	lemma, err := t.generalised(ctx, c, cube)
	if err != nil {
		return err
	}
	t.lemmas[c] = append(t.lemmas[c], lemma)
	return nil
}

// generalised returns what follows from a node's formula and what is said of its children, and excludes the cube: half-spaces
// where few of them separate the two, else the negation of those of the cube's literals that are needed.
func (t *tree) generalised(ctx context.Context, i int, cube Cube) (lemma *term.Term, err error) {
	p := t.it.pool
	s, err := t.it.knowing(t.nodes[i].Formula)
	if err != nil {
		return nil, err
	}
	plain, err := t.it.knowing(nil)
	if err != nil {
		return nil, err
	}
	said := t.said(i)
	err = smt.Within(s, said, func() error {
		kept, err := t.it.shrunk(ctx, s, cube)
		if err != nil {
			return err
		}
		if kept == nil {
			return ErrUnverified
		}
		lemma = p.Not(p.And(kept...))
		q := &query{
			it: t.it, a: p.And(append(said, t.nodes[i].Formula)...), b: p.And(kept...), rounds: separations, strength: t.it.opts.Strength,
			common: intersect(t.nodes[i].Vars, term.Vars(kept...)), solverA: s, solverB: plain,
		}
		if linear, _ := q.split(kept); len(linear) == 0 {
			return nil
		}
		return smt.Within(plain, kept, func() error {
			separating, err := q.solve(ctx)
			if err == nil {
				lemma = separating
			}
			if gaveUp(ctx, err) {
				err = nil
			}
			return err
		})
	})
	return lemma, err
}

// gaveUp reports whether an error only says that no interpolant was found, so that another way can be tried.
func gaveUp(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (errors.Is(err, ErrBudget) || errors.Is(err, ErrUnverified) || errors.Is(err, ErrModel))
}

// knowing returns a solver that has a formula, nothing if that is nil, and keeps it until the solver context is a new one.
func (it *Interpolator) knowing(formula *term.Term) (smt.Solver, error) {
	if s := it.kept[formula]; s != nil {
		return s, nil
	}
	var assertions []*term.Term
	if formula != nil {
		assertions = append(assertions, formula)
	}
	s, err := it.solverFor(assertions...)
	if err != nil {
		return nil, err
	}
	if it.kept == nil {
		it.kept = map[*term.Term]smt.Solver{}
	}
	it.kept[formula] = s
	return s, nil
}
