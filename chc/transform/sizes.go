package transform

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Sizes returns the pass "sizes".
func Sizes() Pass {
	return Pass{
		Name: "sizes",
		Doc: "Adds, for each argument of a recursive datatype, its size (the number of its constructors) and the index of " +
			"its constructor as arguments.",
		Run: addSizes,
	}
}

// addSizes gives engines that reason well about integers something to say about recursive datatypes (as Eldarica does).
// In the clauses, the new arguments are variables that are tied to the terms by what the constructors in the clause say
// of them. Every derivation of the source is one with the right sizes, and a derivation without the new arguments is one
// of the source; so verdicts stay, and witnesses go both ways.
func addSizes(_ context.Context, _ Environment, sys *chc.System) (*chc.System, Translator, error) {
	if len(sys.Datatypes) == 0 {
		return sys, nil, nil
	}
	sorts := newSizedSorts(sys)
	if len(sorts.order) == 0 {
		return sys, nil, nil
	}
	preds := make([]*chc.Predicate, len(sys.Predicates))
	changed := map[*chc.Predicate]*chc.Predicate{}
	for i, p := range sys.Predicates {
		preds[i] = p
		if !slices.ContainsFunc(p.Sorts, sorts.has) {
			continue
		}
		q := *p
		q.Sorts, q.ArgNames = nil, nil
		for k, s := range p.Sorts {
			name := fmt.Sprintf("#%d", k)
			if p.ArgNames != nil {
				name = p.ArgNames[k]
			}
			q.Sorts, q.ArgNames = append(q.Sorts, s), append(q.ArgNames, name)
			if sorts.has(s) {
				q.Sorts, q.ArgNames = append(q.Sorts, term.Int), append(q.ArgNames, name+".size")
				if tagged(s) {
					q.Sorts, q.ArgNames = append(q.Sorts, term.Int), append(q.ArgNames, name+".tag")
				}
			}
		}
		preds[i], changed[p] = &q, &q
	}
	if len(changed) == 0 {
		return sys, nil, nil
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		clauses[i] = newSizing(sorts).clause(c, changed)
	}
	next := rebuild(sys, preds, clauses)
	return next, &sizesTranslator{sizedSorts: sorts, old: sys, new: next}, nil
}

// sizedSorts are the recursive datatypes of a system.
type sizedSorts struct {
	pool *term.Pool
	// least is the size of the smallest value of each.
	least map[*term.Sort]int64
	order []*term.Sort
}

func newSizedSorts(sys *chc.System) *sizedSorts {
	s := &sizedSorts{pool: sys.Pool, least: map[*term.Sort]int64{}}
	all := sortsOf(sys).all
	for _, t := range all {
		if t.IsDatatype() && reaches(t, t, map[*term.Sort]bool{}) {
			s.least[t] = 0
		}
	}
	// A size is defined after those that it is the sum of.
	visited := map[*term.Sort]bool{}
	var visit func(t *term.Sort)
	visit = func(t *term.Sort) {
		if visited[t] || !s.has(t) {
			return
		}
		visited[t] = true
		for _, c := range t.Data.Constructors {
			for _, f := range c.Selectors {
				visit(f.Sort)
			}
		}
		s.order = append(s.order, t)
	}
	for _, t := range all {
		visit(t)
	}
	// Rises from the sizes of constants to those of what can be built from what is known.
	for changed := true; changed; {
		changed = false
		for _, t := range s.order {
			for _, c := range t.Data.Constructors {
				if n, ok := s.smallest(c); ok && (s.least[t] == 0 || n < s.least[t]) {
					s.least[t] = n
					changed = true
				}
			}
		}
	}
	return s
}

// smallest is the least size of a value of the constructor; false when there is none for one of its fields yet.
func (s *sizedSorts) smallest(c *term.Constructor) (n int64, ok bool) {
	n, ok = 1, true
	for _, f := range c.Selectors {
		if s.has(f.Sort) {
			n += s.least[f.Sort]
			ok = ok && s.least[f.Sort] > 0
		}
	}
	return n, ok
}

