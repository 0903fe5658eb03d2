package flatten

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// Pass returns the pass "flatten".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "flatten",
		Doc: "Replaces tuples and structs (datatypes with one constructor that do not contain themselves) by their fields, " +
			"and arrays of them by one array for each field.",
		Repeat: true,
		Run:    flattenSystem,
	}
}

// flattenSystem replaces every argument and variable of a flattened sort by its components: (Pair Int Bool) by an Int and a
// Bool, (Array Int (Pair Int Bool)) by an (Array Int Int) and an (Array Int Bool), a unit by nothing. The two systems have
// the same models up to the bijection between values and their components.
//
// What stays: recursive datatypes and those with several constructors, and a tuple inside of one of them, which is put
// together by its constructor where it goes in; arrays whose index is a tuple (as nested arrays they would have values
// that are not finitely many stores over a constant array, which refutations could not name); and the array sorts that
// layouts keeps.
func flattenSystem(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if len(sys.Datatypes) == 0 {
		return sys, nil, nil
	}
	f := newFlattener(newLayouts(sys))
	changed := map[*chc.Predicate]*chc.Predicate{}
	preds := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		preds[i] = f.predicate(p)
		if preds[i] != p {
			changed[p] = preds[i]
		}
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	same := len(changed) == 0
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("flattening: %w", err)
		}
		clauses[i] = f.clause(c, changed)
		same = same && clauses[i] == c
	}
	if same {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, preds, clauses)
	return next, &transform.Retyping{Old: sys, New: next, Interpret: f.interpretation, Recode: f.recode}, nil
}

// predicate returns p with the components of its arguments as arguments; p itself when none is flattened.
func (l *layouts) predicate(p *chc.Predicate) *chc.Predicate {
	return transform.Spread(p, func(i int) (out []transform.Argument, ok bool) {
		of := l.layout(p.Sorts[i])
		if of == nil {
			return nil, false
		}
		for _, c := range of.components {
			out = append(out, transform.Argument{Sort: c.sort, Suffix: c.name()})
		}
		return out, true
	})
}

// recode puts the value of a tuple or of an array of tuples together from those of its components.
func (f *flattener) recode(_ int, v *term.Term) (transform.Recoding, bool) {
	components, ok := f.variables[v]
	return transform.Recoding{Variables: components, Value: func(values []term.Value) term.Value {
		parts := make([]*term.Term, len(values))
		for i, x := range values {
			parts[i] = x.Term(f.pool)
		}
		return term.TermValue(f.value(v.Sort(), parts))
	}}, ok
}

// value returns the value of sort s that has the components, which are values.
func (l *layouts) value(s *term.Sort, parts []*term.Term) *term.Term {
	out := l.layout(s)
	switch {
	case out == nil:
		return parts[0]
	case s.IsArray():
		return l.array(s, parts)
	}
	c := s.Data.Constructors[0]
	args := make([]*term.Term, len(c.Selectors))
	for i, sel := range c.Selectors {
		args[i] = l.value(sel.Sort, parts[out.starts[i]:][:l.width(sel.Sort)])
	}
	return l.pool.Construct(c, args...)
}

// array returns the array value that has the component arrays: stores at all indices at which one of them has a store.
func (l *layouts) array(s *term.Sort, parts []*term.Term) *term.Term {
	rest := make([]*term.Term, len(parts))
	seen := map[*term.Term]bool{}
	var indices []*term.Term
	for j, a := range parts {
		for ; a.Op() == term.Store; a = a.Arg(0) {
			if i := a.Arg(1); !seen[i] {
				seen[i] = true
				indices = append(indices, i)
			}
		}
		rest[j] = a.Arg(0)
	}
	out := l.pool.ConstArray(s, l.value(s.Elem, rest))
	for _, i := range indices {
		elems := make([]*term.Term, len(parts))
		for j, a := range parts {
			elems[j] = l.pool.Select(a, i)
		}
		out = l.pool.Store(out, i, l.value(s.Elem, elems))
	}
	return out
}
