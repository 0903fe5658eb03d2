package passes_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/flatten"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// components is a random formula over the components of a predicate's arguments.
type components struct {
	*rapid.T
	*term.Pool
	vars []*term.Term
	// arrays lists, for some arrays, the variables that are all of their components.
	arrays [][]*term.Term
}

func (d *components) formula(depth int) *term.Term {
	switch kind := rapid.IntRange(0, 6).Draw(d.T, "formula"); {
	case depth > 0 && kind == 0:
		return d.Or(d.formula(depth-1), d.formula(depth-1))
	case depth > 0 && kind == 1:
		return d.Not(d.formula(depth - 1))
	case depth > 0 && kind == 2:
		return d.And(d.formula(depth-1), d.formula(depth-1))
	case kind == 4:
		return d.whole()
	case kind == 3:
		return d.Le(d.term(term.Int, 2), d.term(term.Int, 2))
	}
	v := rapid.SampledFrom(d.vars).Draw(d.T, "side")
	return d.Eq(v, d.term(v.Sort(), 2))
}

// whole equates an array with another, or with itself, after stores, component by component.
func (d *components) whole() *term.Term {
	a, b := rapid.SampledFrom(d.arrays).Draw(d.T, "array"), rapid.SampledFrom(d.arrays).Draw(d.T, "array")
	if len(a) != len(b) || a[0].Sort() != b[0].Sort() {
		b = a
	}
	index := d.term(a[0].Sort().Index, 0)
	eqs := make([]*term.Term, len(a))
	for i := range a {
		r := b[i]
		switch rapid.IntRange(0, 2).Draw(d.T, "right") {
		case 0:
			r = d.Store(r, index, d.term(r.Sort().Elem, 0))
		case 1:
			r = d.ConstArray(r.Sort(), term.DefaultValue(d.Pool, r.Sort().Elem).Term(d.Pool))
		}
		eqs[i] = d.Eq(a[i], r)
	}
	return d.And(eqs...)
}

func (d *components) term(s *term.Sort, depth int) *term.Term {
	var choices []func() *term.Term
	for _, v := range d.vars {
		if v.Sort() == s {
			choices = append(choices, func() *term.Term { return v }, func() *term.Term { return v })
		}
		if depth > 0 && v.Sort().IsArray() && v.Sort().Elem == s {
			choices = append(choices, func() *term.Term { return d.Select(v, d.term(v.Sort().Index, depth-1)) })
		}
	}
	switch {
	case s.IsArray() && depth > 0:
		choices = append(choices,
			func() *term.Term { return d.Store(d.term(s, depth-1), d.term(s.Index, 0), d.term(s.Elem, depth-1)) },
			func() *term.Term { return d.Ite(d.formula(0), d.term(s, depth-1), d.term(s, depth-1)) })
	case s.IsArray():
		choices = append(choices, func() *term.Term { return term.DefaultValue(d.Pool, s).Term(d.Pool) })
	case s == term.Int:
		choices = append(choices, func() *term.Term { return d.Int(1) })
	case s == term.Bool:
		choices = append(choices, d.True, d.False)
	}
	return rapid.SampledFrom(choices).Draw(d.T, "term")()
}

// value draws a value of a sort.
func (d *components) value(s *term.Sort) *term.Term {
	switch {
	case s == term.Int:
		return d.Int(int64(rapid.IntRange(0, 1).Draw(d.T, "number")))
	case s == term.Bool:
		return d.Bool(rapid.Bool().Draw(d.T, "truth value"))
	case s.IsArray():
		a := d.ConstArray(s, d.value(s.Elem))
		for range rapid.IntRange(0, 2).Draw(d.T, "stores") {
			a = d.Store(a, d.value(s.Index), d.value(s.Elem))
		}
		return a
	}
	c := s.Data.Constructors[0]
	args := make([]*term.Term, len(c.Selectors))
	for i, f := range c.Selectors {
		args[i] = d.value(f.Sort)
	}
	return d.Construct(c, args...)
}

// An interpretation of the components, carried back, holds of exactly those values of whose components it holds.
func TestFlattenModelMeansTheSame(t *testing.T) {
	held, failed, undecided, quantified := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		s := newTupleSorts(t, p)
		pairs := p.Array(term.Int, s.pair)
		pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{
			pairs, pairs, s.nest, s.box, p.Array(term.Bool, pairs), p.Array(term.Int, s.box), p.Array(p.Array(term.Int, term.Int), term.Int), term.Int,
		}}
		d := &components{T: t, Pool: p}
		a := atom(pred)
		for _, sort := range pred.Sorts {
			a.Args = append(a.Args, d.value(sort))
		}
		fact := &chc.Clause{Constraint: p.True(), Head: &a}
		query := &chc.Clause{Constraint: p.True(), Body: []chc.App{a}}
		for _, c := range []*chc.Clause{fact, query} {
			sys := &chc.System{Pool: p, Datatypes: s.all, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{c}}
			next, back, err := flatten.Pass().Run(t.Context(), env, sys)
			require.NoError(t, err)
			require.NotNil(t, back)
			flat := next.Predicates[0]
			d.vars = witness.CanonicalParams(p, flat)
			// The two arrays of pairs, the second one's elements at an index, the array of arrays and the array of boxes.
			nested := []*term.Term{d.vars[10], d.vars[11]}
			d.arrays = [][]*term.Term{d.vars[0:2], d.vars[2:4], d.vars[0:2], nested,
				{p.Select(nested[0], p.True()), p.Select(nested[1], p.True())}, d.vars[12:15]}
			m := witness.NewModel()
			m.Interpretations[flat] = witness.Interpretation{Params: d.vars, Body: d.formula(2)}
			want := witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{})
			old, err := back.Model(t.Context(), m)
			require.NoError(t, err)
			if old.Interpretations[pred].Body.HasQuantifier() {
				quantified++
			}
			err = witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{Resources: 10_000})
			switch {
			case errors.Is(err, witness.ErrUndecided):
				undecided++
			case want == nil:
				require.NoError(t, err, "%s became %s", m.Interpretations[flat].Body, old.Interpretations[pred].Body)
				held++
			default:
				require.ErrorIs(t, want, witness.ErrInvalid)
				require.ErrorIs(t, err, witness.ErrInvalid, "%s became %s", m.Interpretations[flat].Body, old.Interpretations[pred].Body)
				failed++
			}
		}
	})
	t.Logf("held %d, failed %d, undecided %d, with quantifiers %d", held, failed, undecided, quantified)
	require.Positive(t, held)
	require.Positive(t, failed)
	require.Less(t, undecided, held+failed)
}

