package encode

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// A tally counts in how many lists a term is, however often it is in each; the next one begins anew.
func TestTally(t *testing.T) {
	pool := term.NewPool()
	a, b, c := pool.Fresh("a", term.Bool), pool.Fresh("b", term.Bool), pool.Fresh("c", term.Bool)
	e := &encoder{}
	for range 2 {
		facts := e.tally()
		facts.count([]*term.Term{a, b, a})
		facts.count([]*term.Term{c, a})
		require.Equal(t, 2, facts.of(a))
		require.Equal(t, 1, facts.of(b))
		require.Equal(t, 1, facts.of(c))
		require.Equal(t, []*term.Term{a, b}, facts.unique([]*term.Term{a, b, a, b}))
		require.Equal(t, []*term.Term{b, a}, facts.unique([]*term.Term{b, a}))
	}
	require.Equal(t, 0, e.tally().of(a))
}
