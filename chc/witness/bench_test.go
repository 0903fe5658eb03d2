package witness_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// chain is a system of n predicates, each of which adds to the sum of its predecessor, with a model and, when the bound
// is too low, a refutation.
func chain(n int, bound int64) (*chc.System, *witness.Model, *witness.Refutation) {
	p := term.NewPool()
	sys := &chc.System{Pool: p}
	m := witness.NewModel()
	b := witness.NewRefutationBuilder(p)
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	var last *chc.App
	add := func(c *chc.Clause) *chc.Clause {
		c.ID = len(sys.Clauses)
		sys.Clauses = append(sys.Clauses, c)
		return c
	}
	step := -1
	for i := range n {
		pred := &chc.Predicate{ID: i, Name: fmt.Sprintf("p%d", i), Sorts: []*term.Sort{term.Int, term.Int}}
		sys.Predicates = append(sys.Predicates, pred)
		params := witness.CanonicalParams(p, pred)
		m.Interpretations[pred] = witness.Interpretation{Params: params, Body: p.And(
			p.Le(p.Int(0), params[0]), p.Le(params[0], p.Int(int64(i))), p.Eq(params[1], p.Int(int64(i))),
		)}
		head := &chc.App{Pred: pred, Args: []*term.Term{p.Add(x, p.Int(1)), p.Add(y, p.Int(1))}}
		at := func(n int64) term.Value { return term.NumValue(term.NewInt(n), term.Int) }
		if last == nil {
			head.Args = []*term.Term{p.Int(0), p.Int(0)}
			step = b.Add(add(&chc.Clause{Constraint: p.True(), Head: head}), nil, nil)
		} else {
			c := add(&chc.Clause{Body: []chc.App{*last}, Constraint: p.Lt(x, p.Int(int64(n))), Head: head})
			step = b.Add(c, map[*term.Term]term.Value{x: at(int64(i - 1)), y: at(int64(i - 1))}, []int{step})
		}
		last = &chc.App{Pred: pred, Args: []*term.Term{x, y}}
	}
	c := add(&chc.Clause{Body: []chc.App{*last}, Constraint: p.Gt(x, p.Int(bound))})
	at := term.NumValue(term.NewInt(int64(n-1)), term.Int)
	return sys, m, b.Refutation(b.Add(c, map[*term.Term]term.Value{x: at, y: at}, []int{step}))
}

func BenchmarkCheckModel(b *testing.B) {
	sys, m, _ := chain(2000, 2000)
	for b.Loop() {
		if err := witness.CheckModel(context.Background(), z3.Open, sys, m, smt.Limit{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(sys.Clauses)*b.N)/b.Elapsed().Seconds(), "clauses/s")
}

func BenchmarkCheckRefutation(b *testing.B) {
	sys, _, r := chain(20000, 0)
	for b.Loop() {
		if err := witness.CheckRefutation(context.Background(), sys, r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(r.Steps)*b.N)/b.Elapsed().Seconds(), "steps/s")
}

func BenchmarkPrintModel(b *testing.B) {
	sys, m, _ := chain(2000, 2000)
	for b.Loop() {
		if err := witness.PrintModel(io.Discard, sys, m); err != nil {
			b.Fatal(err)
		}
	}
}
