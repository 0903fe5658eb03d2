package expand

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// Carried returns the pass "carried-elements", which gives an array one variable where it is accessed at one index only that all
// predicates hand on as another argument: the balances of all addresses, of which a contract sees its own, are such an array. What
// is stored elsewhere is forgotten, as long as nothing else depends on what is read there. It is exact, as nothing can tell what else
// is in the arrays.
func Carried() transform.Pass {
	return transform.Pass{
		Name: "carried-elements", Repeat: true,
		Doc: "Replaces arrays that are accessed at one index only, which is an argument that stays the same, by a variable for that element.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return carriedElements(ctx, env, sys)
		},
	}
}

func carriedElements(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if !slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool { return slices.ContainsFunc(p.Sorts, (*term.Sort).IsArray) }) {
		return sys, nil, nil
	}
	of := newCarrying(sys).chosen()
	for {
		if !of.any() {
			return sys, nil, nil
		}
		t, err := newTranslator(ctx, env, sys, of, false)
		if err != nil {
			return nil, nil, err
		}
		dropped := t.observed()
		if len(dropped) == 0 {
			return t.new, t, nil
		}
		of = of.without(dropped)
	}
}

// observed are the elements of arrays that some clause reads elsewhere, where what is read matters.
func (t *expandTranslator) observed() map[*elements]bool {
	out := map[*elements]bool{}
	for n, e := range t.clauses {
		if len(e.outside) == 0 {
			continue
		}
		for _, x := range t.new.Clauses[n].Vars() {
			if of := e.outside[x]; of != nil {
				out[of] = true
			}
		}
	}
	return out
}

// any reports whether something is chosen.
func (of chosen) any() bool {
	for _, es := range of {
		if slices.ContainsFunc(es, func(e *elements) bool { return e != nil }) {
			return true
		}
	}
	return false
}

// without is what is chosen without some elements.
func (of chosen) without(dropped map[*elements]bool) chosen {
	out := chosen{}
	for p, es := range of {
		out[p] = slices.Clone(es)
		for i, e := range es {
			if dropped[e] {
				out[p][i] = nil
			}
		}
	}
	return out
}

// carrying looks for the arguments that are the indices of arrays.
type carrying struct {
	*accesses
	sys *chc.System
	// visits are the accesses of each clause, by the first argument of the arrays' classes.
	visits []map[transform.Place][]*term.Term
	// arrays has the classes of a predicate's arguments, and clauses are those with atoms that have some.
	arrays  map[*chc.Predicate]map[transform.Place]bool
	clauses map[transform.Place][]int
}

func newCarrying(sys *chc.System) *carrying {
	a := &carrying{accesses: newAccesses(sys), sys: sys}
	type accessed struct {
		of    transform.Place
		index *term.Term
	}
	found := make([][]accessed, len(sys.Clauses))
	for n, c := range sys.Clauses {
		a.clause(c, func(x transform.Place, index *term.Term) { found[n] = append(found[n], accessed{x, index}) })
	}
	for _, some := range found {
		visits := map[transform.Place][]*term.Term{}
		for _, v := range some {
			if first := a.first(v.of); !slices.Contains(visits[first], v.index) {
				visits[first] = append(visits[first], v.index)
			}
		}
		a.visits = append(a.visits, visits)
	}
	a.count()
	return a
}

// count finds the predicates and the clauses of each class.
func (a *carrying) count() {
	a.arrays, a.clauses = map[*chc.Predicate]map[transform.Place]bool{}, map[transform.Place][]int{}
	for _, p := range a.sys.Predicates {
		a.arrays[p] = map[transform.Place]bool{}
		for i, s := range p.Sorts {
			if s.IsArray() {
				a.arrays[p][a.first(transform.Place{Predicate: p, Position: i})] = true
			}
		}
	}
	for n, c := range a.sys.Clauses {
		seen := map[transform.Place]bool{}
		for _, at := range c.Atoms() {
			for i, s := range at.Pred.Sorts {
				if !s.IsArray() {
					continue
				}
				if class := a.first(transform.Place{Predicate: at.Pred, Position: i}); !seen[class] {
					seen[class] = true
					a.clauses[class] = append(a.clauses[class], n)
				}
			}
		}
	}
}

