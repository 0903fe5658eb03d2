package flatten

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// component is one of the values into which a value of a flattened sort falls apart.
type component struct {
	// sort is the component's own sort: that of the field at the end of the path, in one array for each array on the way.
	sort *term.Sort
	// path leads from a value to the component: fields, and nil for "the element at every index".
	path []*term.Selector
}

// dimensions is the number of arrays on the way to the component.
func (c component) dimensions() int {
	n := 0
	for _, sel := range c.path {
		if sel == nil {
			n++
		}
	}
	return n
}

// name says what the component is, for people: the selectors' names.
func (c component) name() string {
	s := ""
	for _, sel := range c.path {
		if sel != nil {
			s += "." + sel.Name
		}
	}
	return s
}

// layouts knows which sorts of a system are flattened, and into what.
//
// Flattened are datatypes with one constructor that do not contain themselves, and arrays whose elements are flattened.
// An array sort stays as it is where it occurs as the sort of a field of a datatype that is not flattened, as an array's
// index or in a function's signature: there the array would have to be put together again from its components, and no
// term does that. (A datatype can be put together there by its constructor.)
type layouts struct {
	pool *term.Pool
	// single says of a datatype whether it has one constructor and does not contain itself.
	single map[*term.Sort]bool
	// pinned are the array sorts that stay as they are.
	pinned map[*term.Sort]bool
	// of caches the components.
	of map[*term.Sort]*layout
	// seen are the sorts that were looked at.
	seen map[*term.Sort]bool
}

// layout is what a flattened sort falls apart into; nothing for a datatype without fields.
type layout struct {
	components []component
	// starts holds, for a datatype, where each field's components begin.
	starts []int
}

func newLayouts(sys *chc.System) *layouts {
	l := &layouts{
		pool: sys.Pool, single: map[*term.Sort]bool{}, pinned: map[*term.Sort]bool{},
		of: map[*term.Sort]*layout{}, seen: map[*term.Sort]bool{},
	}
	for _, p := range sys.Predicates {
		for _, s := range p.Sorts {
			l.look(s)
		}
	}
	sys.EachTerm(func(u *term.Term) {
		l.look(u.Sort())
		for _, v := range u.Bound() {
			l.look(v.Sort())
		}
		if f := u.Func(); f != nil {
			l.look(f.Range)
			l.pin(f.Range)
			for _, s := range f.Domain {
				l.pin(s)
			}
		}
	})
	return l
}

// look notes what the sort's parts keep from being flattened.
func (l *layouts) look(s *term.Sort) {
	if l.seen[s] {
		return
	}
	l.seen[s] = true
	switch s.Kind {
	case term.ArrayKind:
		l.look(s.Index)
		l.look(s.Elem)
		l.pin(s.Index)
	case term.DatatypeKind:
		for _, c := range s.Data.Constructors {
			for _, f := range c.Selectors {
				l.look(f.Sort)
				if !l.isSingle(s) {
					l.pin(f.Sort)
				}
			}
		}
	}
}

// pin keeps the arrays in s, which stands where terms of s are put together again.
func (l *layouts) pin(s *term.Sort) {
	switch {
	case s.IsArray():
		if !l.pinned[s] {
			l.pinned[s] = true
			l.pin(s.Elem)
		}
	case s.IsDatatype() && l.isSingle(s):
		for _, f := range s.Data.Constructors[0].Selectors {
			l.pin(f.Sort)
		}
	}
}

// isSingle reports whether the datatype has one constructor and does not contain itself.
func (l *layouts) isSingle(s *term.Sort) bool {
	one, known := l.single[s]
	if !known {
		one = len(s.Data.Constructors) == 1 && !s.ContainsFunc(func(p *term.Sort) bool { return p == s })
		l.single[s] = one
	}
	return one
}

// layout returns what the sort falls apart into, nil when it is not flattened.
func (l *layouts) layout(s *term.Sort) *layout {
	if s.Kind != term.DatatypeKind && s.Kind != term.ArrayKind {
		return nil
	}
	out, known := l.of[s]
	if known {
		return out
	}
	switch {
	case s.IsArray():
		if elem := l.layout(s.Elem); elem != nil && !l.pinned[s] {
			out = &layout{}
			for _, c := range elem.components {
				out.components = append(out.components, component{
					sort: l.pool.Array(s.Index, c.sort), path: append([]*term.Selector{nil}, c.path...),
				})
			}
		}
	case l.isSingle(s):
		out = &layout{}
		for _, f := range s.Data.Constructors[0].Selectors {
			out.starts = append(out.starts, len(out.components))
			inner := l.layout(f.Sort)
			if inner == nil {
				out.components = append(out.components, component{sort: f.Sort, path: []*term.Selector{f}})
				continue
			}
			for _, c := range inner.components {
				out.components = append(out.components, component{sort: c.sort, path: append([]*term.Selector{f}, c.path...)})
			}
		}
	}
	l.of[s] = out
	return out
}

// width is the number of components of a value of the sort: 1 when it is not flattened.
func (l *layouts) width(s *term.Sort) int {
	if out := l.layout(s); out != nil {
		return len(out.components)
	}
	return 1
}
