package catamorphism

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// shapes are the datatypes of a system: groups of datatypes that are defined by each other, each group after those that
// its fields speak of. A datatype is recursive when its values contain values of its own group.
type shapes struct {
	groups    [][]*term.Datatype
	group     map[*term.Datatype]int
	recursive map[*term.Datatype]bool
}

// survey finds the datatypes of the system's predicates and clauses. It fails for sorts that components cannot stand for.
func survey(sys *chc.System) (*shapes, error) {
	w := shapeWalk{
		shapes: &shapes{group: map[*term.Datatype]int{}, recursive: map[*term.Datatype]bool{}},
		index:  map[*term.Datatype]int{}, low: map[*term.Datatype]int{}, open: map[*term.Datatype]bool{},
	}
	for _, p := range sys.Predicates {
		for _, s := range p.Sorts {
			if err := w.sort(s); err != nil {
				return nil, fmt.Errorf("predicate %s: %w", term.QuoteSymbol(p.Name), err)
			}
		}
	}
	for _, c := range sys.Clauses {
		for _, x := range c.Vars() {
			if err := w.sort(x.Sort()); err != nil {
				return nil, fmt.Errorf("clause %d: %w", c.ID, err)
			}
		}
	}
	return w.shapes, nil
}

// anyRecursive reports whether one of the datatypes is recursive.
func (s *shapes) anyRecursive() bool { return len(s.recursive) > 0 }

// shapeWalk is Tarjan's search for strongly connected components, over datatypes and the datatypes of their fields.
type shapeWalk struct {
	*shapes
	index, low map[*term.Datatype]int
	open       map[*term.Datatype]bool
	stack      []*term.Datatype
}

// sort walks over a variable's sort.
func (w *shapeWalk) sort(s *term.Sort) error {
	switch s.Kind {
	case term.DatatypeKind:
		if _, seen := w.index[s.Data]; !seen {
			w.visit(s.Data)
		}
	case term.ArrayKind:
		if hasDatatype(s) {
			return fmt.Errorf("the sort %s has arrays over datatypes, which folds do not reach", s)
		}
	case term.UninterpretedKind:
		return fmt.Errorf("the sort %s is uninterpreted", s)
	}
	return nil
}

func hasDatatype(s *term.Sort) bool {
	switch s.Kind {
	case term.DatatypeKind:
		return true
	case term.ArrayKind:
		return hasDatatype(s.Index) || hasDatatype(s.Elem)
	}
	return false
}

func (w *shapeWalk) visit(d *term.Datatype) {
	w.index[d], w.low[d] = len(w.index), len(w.index)
	w.stack = append(w.stack, d)
	w.open[d] = true
	self := false
	for _, c := range d.Constructors {
		for _, f := range c.Selectors {
			e := f.Sort.Data
			if e == nil {
				continue
			}
			self = self || e == d
			if _, seen := w.index[e]; !seen {
				w.visit(e)
				w.low[d] = min(w.low[d], w.low[e])
			} else if w.open[e] {
				w.low[d] = min(w.low[d], w.index[e])
			}
		}
	}
	if w.low[d] != w.index[d] {
		return
	}
	at := slices.Index(w.stack, d)
	members := slices.Clone(w.stack[at:])
	w.stack = w.stack[:at]
	for _, m := range members {
		w.open[m] = false
		w.group[m] = len(w.groups)
		if self || len(members) > 1 {
			w.recursive[m] = true
		}
	}
	w.groups = append(w.groups, members)
}
