package unfold

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// What one branch knows of a value that was assigned before is no reason for another instance of what is before the branch; what was passed
// from the beginning is known everywhere.
func TestInstancesAreShared(t *testing.T) {
	p := term.NewPool()
	sys := &chc.System{Pool: p}
	parameter, state, before := p.Var("parameter", term.Int), p.Var("state", term.Int), p.Var("before", term.Int)
	predicate := func(name string) *chc.Predicate {
		q := &chc.Predicate{ID: len(sys.Predicates), Name: name, Sorts: []*term.Sort{term.Int, term.Int}}
		sys.Predicates = append(sys.Predicates, q)
		return q
	}
	app := func(q *chc.Predicate, args ...*term.Term) *chc.App { return &chc.App{Pred: q, Args: args} }
	clause := func(head *chc.App, constraint *term.Term, body ...*chc.App) {
		cl := &chc.Clause{ID: len(sys.Clauses), Constraint: constraint, Head: head}
		for _, a := range body {
			cl.Body = append(cl.Body, *a)
		}
		sys.Clauses = append(sys.Clauses, cl)
	}
	start, middle, left, right, end := predicate("start"), predicate("middle"), predicate("left"), predicate("right"), predicate("end")
	clause(app(start, parameter, state), p.Ge(state, p.Int(0)))
	clause(app(middle, parameter, state), p.Eq(state, p.Add(before, parameter)), app(start, parameter, before))
	clause(app(left, parameter, state), p.True(), app(middle, parameter, state))
	clause(app(right, parameter, state), p.True(), app(middle, parameter, state))
	clause(app(end, parameter, state), p.Eq(state, p.Int(1)), app(left, parameter, state))
	clause(app(end, parameter, state), p.Eq(state, p.Int(2)), app(right, parameter, state))
	clause(nil, p.Lt(state, p.Int(0)), app(end, p.Int(5), state))

	u, err := Of(t.Context(), sys)
	require.NoError(t, err)
	found := map[*Instance]bool{}
	var visit func(w *Way)
	visit = func(w *Way) {
		for _, in := range w.Premises {
			if !found[in] {
				found[in] = true
				for _, below := range in.Ways {
					visit(below)
				}
			}
		}
	}
	visit(u.Queries[0])
	require.Len(t, found, len(sys.Predicates))
	for in := range found {
		require.Equal(t, p.Int(5), in.args[0])
	}
}
