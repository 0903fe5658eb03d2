package sums

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Sums end after the largest bound of an index, whatever other numbers there are, and after these where no index has a bound.
func TestLastIndex(t *testing.T) {
	p := term.NewPool()
	array := p.Array(term.Int, term.Int)
	a, i, j := p.Var("a", array), p.Var("i", term.Int), p.Var("j", term.Int)
	read := func(i *term.Term) *term.Term { return p.Ge(p.Select(a, i), p.Int(500)) }
	for want, constraint := range map[int64]*term.Term{
		499: p.And(read(i), p.Le(j, p.Int(30))), // which is what "at least 500" is the negation of
		30:  p.And(read(i), p.Le(i, p.Int(30)), p.Le(j, p.Int(700))),
		40:  p.And(read(i), p.Le(i, p.Int(30)), p.Or(p.Lt(j, p.Int(41)), p.Eq(a, p.Store(a, j, p.Int(900))))),
		0:   p.And(read(i), p.Le(i, p.Int(-3)), p.Ge(i, p.Int(-90))),
		600: p.And(read(i), p.Forall([]*term.Term{j}, p.Or(p.Le(p.Select(a, j), p.Int(8)), p.Le(j, p.Int(2000)))), p.Le(i, p.Int(600))),
	} {
		sys := &chc.System{Pool: p, Clauses: []*chc.Clause{{Constraint: constraint}}}
		require.Equal(t, term.NewInt(want), lastIndex(sys, func(int, *term.Term) bool { return true }), "%s", constraint)
	}
}