func (s *sizedSorts) has(t *term.Sort) bool { _, ok := s.least[t]; return ok }

// constant reports whether the constructor's values all have the same size.
func (s *sizedSorts) constant(c *term.Constructor) bool {
	return !slices.ContainsFunc(c.Selectors, func(f *term.Selector) bool { return s.has(f.Sort) })
}

// tagged reports whether values of s differ in their constructors.
func tagged(s *term.Sort) bool { return len(s.Data.Constructors) > 1 }

// sizesTranslator carries witnesses back over addSizes.
type sizesTranslator struct {
	*sizedSorts
	old, new *chc.System
}

// Model puts the size of an argument, a function by recursion, and the index of its constructor in the place of the
// arguments that were added.
func (t *sizesTranslator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	out := m.Clone()
	clear(out.Interpretations)
	size := t.functions(m)
	used := false
	for i, p := range t.old.Predicates {
		in, ok := m.Interpretations[t.new.Predicates[i]]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", p.Name)
		}
		sub := map[*term.Term]*term.Term{}
		var params []*term.Term
		rest := in.Params
		for _, s := range p.Sorts {
			x := rest[0]
			params, rest = append(params, x), rest[1:]
			if !t.has(s) {
				continue
			}
			used = used || term.Contains(in.Body, rest[0])
			sub[rest[0]], rest = t.pool.Apply(size[s], x), rest[1:]
			if tagged(s) {
				sub[rest[0]], rest = t.tag(x), rest[1:]
			}
		}
		out.Interpretations[p] = witness.Interpretation{Params: params, Body: t.pool.Substitute(in.Body, sub)}
	}
	if used {
		t.define(out, size)
	}
	return out, nil
}

// functions declares the size functions, none of which is a function of the clauses or of m.
func (t *sizesTranslator) functions(m *witness.Model) map[*term.Sort]*term.Func {
	taken := map[*term.Func]bool{}
	for _, d := range m.Definitions {
		taken[d.Func] = true
	}
	size := map[*term.Sort]*term.Func{}
	for _, s := range t.order {
		name := "size"
		for size[s] == nil || taken[size[s]] {
			size[s] = witness.NewFunction(t.old, name, []*term.Sort{s}, term.Int)
			name += "'"
		}
		taken[size[s]] = true
	}
	return size
}

// define adds the definitions of the sizes, and that they are what the smallest values have at least.
func (t *sizesTranslator) define(m *witness.Model, size map[*term.Sort]*term.Func) {
	p := t.pool
	for _, s := range t.order {
		x := p.Var("x", s)
		var body *term.Term
		for _, c := range slices.Backward(s.Data.Constructors) {
			n := p.Int(1)
			for _, f := range c.Selectors {
				if t.has(f.Sort) {
					n = p.Add(n, p.Apply(size[f.Sort], p.Field(f, x)))
				}
			}
			if body == nil {
				body = n
			} else {
				body = p.Ite(p.Is(c, x), n, body)
			}
		}
		m.Definitions = append(m.Definitions, witness.Definition{Func: size[s], Params: []*term.Term{x}, Body: body})
		m.Lemmas = append(m.Lemmas, witness.Lemma{Vars: []*term.Term{x}, Body: p.Ge(p.Apply(size[s], x), p.Int(t.least[s]))})
	}
}

// tag is the index of x's constructor as a term over x.
func (s *sizedSorts) tag(x *term.Term) *term.Term {
	cs := x.Sort().Data.Constructors
	tag := s.pool.Int(int64(len(cs) - 1))
	for i := len(cs) - 2; i >= 0; i-- {
		tag = s.pool.Ite(s.pool.Is(cs[i], x), s.pool.Int(int64(i)), tag)
	}
	return tag
}

// Refutation forgets the sizes.
func (t *sizesTranslator) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	return recodeSteps(t.old, t.new, r, nil)
}
