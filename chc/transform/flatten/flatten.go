package flatten

import (
	"context"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
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
	return transform.Rebuild(sys, preds, clauses), &translator{
		old: sys, layouts: f.layouts, variables: f.variables, preds: preds, clauses: clauses,
	}, nil
}

// predicate returns p with the components of its arguments as arguments; p itself when none is flattened.
func (l *layouts) predicate(p *chc.Predicate) *chc.Predicate {
	q := *p
	q.Sorts, q.ArgNames = nil, nil
	changed := false
	for i, s := range p.Sorts {
		out := l.layout(s)
		if out == nil {
			out = &layout{components: []component{{sort: s}}}
		} else {
			changed = true
		}
		for _, c := range out.components {
			q.Sorts = append(q.Sorts, c.sort)
			if p.ArgNames != nil {
				q.ArgNames = append(q.ArgNames, p.ArgNames[i]+c.name())
			}
		}
	}
	if !changed {
		return p
	}
	return &q
}

// translator carries witnesses back over flattenSystem.
type translator struct {
	*layouts
	old *chc.System
	// variables are the component variables by the variable that they replaced.
	variables map[*term.Term][]*term.Term
	// preds and clauses are the new system's, at the old ones' places.
	preds   []*chc.Predicate
	clauses []*chc.Clause
}

// Refutation puts the values of tuples and of arrays of tuples together again; steps and premises stay.
func (t *translator) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	out := &witness.Refutation{Steps: make([]witness.Step, len(r.Steps))}
	for i, s := range r.Steps {
		id := s.Clause.ID
		if id >= len(t.clauses) || t.clauses[id] != s.Clause {
			return nil, fmt.Errorf("translating step %d of a refutation: its clause is not of the flattened system", i)
		}
		old := t.old.Clauses[id]
		vars := old.Vars()
		values := make(map[*term.Term]term.Value, len(vars))
		for _, v := range vars {
			parts, flat := t.variables[v]
			if !flat {
				parts = []*term.Term{v}
			}
			terms := make([]*term.Term, len(parts))
			for j, x := range parts {
				val, ok := s.Values[x]
				if !ok {
					// The component plays no part in the flattened clause.
					val = term.DefaultValue(t.pool, x.Sort())
				}
				terms[j] = val.Term(t.pool)
			}
			values[v] = term.TermValue(t.value(v.Sort(), terms))
		}
		out.Steps[i] = witness.Step{Clause: old, Values: values, Premises: s.Premises}
	}
	return out, nil
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
