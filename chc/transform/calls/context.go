package calls

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/cycle"
)

// group is the uses of a component that know the same before it, up to the names of variables.
type group struct {
	// before are the atoms that are known, over variables of the group's own.
	before []chc.App
	// facts are the conjuncts over these variables that every use has.
	facts []*term.Term
	// inputs are the arguments of the component that before determines; slots are their positions by predicate, in the same order.
	inputs []*term.Term
	slots  []map[*chc.Predicate]int
	uses   []*use
	// carried are the variables of before that a use mentions after the component, but for inputs.
	carried []*term.Term
	// preds are the predicates of the component for this group.
	preds map[*chc.Predicate]*chc.Predicate
}

// use is one use of a component.
type use struct {
	clause *chc.Clause
	// atom is the place of the component's atom in the body, before and after those of the others.
	atom          int
	before, after []int
	// rename maps the variables of the atoms before to those of the group.
	rename map[*term.Term]*term.Term
}

// contexts returns the groups of a component's uses, nil when a use is not a call: when it knows nothing before, or nothing that the
// component was entered with.
func contexts(sys *chc.System, c *cycle.Cycle) []*group {
	slots := c.Slots()
	if len(slots) == 0 {
		return nil
	}
	var groups []*group
	byKey := map[string]*group{}
	for _, at := range c.Uses {
		clause := sys.Clauses[at.Clause]
		u, inputs := split(clause, at.Atom, slots)
		if u == nil || slices.ContainsFunc(c.Uses, func(v cycle.Use) bool { return v.Clause == at.Clause && v.Atom != at.Atom }) {
			return nil
		}
		key := u.key(inputs)
		g := byKey[key]
		if g == nil {
			g = &group{slots: inputs}
			g.name(sys.Pool, u)
			byKey[key] = g
			groups = append(groups, g)
		} else {
			u.align(g)
		}
		g.uses = append(g.uses, u)
	}
	for _, g := range groups {
		g.share(sys.Pool)
	}
	return groups
}

// split divides the body of a use. It returns nil when no slot of the component's atom has an argument that other atoms determine,
// and otherwise the slots that have.
func split(clause *chc.Clause, atom int, slots []map[*chc.Predicate]int) (*use, []map[*chc.Predicate]int) {
	a := clause.Body[atom]
	isSlot := make([]bool, len(a.Args))
	for _, s := range slots {
		isSlot[s[a.Pred]] = true
	}
	given := map[*term.Term]bool{}
	for i, t := range a.Args {
		if isSlot[i] {
			for _, v := range term.Vars(t) {
				given[v] = true
			}
		}
	}
	results := map[*term.Term]bool{}
	for i, t := range a.Args {
		if isSlot[i] {
			continue
		}
		for _, v := range term.Vars(t) {
			if !given[v] {
				results[v] = true
			}
		}
	}
	u := &use{clause: clause, atom: atom}
	known := map[*term.Term]bool{}
	for j, b := range clause.Body {
		switch {
		case j == atom:
		case slices.ContainsFunc(b.Args, func(t *term.Term) bool { return term.HasAny(t, results) }):
			u.after = append(u.after, j)
		default:
			u.before = append(u.before, j)
			for _, t := range b.Args {
				for _, v := range term.Vars(t) {
					known[v] = true
				}
			}
		}
	}
	var inputs []map[*chc.Predicate]int
	proper := false
	for _, s := range slots {
		vars := term.Vars(a.Args[s[a.Pred]])
		if !slices.ContainsFunc(vars, func(v *term.Term) bool { return !known[v] }) {
			inputs = append(inputs, s)
			proper = proper || len(vars) > 0
		}
	}
	if len(u.before) == 0 || !proper {
		return nil, nil
	}
	return u, inputs
}

