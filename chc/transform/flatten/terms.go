package flatten

import (
	"cmp"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// flattener rewrites terms so that no variable, equality, if-then-else or array of a flattened sort is left: a term of
// such a sort becomes a list of terms, one for each component.
type flattener struct {
	*layouts
	// parts holds what each term became: its components, or for other sorts the one term.
	parts map[*term.Term][]*term.Term
	// variables are the component variables by the variable that they replace.
	variables map[*term.Term][]*term.Term
}

func newFlattener(l *layouts) *flattener {
	return &flattener{layouts: l, parts: map[*term.Term][]*term.Term{}, variables: map[*term.Term][]*term.Term{}}
}

// components returns what t became.
func (f *flattener) components(t *term.Term) []*term.Term {
	if done, ok := f.parts[t]; ok {
		return done
	}
	for _, u := range transform.Pending(t, f.parts) {
		if l := f.layout(u.Sort()); l != nil {
			f.parts[u] = f.spread(u, l)
		} else {
			f.parts[u] = []*term.Term{f.plain(u)}
		}
	}
	return f.parts[t]
}

// whole returns t rewritten, as one term.
func (f *flattener) whole(t *term.Term) *term.Term {
	return f.assemble(t.Sort(), f.parts[t])
}

// assemble puts a term of sort s together from its components.
func (f *flattener) assemble(s *term.Sort, parts []*term.Term) *term.Term {
	l := f.layout(s)
	if l == nil {
		return parts[0]
	}
	if s.IsArray() {
		panic(fmt.Sprintf("transform: no term has the components of an array of sort %s", s))
	}
	c := s.Data.Constructors[0]
	args := make([]*term.Term, len(c.Selectors))
	for i, sel := range c.Selectors {
		args[i] = f.assemble(sel.Sort, parts[l.starts[i]:][:f.width(sel.Sort)])
	}
	return construct(f.pool, c, args)
}

// construct applies c; the term of all of u's fields is u.
func construct(pool *term.Pool, c *term.Constructor, args []*term.Term) *term.Term {
	if len(args) > 0 && len(c.Data.Constructors) == 1 && args[0].Op() == term.Field {
		u := args[0].Arg(0)
		same := true
		for i, a := range args {
			same = same && a.Op() == term.Field && a.Sel() == c.Selectors[i] && a.Arg(0) == u
		}
		if same {
			return u
		}
	}
	return pool.Construct(c, args...)
}

// takeApart returns the components of a term of sort s that cannot be rewritten itself: its fields.
func (f *flattener) takeApart(t *term.Term) []*term.Term {
	l := f.layout(t.Sort())
	if l == nil {
		return []*term.Term{t}
	}
	if t.Sort().IsArray() {
		panic(fmt.Sprintf("transform: no term is a component of the array %s", t))
	}
	var out []*term.Term
	for _, sel := range t.Sort().Data.Constructors[0].Selectors {
		out = append(out, f.takeApart(f.pool.Field(sel, t))...)
	}
	return out
}

// spread returns the components of u, whose arguments are done.
func (f *flattener) spread(u *term.Term, l *layout) []*term.Term {
	n := len(l.components)
	out := make([]*term.Term, n)
	switch u.Op() {
	case term.Var:
		for i, c := range l.components {
			out[i] = f.pool.Fresh(u.Name()+c.name(), c.sort)
		}
		f.variables[u] = out
	case term.Construct:
		out = out[:0]
		for _, a := range u.Args() {
			out = append(out, f.parts[a]...)
		}
	case term.Ite:
		cond, a, b := f.parts[u.Arg(0)][0], f.parts[u.Arg(1)], f.parts[u.Arg(2)]
		for i := range out {
			out[i] = f.pool.Ite(cond, a[i], b[i])
		}
	case term.Select:
		if f.layout(u.Arg(0).Sort()) == nil {
			return f.takeApart(f.pool.Select(f.whole(u.Arg(0)), f.whole(u.Arg(1))))
		}
		arrays, index := f.parts[u.Arg(0)], f.whole(u.Arg(1))
		for i := range out {
			out[i] = f.pool.Select(arrays[i], index)
		}
	case term.Store:
		arrays, index, elems := f.parts[u.Arg(0)], f.whole(u.Arg(1)), f.parts[u.Arg(2)]
		for i := range out {
			out[i] = f.pool.Store(arrays[i], index, elems[i])
		}
	case term.ConstArray:
		for i, e := range f.parts[u.Arg(0)] {
			out[i] = f.pool.ConstArray(l.components[i].sort, e)
		}
	case term.Field:
		if fields, ok := f.fields(u); ok {
			return fields
		}
		return f.takeApart(f.pool.Field(u.Sel(), f.whole(u.Arg(0))))
	case term.Apply:
		return f.takeApart(f.pool.Rebuild(u, f.wholes(u.Args())))
	default:
		panic("transform: no components of " + u.Op().String())
	}
	return out
}

// fields returns the components of the field u of a flattened term; false when the term is not flattened.
func (f *flattener) fields(u *term.Term) ([]*term.Term, bool) {
	l := f.layout(u.Arg(0).Sort())
	if l == nil {
		return nil, false
	}
	sel := u.Sel()
	return f.parts[u.Arg(0)][l.starts[sel.Index]:][:f.width(sel.Sort)], true
}

func (f *flattener) wholes(ts []*term.Term) []*term.Term {
	out := make([]*term.Term, len(ts))
	for i, t := range ts {
		out[i] = f.whole(t)
	}
	return out
}

// plain rewrites u, whose sort is not flattened and whose arguments are done.
func (f *flattener) plain(u *term.Term) *term.Term {
	switch u.Op() {
	case term.Eq:
		if f.layout(u.Arg(0).Sort()) == nil {
			break
		}
		a, b := f.parts[u.Arg(0)], f.parts[u.Arg(1)]
		eqs := make([]*term.Term, len(a))
		for i := range a {
			eqs[i] = f.pool.Eq(a[i], b[i])
		}
		return f.pool.And(eqs...)
	case term.Field:
		if fields, ok := f.fields(u); ok {
			return fields[0]
		}
	case term.Forall, term.Exists:
		return f.quantifier(u)
	}
	return f.pool.MapArgs(u, f.whole)
}

func (f *flattener) quantifier(u *term.Term) *term.Term {
	body := f.parts[u.Arg(0)][0]
	if body == u.Arg(0) {
		return u
	}
	var bound []*term.Term
	for _, v := range u.Bound() {
		bound = append(bound, f.components(v)...)
	}
	if u.Op() == term.Forall {
		return f.pool.Forall(bound, body)
	}
	return f.pool.Exists(bound, body)
}

// clause rewrites a clause; preds are the predicates that have other arguments now. The result is c itself when nothing
// changed.
func (f *flattener) clause(c *chc.Clause, preds map[*chc.Predicate]*chc.Predicate) *chc.Clause {
	constraint := f.components(c.Constraint)[0]
	out := c.MapAtoms(func(a chc.App) chc.App {
		b := chc.App{Pred: cmp.Or(preds[a.Pred], a.Pred)}
		for _, t := range a.Args {
			b.Args = append(b.Args, f.components(t)...)
		}
		return b
	})
	out.Constraint = constraint
	if out.Equal(c) {
		return c
	}
	return out
}
