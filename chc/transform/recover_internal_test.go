package transform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/smt/z3"
)

// The values that evaluation cannot find are found by the solver; without one there is an error, not a wrong step.
func TestRecoverer(t *testing.T) {
	p := term.NewPool()
	x, y, z := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)
	c := clauseOf(p, p.And(p.Eq(p.Add(p.Scale(term.NewInt(2), y), p.Scale(term.NewInt(3), z)), x), p.Gt(z, p.Int(1))), x)
	two := term.NumValue(term.NewInt(2), term.Int)
	in := func() *Instance { return &Instance{Clause: c, Head: []*term.Value{&two}} }

	r := NewRecoverer(Environment{Open: z3.Open}, p)
	defer r.Close()
	_, ok := r.Evaluate(in())
	require.False(t, ok)
	head, err := r.Solve(t.Context(), in())
	require.NoError(t, err)
	require.True(t, head[0].Equal(two))

	_, err = NewRecoverer(Environment{}, p).Solve(t.Context(), in())
	require.Error(t, err)

	impossible := &Instance{Clause: clauseOf(p, p.Gt(x, p.Int(5)), x), Head: []*term.Value{&two}}
	_, err = r.Solve(t.Context(), impossible)
	require.ErrorIs(t, err, ErrNoInstance)
}

func clauseOf(p *term.Pool, constraint *term.Term, args ...*term.Term) *chc.Clause {
	pred := &chc.Predicate{Name: "p"}
	for _, a := range args {
		pred.Sorts = append(pred.Sorts, a.Sort())
	}
	return &chc.Clause{Constraint: constraint, Head: &chc.App{Pred: pred, Args: args}}
}
