package expand

import (
	"context"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// mostElements bounds the indices at which an array may be accessed that is replaced.
const mostElements = 16

// Constant returns the pass "elements", which gives an array a variable for each of the indices that it is read and written at, where
// these are constants: memory behind pointers whose addresses are known is like that. It is exact, as nothing can tell what else is
// in the arrays.
func Constant() transform.Pass {
	return transform.Pass{
		Name: "elements", Repeat: true,
		Doc: "Replaces arrays that are accessed at constant indices only by a variable for each of these.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			if !slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool { return slices.ContainsFunc(p.Sorts, (*term.Sort).IsArray) }) {
				return sys, nil, nil
			}
			return expandSystem(ctx, env, sys, constantElements(sys), true)
		},
	}
}

// accesses joins the arguments that are the same arrays at different times, and collects the indices at which these are accessed.
type accesses struct {
	parent map[transform.Place]transform.Place
	// elements are by the first argument of a class, nil where the arrays have to stay.
	elements map[transform.Place]*elements
}

// constantElements returns the constants that arrays are accessed at, of those that are accessed at few of them and nowhere else.
func constantElements(sys *chc.System) chosen {
	a := newAccesses(sys)
	for _, c := range sys.Clauses {
		a.clause(c, a.access)
	}
	return a.chosen(sys)
}

// newAccesses returns classes of one argument each, without indices.
func newAccesses(sys *chc.System) *accesses {
	a := &accesses{parent: map[transform.Place]transform.Place{}, elements: map[transform.Place]*elements{}}
	for _, p := range sys.Predicates {
		for i, s := range p.Sorts {
			if s.IsArray() {
				a.elements[transform.Place{Predicate: p, Position: i}] = &elements{}
			}
		}
	}
	return a
}

// chosen are the elements of the arguments that can have variables for them.
func (a *accesses) chosen(sys *chc.System) chosen {
	out := chosen{}
	for _, p := range sys.Predicates {
		out[p] = make([]*elements, p.Arity())
		for i, s := range p.Sorts {
			if expandable(s, 1) {
				out[p][i] = a.elements[a.first(transform.Place{Predicate: p, Position: i})]
			}
		}
	}
	return out
}

func (a *accesses) first(x transform.Place) transform.Place {
	for {
		next, ok := a.parent[x]
		if !ok {
			return x
		}
		x = next
	}
}

// unite makes two classes one, with the indices of both.
func (a *accesses) unite(x, y transform.Place) {
	x, y = a.first(x), a.first(y)
	if x == y {
		return
	}
	of := a.elements[x]
	a.parent[x] = y
	delete(a.elements, x)
	if of == nil {
		a.elements[y] = nil
		return
	}
	for _, index := range of.indices {
		a.access(y, index)
	}
	if of.rest != nil {
		a.fill(y, of.rest)
	}
}

// fill notes that arrays of a class are constant but for what is stored. Where they all have the same value there, that is as good as
// any; two values tell arrays apart at indices that nothing accesses.
func (a *accesses) fill(x transform.Place, value *term.Term) {
	x = a.first(x)
	switch of := a.elements[x]; {
	case of == nil:
	case !value.IsValue() || of.rest != nil && of.rest != value:
		a.elements[x] = nil
	default:
		of.rest = value
	}
}

// access adds an index to a class.
func (a *accesses) access(x transform.Place, index *term.Term) {
	x = a.first(x)
	a.elements[x] = a.elements[x].with(index)
}

// with adds an index; arrays stay as they are, for which nil stands, when it is no constant or one too many.
func (of *elements) with(index *term.Term) *elements {
	switch {
	case of == nil || slices.Contains(of.indices, index):
		return of
	case !index.IsValue() || len(of.indices) == mostElements:
		return nil
	}
	of.indices = append(of.indices, index)
	return of
}

// join makes one class of the arguments that a clause passes on, and says which arrays stay. It returns the classes of the clause's
// terms, and an argument for those that are of one.
func (a *accesses) join(c *chc.Clause) (*arrayClasses, map[*term.Term]transform.Place) {
	classes, kept := joinArrays(c)
	arguments := map[*term.Term]transform.Place{}
	eachArgument(c, func(p *chc.Predicate, i int, t *term.Term) {
		if !t.Sort().IsArray() || t.Op() == term.ConstArray {
			return
		}
		x := transform.Place{Predicate: p, Position: i}
		if y, ok := arguments[classes.first(t)]; ok {
			a.unite(x, y)
		}
		arguments[classes.first(t)] = x
	})
	for t := range kept {
		if x, ok := arguments[classes.first(t)]; ok {
			a.elements[a.first(x)] = nil
		}
	}
	return classes, arguments
}

// clause joins the arguments of a clause and adds its constant arrays. It visits the accesses to arrays, with an argument of the class.
func (a *accesses) clause(c *chc.Clause, access func(x transform.Place, index *term.Term)) {
	classes, arguments := a.join(c)
	eachArgument(c, func(p *chc.Predicate, i int, t *term.Term) {
		if t.Op() == term.ConstArray {
			a.fill(transform.Place{Predicate: p, Position: i}, t.Arg(0))
		}
	})
	eachAccess(c, func(array, index *term.Term) {
		if x, ok := arguments[classes.first(array)]; ok {
			access(x, index)
		}
	})
	eachConstant(c, func(array, value *term.Term) {
		if x, ok := arguments[classes.first(array)]; ok {
			a.fill(x, value)
		}
	})
}

// eachConstant visits the arrays that are made from constant ones or compared with them, with the values of these.
func eachConstant(c *chc.Clause, visit func(array, value *term.Term)) {
	for _, t := range c.Terms() {
		term.Walk(t, func(t *term.Term) bool {
			for i, u := range t.Args() {
				if u.Op() != term.ConstArray {
					continue
				}
				if t.Op() == term.Eq {
					visit(t.Arg(1-i), u.Arg(0))
				} else {
					visit(t, u.Arg(0))
				}
			}
			return true
		})
	}
}

// eachAccess visits the arrays that are read or written in a clause, with the indices.
func eachAccess(c *chc.Clause, visit func(array, index *term.Term)) {
	for _, t := range c.Terms() {
		term.Walk(t, func(t *term.Term) bool {
			switch t.Op() {
			case term.Select:
				visit(t.Arg(0), t.Arg(1))
			case term.Store: // what it changes may be a constant array, which is in no class
				visit(t, t.Arg(1))
			}
			return true
		})
	}
}

// setLocal gives the arrays of a clause that are no arguments the constants that they are accessed at.
func (a *arrayClasses) setLocal(c *chc.Clause) {
	known := maps.Clone(a.known)
	eachConstant(c, func(array, _ *term.Term) {
		if root := a.first(array); array.Sort().IsArray() && !known[root] {
			a.known[root], known[root] = true, true
		}
	})
	eachAccess(c, func(array, index *term.Term) {
		root := a.first(array)
		if known[root] || array.Op() == term.ConstArray {
			return
		}
		if !a.known[root] && expandable(root.Sort(), 1) {
			a.elements[root] = &elements{}
		}
		a.known[root], a.elements[root] = true, a.elements[root].with(index)
	})
}
