package chc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// TestAtomsOfAClause maps the atoms of a clause with a head and of a query, and compares what comes out.
func TestAtomsOfAClause(t *testing.T) {
	pool := term.NewPool()
	p := &chc.Predicate{Name: "p", Sorts: []*term.Sort{term.Int}}
	x, y := pool.Var("x", term.Int), pool.Var("y", term.Int)
	app := func(t *term.Term) chc.App { return chc.App{Pred: p, Args: []*term.Term{t}} }
	head := app(y)
	body := make([]chc.App, 1, 3) // Atoms must not write into the room behind it
	body[0] = app(x)
	c := &chc.Clause{ID: 7, Name: "step", Body: body, Constraint: pool.Lt(x, y), Head: &head}
	query := &chc.Clause{Body: []chc.App{app(x), app(y)}, Constraint: c.Constraint}
	require.Equal(t, []chc.App{app(x), head}, c.Atoms())
	require.Nil(t, body[:2][1].Pred)
	require.Equal(t, query.Body, query.Atoms())
	require.False(t, c.Equal(query), "the same atoms, but one has a head")

	next := func(a chc.App) chc.App {
		return a.Map(a.Pred, func(t *term.Term) *term.Term { return pool.Add(t, pool.Int(1)) })
	}
	d := c.MapAtoms(next)
	require.Equal(t, []chc.App{app(pool.Add(x, pool.Int(1))), app(pool.Add(y, pool.Int(1)))}, d.Atoms())
	require.Equal(t, []any{7, "step", c.Constraint}, []any{d.ID, d.Name, d.Constraint})
	require.Equal(t, []chc.App{app(x), app(y)}, c.Atoms(), "the clause itself stays")
	require.False(t, c.Equal(d))
	require.True(t, c.Equal(c.MapAtoms(func(a chc.App) chc.App { return a.Map(p, func(t *term.Term) *term.Term { return t }) })))
	require.Nil(t, query.MapAtoms(next).Head)
}
