package calls

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/cycle"
	"hornbeam/chc/transform/simplify"
)

// group is the uses of a component that know the same before it, up to the names of variables.
type group struct {
	// vars are the group's own variables for what is known before, which are those of before.
	vars   []*term.Term
	before []chc.App
	// facts are the conjuncts over these variables that every use has.
	facts []*term.Term
	// slots are the arguments of the component that before determines, and inputs what they are, in the same order.
	slots  []slot
	inputs []*term.Term
	uses   []*use
	// carried are the variables of before that a use mentions after the component, but for inputs.
	carried []*term.Term
	// preds are the predicates of the component for this group.
	preds map[*chc.Predicate]*chc.Predicate
}

// slot is an argument that no step of a component changes: its number among these, and its position by predicate.
type slot struct {
	number    int
	positions map[*chc.Predicate]int
}

// of returns the slot's argument of an atom.
func (s slot) of(a chc.App) *term.Term { return a.Args[s.positions[a.Pred]] }

// use is one use of a component.
type use struct {
	clause *chc.Clause
	// atom is the place of the component's atom in the body, before and after those of the others.
	atom          int
	before, after []int
	// rename maps the variables of the atoms before to those of the group, and named is the clause with these.
	rename map[*term.Term]*term.Term
	named  *chc.Clause
	// rest is named without what is known before: the component's atom is the first one.
	rest *chc.Clause
}

// contexts returns the groups of a component's uses. It returns nil when a use is not a call, which is when it knows nothing before, or
// nothing that the component was entered with, and when there are too many groups.
func contexts(sys *chc.System, c *cycle.Cycle) []*group {
	var slots []slot
	for i, positions := range c.Slots() {
		slots = append(slots, slot{i, positions})
	}
	var groups []*group
	for _, at := range c.Uses {
		u, inputs := split(sys.Clauses[at.Clause], at.Atom, slots)
		if u == nil || slices.ContainsFunc(c.Uses, func(v cycle.Use) bool { return v.Clause == at.Clause && v.Atom != at.Atom }) {
			return nil
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return u.fits(g, inputs) })
		if i < 0 {
			if i = len(groups); i == maxContexts {
				return nil
			}
			groups = append(groups, newGroup(sys.Pool, u, inputs))
		}
		groups[i].uses = append(groups[i].uses, u)
	}
	for _, g := range groups {
		g.share(sys.Pool)
	}
	return groups
}

// split divides the body of a use. It returns nil when no slot of the component's atom has an argument that other atoms determine,
// and otherwise the slots that have.
func split(clause *chc.Clause, atom int, slots []slot) (*use, []slot) {
	a := clause.Body[atom]
	var given []*term.Term
	for _, s := range slots {
		given = append(given, s.of(a))
	}
	given = term.Vars(given...)
	results := map[*term.Term]bool{}
	for _, v := range term.Vars(a.Args...) {
		results[v] = !slices.Contains(given, v)
	}
	u := &use{clause: clause, atom: atom}
	for j, b := range clause.Body {
		switch {
		case j == atom:
		case slices.ContainsFunc(term.Vars(b.Args...), func(v *term.Term) bool { return results[v] }):
			u.after = append(u.after, j)
		default:
			u.before = append(u.before, j)
		}
	}
	known := u.known()
	var inputs []slot
	proper := false
	for _, s := range slots {
		vars := term.Vars(s.of(a))
		if !slices.ContainsFunc(vars, func(v *term.Term) bool { return !slices.Contains(known, v) }) {
			inputs = append(inputs, s)
			proper = proper || len(vars) > 0
		}
	}
	if len(u.before) == 0 || !proper {
		return nil, nil
	}
	return u, inputs
}

// known returns the variables of the atoms before, in the order of their first occurrences.
func (u *use) known() []*term.Term {
	var args []*term.Term
	for _, j := range u.before {
		args = append(args, u.clause.Body[j].Args...)
	}
	return term.Vars(args...)
}

// name gives the variables of the atoms before, known, other names.
func (u *use) name(known, names []*term.Term) {
	u.rename = make(map[*term.Term]*term.Term, len(known))
	for i, v := range known {
		u.rename[v] = names[i]
	}
	sub := u.clause.Constraint.Pool().NewSubstitution(u.rename)
	u.named = u.clause.MapAtoms(func(a chc.App) chc.App { return simplify.SubstituteApp(sub, a) })
	u.named.Constraint = sub.Apply(u.clause.Constraint)
}

// context returns the atoms before and the arguments of slots in the use's names.
func (u *use) context(slots []slot) (before []chc.App, inputs []*term.Term) {
	for _, j := range u.before {
		before = append(before, u.named.Body[j])
	}
	for _, s := range slots {
		inputs = append(inputs, s.of(u.named.Body[u.atom]))
	}
	return before, inputs
}

// newGroup returns a group for a use, which is not yet among its uses, with variables of its own.
func newGroup(pool *term.Pool, u *use, slots []slot) *group {
	g := &group{slots: slots}
	known := u.known()
	for _, v := range known {
		g.vars = append(g.vars, pool.Fresh(v.Name(), v.Sort()))
	}
	u.name(known, g.vars)
	g.before, g.inputs = u.context(slots)
	return g
}

// fits reports whether a use knows before the component what a group does, and gives it the group's names then.
func (u *use) fits(g *group, slots []slot) bool {
	known := u.known()
	if !slices.EqualFunc(known, g.vars, func(v, w *term.Term) bool { return v.Sort() == w.Sort() }) ||
		!slices.EqualFunc(slots, g.slots, func(s, t slot) bool { return s.number == t.number }) {
		return false
	}
	u.name(known, g.vars)
	before, inputs := u.context(slots)
	return slices.EqualFunc(before, g.before, chc.App.Equal) && slices.Equal(inputs, g.inputs)
}

// share finds the facts that all uses have, what is left of the uses, and the variables that are carried.
func (g *group) share(pool *term.Pool) {
	count := map[*term.Term]int{}
	for _, u := range g.uses {
		for _, f := range term.Conjuncts(u.named.Constraint) {
			if !slices.ContainsFunc(term.Vars(f), func(v *term.Term) bool { return !slices.Contains(g.vars, v) }) {
				count[f]++
			}
		}
	}
	shared := func(f *term.Term) bool { return count[f] == len(g.uses) }
	g.facts = slices.DeleteFunc(slices.Clone(term.Conjuncts(g.uses[0].named.Constraint)), func(f *term.Term) bool { return !shared(f) })
	mentioned := map[*term.Term]bool{}
	for _, u := range g.uses {
		rest := *u.named
		rest.Body = []chc.App{u.named.Body[u.atom]}
		for _, j := range u.after {
			rest.Body = append(rest.Body, u.named.Body[j])
		}
		rest.Constraint = pool.And(slices.DeleteFunc(slices.Clone(term.Conjuncts(u.named.Constraint)), shared)...)
		u.rest = &rest
		for _, v := range rest.Vars() {
			mentioned[v] = true
		}
	}
	for _, v := range g.vars {
		if mentioned[v] && !slices.Contains(g.inputs, v) {
			g.carried = append(g.carried, v)
		}
	}
}
