package expand

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// arrayClasses are the array terms of a clause that have to be represented alike, since one is made from another or compared
// with it.
type arrayClasses struct {
	// parent leads to a class's first term.
	parent map[*term.Term]*term.Term
	// elements has those of a class by its first term: nil when the arrays stay as they are.
	elements map[*term.Term]*elements
	known    map[*term.Term]bool
}

// arrayClassesOf finds the classes of a clause when the predicates' arguments have these elements.
func arrayClassesOf(c *chc.Clause, of chosen) *arrayClasses {
	a, kept := joinArrays(c)
	eachArgument(c, func(p *chc.Predicate, i int, t *term.Term) {
		if t.Sort().IsArray() {
			a.set(t, of[p][i])
		}
	})
	for t := range kept {
		a.set(t, nil)
	}
	return a
}

// joinArrays finds the classes of a clause, and the arrays that have to stay as they are.
func joinArrays(c *chc.Clause) (a *arrayClasses, kept map[*term.Term]bool) {
	a = &arrayClasses{parent: map[*term.Term]*term.Term{}, elements: map[*term.Term]*elements{}, known: map[*term.Term]bool{}}
	kept = map[*term.Term]bool{}
	for _, t := range c.Terms() {
		a.join(t, kept)
	}
	a.polarity(c.Constraint, true, map[*term.Term]bool{}, kept)
	eachArgument(c, func(_ *chc.Predicate, _ int, t *term.Term) { a.compared(t, kept) })
	return a, kept
}

func (a *arrayClasses) first(t *term.Term) *term.Term {
	for a.parent[t] != nil {
		t = a.parent[t]
	}
	return t
}

func (a *arrayClasses) unite(t, u *term.Term) {
	// A constant array is like any array.
	if t.Op() == term.ConstArray || u.Op() == term.ConstArray {
		return
	}
	if t, u = a.first(t), a.first(u); t != u {
		a.parent[t] = u
	}
}

// set records the elements of a class; a class of which two sorts of elements were recorded, or once none, has none.
func (a *arrayClasses) set(t *term.Term, of *elements) {
	if t.Op() == term.ConstArray {
		return
	}
	t = a.first(t)
	if a.known[t] && a.elements[t] != of {
		of = nil
	}
	a.known[t], a.elements[t] = true, of
}

// of returns the elements of the array that a term stands for, nil when it stays, and anyElements when it has those of what it is
// compared with.
func (a *arrayClasses) of(t *term.Term) *elements {
	if !t.Sort().IsArray() {
		return nil
	}
	if t.Op() == term.ConstArray {
		return anyElements
	}
	return a.elements[a.first(t)]
}

// anyElements are those of a constant array.
var anyElements = &elements{}

// join unites what a term's parts make from each other. Arrays that are used otherwise are kept.
func (a *arrayClasses) join(t *term.Term, kept map[*term.Term]bool) {
	seen := map[*term.Term]bool{}
	term.Walk(t, func(t *term.Term) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		switch t.Op() {
		case term.Select:
			if t.Sort().IsArray() {
				kept[t] = true
			}
		case term.Store:
			a.unite(t, t.Arg(0))
			if t.Arg(2).Sort().IsArray() {
				kept[t.Arg(2)] = true
			}
		case term.Ite:
			if t.Sort().IsArray() {
				a.unite(t, t.Arg(1))
				a.unite(t, t.Arg(2))
			}
		case term.Eq:
			if t.Arg(0).Sort().IsArray() {
				a.unite(t.Arg(0), t.Arg(1))
			}
		default:
			if t.Sort().IsArray() && !t.IsVar() && t.Op() != term.ConstArray {
				kept[t] = true
			}
			for _, u := range t.Args() {
				if u.Sort().IsArray() {
					kept[u] = true
				}
			}
			if t.IsQuantifier() {
				term.Walk(t, func(u *term.Term) bool {
					if u.Sort().IsArray() {
						kept[u] = true
					}
					return true
				})
			}
		}
		return true
	})
}

// polarity keeps the arrays of equations that do not only make t true: that arrays differ is more than that one of their
// elements does.
func (a *arrayClasses) polarity(t *term.Term, positive bool, seen, kept map[*term.Term]bool) {
	switch {
	case positive && (t.IsAnd() || t.IsOr()):
		if seen[t] {
			return
		}
		seen[t] = true
		for _, u := range t.Args() {
			a.polarity(u, true, seen, kept)
		}
		return
	case positive && t.IsIte() && t.IsBool():
		if seen[t] {
			return
		}
		seen[t] = true
		a.polarity(t.Arg(0), false, seen, kept)
		a.polarity(t.Arg(1), true, seen, kept)
		a.polarity(t.Arg(2), true, seen, kept)
		return
	case positive && t.Op() == term.Eq && t.Arg(0).Sort().IsArray():
		// What is below it, in indices and conditions, does not make it true.
		for _, u := range t.Args() {
			a.compared(u, kept)
		}
		return
	}
	a.compared(t, kept)
}

// compared keeps the arrays that are compared anywhere in a term.
func (a *arrayClasses) compared(t *term.Term, kept map[*term.Term]bool) {
	term.Walk(t, func(t *term.Term) bool {
		if t.Op() == term.Eq && t.Arg(0).Sort().IsArray() {
			kept[t.Arg(0)], kept[t.Arg(1)] = true, true
		}
		return true
	})
}