// order returns the variables of the atoms before, in the order of their first occurrences.
func (u *use) order() []*term.Term {
	seen := map[*term.Term]bool{}
	var out []*term.Term
	for _, j := range u.before {
		for _, t := range u.clause.Body[j].Args {
			for _, v := range term.Vars(t) {
				if !seen[v] {
					seen[v] = true
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// key is the same for uses with the same atoms before and the same inputs, up to the names of variables.
func (u *use) key(slots []map[*chc.Predicate]int) string {
	pool := u.clause.Constraint.Pool()
	names := map[*term.Term]*term.Term{}
	for i, v := range u.order() {
		names[v] = pool.Var(fmt.Sprintf("known!%d!%s", i, v.Sort()), v.Sort())
	}
	var b strings.Builder
	for _, j := range u.before {
		a := u.clause.Body[j]
		fmt.Fprintf(&b, "%d:", a.Pred.ID)
		for _, t := range a.Args {
			fmt.Fprintf(&b, "%d,", pool.Substitute(t, names).ID())
		}
	}
	a := u.clause.Body[u.atom]
	for _, s := range slots {
		i := s[a.Pred]
		fmt.Fprintf(&b, ";%d=%d", i, pool.Substitute(a.Args[i], names).ID())
	}
	return b.String()
}

// name gives the group variables of its own, after those of its first use.
func (g *group) name(pool *term.Pool, u *use) {
	u.rename = map[*term.Term]*term.Term{}
	for _, v := range u.order() {
		u.rename[v] = pool.Fresh(v.Name(), v.Sort())
	}
	for _, j := range u.before {
		a := u.clause.Body[j]
		g.before = append(g.before, a.Map(a.Pred, func(t *term.Term) *term.Term { return pool.Substitute(t, u.rename) }))
	}
	a := u.clause.Body[u.atom]
	for _, s := range g.slots {
		g.inputs = append(g.inputs, pool.Substitute(a.Args[s[a.Pred]], u.rename))
	}
}

// align names the variables of a further use as those of the first one are.
func (u *use) align(g *group) {
	first := g.uses[0]
	u.rename = map[*term.Term]*term.Term{}
	own := u.order()
	for i, v := range first.order() {
		u.rename[own[i]] = first.rename[v]
	}
}

// share finds the facts that all uses have and the variables that are carried.
func (g *group) share(pool *term.Pool) {
	count := map[*term.Term]int{}
	known := map[*term.Term]bool{}
	for _, v := range g.uses[0].rename {
		known[v] = true
	}
	for _, u := range g.uses {
		for _, f := range term.Conjuncts(u.constraint(pool)) {
			if !slices.ContainsFunc(term.Vars(f), func(v *term.Term) bool { return !known[v] }) {
				count[f]++
			}
		}
	}
	isInput := map[*term.Term]bool{}
	for _, t := range g.inputs {
		isInput[t] = t.IsVar()
	}
	shared := func(f *term.Term) bool { return count[f] == len(g.uses) }
	for _, f := range term.Conjuncts(g.uses[0].constraint(pool)) {
		if shared(f) {
			g.facts = append(g.facts, f)
		}
	}
	mentioned := map[*term.Term]bool{}
	for _, u := range g.uses {
		for _, t := range u.rest(pool, shared) {
			for _, v := range term.Vars(t) {
				mentioned[v] = true
			}
		}
	}
	for _, v := range g.uses[0].order() {
		if w := g.uses[0].rename[v]; mentioned[w] && !isInput[w] {
			g.carried = append(g.carried, w)
		}
	}
}

func (u *use) constraint(pool *term.Pool) *term.Term {
	return pool.Substitute(u.clause.Constraint, u.rename)
}

// rest returns the terms of the use that stay: the constraint without the shared facts, and the arguments of all atoms that are not
// before, in the group's variables.
func (u *use) rest(pool *term.Pool, shared func(*term.Term) bool) []*term.Term {
	var out []*term.Term
	for _, f := range term.Conjuncts(u.constraint(pool)) {
		if !shared(f) {
			out = append(out, f)
		}
	}
	atoms := append([]int{u.atom}, u.after...)
	for _, j := range atoms {
		for _, t := range u.clause.Body[j].Args {
			out = append(out, pool.Substitute(t, u.rename))
		}
	}
	if u.clause.Head != nil {
		for _, t := range u.clause.Head.Args {
			out = append(out, pool.Substitute(t, u.rename))
		}
	}
	return out
}
