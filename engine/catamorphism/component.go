package catamorphism

import (
	"slices"

	"hornbeam/chc/term"
)

// component is one number (or, for datatypes that are not recursive, a value of any sort) that is computed from each
// value of a datatype: from the plain fields of its constructor and the components of its datatype fields.
type component struct {
	name string
	data *term.Datatype
	sort *term.Sort
	// cases has one term for each constructor, over the space's inputs for that constructor.
	cases []*term.Term
	// needs are the components of fields that the cases speak of; itself may be among them.
	needs []*component
}

// part names a component of a datatype field.
type part struct {
	sel *term.Selector
	of  *component
}

// varPart names a component of a term, or the term itself when of is nil.
type varPart struct {
	term *term.Term
	of   *component
}

// space holds what all encodings of a system share: the inputs that cases are written over, and the components of
// datatypes that are not recursive, which follow from those of their fields.
type space struct {
	pool   *term.Pool
	shapes *shapes
	fields map[*term.Selector]*term.Term
	parts  map[part]*term.Term
	selves map[*component]*term.Term
	vars   map[varPart]*term.Term
	tags   map[*term.Datatype]*component
	plain  map[*term.Selector]*component
	nested map[part]*component
}

func newSpace(p *term.Pool, s *shapes) *space {
	return &space{
		pool: p, shapes: s, fields: map[*term.Selector]*term.Term{}, parts: map[part]*term.Term{},
		selves: map[*component]*term.Term{}, vars: map[varPart]*term.Term{}, tags: map[*term.Datatype]*component{},
		plain: map[*term.Selector]*component{}, nested: map[part]*component{},
	}
}

// cached returns m[k], made once.
func cached[K comparable, V any](m map[K]V, k K, make func() V) V {
	v, ok := m[k]
	if !ok {
		v = make()
		m[k] = v
	}
	return v
}

// field is the input that stands for a field that is no datatype.
func (s *space) field(f *term.Selector) *term.Term {
	return cached(s.fields, f, func() *term.Term { return s.pool.Fresh(f.Name, f.Sort) })
}

// part is the input that stands for a component of a datatype field.
func (s *space) part(f *term.Selector, c *component) *term.Term {
	return cached(s.parts, part{f, c}, func() *term.Term { return s.pool.Fresh(f.Name+"."+c.name, c.sort) })
}

// self stands for the component in statements about all values of its datatype.
func (s *space) self(c *component) *term.Term {
	return cached(s.selves, c, func() *term.Term { return s.pool.Fresh(c.name, c.sort) })
}

// constant returns a component whose cases are all the sort's default value, to be filled in.
func (s *space) constant(d *term.Datatype, name string, sort *term.Sort) *component {
	c := &component{name: name, data: d, sort: sort, cases: make([]*term.Term, len(d.Constructors))}
	for i := range c.cases {
		c.cases[i] = term.DefaultValue(s.pool, sort).Term(s.pool)
	}
	return c
}

// exact returns the components of a datatype that is not recursive: the constructor's number when there are several, and
// each field's components under its constructor, a fixed value under the others. Nothing is lost but what is lost of the
// fields.
func (s *space) exact(d *term.Datatype, of func(*term.Datatype) []*component) []*component {
	var out []*component
	if len(d.Constructors) > 1 {
		out = append(out, s.tag(d))
	}
	for _, c := range d.Constructors {
		for _, f := range c.Selectors {
			switch {
			case f.Sort.Data != nil:
				for _, k := range of(f.Sort.Data) {
					out = append(out, s.project(f, k))
				}
			case !hasDatatype(f.Sort):
				out = append(out, s.projectPlain(f))
			}
		}
	}
	return out
}

// tag is the number of a value's constructor.
func (s *space) tag(d *term.Datatype) *component {
	return cached(s.tags, d, func() *component {
		tag := s.constant(d, "constructor", term.Int)
		for i := range tag.cases {
			tag.cases[i] = s.pool.Int(int64(i))
		}
		return tag
	})
}

// projectPlain is a field that is no datatype.
func (s *space) projectPlain(f *term.Selector) *component {
	return cached(s.plain, f, func() *component {
		c := s.constant(f.Ctor.Data, f.Name, f.Sort)
		c.cases[f.Ctor.Index] = s.field(f)
		return c
	})
}

// project is the component k of the datatype field f.
func (s *space) project(f *term.Selector, k *component) *component {
	return cached(s.nested, part{f, k}, func() *component {
		c := s.constant(f.Ctor.Data, f.Name+"."+k.name, k.sort)
		c.cases[f.Ctor.Index] = s.part(f, k)
		c.needs = []*component{k}
		return c
	})
}

// encoding is a choice of components for each recursive datatype; those of the other datatypes follow.
type encoding struct {
	*space
	// chosen is closed: it has all components of recursive datatypes that its members need.
	chosen []*component
	of     map[*term.Datatype][]*component
	// images are what is known of the components of each recursive datatype, over selves; see findImages.
	images map[*term.Datatype][]*term.Term
}

// newEncoding returns the encoding by the components and those that they need, in the order of the library.
func newEncoding(s *space, library, wanted []*component) *encoding {
	closed := closure(wanted)
	e := &encoding{space: s, of: map[*term.Datatype][]*component{}, images: map[*term.Datatype][]*term.Term{}}
	for _, c := range library {
		if closed[c] {
			e.chosen = append(e.chosen, c)
		}
	}
	return e
}

// closure is the set of the components and of all that they need.
func closure(wanted []*component) map[*component]bool {
	closed := map[*component]bool{}
	todo := slices.Clone(wanted)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !closed[c] {
			closed[c] = true
			todo = append(todo, c.needs...)
		}
	}
	return closed
}

// components returns those of a datatype, always in the same order.
func (e *encoding) components(d *term.Datatype) []*component {
	if cs, ok := e.of[d]; ok {
		return cs
	}
	var cs []*component
	if e.shapes.recursive[d] {
		for _, c := range e.chosen {
			if c.data == d {
				cs = append(cs, c)
			}
		}
	} else {
		cs = e.exact(d, e.components)
	}
	e.of[d] = cs
	return cs
}

// construct returns the components of a constructor's value. Each field comes as its components, in their order, or as
// one term when it is no datatype; for a field that no component can use it is empty.
func (e *encoding) construct(c *term.Constructor, fields [][]*term.Term) []*term.Term {
	m := map[*term.Term]*term.Term{}
	for i, f := range c.Selectors {
		switch {
		case f.Sort.Data != nil:
			for k, comp := range e.components(f.Sort.Data) {
				m[e.part(f, comp)] = fields[i][k]
			}
		case len(fields[i]) == 1:
			m[e.field(f)] = fields[i][0]
		}
	}
	s := e.pool.NewSubstitution(m)
	cs := e.components(c.Data)
	out := make([]*term.Term, len(cs))
	for k, comp := range cs {
		out[k] = s.Apply(comp.cases[c.Index])
	}
	return out
}

// injective reports whether different values of d have different components.
func (e *encoding) injective(d *term.Datatype) bool {
	if e.shapes.recursive[d] {
		return false
	}
	for _, c := range d.Constructors {
		for _, f := range c.Selectors {
			if f.Sort.Data != nil && !e.injective(f.Sort.Data) || f.Sort.Data == nil && hasDatatype(f.Sort) {
				return false
			}
		}
	}
	return true
}

// describe names the chosen components, for reports: "list.size, list.sum".
func (e *encoding) describe() []string {
	out := make([]string, len(e.chosen))
	for i, c := range e.chosen {
		out[i] = c.data.Name + "." + c.name
	}
	return out
}
