package catamorphism

import (
	"hornbeam/chc/term"
)

// abstraction turns one formula over datatypes into one over components that it implies. Terms that components cannot
// say become variables; the formulas in side relate these to the rest.
type abstraction struct {
	*encoding
	parts map[*term.Term][]*term.Term
	// plains are the replacements of terms that are no datatypes and have datatypes inside.
	plains  map[*term.Term]*term.Term
	fielded map[*term.Term][][][]*term.Term
	side    []*term.Term
	touched map[*term.Term]bool
}

func newAbstraction(e *encoding) *abstraction {
	return &abstraction{
		encoding: e, parts: map[*term.Term][]*term.Term{}, plains: map[*term.Term]*term.Term{},
		fielded: map[*term.Term][][][]*term.Term{}, touched: map[*term.Term]bool{},
	}
}

// touches reports whether a datatype occurs in t.
func (a *abstraction) touches(t *term.Term) bool {
	if has, ok := a.touched[t]; ok {
		return has
	}
	has := hasDatatype(t.Sort())
	for _, x := range t.Args() {
		has = has || a.touches(x)
	}
	for _, x := range t.Bound() {
		has = has || hasDatatype(x.Sort())
	}
	a.touched[t] = has
	return has
}

// value returns what stands for a datatype term or another one: the components of the one, a single term for the other,
// none for arrays over datatypes.
func (a *abstraction) value(t *term.Term) []*term.Term {
	switch {
	case t.Sort().Data != nil:
		return a.of(t)
	case hasDatatype(t.Sort()):
		return nil
	}
	return []*term.Term{a.plain(t)}
}

// of returns the components of a datatype term.
func (a *abstraction) of(t *term.Term) []*term.Term {
	if cs, ok := a.parts[t]; ok {
		return cs
	}
	var cs []*term.Term
	switch t.Op() {
	case term.Construct:
		fields := make([][]*term.Term, len(t.Args()))
		for i, x := range t.Args() {
			fields[i] = a.value(x)
		}
		cs = a.construct(t.Ctor(), fields)
	case term.Field:
		cs = a.fields(t.Arg(0))[t.Sel().Ctor.Index][t.Sel().Index]
	case term.Ite:
		cs = a.unknown(t)
		p := a.pool
		a.side = append(a.side, p.Or(
			p.And(a.formula(t.Arg(0), true), a.equal(cs, a.of(t.Arg(1)))),
			p.And(a.formula(t.Arg(0), false), a.equal(cs, a.of(t.Arg(2))))))
	default:
		cs = a.unknown(t)
	}
	a.parts[t] = cs
	return cs
}

// unknown returns variables for the components of any datatype term, with what holds of the components of every value.
func (a *abstraction) unknown(t *term.Term) []*term.Term {
	cs := a.components(t.Sort().Data)
	vs := make([]*term.Term, len(cs))
	for i, c := range cs {
		vs[i] = a.variable(t, c)
	}
	a.side = append(a.side, a.image(t.Sort().Data, vs)...)
	return vs
}

// fields returns, by constructor and field, what stands for the fields of a datatype term; the term is one of its
// constructors applied to them.
func (a *abstraction) fields(t *term.Term) [][][]*term.Term {
	if fs, ok := a.fielded[t]; ok {
		return fs
	}
	p, d := a.pool, t.Sort().Data
	of := a.of(t)
	out := make([][][]*term.Term, len(d.Constructors))
	cases := make([]*term.Term, len(d.Constructors))
	for i, c := range d.Constructors {
		out[i] = make([][]*term.Term, len(c.Selectors))
		for k, f := range c.Selectors {
			x := p.Field(f, t)
			switch {
			case t.Op() == term.Construct && t.Ctor() == c:
				out[i][k] = a.value(x)
			case f.Sort.Data != nil:
				out[i][k] = a.unknown(x)
			case !hasDatatype(f.Sort):
				out[i][k] = []*term.Term{a.variable(x, nil)}
			}
		}
		cases[i] = a.equal(of, a.construct(c, out[i]))
	}
	a.fielded[t] = out
	if t.Op() != term.Construct {
		a.side = append(a.side, p.Or(cases...))
	}
	return out
}

// variable stands for the component of a term, or for the term itself when there is no component.
func (a *abstraction) variable(t *term.Term, c *component) *term.Term {
	name, sort := "term", t.Sort()
	if t.IsVar() {
		name = t.Name()
	}
	if c != nil {
		name, sort = name+"."+c.name, c.sort
	}
	return cached(a.vars, varPart{t, c}, func() *term.Term { return a.pool.Fresh(name, sort) })
}

// equal says that components are equal, one by one.
func (a *abstraction) equal(xs, ys []*term.Term) *term.Term {
	eqs := make([]*term.Term, len(xs))
	for i := range xs {
		eqs[i] = a.pool.Eq(xs[i], ys[i])
	}
	return a.pool.And(eqs...)
}

// is says that t was built by c, as far as components tell.
func (a *abstraction) is(c *term.Constructor, t *term.Term) *term.Term {
	if t.Op() == term.Construct {
		return a.pool.Bool(t.Ctor() == c)
	}
	return a.equal(a.of(t), a.construct(c, a.fields(t)[c.Index]))
}

