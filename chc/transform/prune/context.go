package prune

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/cycle"
)

// Context returns the pass "context".
func Context() transform.Pass {
	return transform.Pass{
		Name:   "context",
		Doc:    "Restricts the entries of a loop to values that a use of the loop needs, for arguments that the loop does not change.",
		Repeat: true,
		Run:    restrictToContext,
	}
}

// contextChanges counts the changes of the pass in one Pipeline.
type contextChanges int

// restrictToContext looks for arguments that all clauses within a component of recursive predicates leave unchanged:
// slots. Each use of the component from outside constrains its slots, and the context G is the disjunction of these
// constraints over all uses. Only derivations from entries for which G holds are of use, so that clauses by which derivations enter the
// component get G as one more constraint. This is constraint specialisation (Kafle and Gallagher, 2015) for the arguments
// that a component does not change, where it needs no fixpoint: a model of the result is one of the system when `G implies` is put
// before the interpretations of the component's predicates, and refutations are those of the system.
func restrictToContext(_ context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	changes := transform.Memo[contextChanges](env)
	if changes != nil && *changes >= maxContexts {
		return sys, nil, nil
	}
	graph := chc.NewGraph(sys)
	clauses := slices.Clone(sys.Clauses)
	unless := map[int]func([]*term.Term) *term.Term{}
	// Uses come first, so that a loop's context reaches the loops before it, too.
	for _, members := range slices.Backward(graph.Components()) {
		if !graph.Recursive(members[0]) {
			continue
		}
		component := cycle.Of(sys.Clauses, members)
		if component == nil {
			continue
		}
		c := &loop{Cycle: component, sys: sys, clauses: clauses}
		for _, slots := range c.Slots() {
			c.arrange(slots)
		}
		if len(c.params) == 0 {
			continue
		}
		g := c.context()
		if g.IsTrue() || g.Size() > maxContext {
			continue
		}
		changed := false
		for _, i := range c.Entries {
			clause := clauses[i]
			old := term.Conjuncts(clause.Constraint)
			added := sys.Pool.Substitute(g, c.at(*clause.Head))
			if !slices.ContainsFunc(term.Conjuncts(added), func(f *term.Term) bool { return !f.IsTrue() && !slices.Contains(old, f) }) {
				continue
			}
			d := *clause
			d.Constraint = sys.Pool.And(clause.Constraint, added)
			clauses[i], changed = &d, true
		}
		if !changed {
			continue
		}
		for _, p := range members {
			positions, params := c.positions[p], c.params
			unless[p.ID] = func(args []*term.Term) *term.Term {
				m := make(map[*term.Term]*term.Term, len(params))
				for k, v := range params {
					m[v] = args[positions[k]]
				}
				return sys.Pool.Not(sys.Pool.Substitute(g, m))
			}
		}
	}
	if len(unless) == 0 {
		return sys, nil, nil
	}
	if changes != nil {
		*changes++
	}
	origins := make([][]transform.Origin, len(clauses))
	for i, c := range sys.Clauses {
		origins[i] = []transform.Origin{{Clause: c}}
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	replacements := transform.Identity(next)
	for id, f := range unless {
		replacements[id].Unless = f
	}
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: replacements, Origins: origins}, nil
}

// loop is a component of recursive predicates with the slots that constrain its uses.
type loop struct {
	*cycle.Cycle
	sys *chc.System
	// clauses are those of the system, with the contexts of the components that were done before.
	clauses []*chc.Clause
	// params stand for the slots; positions are those of the slots, in the order of params, by predicate.
	params    []*term.Term
	positions map[*chc.Predicate][]int
}

// arrange adds a slot.
func (c *loop) arrange(slot map[*chc.Predicate]int) {
	if c.positions == nil {
		c.positions = map[*chc.Predicate][]int{}
	}
	for p, i := range slot {
		c.positions[p] = append(c.positions[p], i)
	}
	p := c.sys.Clauses[c.Entries[0]].Head.Pred
	c.params = append(c.params, c.sys.Pool.Fresh("slot", p.Sorts[slot[p]]))
}

// at maps the slots' parameters to an atom's arguments.
func (c *loop) at(a chc.App) map[*term.Term]*term.Term {
	m := make(map[*term.Term]*term.Term, len(c.params))
	for k, i := range c.positions[a.Pred] {
		m[c.params[k]] = a.Args[i]
	}
	return m
}

// context returns the disjunction, over the uses, of the conjuncts that have no other variables than slots.
func (c *loop) context() *term.Term {
	pool := c.sys.Pool
	g := pool.False()
	for _, u := range c.Uses {
		clause := c.clauses[u.Clause]
		names := map[*term.Term]*term.Term{}
		part := pool.True()
		atom := clause.Body[u.Atom]
		for k, i := range c.positions[atom.Pred] {
			t := atom.Args[i]
			if t.IsVar() && names[t] == nil {
				names[t] = c.params[k]
			}
		}
		overSlots := func(t *term.Term) bool {
			return !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return names[v] == nil })
		}
		for k, i := range c.positions[atom.Pred] {
			if t := atom.Args[i]; overSlots(t) {
				part = pool.And(part, pool.Eq(c.params[k], pool.Substitute(t, names)))
			}
		}
		for _, f := range term.Conjuncts(clause.Constraint) {
			if overSlots(f) {
				part = pool.And(part, pool.Substitute(f, names))
			}
		}
		if g = pool.Or(g, part); g.IsTrue() {
			return g
		}
	}
	return g
}
