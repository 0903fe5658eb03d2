package variants

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// maxComponents bounds the components of a value. A datatype with more fields stays as it is: most of them would be carried along
// without a use.
const maxComponents = 24

// component is one of the values that a value of a datatype is written as.
type component struct {
	sort *term.Sort
	// suffix names it beside the value's name.
	suffix string
	// other is its value in values to which it does not belong.
	other *term.Term
}

// layout is how values of a datatype are written: the tag where several constructors are live, then the fields of the first of
// these, and so on. A field of another such datatype is written as its own components. The tag is a truth value for two
// constructors, else the place in built.
type layout struct {
	// built are the live constructors.
	built      []*term.Constructor
	components []component
	// starts holds where each field's components begin.
	starts map[*term.Selector]int
}

// tagged reports whether the first component is the tag.
func (l *layout) tagged() bool { return len(l.built) > 1 }

// tag is the tag of what c builds; not even that of a live constructor where c is none.
func (l *layout) tag(pool *term.Pool, c *term.Constructor) *term.Term {
	n := slices.Index(l.built, c)
	if len(l.built) == 2 && n >= 0 {
		return pool.Bool(n == 1)
	}
	return pool.Int(int64(n))
}

// is says that c built the value with the components.
func (l *layout) is(pool *term.Pool, c *term.Constructor, parts []*term.Term) *term.Term {
	switch {
	case !slices.Contains(l.built, c):
		return pool.False()
	case !l.tagged():
		return pool.True()
	}
	return pool.Eq(parts[0], l.tag(pool, c))
}

// layouts knows which sorts of a system are written as components: datatypes that do not contain themselves, unless terms of
// them occur where no components can stand: in arrays, in other datatypes that stay, as arguments and results of functions.
type layouts struct {
	pool *term.Pool
	// live are the constructors whose fields are written; nil for all.
	live   live
	pinned map[*term.Sort]bool
	of     map[*term.Sort]*layout
	seen   map[*term.Sort]bool
}

func newLayouts(sys *chc.System) *layouts {
	l := &layouts{pool: sys.Pool, pinned: map[*term.Sort]bool{}, of: map[*term.Sort]*layout{}, seen: map[*term.Sort]bool{}}
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
			l.pin(f.Range)
			for _, s := range f.Domain {
				l.pin(s)
			}
		}
	})
	// A datatype that stays keeps those of its fields, which may keep others.
	for changed := true; changed; {
		changed = false
		for s := range l.seen {
			if s.IsDatatype() && l.layout(s) == nil && !l.pinned[s] {
				l.pin(s)
				changed = true
			}
		}
		clear(l.of)
	}
	return l
}

// look notes the sorts in s, and pins what arrays hold.
func (l *layouts) look(s *term.Sort) {
	if l.seen[s] {
		return
	}
	l.seen[s] = true
	switch s.Kind {
	case term.ArrayKind:
		l.pin(s.Index)
		l.pin(s.Elem)
	case term.DatatypeKind:
		for _, c := range s.Data.Constructors {
			for _, f := range c.Selectors {
				l.look(f.Sort)
			}
		}
	}
}

// pin keeps s, and the datatypes in it, as they are.
func (l *layouts) pin(s *term.Sort) {
	if l.pinned[s] {
		return
	}
	l.pinned[s] = true
	l.look(s)
	if s.IsDatatype() {
		for _, c := range s.Data.Constructors {
			for _, f := range c.Selectors {
				l.pin(f.Sort)
			}
		}
	}
}

// layout returns the sort's layout, nil where its values stay as they are.
func (l *layouts) layout(s *term.Sort) *layout {
	if s.Kind != term.DatatypeKind || l.pinned[s] {
		return nil
	}
	out, known := l.of[s]
	if known {
		return out
	}
	if !s.ContainsFunc(func(p *term.Sort) bool { return p == s }) {
		out = l.spread(s.Data)
	}
	l.of[s] = out
	return out
}

// spread lists the components of a datatype's values; nil where they are too many.
func (l *layouts) spread(d *term.Datatype) *layout {
	out := &layout{starts: map[*term.Selector]int{}}
	for _, c := range d.Constructors {
		if l.live == nil || l.live[c] {
			out.built = append(out.built, c)
		}
	}
	if out.tagged() {
		tag := out.tag(l.pool, out.built[0])
		out.components = append(out.components, component{sort: tag.Sort(), suffix: ".tag", other: tag})
	}
	for _, c := range out.built {
		for _, f := range c.Selectors {
			out.starts[f] = len(out.components)
			if inner := l.layout(f.Sort); inner != nil {
				other := l.defaults(f.Sort)
				for i, c := range inner.components {
					out.components = append(out.components, component{sort: c.sort, suffix: "." + f.Name + c.suffix, other: other[i]})
				}
			} else {
				out.components = append(out.components, component{sort: f.Sort, suffix: "." + f.Name, other: l.defaults(f.Sort)[0]})
			}
		}
	}
	if len(out.components) > maxComponents {
		return nil
	}
	return out
}

// width is the number of components of a value of the sort: 1 where it stays as it is.
func (l *layouts) width(s *term.Sort) int {
	if of := l.layout(s); of != nil {
		return len(of.components)
	}
	return 1
}

// defaults returns the components of the sort's default value.
func (l *layouts) defaults(s *term.Sort) []*term.Term {
	return newWriter(l).components(term.DefaultValue(l.pool, s).Term(l.pool))
}

// open returns the components of t, a term of any kind, as terms over t. They are those of another value where no live constructor
// built t.
func (l *layouts) open(t *term.Term) []*term.Term {
	of := l.layout(t.Sort())
	if of == nil {
		return []*term.Term{t}
	}
	var out []*term.Term
	if of.tagged() {
		tag := of.tag(l.pool, of.built[0])
		for _, c := range of.built[1:] {
			tag = l.pool.Ite(l.pool.Is(c, t), of.tag(l.pool, c), tag)
		}
		out = append(out, tag)
	}
	for _, c := range of.built {
		is := l.pool.Is(c, t)
		for _, f := range c.Selectors {
			for i, x := range l.open(l.pool.Field(f, t)) {
				out = append(out, l.pool.Ite(is, x, of.components[of.starts[f]+i].other))
			}
		}
	}
	return out
}

// close returns the value of the sort that has the components; a tag that is none counts as the first one.
func (l *layouts) close(s *term.Sort, parts []term.Value) term.Value {
	of := l.layout(s)
	if of == nil {
		return parts[0]
	}
	c := of.built[0]
	for _, d := range of.built[1:] {
		if parts[0].Equal(term.TermValue(of.tag(l.pool, d))) {
			c = d
		}
	}
	args := make([]*term.Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = l.close(f.Sort, parts[of.starts[f]:][:l.width(f.Sort)]).Term(l.pool)
	}
	return term.TermValue(l.pool.Construct(c, args...))
}