// plain returns a term without datatypes that stands for t, which is neither a datatype nor an array over datatypes.
func (a *abstraction) plain(t *term.Term) *term.Term {
	if !a.touches(t) {
		return t
	}
	if r, ok := a.plains[t]; ok {
		return r
	}
	r := a.replace(t)
	a.plains[t] = r
	return r
}

func (a *abstraction) replace(t *term.Term) *term.Term {
	p := a.pool
	switch {
	case t.Op() == term.Field && !hasDatatype(t.Sort()):
		return a.fields(t.Arg(0))[t.Sel().Ctor.Index][t.Sel().Index][0]
	case t.Op() == term.Ite && !t.IsBool():
		r := a.variable(t, nil)
		a.side = append(a.side, p.Or(
			p.And(a.formula(t.Arg(0), true), p.Eq(r, a.plain(t.Arg(1)))),
			p.And(a.formula(t.Arg(0), false), p.Eq(r, a.plain(t.Arg(2))))))
		return r
	case t.IsBool():
		r := a.variable(t, nil)
		a.side = append(a.side, p.Or(p.And(r, a.formula(t, true)), p.And(p.Not(r), a.formula(t, false))))
		return r
	}
	args := make([]*term.Term, len(t.Args()))
	for i, x := range t.Args() {
		if hasDatatype(x.Sort()) || t.IsQuantifier() {
			return a.variable(t, nil)
		}
		args[i] = a.plain(x)
	}
	return p.Rebuild(t, args)
}

// formula returns a formula over components that follows from t, or from its negation when positive is false.
func (a *abstraction) formula(t *term.Term, positive bool) *term.Term {
	p := a.pool
	switch {
	case !a.touches(t):
		if positive {
			return t
		}
		return p.Not(t)
	case t.IsNot():
		return a.formula(t.Arg(0), !positive)
	case t.IsAnd() || t.IsOr():
		ts := make([]*term.Term, len(t.Args()))
		for i, x := range t.Args() {
			ts[i] = a.formula(x, positive)
		}
		if t.IsAnd() == positive {
			return p.And(ts...)
		}
		return p.Or(ts...)
	case t.IsIte():
		return p.Or(
			p.And(a.formula(t.Arg(0), true), a.formula(t.Arg(1), positive)),
			p.And(a.formula(t.Arg(0), false), a.formula(t.Arg(2), positive)))
	case t.Op() == term.Eq:
		return a.equality(t.Arg(0), t.Arg(1), positive)
	case t.Op() == term.Is:
		return a.constructor(t.Ctor(), t.Arg(0), positive)
	case t.IsQuantifier():
		return p.True()
	}
	return a.atom(t, positive)
}

// atom is formula of a literal whose arguments are no datatypes.
func (a *abstraction) atom(t *term.Term, positive bool) *term.Term {
	p := a.pool
	if t.Op() == term.Field {
		r := a.plain(t)
		if positive {
			return r
		}
		return p.Not(r)
	}
	args := make([]*term.Term, len(t.Args()))
	for i, x := range t.Args() {
		if hasDatatype(x.Sort()) {
			return p.True()
		}
		args[i] = a.plain(x)
	}
	r := p.Rebuild(t, args)
	if positive {
		return r
	}
	return p.Not(r)
}

func (a *abstraction) constructor(c *term.Constructor, t *term.Term, positive bool) *term.Term {
	if positive {
		return a.is(c, t)
	}
	var others []*term.Term
	for _, k := range c.Data.Constructors {
		if k != c {
			others = append(others, a.is(k, t))
		}
	}
	return a.pool.Or(others...)
}

func (a *abstraction) equality(x, y *term.Term, positive bool) *term.Term {
	p := a.pool
	switch {
	case x.IsBool():
		return p.Or(
			p.And(a.formula(x, true), a.formula(y, positive)),
			p.And(a.formula(x, false), a.formula(y, !positive)))
	case x.Sort().Data == nil && hasDatatype(x.Sort()):
		return p.True()
	case x.Sort().Data == nil:
		eq := p.Eq(a.plain(x), a.plain(y))
		if positive {
			return eq
		}
		return p.Not(eq)
	case positive:
		return a.equal(a.of(x), a.of(y))
	}
	return a.different(x, y)
}

// different is what components say when two datatype terms differ: for a constructor's term that the other one has another
// constructor or differs in a field, and nothing for two variables whose components can be equal.
func (a *abstraction) different(x, y *term.Term) *term.Term {
	p := a.pool
	d := x.Sort().Data
	if a.injective(d) {
		return p.Not(a.equal(a.of(x), a.of(y)))
	}
	if x.Op() != term.Construct {
		x, y = y, x
	}
	if x.Op() != term.Construct {
		return p.True()
	}
	c := x.Ctor()
	cases := []*term.Term{a.constructor(c, y, false)}
	for i, f := range c.Selectors {
		u, v := x.Arg(i), p.Field(f, y)
		if u == v {
			continue
		}
		cases = append(cases, p.And(a.is(c, y), a.equality(u, v, false)))
	}
	return p.Or(cases...)
}
