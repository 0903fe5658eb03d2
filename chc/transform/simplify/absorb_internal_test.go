package simplify

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// What is shared by many contexts, each of which decides other parts of it, is not copied for each.
func TestAbsorptionIsBounded(t *testing.T) {
	p := term.NewPool()
	const depth = 18
	atom := func(name string, i int) *term.Term { return p.Var(fmt.Sprint(name, i), term.Bool) }
	// Each level is a choice of a literal, and what is below mentions the literals of all levels.
	f := p.True()
	for i := range depth {
		f = p.And(p.Or(atom("x", i), atom("y", i)), p.Or(p.Not(atom("x", i)), atom("z", i)), f)
	}
	for i := range depth {
		f = p.Or(p.And(atom("x", i), f), p.And(p.Not(atom("x", i)), atom("y", i), f))
	}
	a := &absorber{pool: p, done: map[*term.Term]*term.Term{}, left: 20 * f.Size()}
	a.simplify(f)
	require.Less(t, -a.left, 20*f.Size())
}
