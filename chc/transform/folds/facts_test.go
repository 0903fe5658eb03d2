package folds

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// True sums satisfy what a clause is told of them, where its arrays satisfy the clause; that there are no facts that only some
// arrays satisfy is what carries models of the new clauses back.
func TestTrueSumsSatisfyTheFacts(t *testing.T) {
	told, holding := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		array := p.Array(term.Int, term.Int)
		i, j := p.Var("i", term.Int), p.Var("j", term.Int)
		number := func() *term.Term { return p.Int(int64(rapid.IntRange(-2, 4).Draw(t, "number"))) }
		index := func() *term.Term {
			return rapid.SampledFrom([]*term.Term{i, j, p.Add(i, p.Int(1)), p.Sub(j, p.Int(1)), number()}).Draw(t, "index")
		}
		known := []*term.Term{p.Var("a", array), p.Var("b", array), p.ConstArray(array, number())}
		for range rapid.IntRange(1, 4).Draw(t, "terms") {
			stored := p.Add(p.Select(rapid.SampledFrom(known).Draw(t, "read"), index()), number())
			next := p.Store(rapid.SampledFrom(known).Draw(t, "base"), index(), stored)
			if rapid.Bool().Draw(t, "choice") {
				next = p.Ite(p.Le(index(), number()), next, rapid.SampledFrom(known).Draw(t, "other"))
			}
			known = append(known, next)
		}
		equal := func() *term.Term {
			return p.Eq(rapid.SampledFrom(known).Draw(t, "left"), rapid.SampledFrom(known).Draw(t, "right"))
		}
		bound := p.Le(p.Select(known[0], index()), p.Int(1))
		constraint := rapid.SampledFrom([]*term.Term{equal(), p.Not(equal()), p.Or(equal(), bound), p.And(equal(), bound),
			p.Ite(bound, equal(), p.Not(equal())), bound}).Draw(t, "constraint")
		pred := &chc.Predicate{Name: "q", Sorts: []*term.Sort{array, array, term.Int, term.Int}}
		head := chc.App{Pred: pred, Args: []*term.Term{known[len(known)-1], known[0], index(), index()}}
		sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{{Head: &head, Constraint: constraint}}}

		a := addend{slope: number().Num()}
		if rapid.Bool().Draw(t, "test") {
			a.test = p.Ge(elementVar(p), number())
			a.count = rapid.Bool().Draw(t, "count")
		}
		var ms []measure
		for position := range 2 {
			ms = append(ms, measure{array: position, end: 2, addend: a}, measure{array: position, end: 3, numeral: term.NewInt(1), addend: a},
				measure{array: position, end: -1, numeral: number().Num(), addend: a}, measure{array: position, end: 3, element: true})
		}
		f := &folding{old: sys, measures: [][]measure{ms}}
		d := f.draft(sys.Clauses[0])
		for _, m := range ms {
			d.measure(m, head.Args)
		}
		formula := p.And(append([]*term.Term{d.equalities(constraint)}, d.facts()...)...)

		values := term.MapAssignment{}
		for _, x := range []*term.Term{i, j} {
			values[x] = term.NumValue(number().Num(), term.Int)
		}
		one := p.ConstArray(array, number())
		for k := range 4 {
			one = p.Store(one, p.Int(int64(k)), number())
		}
		values[known[0]] = term.TermValue(one)
		if !rapid.Bool().Draw(t, "same") {
			one = p.Store(one, number(), number())
		}
		values[known[1]] = term.TermValue(one)
		e := term.NewEvaluator(p, values)
		for s, v := range d.terms {
			if v.IsVar() {
				values[v] = term.NumValue(trueSum(t, e, s), term.Int)
			}
		}
		e = term.NewEvaluator(p, values)
		for s, v := range d.terms {
			got, ok := e.Eval(v)
			require.True(t, ok)
			require.Equal(t, trueSum(t, e, s), got.Num(), "%s before %s", s.array, s.end)
		}
		told++
		if e.True(constraint) {
			holding++
			require.True(t, e.True(formula), "%s under %v", formula, values)
		} else {
			require.True(t, e.False(formula), "%s under %v", formula, values)
		}
	})
	require.Positive(t, holding)
	require.Less(t, holding, told)
}

// trueSum adds what the elements from index 0 to before the end add.
func trueSum(t *rapid.T, e *term.Evaluator, s sum) term.Num {
	p := s.array.Pool()
	end, ok := e.Eval(s.end)
	require.True(t, ok)
	total := term.NewInt(0)
	for k := int64(0); term.NewInt(k).Cmp(end.Num()) < 0; k++ {
		v, ok := e.Eval(s.addend.of(p.Select(s.array, p.Int(k)), p.Int(k)))
		require.True(t, ok)
		total = total.Add(v.Num())
	}
	return total
}
