package passes_test

import (
	"fmt"
	"testing"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
)

// program makes a system like those of program verifiers: n locations in a chain, each with a self-loop, over the same
// arguments, of which each clause changes one.
func program(n, arity int) *chc.System {
	p := term.NewPool()
	sys := &chc.System{Pool: p}
	now, next := make([]*term.Term, arity), make([]*term.Term, arity)
	sorts := make([]*term.Sort, arity)
	for i := range arity {
		sorts[i] = term.Int
		now[i], next[i] = p.Var(fmt.Sprintf("x%d", i), term.Int), p.Var(fmt.Sprintf("y%d", i), term.Int)
	}
	add := func(body []chc.App, head *chc.App, parts ...*term.Term) {
		sys.Clauses = append(sys.Clauses, &chc.Clause{ID: len(sys.Clauses), Body: body, Head: head, Constraint: p.And(parts...)})
	}
	step := func(from, to *chc.Predicate, changed int) {
		parts := []*term.Term{p.Le(now[changed], p.Int(int64(100+to.ID)))}
		for i := range arity {
			t := now[i]
			if i == changed {
				t = p.Add(t, now[(i+1)%arity], p.Int(1))
			}
			parts = append(parts, p.Eq(next[i], t))
		}
		add([]chc.App{{Pred: from, Args: now}}, &chc.App{Pred: to, Args: next}, parts...)
	}
	for i := range n {
		sys.Predicates = append(sys.Predicates, &chc.Predicate{ID: i, Name: fmt.Sprintf("l%d", i), Sorts: sorts})
	}
	zero := make([]*term.Term, arity)
	for i := range zero {
		zero[i] = p.Eq(now[i], p.Int(0))
	}
	add(nil, &chc.App{Pred: sys.Predicates[0], Args: now}, zero...)
	for i, l := range sys.Predicates {
		step(l, l, i%arity)
		if i > 0 {
			step(sys.Predicates[i-1], l, (i*7)%arity)
		}
	}
	add([]chc.App{{Pred: sys.Predicates[n-1], Args: now}}, nil, p.Gt(now[0], p.Int(1000)))
	return sys
}

func BenchmarkPipeline(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("locations=%d", n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				sys := program(n, 20)
				b.StartTimer()
				if _, _, _, err := transform.Pipeline(b.Context(), env, sys, passes.Default()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/location")
		})
	}
}
