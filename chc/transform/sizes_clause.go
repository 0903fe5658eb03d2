package transform

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// sizing ties the sizes and constructors of one clause's terms to each other.
type sizing struct {
	*sizedSorts
	// measures are those of variables and of other terms that are not put together by constructors.
	measures map[*term.Term]measure
	// facts hold of the measures of all values of the terms.
	facts []*term.Term
}

// measure is a term's size, and the index of its constructor where there are several.
type measure struct {
	size, tag *term.Term
}

func newSizing(s *sizedSorts) *sizing {
	return &sizing{sizedSorts: s, measures: map[*term.Term]measure{}}
}

// of returns the measure of a term of a recursive datatype.
func (z *sizing) of(t *term.Term) measure {
	p := z.pool
	switch t.Op() {
	case term.Construct:
		m := measure{size: p.Int(1), tag: p.Int(int64(t.Ctor().Index))}
		for _, a := range t.Args() {
			if z.has(a.Sort()) {
				m.size = p.Add(m.size, z.of(a).size)
			}
		}
		return m
	case term.Ite:
		a, b := z.of(t.Arg(1)), z.of(t.Arg(2))
		return measure{size: p.Ite(t.Arg(0), a.size, b.size), tag: p.Ite(t.Arg(0), a.tag, b.tag)}
	}
	m, ok := z.measures[t]
	if ok {
		return m
	}
	m = z.open(t)
	if t.Op() == term.Field && z.has(t.Arg(0).Sort()) {
		z.parts(t.Arg(0), t.Sel().Ctor)
	}
	return m
}

// open returns variables for the measure of any value of t, with what is known of them: the size is at least that of the
// smallest value of the constructor, and equal to it when its values have no parts.
func (z *sizing) open(t *term.Term) measure {
	p := z.pool
	s := t.Sort()
	name := "term"
	if t.IsVar() {
		name = t.Name()
	}
	m := measure{size: p.Fresh(name+".size", term.Int), tag: p.Int(0)}
	if tagged(s) {
		m.tag = p.Fresh(name+".tag", term.Int)
	}
	z.measures[t] = m
	cases := make([]*term.Term, len(s.Data.Constructors))
	for i, c := range s.Data.Constructors {
		n, _ := z.smallest(c)
		size := p.Ge(m.size, p.Int(n))
		if z.constant(c) {
			size = p.Eq(m.size, p.Int(n))
		}
		cases[i] = p.And(p.Eq(m.tag, p.Int(int64(i))), size)
	}
	z.facts = append(z.facts, p.Or(cases...))
	return m
}

// parts says of a term that its size is one more than that of its fields together, if c built it.
func (z *sizing) parts(t *term.Term, c *term.Constructor) {
	p := z.pool
	m := z.of(t)
	sum := p.Int(1)
	for _, f := range c.Selectors {
		if !z.has(f.Sort) {
			continue
		}
		part := p.Field(f, t)
		known, ok := z.measures[part]
		if !ok && part.Op() != term.Field {
			known, ok = z.of(part), true
		}
		if !ok {
			known = z.open(part)
		}
		sum = p.Add(sum, known.size)
	}
	z.facts = append(z.facts, p.Implies(p.Is(c, t), p.Eq(m.size, sum)))
}

// look adds what the tests and equations in t say of measures.
func (z *sizing) look(t *term.Term, seen map[*term.Term]bool) {
	p := z.pool
	term.Walk(t, func(u *term.Term) bool {
		if seen[u] || u.IsQuantifier() {
			return false
		}
		seen[u] = true
		switch {
		case u.Op() == term.Is && z.has(u.Arg(0).Sort()):
			m := z.of(u.Arg(0))
			z.facts = append(z.facts, p.Iff(u, p.Eq(m.tag, p.Int(int64(u.Ctor().Index)))))
		case u.Op() == term.Field && z.has(u.Arg(0).Sort()):
			z.of(u.Arg(0))
			if z.has(u.Sort()) {
				z.of(u)
			} else {
				z.parts(u.Arg(0), u.Sel().Ctor)
			}
		case u.Op() == term.Eq && z.has(u.Arg(0).Sort()):
			a, b := z.of(u.Arg(0)), z.of(u.Arg(1))
			z.facts = append(z.facts, p.Implies(u, p.And(p.Eq(a.size, b.size), p.Eq(a.tag, b.tag))))
			for k, v := range u.Args() {
				if v.Op() == term.Construct && len(v.Args()) == 0 {
					z.facts = append(z.facts, p.Or(u, p.Ne(z.of(u.Arg(1-k)).tag, p.Int(int64(v.Ctor().Index)))))
				}
			}
		}
		return true
	})
}

// clause adds the measures of arguments and what is known of them.
func (z *sizing) clause(c *chc.Clause, preds map[*chc.Predicate]*chc.Predicate) *chc.Clause {
	out := *c
	out.Body = make([]chc.App, len(c.Body))
	for i, a := range c.Body {
		out.Body[i] = z.app(a, preds)
	}
	if c.Head != nil {
		h := z.app(*c.Head, preds)
		out.Head = &h
	}
	seen := map[*term.Term]bool{}
	for _, t := range c.Terms() {
		z.look(t, seen)
	}
	if len(z.facts) == 0 && len(preds) == 0 {
		return c
	}
	out.Constraint = z.pool.And(append(z.facts, c.Constraint)...)
	return &out
}

func (z *sizing) app(a chc.App, preds map[*chc.Predicate]*chc.Predicate) chc.App {
	q := preds[a.Pred]
	if q == nil {
		return a
	}
	out := chc.App{Pred: q}
	for _, t := range a.Args {
		out.Args = append(out.Args, t)
		if z.has(t.Sort()) {
			m := z.of(t)
			out.Args = append(out.Args, m.size)
			if tagged(t.Sort()) {
				out.Args = append(out.Args, m.tag)
			}
		}
	}
	return out
}
