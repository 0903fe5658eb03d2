package affine

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// TestSpace: the equations are exactly those of the affine hull of the points that were added: they hold of each, and with
// the hull's dimension they come to the number of terms.
func TestSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "terms")
		var points [][]term.Num
		for range rapid.IntRange(1, 7).Draw(t, "points") {
			var p []term.Num
			for range n {
				p = append(p, term.NewInt(int64(rapid.IntRange(-3, 3).Draw(t, "value"))))
			}
			points = append(points, p)
		}
		s := newSpace(points[0])
		for i, p := range points[1:] {
			before := len(s.rows)
			changed := s.add(p)
			require.Equal(t, before-len(s.rows), map[bool]int{true: 1}[changed])
			require.False(t, s.add(points[rapid.IntRange(0, i+1).Draw(t, "again")]))
		}
		for _, row := range s.rows {
			for _, p := range points {
				require.True(t, errorOf(row, p).IsZero())
			}
		}
		require.Equal(t, n, len(s.rows)+dimension(points))
		seen := map[int]bool{}
		for _, row := range s.rows {
			lead := n
			for row[lead].IsZero() {
				lead--
			}
			require.Positive(t, lead)
			require.True(t, row[lead].IsOne())
			require.False(t, seen[lead])
			seen[lead] = true
			require.Equal(t, 1, len(slices.DeleteFunc(slices.Clone(s.rows), func(r []term.Num) bool { return r[lead].IsZero() })))
		}
	})
}

// dimension is that of the affine hull of points, by elimination of their differences.
func dimension(points [][]term.Num) int {
	var rows [][]term.Num
	for _, p := range points[1:] {
		row := make([]term.Num, len(p))
		for i := range p {
			row[i] = p[i].Sub(points[0][i])
		}
		rows = append(rows, row)
	}
	rank := 0
	for column := range points[0] {
		at := slices.IndexFunc(rows[rank:], func(r []term.Num) bool { return !r[column].IsZero() })
		if at < 0 {
			continue
		}
		rows[rank], rows[rank+at] = rows[rank+at], rows[rank]
		for i := rank + 1; i < len(rows); i++ {
			factor := rows[i][column].Div(rows[rank][column])
			for k := range rows[i] {
				rows[i][k] = rows[i][k].Sub(factor.Mul(rows[rank][k]))
			}
		}
		rank++
	}
	return rank
}

// TestTemplate: the bounds are the closest thresholds around all values that were added, and the remainder is that of the
// largest step by which all of them differ.
func TestTemplate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var known []term.Num
		for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(-5, 5), 0, 6, rapid.ID[int]).Draw(t, "thresholds") {
			known = append(known, term.NewInt(int64(n)))
		}
		slices.SortFunc(known, term.Num.Cmp)
		values := rapid.SliceOfN(rapid.IntRange(-7, 7), 1, 6).Draw(t, "values")
		bounded := &template{thresholds: known, divided: rapid.Bool().Draw(t, "divided")}
		bounded.meet(term.NewInt(int64(values[0])))
		for _, v := range values[1:] {
			before := *bounded
			changed := bounded.add(term.NewInt(int64(v)))
			require.Equal(t, changed, before.low != bounded.low || before.high != bounded.high || bounded.divided && !before.step.Equal(bounded.step))
		}
		low, high := -1, len(known)
		for i, k := range known {
			if k.Cmp(term.NewInt(int64(slices.Min(values)))) <= 0 {
				low = i
			}
		}
		for i := len(known) - 1; i >= 0; i-- {
			if known[i].Cmp(term.NewInt(int64(slices.Max(values)))) >= 0 {
				high = i
			}
		}
		step := term.Num{}
		for _, v := range values {
			step = term.GCD(step, term.NewInt(int64(v-values[0])))
		}
		require.True(t, !bounded.divided || step.Equal(bounded.step))
		require.Equal(t, int64(values[0]), func() int64 { n, _ := bounded.rest.Int64(); return n }())
		require.Equal(t, low, bounded.low)
		require.Equal(t, high, bounded.high)
	})
}
