package specialise

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// The bits of one value are split together or not at all: the first one tells two copies apart that the second one does not.
func TestBitsOfAValueStayTogether(t *testing.T) {
	p := term.NewPool()
	x := &exploration{
		pool: p, sys: &chc.System{Pool: p, Predicates: []*chc.Predicate{{Name: "p", Sorts: []*term.Sort{term.Bool, term.Bool, term.Bool}}}},
		split: splitPositions{{0, 1, 2}}, copies: make([][]*specialCopy, 1),
	}
	no, yes := p.False(), p.True()
	for _, values := range [][]*term.Term{{no, no, no}, {yes, no, no}, {no, yes, yes}} {
		x.copies[0] = append(x.copies[0], &specialCopy{values: values})
	}
	require.Equal(t, splitPositions{{1, 2}}, x.fewer(nil))
	require.Equal(t, splitPositions{{2}}, x.fewer([][]int{{0, 0, 1}}))
}
