package variants

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// writer rewrites terms over datatypes that have a layout into terms over their components.
type writer struct {
	*layouts
	// parts holds what each term became: its components, or for other sorts the one term.
	parts map[*term.Term][]*term.Term
	// variables are the components' variables by the variable that they replace.
	variables map[*term.Term][]*term.Term
}

func newWriter(l *layouts) *writer {
	return &writer{layouts: l, parts: map[*term.Term][]*term.Term{}, variables: map[*term.Term][]*term.Term{}}
}

// components returns what t became.
func (w *writer) components(t *term.Term) []*term.Term {
	for _, u := range transform.Pending(t, w.parts) {
		if of := w.layout(u.Sort()); of != nil {
			w.parts[u] = w.spreadTerm(u, of)
		} else {
			w.parts[u] = []*term.Term{w.plain(u)}
		}
	}
	return w.parts[t]
}

// spreadTerm returns the components of u, whose arguments are done.
func (w *writer) spreadTerm(u *term.Term, of *layout) []*term.Term {
	out := make([]*term.Term, len(of.components))
	switch u.Op() {
	case term.Var:
		for i, c := range of.components {
			out[i] = w.pool.Fresh(u.Name()+c.suffix, c.sort)
		}
		w.variables[u] = out
	case term.Construct:
		for i, c := range of.components {
			out[i] = c.other
		}
		if !slices.Contains(of.built, u.Ctor()) {
			break // it is compared with a variable, which has another constructor
		}
		if of.tagged() {
			out[0] = of.tag(w.pool, u.Ctor())
		}
		for i, f := range u.Ctor().Selectors {
			copy(out[of.starts[f]:], w.parts[u.Arg(i)])
		}
	case term.Ite:
		cond, a, b := w.parts[u.Arg(0)][0], w.parts[u.Arg(1)], w.parts[u.Arg(2)]
		for i := range out {
			out[i] = w.pool.Ite(cond, a[i], b[i])
		}
	case term.Field:
		return w.field(u)
	default:
		panic(fmt.Sprintf("variants: no components of %s", u.Op()))
	}
	return out
}

// field returns the components of a field of a term that has components.
func (w *writer) field(u *term.Term) []*term.Term {
	x := u.Arg(0)
	if !slices.Contains(w.layout(x.Sort()).built, u.Sel().Ctor) {
		return w.defaults(u.Sort())
	}
	return w.parts[x][w.layout(x.Sort()).starts[u.Sel()]:][:w.width(u.Sort())]
}

// plain rewrites u, whose sort has no layout and whose arguments are done.
func (w *writer) plain(u *term.Term) *term.Term {
	switch u.Op() {
	case term.Eq:
		if of := w.layout(u.Arg(0).Sort()); of != nil {
			return w.equation(u, of)
		}
	case term.Is:
		if of := w.layout(u.Arg(0).Sort()); of != nil {
			return of.is(w.pool, u.Ctor(), w.parts[u.Arg(0)])
		}
	case term.Field:
		if w.layout(u.Arg(0).Sort()) != nil {
			return w.field(u)[0]
		}
	case term.Forall, term.Exists:
		return w.quantifier(u)
	}
	return w.pool.MapArgs(u, func(t *term.Term) *term.Term { return w.parts[t][0] })
}

// equation compares components. Those that do not belong to a constructor are the same in all values that it builds.
func (w *writer) equation(u *term.Term, of *layout) *term.Term {
	a, b := w.parts[u.Arg(0)], w.parts[u.Arg(1)]
	compared := of.built
	var eqs []*term.Term
	for _, side := range u.Args() {
		if side.Op() == term.Construct {
			if !slices.Contains(of.built, side.Ctor()) {
				return w.pool.False()
			}
			compared = []*term.Constructor{side.Ctor()}
		}
	}
	if of.tagged() {
		eqs = append(eqs, w.pool.Eq(a[0], b[0]))
	}
	for _, c := range compared {
		for _, f := range c.Selectors {
			for i := range w.width(f.Sort) {
				at := of.starts[f] + i
				eqs = append(eqs, w.pool.Eq(a[at], b[at]))
			}
		}
	}
	return w.pool.And(eqs...)
}

func (w *writer) quantifier(u *term.Term) *term.Term {
	var bound, valid []*term.Term
	for _, v := range u.Bound() {
		// The quantifier may bind a variable that its body does not have.
		parts := w.components(v)
		bound = append(bound, parts...)
		valid = append(valid, w.valid(v.Sort(), parts))
	}
	body := w.parts[u.Arg(0)][0]
	if u.Op() == term.Forall {
		return w.pool.Forall(bound, w.pool.Implies(w.pool.And(valid...), body))
	}
	return w.pool.Exists(bound, w.pool.And(append(valid, body)...))
}

// valid says that terms are the components of a value of the sort: the tag is that of a constructor, and what belongs to others is
// as in all such values.
func (w *writer) valid(s *term.Sort, parts []*term.Term) *term.Term {
	of := w.layout(s)
	if of == nil {
		return w.pool.True()
	}
	var all []*term.Term
	if len(of.built) > 2 {
		all = append(all, w.pool.Ge(parts[0], w.pool.Int(0)), w.pool.Le(parts[0], w.pool.Int(int64(len(of.built)-1))))
	}
	for _, c := range of.built {
		is := of.is(w.pool, c, parts)
		for _, f := range c.Selectors {
			at, width := of.starts[f], w.width(f.Sort)
			for i := range width {
				all = append(all, w.pool.Or(is, w.pool.Eq(parts[at+i], of.components[at+i].other)))
			}
			all = append(all, w.valid(f.Sort, parts[at:][:width]))
		}
	}
	return w.pool.And(all...)
}

// clause rewrites a clause over the new predicates. What is derived has valid components, so that only variables that are no
// argument in the body need to be told.
func (w *writer) clause(c *chc.Clause, preds []*chc.Predicate) *chc.Clause {
	out := c.MapAtoms(func(a chc.App) chc.App {
		b := chc.App{Pred: preds[a.Pred.ID]}
		for _, t := range a.Args {
			b.Args = append(b.Args, w.components(t)...)
		}
		return b
	})
	told := map[*term.Term]bool{}
	for _, a := range c.Body {
		for _, t := range a.Args {
			told[t] = true
		}
	}
	parts := []*term.Term{w.components(c.Constraint)[0]}
	for _, v := range c.Vars() {
		if !told[v] {
			parts = append(parts, w.valid(v.Sort(), w.components(v)))
		}
	}
	out.Constraint = w.pool.And(parts...)
	return out
}
