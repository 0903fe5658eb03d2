package witness_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

func printModel(t *testing.T, sys *chc.System, m *witness.Model) string {
	var b bytes.Buffer
	require.NoError(t, witness.PrintModel(&b, sys, m))
	return b.String()
}

// Every declared predicate is defined, in declaration order, under its own (quoted) name, with its arguments' names
// where they can be used.
func TestPrintModel(t *testing.T) {
	p := term.NewPool()
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{
		{ID: 0, Name: "inv", Sorts: []*term.Sort{term.Int, term.Real}, ArgNames: []string{"x", "y"}},
		{ID: 1, Name: "a loop", Sorts: []*term.Sort{term.Int, term.Bool, term.Int}, ArgNames: []string{"a:b", "inv", "a:b"}},
		{ID: 2, Name: "flag"},
	}}
	m := witness.NewModel()
	for _, pred := range sys.Predicates {
		params := witness.CanonicalParams(p, pred)
		body := p.True()
		if pred.Arity() > 0 {
			body = p.Le(params[0], p.Int(-3))
		}
		m.Interpretations[pred] = witness.Interpretation{Params: params, Body: body}
	}
	require.Equal(t, `(
(define-fun inv ((x Int) (y Real)) Bool (<= x (- 3)))
(define-fun |a loop| ((|a:b| Int) (A Bool) (B Int)) Bool (<= |a:b| (- 3)))
(define-fun flag () Bool true)
)
`, printModel(t, sys, m))

	delete(m.Interpretations, sys.Predicates[2])
	var b bytes.Buffer
	require.ErrorIs(t, witness.PrintModel(&b, sys, m), witness.ErrInvalid)
	require.Empty(t, b.String())
}

// A parameter never takes a name that its interpretation binds or that SMT-LIB reserves.
func TestPrintModelAvoidsClashes(t *testing.T) {
	p := term.NewPool()
	array := p.Array(term.Int, term.Int)
	inv := &chc.Predicate{
		Name: "inv", Sorts: []*term.Sort{array, term.Int, term.Int, term.Int}, ArgNames: []string{"store", "i", "n", "bad|name"},
	}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{inv}}
	params := witness.CanonicalParams(p, inv)
	i := p.Var("i", term.Int)
	body := p.Forall([]*term.Term{i}, p.Implies(p.Lt(i, params[1]), p.Eq(p.Select(params[0], i), p.Int(0))))
	out := printModel(t, sys, model(inv, params, body))
	require.Contains(t, out, "(define-fun inv ((A (Array Int Int)) (B Int) (n Int) (C Int)) Bool (forall ((i Int))")
}

func TestPrintModelManyParameters(t *testing.T) {
	p := term.NewPool()
	wide := &chc.Predicate{Name: "wide"}
	for range 60 {
		wide.Sorts = append(wide.Sorts, term.Int)
	}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{wide}}
	params := witness.CanonicalParams(p, wide)
	out := printModel(t, sys, model(wide, params, p.Le(params[59], p.Int(0))))
	require.Contains(t, out, "(Z Int) (A1 Int)")
	require.Contains(t, out, "Bool (<= H2 0))")
}

func twoSteps() (*chc.System, *witness.Refutation) {
	p := term.NewPool()
	inv := &chc.Predicate{Name: "inv", Sorts: []*term.Sort{term.Int, term.Real}}
	x, r := p.Var("x", term.Int), p.Var("x", term.Real)
	y := p.Var("a b", term.Bool)
	atom := chc.App{Pred: inv, Args: []*term.Term{x, r}}
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{inv}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &atom},
		{ID: 1, Name: "bad", Pos: chc.Position{File: "a.smt2", Line: 3, Column: 2}, Body: []chc.App{atom}, Constraint: y},
	}}
	values := map[*term.Term]term.Value{
		x: term.NumValue(term.NewInt(-5), term.Int),
		r: term.NumValue(term.NewRat(1, 2), term.Real),
		y: term.BoolValue(true),
	}
	return sys, &witness.Refutation{Steps: []witness.Step{
		{Clause: sys.Clauses[0], Values: values},
		{Clause: sys.Clauses[1], Values: values, Premises: []int{0}},
	}}
}

// Each step is one line; variables of one name and two sorts are told apart by the sort.
func TestPrintRefutation(t *testing.T) {
	sys, r := twoSteps()
	require.NoError(t, witness.CheckRefutation(context.Background(), sys, r))
	var b bytes.Buffer
	require.NoError(t, witness.PrintRefutation(&b, sys, r))
	require.Equal(t, `(refutation
  (step 0 (clause 0) (values (x Int (- 5)) (x Real (/ 1.0 2.0))) (premises))
  (step 1 (clause 1) (values (x Int (- 5)) (x Real (/ 1.0 2.0)) (|a b| true)) (premises 0))
)
`, b.String())

	r.Steps[0].Values = nil
	require.Error(t, witness.PrintRefutation(&b, sys, r))
}

func TestJSON(t *testing.T) {
	sys, r := twoSteps()
	d, err := witness.RefutationJSON(sys, r)
	require.NoError(t, err)
	b, err := json.Marshal(d)
	require.NoError(t, err)
	require.JSONEq(t, `{"kind": "refutation", "steps": [
		{"step": 0, "clause": 0, "premises": [],
		 "values": [{"name": "x", "sort": "Int", "value": "(- 5)"}, {"name": "x", "sort": "Real", "value": "(/ 1.0 2.0)"}],
		 "head": {"predicate": "inv", "arguments": ["(- 5)", "(/ 1.0 2.0)"]}},
		{"step": 1, "clause": 1, "name": "bad", "file": "a.smt2", "line": 3, "column": 2, "premises": [0],
		 "values": [{"name": "x", "sort": "Int", "value": "(- 5)"}, {"name": "x", "sort": "Real", "value": "(/ 1.0 2.0)"},
		            {"name": "a b", "sort": "Bool", "value": "true"}]}]}`, string(b))

	m := witness.NewModel()
	m.Interpretations[sys.Predicates[0]] = witness.False(sys.Pool, sys.Predicates[0])
	md, err := witness.ModelJSON(sys, m)
	require.NoError(t, err)
	b, err = json.Marshal(md)
	require.NoError(t, err)
	require.JSONEq(t, `{"kind": "model", "predicates": [{"name": "inv",
		"parameters": [{"name": "A", "sort": "Int"}, {"name": "B", "sort": "Real"}], "body": "false"}]}`, string(b))
}
