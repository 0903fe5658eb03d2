package calls

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/cycle"
	"hornbeam/chc/transform/resolve"
	"hornbeam/chc/transform/simplify"
)

// origin is what a step of a new clause stands for.
type origin struct {
	clause *chc.Clause
	// atoms has for each atom of the clause's body its place in that of the new one, or ^k for the one with number k among those that
	// were known before the component; nil stands for the same places.
	atoms []int
	// rename maps variables of the clause to those of the new one; the others keep their names.
	rename map[*term.Term]*term.Term
	// begins is how many atoms, the first ones, are known from here on, and from the place of the atom that was derived with what is
	// known; -1 where nothing is.
	begins, from int
}

// rewrite replaces a component by predicates for each group.
func rewrite(sys *chc.System, c *cycle.Cycle, groups []*group) *translator {
	pool := sys.Pool
	members := c.Members()
	names := transform.NamesOf(sys)
	preds := slices.DeleteFunc(slices.Clone(sys.Predicates), func(p *chc.Predicate) bool { return slices.Contains(members, p) })
	for _, g := range groups {
		g.preds = map[*chc.Predicate]*chc.Predicate{}
		for _, p := range members {
			q := g.predicate(p, names)
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
			add(d, origin{clause: d, from: -1})
		}
	}
	for _, g := range groups {
		for _, i := range c.Entries {
			add(g.entry(pool, sys.Clauses[i]))
		}
		for _, i := range c.Steps {
			add(g.step(pool, sys.Clauses[i], c.Premise(i)))
		}
		for _, u := range g.uses {
			add(g.exit(u))
		}
	}
	return &translator{old: sys, next: transform.Rebuild(sys, preds, clauses), members: members, groups: groups, origins: origins}
}

// predicate returns the predicate for p of the component: the carried variables come before its own arguments.
func (g *group) predicate(p *chc.Predicate, names transform.Names) *chc.Predicate {
	q := &chc.Predicate{Name: names.New(p.Name)}
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
	o := origin{clause: c, rename: resolve.RenameApart(pool, c.Vars(), g.vars), begins: len(g.before), from: -1}
	sub := pool.NewSubstitution(o.rename)
	out := c.MapAtoms(func(a chc.App) chc.App { return simplify.SubstituteApp(sub, a) })
	for i := range out.Body {
		o.atoms = append(o.atoms, o.begins+i)
	}
	out.Body = slices.Concat(g.before, out.Body)
	conj := append(slices.Clone(g.facts), sub.Apply(c.Constraint))
	for k, s := range g.slots {
		conj = append(conj, pool.Eq(s.of(*out.Head), g.inputs[k]))
	}
	out.Constraint = pool.And(conj...)
	*out.Head = g.atom(*out.Head, g.carried)
	return out, o
}

// step goes on within the component, from the atom at the place premise.
func (g *group) step(pool *term.Pool, c *chc.Clause, premise int) (*chc.Clause, origin) {
	carried := make([]*term.Term, len(g.carried))
	for k, v := range g.carried {
		carried[k] = pool.Fresh(resolve.Stem(v.Name()), v.Sort())
	}
	out := c.MapAtoms(func(a chc.App) chc.App {
		if g.preds[a.Pred] == nil {
			return a
		}
		return g.atom(a, carried)
	})
	return out, origin{clause: c, from: premise}
}

// exit is a use, without what is known before.
func (g *group) exit(u *use) (*chc.Clause, origin) {
	out := *u.rest
	out.Body = slices.Clone(out.Body)
	out.Body[0] = g.atom(out.Body[0], g.carried)
	o := origin{clause: u.clause, rename: u.rename, atoms: make([]int, len(u.clause.Body))}
	for k, j := range u.before {
		o.atoms[j] = ^k
	}
	for k, j := range u.after {
		o.atoms[j] = 1 + k
	}
	return &out, o
}
