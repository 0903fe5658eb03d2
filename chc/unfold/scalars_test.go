package unfold

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// Reads of an array become variables, those within indices too, and what is equal of their indices is equal of them: an assignment of
// the formula without arrays gives one of the formula with them.
func TestScalars(t *testing.T) {
	p := term.NewPool()
	bits := p.BitVec(8)
	a := p.Var("a", p.Array(bits, bits))
	i, j := p.Var("i", bits), p.Var("j", bits)
	at := func(i *term.Term) *term.Term { return p.Select(a, i) }
	u := &Unfolding{Formula: p.And(p.Not(p.Eq(at(at(i)), at(j))), p.Eq(at(j), p.BVNum(term.NewInt(7), 8)))}
	s := u.Scalars(p)
	require.Len(t, s.reads, 3)
	for _, v := range term.Vars(s.Formula) {
		require.False(t, v.Sort().IsArray())
	}

	assign := func(values ...int64) term.MapAssignment {
		out := term.MapAssignment{}
		vars := []*term.Term{i, j}
		for _, r := range s.reads {
			vars = append(vars, r.value)
		}
		for k, v := range vars {
			out[v] = term.NumValue(term.NewInt(values[k]), bits)
		}
		return out
	}
	// a[1] = 2, a[2] = 5, a[3] = 7 in whatever order the reads were found.
	found := 0
	for _, values := range [][]int64{{1, 3, 2, 5, 7}, {1, 3, 5, 2, 7}, {1, 3, 7, 2, 5}, {1, 3, 7, 5, 2}, {1, 3, 2, 7, 5}, {1, 3, 5, 7, 2}} {
		scalars := assign(values...)
		if !term.NewEvaluator(p, scalars).True(s.Formula) {
			continue
		}
		found++
		require.True(t, term.NewEvaluator(p, s.Assignment(scalars)).True(u.Formula))
	}
	require.Positive(t, found)
	// Equal indices with different elements are no array's.
	for _, values := range [][]int64{{1, 1, 1, 5, 7}, {1, 1, 5, 1, 7}, {1, 1, 7, 1, 5}, {1, 1, 7, 5, 1}, {1, 1, 1, 7, 5}, {1, 1, 5, 7, 1}} {
		require.False(t, term.NewEvaluator(p, assign(values...)).True(s.Formula))
	}

	stored := &Unfolding{Formula: p.Eq(a, p.Store(a, i, j))}
	require.Equal(t, stored.Formula, stored.Scalars(p).Formula)
}