// chosen are the elements of the arguments that have an index among the other arguments.
func (a *carrying) chosen() chosen {
	out := chosen{}
	made := map[transform.Place]*elements{}
	for _, p := range a.sys.Predicates {
		out[p] = make([]*elements, p.Arity())
		for i, s := range p.Sorts {
			first := a.first(transform.Place{Predicate: p, Position: i})
			if !expandable(s, 1) || a.elements[first] == nil {
				continue
			}
			if _, known := made[first]; !known {
				made[first] = a.element(first, s)
			}
			out[p][i] = made[first]
		}
	}
	return out
}

// element is the one element of the arrays of a class that clauses access; nil where there is no such index.
func (a *carrying) element(class transform.Place, s *term.Sort) *elements {
	var tried []transform.Place
	for _, n := range a.clauses[class] {
		for _, index := range a.visits[n][class] {
			for _, at := range a.sys.Clauses[n].Atoms() {
				k := slices.Index(at.Args, index)
				start := transform.Place{Predicate: at.Pred, Position: k}
				if k < 0 || !a.arrays[at.Pred][class] || slices.Contains(tried, start) {
					continue
				}
				tried = append(tried, start)
				if carried := a.spread(class, start); carried != nil {
					return &elements{indices: []*term.Term{a.sys.Pool.Var("own", s.Index)}, rest: a.elements[class].rest, carried: carried}
				}
			}
		}
	}
	return nil
}

// spread returns the positions of the index in all predicates with arrays of a class, from that in one; nil where the clauses do not
// hand it on, or something may depend on what is at other indices.
func (a *carrying) spread(class, start transform.Place) map[*chc.Predicate]int {
	carried := map[*chc.Predicate]int{start.Predicate: start.Position}
	for before := 0; before < len(carried); {
		before = len(carried)
		for _, n := range a.clauses[class] {
			if !a.hand(a.sys.Clauses[n], class, carried) {
				return nil
			}
		}
	}
	stored := false
	for _, n := range a.clauses[class] {
		var index *term.Term
		for _, at := range a.sys.Clauses[n].Atoms() {
			if !a.arrays[at.Pred][class] {
				continue
			}
			k, known := carried[at.Pred]
			if !known {
				return nil
			}
			index = at.Args[k]
		}
		elsewhere := slices.ContainsFunc(a.visits[n][class], func(t *term.Term) bool { return t != index })
		stored = stored || elsewhere
	}
	// Where steps store elsewhere, arrays that came different ways differ there.
	if stored && !a.computed(class) {
		return nil
	}
	return carried
}

// hand extends carried by the atoms of a clause, and reports whether these can have the same index.
func (a *carrying) hand(c *chc.Clause, class transform.Place, carried map[*chc.Predicate]int) bool {
	var index *term.Term
	atoms := c.Atoms()
	for _, at := range atoms {
		k, known := carried[at.Pred]
		if !known || !a.arrays[at.Pred][class] {
			continue
		}
		if index != nil && index != at.Args[k] {
			return false
		}
		index = at.Args[k]
	}
	if index == nil {
		return true
	}
	if !index.IsVar() && !index.IsValue() {
		return false
	}
	for _, at := range atoms {
		if _, known := carried[at.Pred]; known || !a.arrays[at.Pred][class] {
			continue
		}
		k := slices.Index(at.Args, index)
		if k < 0 {
			return false
		}
		carried[at.Pred] = k
		// An atom of the same predicate may have another one there.
		return a.hand(c, class, carried)
	}
	return true
}
