package witness_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// listsForProofs declares lists of integers and the functions size and reverse onto an accumulator.
func listsForProofs(t *testing.T) (p *term.Pool, list *term.Sort, size, reverse *term.Func, ds []witness.Definition) {
	p = term.NewPool()
	sorts, err := p.Datatypes(term.DatatypeDecl{Name: "List", Constructors: []term.ConstructorDecl{
		{Name: "nil"}, {Name: "cons", Selectors: []term.SelectorDecl{{Name: "head", Sort: term.Of(term.Int)}, {Name: "tail", Sort: term.Declared(0)}}},
	}})
	require.NoError(t, err)
	list = sorts[0]
	nilOf, cons := list.Data.Constructors[0], list.Data.Constructors[1]
	size = p.DeclareFunc("size", []*term.Sort{list}, term.Int)
	reverse = p.DeclareFunc("reverse", []*term.Sort{list, list}, list)
	x, a := p.Var("x", list), p.Var("a", list)
	tail, head := p.Field(cons.Selectors[1], x), p.Field(cons.Selectors[0], x)
	ds = []witness.Definition{
		{Func: size, Params: []*term.Term{x}, Body: p.Ite(p.Is(nilOf, x), p.Int(0), p.Add(p.Int(1), p.Apply(size, tail)))},
		{Func: reverse, Params: []*term.Term{x, a}, Body: p.Ite(p.Is(nilOf, x), a, p.Apply(reverse, tail, p.Construct(cons, head, a)))},
	}
	return p, list, size, reverse, ds
}

// TestProveLemma proves what needs the hypothesis for the accumulator's next value, and nothing that is false.
func TestProveLemma(t *testing.T) {
	p, list, _, reverse, ds := listsForProofs(t)
	solvers, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	defer solvers.Close()
	x, y := p.Var("x", list), p.Var("y", list)
	empty := p.Construct(list.Data.Constructors[0])
	twice := p.Apply(reverse, p.Apply(reverse, x, y), empty)
	for _, quick := range []bool{true, false} {
		for want, body := range map[bool]*term.Term{true: p.Eq(twice, p.Apply(reverse, y, x)), false: p.Eq(twice, p.Apply(reverse, x, y))} {
			ok, err := witness.ProveLemma(context.Background(), solvers, p, ds, nil, witness.Lemma{Vars: []*term.Term{x, y}, Body: body}, smt.Limit{Time: witness.DefaultLimit}, quick)
			require.NoError(t, err)
			require.Equal(t, want, ok, "%s", body)
		}
	}
}

// TestFunctionsOfEquatedTermsUnfold checks a clause in which a variable equals a long list: its size follows from the
// list's constructors, deeper than any level of instantiation.
func TestFunctionsOfEquatedTermsUnfold(t *testing.T) {
	p, list, size, _, ds := listsForProofs(t)
	pred := &chc.Predicate{Name: "short", Sorts: []*term.Sort{list}}
	long := p.Construct(list.Data.Constructors[0])
	for i := range 20 {
		long = p.Construct(list.Data.Constructors[1], p.Int(int64(i)), long)
	}
	x := p.Var("x", list)
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Datatypes: []*term.Sort{list}, Clauses: []*chc.Clause{
		{Body: []chc.App{{Pred: pred, Args: []*term.Term{x}}}, Constraint: p.Eq(x, long)},
	}}
	for limit, want := range map[int64]error{19: nil, 20: witness.ErrInvalid} {
		m := witness.NewModel()
		m.Definitions = ds
		m.Interpretations[pred] = witness.Interpretation{Params: []*term.Term{x}, Body: p.Le(p.Apply(size, x), p.Int(limit))}
		require.ErrorIs(t, witness.CheckModel(context.Background(), z3.Open, sys, m, smt.Limit{}), want, "%d", limit)
	}
}
