package sums

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
		array := p.Array(term.Int, rapid.SampledFrom([]*term.Sort{term.Int, term.Bool}).Draw(t, "elements"))
		number := func() *term.Term { return p.Int(int64(rapid.IntRange(-3, 5).Draw(t, "number"))) }
		index := func() *term.Term {
			return rapid.SampledFrom([]*term.Term{p.Var("i", term.Int), p.Var("j", term.Int), number()}).Draw(t, "index")
		}
		element := func() *term.Term {
			if array.Elem == term.Bool {
				return p.Bool(rapid.Bool().Draw(t, "element"))
			}
			return number()
		}
		constant := p.ConstArray(array, element())
		known := []*term.Term{p.Var("a", array), p.Var("b", array), constant}
		for range rapid.IntRange(1, 4).Draw(t, "terms") {
			base := rapid.SampledFrom(known).Draw(t, "base")
			stored := p.Select(rapid.SampledFrom(known).Draw(t, "read"), index())
			if array.Elem == term.Int {
				stored = p.Add(stored, number())
			} else if rapid.Bool().Draw(t, "set") {
				stored = element()
			}
			next := p.Store(base, index(), stored)
			if rapid.Bool().Draw(t, "choice") {
				next = p.Ite(p.Le(index(), number()), next, rapid.SampledFrom(known).Draw(t, "other"))
			}
			known = append(known, next)
		}
		equal := func() *term.Term {
			return p.Eq(rapid.SampledFrom(known).Draw(t, "left"), rapid.SampledFrom(known).Draw(t, "right"))
		}
		bound := p.Le(p.Add(weight{}.of(p.Select(known[0], index())), weight{}.of(p.Select(known[0], index()))), p.Int(1))
		constraint := rapid.SampledFrom([]*term.Term{equal(), p.Not(equal()), p.Or(equal(), bound), p.And(equal(), bound),
			p.Ite(bound, equal(), p.Not(equal())), p.Or(p.Not(equal()), bound)}).Draw(t, "constraint")
		pred := &chc.Predicate{Name: "q", Sorts: []*term.Sort{array, array}}
		head := chc.App{Pred: pred, Args: []*term.Term{known[len(known)-1], known[0]}}
		sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{{Head: &head, Constraint: constraint}}}

		end := rapid.IntRange(0, 4).Draw(t, "end")
		w := weight{end: p.Int(int64(end))}
		if array.Elem == term.Int && rapid.Bool().Draw(t, "counts") {
			w.value, w.other = number(), rapid.Bool().Draw(t, "other")
		}
		add := &addition{old: sys, measures: [][]measure{{{0, w}, {1, w}}}}
		d := add.draft()
		d.prepare(sys.Clauses[0])
		formula := d.pool.And(append([]*term.Term{d.equalities(constraint)}, d.facts()...)...)

		values := term.MapAssignment{}
		for _, x := range []string{"i", "j"} {
			values[p.Var(x, term.Int)] = term.NumValue(number().Num(), term.Int)
		}
		one := p.ConstArray(array, element())
		for k := range 4 {
			one = p.Store(one, p.Int(int64(k)), element())
		}
		values[known[0]] = term.TermValue(one)
		if !rapid.Bool().Draw(t, "same") {
			one = p.Store(one, number(), element())
		}
		values[known[1]] = term.TermValue(one)
		e := term.NewEvaluator(p, values)
		for of, s := range d.sums {
			if s.IsVar() {
				values[s] = term.NumValue(trueSum(t, e, of, end), term.Int)
			}
		}
		e = term.NewEvaluator(p, values)
		for of, s := range d.sums {
			v, ok := e.Eval(s)
			require.True(t, ok)
			require.Equal(t, trueSum(t, e, of, end), v.Num(), "%s", of.array)
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

// trueSum adds the weights of the elements from 0 to before end up.
func trueSum(t *rapid.T, e *term.Evaluator, of summand, end int) term.Num {
	p := of.array.Pool()
	sum := term.NewInt(0)
	for k := range end {
		v, ok := e.Eval(p.Select(of.array, p.Int(int64(k))))
		require.True(t, ok)
		switch {
		case of.weight.value != nil:
			if v.Num().Equal(of.weight.value.Num()) != of.weight.other {
				sum = sum.Add(term.NewInt(1))
			}
		case v.Sort() == term.Bool && v.Bool():
			sum = sum.Add(term.NewInt(1))
		case v.Sort() == term.Int && v.Num().Sign() > 0:
			sum = sum.Add(v.Num())
		}
	}
	return sum
}
