package expand

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// Tracked replaces the arrays of a system by their elements at tracked indices, as EUREKA does ("Building SMT-based Software Model
// Checkers: an Experience Report", section 3.2): a[i] becomes what is tracked at i, or any value where nothing is, and a store changes
// what is tracked. At first nothing is. The clauses over elements allow more than the source: a model of them is one of the source,
// and a refutation need not be.
//
// Arguments that are the same array at different times have the same indices. Arrays stay as they are, with all that one is compared
// with or made from, where a clause has something else about them than reads, writes, choices, and equations that only make it true.
type Tracked struct {
	source  *chc.System
	classes *accesses
	of      chosen
}

// NewTracked returns the abstraction of a system without any index.
func NewTracked(sys *chc.System) *Tracked {
	a := newAccesses(sys)
	for _, c := range sys.Clauses {
		a.join(c)
	}
	for x := range a.elements {
		if !expandable(x.Predicate.Sorts[x.Position], 1) {
			a.elements[a.first(x)] = nil
		}
	}
	return &Tracked{sys, a, a.chosen(sys)}
}

// Arrays is the number of arrays of the source that are replaced: what the arguments of predicates are at different times.
func (t *Tracked) Arrays() int { return len(t.distinct()) }

// Indices is the number of indices that are tracked, each array's counted.
func (t *Tracked) Indices() int {
	n := 0
	for _, of := range t.distinct() {
		n += len(of.indices)
	}
	return n
}

// distinct are the elements of the arrays, in the order of the predicates' arguments.
func (t *Tracked) distinct() []*elements {
	var out []*elements
	for _, p := range t.source.Predicates {
		for _, of := range t.of[p] {
			if of != nil && !slices.Contains(out, of) {
				out = append(out, of)
			}
		}
	}
	return out
}

// Index is an index of an array.
type Index struct {
	of *elements
	// Value is a value of the array's index sort.
	Value *term.Term
}

// Tracks reports whether the index is tracked.
func (t *Tracked) Tracks(i Index) bool { return slices.Contains(i.of.indices, i.Value) }

// Track tracks also the indices given.
func (t *Tracked) Track(indices ...Index) {
	for _, i := range indices {
		if !t.Tracks(i) {
			i.of.indices = append(i.of.indices, i.Value)
		}
	}
}

// Forget tracks the indices given no more.
func (t *Tracked) Forget(indices ...Index) {
	for _, i := range indices {
		i.of.indices = slices.DeleteFunc(i.of.indices, func(v *term.Term) bool { return v == i.Value })
	}
}

// Abstraction is what the source is over the elements that were tracked when it was made. It carries models back.
type Abstraction struct {
	*expandTranslator
	// System has the elements for arguments. Predicate i and clause i stand for those of the source.
	System *chc.System
	// originals has the elements of the source that those of the abstraction are copies of.
	originals map[*elements]*elements
}

// Abstract returns the source over the elements that are tracked now. The error is that ctx is done.
func (t *Tracked) Abstract(ctx context.Context) (*Abstraction, error) {
	of, copies, originals := chosen{}, map[*elements]*elements{}, map[*elements]*elements{}
	for _, p := range t.source.Predicates {
		of[p] = make([]*elements, p.Arity())
		for i, e := range t.of[p] {
			if e != nil && copies[e] == nil {
				c := &elements{indices: slices.Clone(e.indices)}
				slices.SortFunc(c.indices, func(a, b *term.Term) int { return a.Num().Cmp(b.Num()) })
				copies[e], originals[c] = c, e
			}
			of[p][i] = copies[e]
		}
	}
	back, err := newTranslator(ctx, transform.Environment{}, t.source, of, false)
	if err != nil {
		return nil, err
	}
	sys := *back.new
	sys.Approximation = chc.Over
	sys.Notes = append(slices.Clone(sys.Notes), "arrays were replaced by their elements at some indices")
	back.new = &sys
	return &Abstraction{expandTranslator: back, System: &sys, originals: originals}, nil
}

// Indices visits the indices at which a formula of a clause of the source reads or writes arrays that are replaced, under the values
// of a step of the clause's abstraction.
func (a *Abstraction) Indices(clause int, formula *term.Term, step witness.Step, visit func(Index)) {
	e := a.clauses[clause]
	values := term.NewTotalEvaluator(e.pool, term.MapAssignment(step.Values))
	seen := map[*term.Term]bool{}
	term.Walk(formula, func(u *term.Term) bool {
		if seen[u] {
			return false
		}
		seen[u] = true
		if u.Op() != term.Select && u.Op() != term.Store {
			return true
		}
		array := u
		if u.Op() == term.Select {
			array = u.Arg(0)
		}
		if of := a.originals[e.classes.of(array)]; of != nil {
			if v, ok := values.Eval(e.term(u.Arg(1))); ok {
				visit(Index{of, v.Term(e.pool)})
			}
		}
		return true
	})
}

// Over returns a formula of a clause of the source over the elements, in the variables of the clause's abstraction. It is what the
// abstraction has where the clause has the formula.
func (a *Abstraction) Over(clause int, formula *term.Term) *term.Term {
	return a.clauses[clause].term(formula)
}

// Holds returns a function that reports whether a formula of a clause of the source is true over the elements, under the values of a
// step of the clause's abstraction.
func (a *Abstraction) Holds(clause int, step witness.Step) func(*term.Term) bool {
	e := a.clauses[clause]
	values := term.NewTotalEvaluator(e.pool, term.MapAssignment(step.Values))
	return func(f *term.Term) bool { return values.True(e.term(f)) }
}
