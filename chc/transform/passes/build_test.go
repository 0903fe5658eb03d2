package passes_test

import (
	"context"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// builder makes systems by hand.
type builder struct {
	*term.Pool
	sys *chc.System
}

func newBuilder() *builder {
	p := term.NewPool()
	return &builder{Pool: p, sys: &chc.System{Pool: p}}
}

// predicate declares a predicate.
func (b *builder) predicate(name string, sorts ...*term.Sort) *chc.Predicate {
	p := &chc.Predicate{ID: len(b.sys.Predicates), Name: name, Sorts: sorts}
	b.sys.Predicates = append(b.sys.Predicates, p)
	return p
}

func atom(p *chc.Predicate, args ...*term.Term) chc.App { return chc.App{Pred: p, Args: args} }

// rule adds a clause with a head.
func (b *builder) rule(head chc.App, constraint *term.Term, body ...chc.App) {
	b.sys.Clauses = append(b.sys.Clauses, &chc.Clause{ID: len(b.sys.Clauses), Body: body, Constraint: constraint, Head: &head})
}

// query adds a clause without a head.
func (b *builder) query(constraint *term.Term, body ...chc.App) {
	b.sys.Clauses = append(b.sys.Clauses, &chc.Clause{ID: len(b.sys.Clauses), Body: body, Constraint: constraint})
}

// ints returns Int variables with one-letter names.
func (b *builder) ints(names string) []*term.Term {
	var vs []*term.Term
	for _, r := range names {
		vs = append(vs, b.Var(string(r), term.Int))
	}
	return vs
}

// testingContext is what both *testing.T and *rapid.T are.
type testingContext interface {
	require.TestingT
	Context() context.Context
}
