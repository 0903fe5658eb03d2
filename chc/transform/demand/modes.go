package demand

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// modes are the positions of the arguments that every use of a predicate knows before it: the predicate's inputs, in order. Predicates
// without inputs are absent.
type modes map[*chc.Predicate][]int

// modesOf returns the largest modes under which each clause has an order of its atoms in which their inputs are known: from the inputs of the
// head, from atoms before and from equations of the constraint. Only predicates with uses beside other atoms have inputs, and those
// between them.
func modesOf(sys *chc.System) modes {
	m := modes{}
	for _, p := range calledOrBetween(sys) {
		if p.Arity() > 0 {
			m[p] = positions(p)
		}
	}
	for changed := true; changed && len(m) > 0; {
		changed = false
		for _, c := range sys.Clauses {
			known := newKnown(c, m)
			for _, i := range m.order(c) {
				a := c.Body[i]
				inputs := slices.DeleteFunc(slices.Clone(m[a.Pred]), func(k int) bool { return !known.has(a.Args[k]) })
				if len(inputs) < len(m[a.Pred]) {
					changed = true
					if m[a.Pred] = inputs; len(inputs) == 0 {
						delete(m, a.Pred)
					}
				}
				known.learn(a.Args...)
			}
		}
	}
	return m
}

// calledOrBetween returns the predicates that have uses beside other atoms, and those through which they are derived from one another: a
// place inside a procedure, whose only use has no other atom, passes the procedure's inputs on to the calls before it.
func calledOrBetween(sys *chc.System) []*chc.Predicate {
	over, under := make([]bool, len(sys.Predicates)), make([]bool, len(sys.Predicates)) // derived from one that is called, and the reverse
	for _, c := range sys.Clauses {
		for _, a := range c.Body {
			called := len(c.Body) > 1
			over[a.Pred.ID], under[a.Pred.ID] = over[a.Pred.ID] || called, under[a.Pred.ID] || called
		}
	}
	g := chc.NewGraph(sys)
	for changed := true; changed; {
		changed = false
		for _, p := range sys.Predicates {
			for _, h := range g.Successors(p) {
				if over[p.ID] && !over[h.ID] {
					over[h.ID], changed = true, true
				}
				if under[h.ID] && !under[p.ID] {
					under[p.ID], changed = true, true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(sys.Predicates), func(p *chc.Predicate) bool { return !over[p.ID] || !under[p.ID] })
}

// positions returns the positions of all arguments.
func positions(p *chc.Predicate) []int {
	all := make([]int, p.Arity())
	for i := range all {
		all[i] = i
	}
	return all
}

// inputs returns the input arguments of an atom.
func (m modes) inputs(a chc.App) []*term.Term {
	var in []*term.Term
	for _, k := range m[a.Pred] {
		in = append(in, a.Args[k])
	}
	return in
}

// order returns the numbers of a clause's atoms in the order of calls: the next one is always the one with the fewest inputs that are
// not known, and of these the first.
func (m modes) order(c *chc.Clause) []int {
	known := newKnown(c, m)
	var order []int
	for len(order) < len(c.Body) {
		best, least := -1, 0
		for i, a := range c.Body {
			if slices.Contains(order, i) {
				continue
			}
			missing := 0
			for _, t := range m.inputs(a) {
				if !known.has(t) {
					missing++
				}
			}
			if best < 0 || missing < least {
				best, least = i, missing
			}
		}
		order = append(order, best)
		known.learn(c.Body[best].Args...)
	}
	return order
}

// known are the variables of a clause whose values are known at a place in the order of its atoms.
type known struct {
	vars map[*term.Term]bool
	// local are the variables that no premise has and that are no argument of the head, such as what a caller chooses.
	local map[*term.Term]bool
	// equations are those of the constraint, under conjunctions and disjunctions, as their variables.
	equations [][]*term.Term
}

// newKnown returns what is known before the first atom: the inputs of the head, and what equations say about these.
func newKnown(c *chc.Clause, m modes) *known {
	k := &known{vars: map[*term.Term]bool{}, local: map[*term.Term]bool{}}
	for _, v := range term.Vars(c.Constraint) {
		k.local[v] = true
	}
	for _, a := range c.Body {
		for _, v := range term.Vars(a.Args...) {
			delete(k.local, v)
		}
	}
	if c.Head != nil {
		for _, t := range c.Head.Args {
			delete(k.local, t)
		}
	}
	seen := map[*term.Term]bool{}
	var collect func(t *term.Term)
	collect = func(t *term.Term) {
		switch t.Op() {
		case term.And, term.Or:
			if !seen[t] {
				seen[t] = true
				for _, a := range t.Args() {
					collect(a)
				}
			}
		case term.Eq:
			if vars := term.Vars(t); len(vars) > 1 {
				k.equations = append(k.equations, vars)
			}
		}
	}
	collect(c.Constraint)
	if c.Head != nil {
		k.learn(m.inputs(*c.Head)...)
	}
	return k
}

// has reports whether a term's value is known.
func (k *known) has(t *term.Term) bool {
	return !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return !k.vars[v] })
}

// learn adds the variables of terms, and those that an equation relates to what is known, in some case and beside local variables. How
// much is known decides only how much the questions tell.
func (k *known) learn(terms ...*term.Term) {
	for _, v := range term.Vars(terms...) {
		k.vars[v] = true
	}
	for changed := true; changed; {
		changed = false
		for _, vars := range k.equations {
			var unknown []*term.Term
			related := false
			for _, v := range vars {
				switch {
				case k.vars[v]:
					related = true
				case !k.local[v]:
					unknown = append(unknown, v)
				}
			}
			if !related || len(unknown) > 1 {
				continue
			}
			if len(unknown) == 0 { // local variables alone
				unknown = slices.DeleteFunc(slices.Clone(vars), func(v *term.Term) bool { return k.vars[v] })
				if len(unknown) > 1 {
					continue
				}
			}
			for _, v := range unknown {
				k.vars[v], changed = true, true
			}
		}
	}
}