// expander rewrites one clause.
type expander struct {
	pool    *term.Pool
	classes *arrayClasses
	// elements has the variables of each array variable's elements.
	elements map[*term.Term]*variables
	vectors  map[vectorKey][]*term.Term
	terms    map[*term.Term]*term.Term
	// own has the index of elements whose index is an argument.
	own map[*elements]*term.Term
	// outside has the variables for what is read elsewhere of arrays with such an index.
	outside map[*term.Term]*elements
}

// indices are those of the elements in this clause.
func (e *expander) indices(of *elements) []*term.Term {
	if of.carried != nil {
		return []*term.Term{e.own[of]}
	}
	return of.indices
}

// stored is the value that a store has for the element whose index is an argument, where it is at that index: the value is over that
// element then and no other one.
func (e *expander) stored(t *term.Term, of *elements) *term.Term {
	own, i := e.own[of], t.Arg(1)
	if of.carried == nil || i == own {
		return e.term(t.Arg(2))
	}
	moved := map[*term.Term]*term.Term{}
	term.Walk(t.Arg(2), func(u *term.Term) bool {
		if u.Op() == term.Select && u.Arg(1) == i && e.of(u.Arg(0)) == of {
			moved[u] = e.pool.Select(u.Arg(0), own)
		}
		return true
	})
	return e.term(e.pool.NewSubstitution(moved).Apply(t.Arg(2)))
}

type vectorKey struct {
	array *term.Term
	of    *elements
}

func (e *expander) clause(c *chc.Clause, preds map[*chc.Predicate]*chc.Predicate, of chosen) *chc.Clause {
	out := *c
	atom := func(a chc.App) chc.App {
		b := chc.App{Pred: preds[a.Pred]}
		for i, t := range a.Args {
			if which := of[a.Pred][i]; which != nil {
				b.Args = append(b.Args, e.vector(t, which)...)
			} else {
				b.Args = append(b.Args, e.term(t))
			}
		}
		return b
	}
	out.Body = make([]chc.App, len(c.Body))
	for i, a := range c.Body {
		out.Body[i] = atom(a)
	}
	out.Constraint = e.term(c.Constraint)
	if c.Head != nil {
		h := atom(*c.Head)
		out.Head = &h
	}
	return &out
}

// of returns the elements of an array that is replaced, nil for one that stays. Constant arrays have those of what they are compared with.
func (e *expander) of(ts ...*term.Term) *elements {
	for _, t := range ts {
		if of := e.classes.of(t); of != anyElements {
			return of
		}
	}
	return nil
}

// vector has the elements of an array.
func (e *expander) vector(t *term.Term, of *elements) []*term.Term {
	key := vectorKey{t, of}
	if v := e.vectors[key]; v != nil {
		return v
	}
	p := e.pool
	v := make([]*term.Term, len(of.indices))
	switch t.Op() {
	case term.ConstArray:
		x := e.term(t.Arg(0))
		for k := range v {
			v[k] = x
		}
	case term.Store:
		i, x, before := e.term(t.Arg(1)), e.stored(t, of), e.vector(t.Arg(0), of)
		for k, index := range e.indices(of) {
			v[k] = p.Ite(p.Eq(i, index), x, before[k])
		}
	case term.Ite:
		c, a, b := e.term(t.Arg(0)), e.vector(t.Arg(1), of), e.vector(t.Arg(2), of)
		for k := range v {
			v[k] = p.Ite(c, a[k], b[k])
		}
	default:
		for k, index := range of.indices {
			v[k] = p.Fresh(elementName(t.Name(), index), t.Sort().Elem)
		}
		e.elements[t] = &variables{of, e.indices(of), v}
	}
	e.vectors[key] = v
	return v
}

// term is a term over the elements.
func (e *expander) term(t *term.Term) *term.Term {
	if out := e.terms[t]; out != nil {
		return out
	}
	out := e.rewrite(t)
	e.terms[t] = out
	return out
}

func (e *expander) rewrite(t *term.Term) *term.Term {
	p := e.pool
	switch {
	case t.Op() == term.Select && e.of(t.Arg(0)) != nil:
		i := e.term(t.Arg(1))
		// Outside of the array it may be anything.
		out := p.Fresh("outside", t.Sort())
		of := e.of(t.Arg(0))
		if of.carried != nil {
			e.outside[out] = of
		}
		elements, indices := e.vector(t.Arg(0), of), e.indices(of)
		for k := len(elements) - 1; k >= 0; k-- {
			out = p.Ite(p.Eq(i, indices[k]), elements[k], out)
		}
		return out
	case t.Op() == term.Eq && t.Arg(0).Sort().IsArray() && e.of(t.Arg(0), t.Arg(1)) != nil:
		of := e.of(t.Arg(0), t.Arg(1))
		a, b := e.vector(t.Arg(0), of), e.vector(t.Arg(1), of)
		all := make([]*term.Term, len(of.indices))
		for k := range all {
			all[k] = p.Eq(a[k], b[k])
		}
		return p.And(all...)
	case len(t.Args()) == 0 || t.IsQuantifier():
		return t
	}
	return p.MapArgs(t, e.term)
}
