package witness_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// universeSystem says that p holds of everything, and has the query `p(x), p(y), constraint(x, y) => false`.
func universeSystem(constraint func(p *term.Pool, u *term.Sort, x, y *term.Term) *term.Term) (*chc.System, *term.Sort) {
	p := term.NewPool()
	u := p.Uninterpreted("U")
	pred := &chc.Predicate{Name: "p", Sorts: []*term.Sort{u}}
	x, y := p.Var("x", u), p.Var("y", u)
	at := func(t *term.Term) chc.App { return chc.App{Pred: pred, Args: []*term.Term{t}} }
	head := at(x)
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{pred}, Clauses: []*chc.Clause{
		{ID: 0, Head: &head, Constraint: p.True()},
		{ID: 1, Body: []chc.App{at(x), at(y)}, Constraint: constraint(p, u, x, y)},
	}}
	return sys, u
}

// universeRefutation derives the query of universeSystem for the elements i and j.
func universeRefutation(sys *chc.System, u *term.Sort, i, j int) *witness.Refutation {
	p := sys.Pool
	x, y := p.Var("x", u), p.Var("y", u)
	a, b := term.TermValue(p.Element(u, i)), term.TermValue(p.Element(u, j))
	return &witness.Refutation{Steps: []witness.Step{
		{Clause: sys.Clauses[0], Values: map[*term.Term]term.Value{x: a}},
		{Clause: sys.Clauses[0], Values: map[*term.Term]term.Value{x: b}},
		{Clause: sys.Clauses[1], Values: map[*term.Term]term.Value{x: a, y: b}, Premises: []int{0, 1}},
	}}
}

// A universe may have one element. Steps over several count when they hold over one as well.
func TestRefutationsHoldOverEveryUniverse(t *testing.T) {
	anything := func(p *term.Pool, u *term.Sort, x, y *term.Term) *term.Term { return p.True() }
	same := func(p *term.Pool, u *term.Sort, x, y *term.Term) *term.Term { return p.Eq(x, y) }
	different := func(p *term.Pool, u *term.Sort, x, y *term.Term) *term.Term { return p.Ne(x, y) }
	packed := func(p *term.Pool, u *term.Sort, x, y *term.Term) *term.Term {
		s := p.Array(term.Int, u)
		return p.Ne(p.Store(p.ConstArray(s, x), p.Int(3), y), p.ConstArray(s, x))
	}
	// Over one element, the array that is 1 there is 1 everywhere.
	everywhere := func(p *term.Pool, u *term.Sort, x, y *term.Term) *term.Term {
		s := p.Array(u, term.Int)
		return p.Ne(p.Store(p.ConstArray(s, p.Int(0)), x, p.Int(1)), p.ConstArray(s, p.Int(1)))
	}
	for _, c := range []struct {
		name       string
		constraint func(p *term.Pool, u *term.Sort, x, y *term.Term) *term.Term
		i, j       int
		want       error
	}{
		{"one element", same, 4, 4, nil},
		{"two that may be one", anything, 0, 3, nil},
		{"two that differ", different, 0, 3, witness.ErrUndecided},
		{"two that arrays tell apart", packed, 1, 2, witness.ErrUndecided},
		{"an array over the universe", everywhere, 0, 0, witness.ErrUndecided},
		{"false anyway", same, 0, 1, witness.ErrInvalid},
	} {
		sys, u := universeSystem(c.constraint)
		err := witness.CheckRefutation(context.Background(), sys, universeRefutation(sys, u, c.i, c.j))
		require.ErrorIs(t, err, c.want, c.name)
		if c.want == witness.ErrUndecided {
			require.ErrorContains(t, err, "sort U", c.name)
		}
	}
}

// An accepted refutation over random constraints on two variables holds over a universe of one element, where variables
// are equal: the constraint is then true for x = y.
func TestAcceptedRefutationsHoldOverOneElement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var formula func(p *term.Pool, x, y *term.Term, depth int) *term.Term
		formula = func(p *term.Pool, x, y *term.Term, depth int) *term.Term {
			kind := rapid.IntRange(0, 5).Draw(t, "kind")
			if depth == 0 {
				kind %= 2
			}
			switch kind {
			case 0:
				return p.Eq(x, y)
			case 1:
				return p.Ne(x, y)
			case 2:
				return p.And(formula(p, x, y, depth-1), formula(p, x, y, depth-1))
			case 3:
				return p.Or(formula(p, x, y, depth-1), formula(p, x, y, depth-1))
			case 4:
				return p.Not(formula(p, x, y, depth-1))
			}
			return p.True()
		}
		sys, u := universeSystem(func(p *term.Pool, _ *term.Sort, x, y *term.Term) *term.Term { return formula(p, x, y, 3) })
		p := sys.Pool
		r := universeRefutation(sys, u, rapid.IntRange(0, 1).Draw(t, "i"), rapid.IntRange(0, 1).Draw(t, "j"))
		if witness.CheckRefutation(context.Background(), sys, r) != nil {
			return
		}
		x, y := p.Var("x", u), p.Var("y", u)
		require.True(t, p.Substitute(sys.Clauses[1].Constraint, map[*term.Term]*term.Term{y: x}).IsTrue())
	})
}
