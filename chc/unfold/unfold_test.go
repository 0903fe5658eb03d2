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

// clauses builds a system.
type clauses struct {
	sys *chc.System
}

func (c *clauses) predicate(name string, sorts ...*term.Sort) *chc.Predicate {
	q := &chc.Predicate{ID: len(c.sys.Predicates), Name: name, Sorts: sorts}
	c.sys.Predicates = append(c.sys.Predicates, q)
	return q
}

func (c *clauses) clause(head *chc.App, constraint *term.Term, body ...chc.App) {
	c.sys.Clauses = append(c.sys.Clauses, &chc.Clause{ID: len(c.sys.Clauses), Constraint: constraint, Head: head, Body: body})
}

// Memory of which some elements are initialised is known where a program that is called with it reads it.
func TestInitialisedMemoryIsKnown(t *testing.T) {
	p := term.NewPool()
	c := clauses{sys: &chc.System{Pool: p}}
	bits := p.BitVec(8)
	memory := p.Array(bits, bits)
	number := func(n int64) *term.Term { return p.BVNum(term.NewInt(n), 8) }
	given, now := p.Var("given", memory), p.Var("now", memory)
	// At the beginning the memory is what the caller gives.
	begin, left, right, entry := c.predicate("begin", memory, memory), c.predicate("left", memory, memory), c.predicate("right", memory, memory), c.predicate("entry", memory)
	app := func(q *chc.Predicate, args ...*term.Term) chc.App { return chc.App{Pred: q, Args: args} }
	head := func(q *chc.Predicate, args ...*term.Term) *chc.App { return &chc.App{Pred: q, Args: args} }
	c.clause(head(begin, given, given), p.True())
	c.clause(head(left, given, now), p.True(), app(begin, given, now))
	c.clause(head(right, given, now), p.True(), app(begin, given, now))
	for _, q := range []*chc.Predicate{left, right} {
		c.clause(head(entry, given), p.Eq(p.Select(now, number(4)), number(7)), app(q, p.Store(given, number(4), number(9)), now))
	}
	c.clause(nil, p.True(), app(entry, given))
	u, err := Of(t.Context(), c.sys)
	require.NoError(t, err)
	require.True(t, u.Formula.IsFalse(), "%v", u.Formula)
}

// The conditions of a loop's turns are said once, not again for each of its ends.
func TestConditionsAreSaidOnce(t *testing.T) {
	size := func(turns int) int {
		p := term.NewPool()
		c := clauses{sys: &chc.System{Pool: p}}
		bits := p.BitVec(8)
		end := c.predicate("end", bits)
		x, y := p.Var("x", bits), p.Var("y", bits)
		at := c.predicate("start", bits)
		c.clause(&chc.App{Pred: at, Args: []*term.Term{x}}, p.True())
		for range turns {
			next := c.predicate("turn", bits)
			c.clause(&chc.App{Pred: next, Args: []*term.Term{y}}, p.Not(p.Eq(x, y)), chc.App{Pred: at, Args: []*term.Term{x}})
			c.clause(&chc.App{Pred: end, Args: []*term.Term{x}}, p.Eq(x, p.BVNum(term.NewInt(3), 8)), chc.App{Pred: next, Args: []*term.Term{x}})
			at = next
		}
		c.clause(nil, p.True(), chc.App{Pred: end, Args: []*term.Term{x}})
		u, err := Of(t.Context(), c.sys)
		require.NoError(t, err)
		arguments := 0
		term.Walk(u.Formula, func(t *term.Term) bool {
			arguments += len(t.Args())
			return true
		})
		return arguments
	}
	require.Less(t, size(40), 3*size(20))
}
