package calls

import (
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/cycle"
	"hornbeam/chc/transform/resolve"
)

// origin is what a step of a new clause stands for.
type origin struct {
	clause *chc.Clause
	// group is nil for a clause that was there before. In an entry the first atoms are those that the group knows before, and in a
	// step and at a use the one at the place premise is the component's; nothing else changes its place.
	group   *group
	kind    kind
	premise int
	// use is set at a use.
	use *use
	// rename maps the variables of an entry's clause to those that it has in the new one; the others keep their names.
	rename map[*term.Term]*term.Term
}

// kind says what a clause of a group is.
type kind int

const (
	entry kind = iota
	step
	exit
)

// rewrite replaces a component by predicates for each group.
func rewrite(sys *chc.System, c *cycle.Cycle, groups []*group) *translator {
	pool := sys.Pool
	members := c.Members()
	taken := map[string]bool{}
	for _, p := range sys.Predicates {
		taken[p.Name] = true
	}
	preds := slices.DeleteFunc(slices.Clone(sys.Predicates), func(p *chc.Predicate) bool { return slices.Contains(members, p) })
	for _, g := range groups {
		g.preds = map[*chc.Predicate]*chc.Predicate{}
		for _, p := range members {
			q := g.predicate(p, taken)
			q.ID = len(preds)
			g.preds[p] = q
			preds = append(preds, q)
		}
	}
	own := map[int]bool{}
	for _, u := range c.Uses {
		own[u.Clause] = true
	}
	for _, i := range slices.Concat(c.Entries, c.Steps) {
		own[i] = true
	}
	var clauses []*chc.Clause
	var origins []origin
	add := func(d *chc.Clause, o origin) {
		clauses, origins = append(clauses, d), append(origins, o)
	}
	for i, d := range sys.Clauses {
		if !own[i] {
			add(d, origin{clause: d})
		}
	}
	for _, g := range groups {
		for _, i := range c.Entries {
			add(g.entry(pool, sys.Clauses[i]))
		}
		for _, i := range c.Steps {
			add(g.step(sys.Clauses[i], c.Premise(i)))
		}
		for _, u := range g.uses {
			add(g.exit(pool, u))
		}
	}
	return &translator{old: sys, next: transform.Rebuild(sys, preds, clauses), members: members, groups: groups, origins: origins}
}

// predicate returns the predicate for p of the component: the carried variables come before its own arguments.
func (g *group) predicate(p *chc.Predicate, taken map[string]bool) *chc.Predicate {
	q := &chc.Predicate{Name: p.Name}
	for k := 1; taken[q.Name]; k++ {
		q.Name = p.Name + "/" + strconv.Itoa(k)
	}
	taken[q.Name] = true
	for _, v := range g.carried {
		q.Sorts = append(q.Sorts, v.Sort())
	}
	q.Sorts = append(q.Sorts, p.Sorts...)
	if p.ArgNames != nil {
		for _, v := range g.carried {
			q.ArgNames = append(q.ArgNames, resolve.Stem(v.Name()))
		}
		q.ArgNames = append(q.ArgNames, p.ArgNames...)
	}
	return q
}

// atom returns the group's atom for one of the component.
func (g *group) atom(a chc.App, carried []*term.Term) chc.App {
	return chc.App{Pred: g.preds[a.Pred], Args: slices.Concat(carried, a.Args)}
}

// entry enters the component from what the group knows.
func (g *group) entry(pool *term.Pool, c *chc.Clause) (*chc.Clause, origin) {
	var known []*term.Term
	for _, v := range g.uses[0].rename {
		known = append(known, v)
	}
	rename := resolve.RenameApart(pool, c.Vars(), known)
	ren := func(a chc.App) chc.App {
		return a.Map(a.Pred, func(t *term.Term) *term.Term { return pool.Substitute(t, rename) })
	}
	out := *c
	out.Body = slices.Clone(g.before)
	for _, a := range c.Body {
		out.Body = append(out.Body, ren(a))
	}
	head := ren(*c.Head)
	conj := append(slices.Clone(g.facts), pool.Substitute(c.Constraint, rename))
	for k, s := range g.slots {
		conj = append(conj, pool.Eq(head.Args[s[head.Pred]], g.inputs[k]))
	}
	out.Constraint = pool.And(conj...)
	atom := g.atom(head, g.carried)
	out.Head = &atom
	return &out, origin{clause: c, group: g, kind: entry, rename: rename}
}

// step goes on within the component.
func (g *group) step(c *chc.Clause, premise chc.App) (*chc.Clause, origin) {
	pool := c.Constraint.Pool()
	carried := make([]*term.Term, len(g.carried))
	for k, v := range g.carried {
		carried[k] = pool.Fresh(resolve.Stem(v.Name()), v.Sort())
	}
	at := slices.IndexFunc(c.Body, func(a chc.App) bool { return a.Pred == premise.Pred })
	out := c.MapAtoms(func(a chc.App) chc.App {
		if g.preds[a.Pred] == nil {
			return a
		}
		return g.atom(a, carried)
	})
	return out, origin{clause: c, group: g, kind: step, premise: at}
}

// exit is a use, without what is known before.
func (g *group) exit(pool *term.Pool, u *use) (*chc.Clause, origin) {
	shared := map[*term.Term]bool{}
	for _, f := range g.facts {
		shared[f] = true
	}
	ren := func(a chc.App) chc.App {
		return a.Map(a.Pred, func(t *term.Term) *term.Term { return pool.Substitute(t, u.rename) })
	}
	out := *u.clause
	out.Body = []chc.App{g.atom(ren(u.clause.Body[u.atom]), g.carried)}
	for _, j := range u.after {
		out.Body = append(out.Body, ren(u.clause.Body[j]))
	}
	var conj []*term.Term
	for _, f := range term.Conjuncts(u.constraint(pool)) {
		if !shared[f] {
			conj = append(conj, f)
		}
	}
	out.Constraint = pool.And(conj...)
	if u.clause.Head != nil {
		head := ren(*u.clause.Head)
		out.Head = &head
	}
	return &out, origin{clause: u.clause, group: g, kind: exit, use: u}
}
