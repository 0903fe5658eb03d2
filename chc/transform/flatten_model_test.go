package transform_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// components is a random formula over the components of a predicate's arguments.
type components struct {
	*rapid.T
	*term.Pool
	vars []*term.Term
}

func (d *components) formula(depth int) *term.Term {
	switch kind := rapid.IntRange(0, 6).Draw(d.T, "formula"); {
	case depth > 0 && kind == 0:
		return d.Or(d.formula(depth-1), d.formula(depth-1))
	case depth > 0 && kind == 1:
		return d.Not(d.formula(depth - 1))
	case depth > 0 && kind == 2:
		return d.And(d.formula(depth-1), d.formula(depth-1))
	case kind == 3:
		return d.Le(d.term(term.Int, 2), d.term(term.Int, 2))
	}
	v := rapid.SampledFrom(d.vars).Draw(d.T, "side")
	return d.Eq(v, d.term(v.Sort(), 2))
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
			next, back, err := transform.Flatten().Run(t.Context(), env, sys)
			require.NoError(t, err)
			require.NotNil(t, back)
			flat := next.Predicates[0]
			d.vars = witness.CanonicalParams(p, flat)
			m := witness.NewModel()
			m.Interpretations[flat] = witness.Interpretation{Params: d.vars, Body: d.formula(2)}
			want := witness.CheckModel(t.Context(), z3.Open, next, m, smt.Limit{})
			old, err := back.Model(t.Context(), m)
			require.NoError(t, err)
			if old.Interpretations[pred].Body.HasQuantifier() {
				quantified++
			}
			err = witness.CheckModel(t.Context(), z3.Open, sys, old, smt.Limit{Resources: 100_000})
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
