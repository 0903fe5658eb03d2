package hornoracle

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// maxValues bounds the values that are tried for one sort.
const maxValues = 64

// values returns what is tried for variables of sort s that no atom binds: all values of a small finite sort, and some of
// any other; complete says which.
func (s *search) values(sort *term.Sort) (values []term.Value, complete bool) {
	if known, ok := s.tried[sort]; ok {
		return known.values, known.complete
	}
	ts, complete := s.terms(sort, 2)
	for _, t := range ts {
		v, ok := term.NewEvaluator(s.sys.Pool, term.MapAssignment{}).Eval(t)
		if ok && !slices.ContainsFunc(values, v.Equal) {
			values = append(values, v)
		}
	}
	s.tried[sort] = tried{values, complete}
	return values, complete
}

// tried are the values of one sort.
type tried struct {
	values   []term.Value
	complete bool
}

// terms returns ground terms for values of the sort, with constructors of recursive datatypes nested at most depth times.
func (s *search) terms(sort *term.Sort, depth int) (ts []*term.Term, complete bool) {
	p := s.sys.Pool
	switch sort.Kind {
	case term.BoolKind:
		return []*term.Term{p.False(), p.True()}, true
	case term.IntKind, term.RealKind:
		for _, n := range s.opts.Ints {
			ts = append(ts, p.Numeral(term.NewInt(n), sort))
		}
		return ts, false
	case term.BitVecKind:
		size := int64(maxValues)
		if sort.Width < 6 {
			size = 1 << sort.Width
		}
		for n := range size {
			ts = append(ts, p.BVNum(term.NewInt(n), sort.Width))
		}
		return ts, sort.Width <= 6
	case term.DatatypeKind:
		return s.constructed(sort, depth)
	case term.ArrayKind:
		return s.arrays(sort, depth)
	}
	return []*term.Term{term.DefaultValue(p, sort).Term(p)}, false
}

func (s *search) constructed(sort *term.Sort, depth int) (ts []*term.Term, complete bool) {
	complete = true
	for _, c := range sort.Data.Constructors {
		args := [][]*term.Term{nil}
		for _, sel := range c.Selectors {
			var below []*term.Term
			if recursive(sel.Sort, sort) {
				complete = false
				if depth > 0 {
					below, _ = s.terms(sel.Sort, depth-1)
				}
			} else {
				all := false
				below, all = s.terms(sel.Sort, depth)
				complete = complete && all
			}
			var longer [][]*term.Term
			for _, a := range args {
				for _, b := range below {
					longer = append(longer, append(slices.Clone(a), b))
				}
			}
			args = longer
		}
		if len(args) > maxValues/len(sort.Data.Constructors) {
			args, complete = args[:maxValues/len(sort.Data.Constructors)], false
		}
		for _, a := range args {
			ts = append(ts, s.sys.Pool.Construct(c, a...))
		}
	}
	return ts, complete
}

// recursive reports whether values of the sort below can have parts of sort.
func recursive(below, sort *term.Sort) bool {
	seen := map[*term.Sort]bool{}
	var look func(b *term.Sort) bool
	look = func(b *term.Sort) bool {
		if b == sort {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		switch b.Kind {
		case term.ArrayKind:
			return look(b.Index) || look(b.Elem)
		case term.DatatypeKind:
			for _, c := range b.Data.Constructors {
				for _, sel := range c.Selectors {
					if look(sel.Sort) {
						return true
					}
				}
			}
		}
		return false
	}
	return look(below)
}

// arrays stores each element at each index in turn, until there are too many arrays.
func (s *search) arrays(sort *term.Sort, depth int) (ts []*term.Term, complete bool) {
	p := s.sys.Pool
	index, all := s.terms(sort.Index, depth)
	elem, complete := s.terms(sort.Elem, depth)
	complete = complete && all
	if !complete {
		index, elem = index[:min(len(index), 2)], elem[:min(len(elem), 3)]
	}
	for _, e := range elem {
		ts = append(ts, p.ConstArray(sort, e))
	}
	if !complete {
		for _, e := range elem {
			for _, i := range index {
				ts = append(ts, p.Store(ts[0], i, e))
			}
		}
		return ts, false
	}
	ts = ts[:min(1, len(ts))]
	for _, i := range index {
		var longer []*term.Term
		for _, a := range ts {
			for _, e := range elem {
				longer = append(longer, p.Store(a, i, e))
			}
		}
		if ts = longer; len(ts) > maxValues {
			return ts[:maxValues], false
		}
	}
	return ts, true
}

// AllTried reports whether all values of every variable of the system are tried: then an exhausted search without a query
// means that there is a model.
func AllTried(sys *chc.System) bool {
	s := newSearch(sys, DefaultOptions())
	for _, c := range sys.Clauses {
		for _, v := range c.Vars() {
			if _, complete := s.values(v.Sort()); !complete {
				return false
			}
		}
	}
	return true
}
