package proof

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// Of the bounds of a term the tightest are left, over integers and reals, and none beside an equality.
func TestTightest(t *testing.T) {
	t.Parallel()
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		p := term.NewPool()
		x, y := p.Var("x", sort), p.Var("y", sort)
		n := func(i int64) *term.Term { return p.Numeral(term.NewInt(i), sort) }
		sum := p.Add(x, y)
		for _, c := range []struct{ given, want []*term.Term }{
			{[]*term.Term{p.Le(x, n(8)), p.Le(x, n(4294967303))}, []*term.Term{p.Le(x, n(8))}},
			{[]*term.Term{p.Ge(x, n(1)), p.Ge(x, n(-3)), p.Le(x, n(5))}, []*term.Term{p.Ge(x, n(1)), p.Le(x, n(5))}},
			{[]*term.Term{p.Le(sum, n(8)), p.Le(x, n(3)), p.Le(sum, n(2))}, []*term.Term{p.Le(x, n(3)), p.Le(sum, n(2))}},
			{[]*term.Term{p.Eq(x, n(3)), p.Le(x, n(9)), p.Ge(x, n(0)), p.Le(y, n(1))}, []*term.Term{p.Eq(x, n(3)), p.Le(y, n(1))}},
			{[]*term.Term{p.Eq(x, n(3)), p.Le(x, n(2))}, []*term.Term{p.Eq(x, n(3)), p.Le(x, n(2))}},
		} {
			require.Equal(t, fmt.Sprint(c.want), fmt.Sprint(tightest(c.given)))
		}
	}
}