// Equations of components are joined only when they are of the same arrays, at the same indices, in order.
func TestFlattenModelJoins(t *testing.T) {
	sys := read(t, `(declare-datatypes ((Two 0)) (((two (left Int) (right Int)))))
		(declare-var a1 (Array Int Two)) (declare-var m1 (Array Int (Array Int Two))) (declare-var n1 (Array Int (Array Int (Array Int Two))))
		(declare-rel p ((Array Int Two) (Array Int Two) (Array Int (Array Int Two)) (Array Int (Array Int (Array Int Two))) Int Int))
		(rule (p a1 a1 m1 n1 0 0))`)
	next, back := run(t, flatten.Pass(), sys)
	p, flat := sys.Pool, next.Predicates[0]
	v := witness.CanonicalParams(p, flat)
	l, r, l2, r2, ml, mr, nl, nr, i, k := v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]
	eqs := func(sides ...*term.Term) *term.Term {
		var out []*term.Term
		for n := 0; n < len(sides); n += 2 {
			out = append(out, p.Eq(sides[n], sides[n+1]))
		}
		return p.And(out...)
	}
	for name, c := range map[string]struct {
		body *term.Term
		want string // empty when quantifiers stay
	}{
		"arrays":                     {eqs(l, l2, r, r2), "(= a b)"},
		"crossed":                    {eqs(l, l2, r2, r), "(= a b)"},
		"components of one array":    {eqs(l, r2, r, l2), ""},
		"one component":              {eqs(l, l2), ""},
		"store":                      {eqs(l, p.Store(l2, i, k), r, p.Store(r2, i, i)), "(= a (store b i (two k i)))"},
		"store in one":               {eqs(l, p.Store(l2, i, k), r, r2), "(= a (store b i (two k (right (select b i)))))"},
		"stores at other indices":    {eqs(l, p.Store(l2, i, k), r, p.Store(r2, k, i)), "(= a (store (store b k (two (left (select b k)) i)) i (two k (ite (= i k) i (right (select b i))))))"},
		"element":                    {eqs(l, p.Select(ml, i), r, p.Select(mr, i)), "(= a (select m i))"},
		"elements of two indices":    {eqs(l, p.Select(ml, i), r, p.Select(mr, k)), ""},
		"element of an element":      {eqs(l, p.Select(p.Select(nl, i), k), r, p.Select(p.Select(nr, i), k)), "(= a (select (select n i) k))"},
		"stored arrays":              {eqs(ml, p.Store(ml, i, l2), mr, p.Store(mr, i, r2)), "(= m (store m i b))"},
		"stored arrays that mix":     {eqs(ml, p.Store(ml, i, l2), mr, p.Store(mr, i, r)), ""},
		"stored arrays out of order": {eqs(ml, p.Store(ml, i, r2), mr, p.Store(mr, i, l2)), ""},
		"choice":                     {eqs(l, p.Ite(p.Le(i, k), l2, l), r, p.Ite(p.Le(i, k), r2, r)), ""},
		"constant":                   {eqs(l, p.ConstArray(l.Sort(), i), r, p.ConstArray(r.Sort(), k)), "(= a ((as const (Array Int Two)) (two i k)))"},
	} {
		t.Run(name, func(t *testing.T) {
			m := witness.NewModel()
			m.Interpretations[flat] = witness.Interpretation{Params: v, Body: c.body}
			old, err := back.Model(t.Context(), m)
			require.NoError(t, err)
			in := old.Interpretations[sys.Predicates[0]]
			if c.want == "" {
				require.True(t, in.Body.HasQuantifier(), "%s", in.Body)
				return
			}
			var names []*term.Term
			for n, x := range in.Params {
				names = append(names, p.Var([]string{"a", "b", "m", "n", "i", "k"}[n], x.Sort()))
			}
			eq := in.Apply(p, names)
			text := eq.String()
			if eq.Op() == term.Eq { // the older side comes first
				text = fmt.Sprintf("(= %s %s)", eq.Arg(1), eq.Arg(0))
			}
			require.Contains(t, []string{eq.String(), text}, c.want)
		})
	}
}
