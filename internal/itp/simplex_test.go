package itp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// program is a linear program as plain matrices, so that its dual and its points can be computed independently.
type program struct {
	cost   []term.Num
	free   []bool
	coefs  [][]term.Num
	senses []Sense
	bounds []term.Num
}

func (g program) lp() *LP {
	var lp LP
	for i, c := range g.cost {
		lp.AddVariable(c, g.free[i])
	}
	for i, r := range g.coefs {
		var es []Entry
		for j, c := range r {
			if !c.IsZero() {
				es = append(es, Entry{j, c})
			}
		}
		lp.AddRow(es, g.senses[i], g.bounds[i])
	}
	return &lp
}

func (g program) feasible(x []term.Num) bool {
	for i, v := range x {
		if v.Sign() < 0 && !g.free[i] {
			return false
		}
	}
	for i, r := range g.coefs {
		s := dot(r, x).Cmp(g.bounds[i])
		if g.senses[i] == AtMost && s > 0 || g.senses[i] == AtLeast && s < 0 || g.senses[i] == Equal && s != 0 {
			return false
		}
	}
	return true
}

// dual is the dual program in the same form: minimise -b*y with y >= 0 for AtLeast rows, -y >= 0 for AtMost rows (so that
// row is negated), free for equalities; A'y <= c for non-negative variables, = c for free ones.
func (g program) dual() program {
	var d program
	for i := range g.coefs {
		c := g.bounds[i].Neg()
		if g.senses[i] == AtMost {
			c = c.Neg()
		}
		d.cost = append(d.cost, c)
		d.free = append(d.free, g.senses[i] == Equal)
	}
	for j := range g.cost {
		r := make([]term.Num, len(g.coefs))
		for i := range g.coefs {
			r[i] = g.coefs[i][j]
			if g.senses[i] == AtMost {
				r[i] = r[i].Neg()
			}
		}
		sense := AtMost
		if g.free[j] {
			sense = Equal
		}
		d.coefs, d.senses, d.bounds = append(d.coefs, r), append(d.senses, sense), append(d.bounds, g.cost[j])
	}
	return d
}

func dot(a, b []term.Num) term.Num {
	var s term.Num
	for i := range a {
		s = s.Add(a[i].Mul(b[i]))
	}
	return s
}

// number draws a rational: mostly small integers and zeros, sometimes a fraction, sometimes (often, when large) one far
// beyond 32 bits.
func number(t *rapid.T, label string, large bool) term.Num {
	kind := rapid.IntRange(0, 19).Draw(t, label+" kind")
	if large && kind > 9 {
		return term.NewInt(rapid.Int64Range(-1<<60, 1<<60).Draw(t, label))
	}
	switch kind {
	case 0, 1, 2, 3, 4, 5, 6:
		return term.Num{}
	case 7, 8:
		return term.NewRat(rapid.Int64Range(-9, 9).Draw(t, label), rapid.Int64Range(1, 6).Draw(t, label+" denominator"))
	case 9:
		return term.NewInt(rapid.Int64Range(-1<<45, 1<<45).Draw(t, label))
	default:
		return term.NewInt(rapid.Int64Range(-4, 4).Draw(t, label))
	}
}

func anyProgram(t *rapid.T, most int) program {
	large := rapid.IntRange(0, 3).Draw(t, "large") == 0
	n := rapid.IntRange(1, most).Draw(t, "variables")
	m := rapid.IntRange(0, most).Draw(t, "rows")
	var g program
	costly := rapid.Bool().Draw(t, "no negative cost")
	for range n {
		c, free := number(t, "cost", large), rapid.IntRange(0, 3).Draw(t, "free") == 0
		if costly {
			c = c.Abs()
			if free {
				c = term.Num{}
			}
		}
		g.cost, g.free = append(g.cost, c), append(g.free, free)
	}
	for range m {
		r := make([]term.Num, n)
		for j := range r {
			r[j] = number(t, "coefficient", large)
		}
		g.coefs = append(g.coefs, r)
		g.senses = append(g.senses, Sense(rapid.IntRange(0, 2).Draw(t, "sense")))
		g.bounds = append(g.bounds, number(t, "bound", large))
	}
	return g
}

// Strong duality is a complete certificate: a feasible primal and a feasible dual point of equal cost are both optimal; a
// program is infeasible or unbounded only if its dual is unbounded or infeasible.
func TestSimplexAgreesWithItsDual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requireStrongDuality(t, anyProgram(t, 7))
	})
	// Covering problems of growing size take the dual method through many pivots and beyond machine words.
	for k := range 14 {
		requireStrongDuality(t, benchmarkProgram(2*k+3, 4*k+6))
	}
}

func requireStrongDuality(t require.TestingT, g program) {
	s, err := g.lp().Minimize(Limit{})
	require.NoError(t, err)
	d := g.dual()
	sd, err := d.lp().Minimize(Limit{})
	require.NoError(t, err)
	switch s.Status {
	case Optimal:
		require.True(t, g.feasible(s.Values))
		require.True(t, s.Cost.Equal(dot(g.cost, s.Values)))
		require.Equal(t, Optimal, sd.Status)
		require.True(t, d.feasible(sd.Values))
		require.True(t, s.Cost.Equal(sd.Cost.Neg()), "primal %v dual %v", s.Cost, sd.Cost.Neg())
	case Unbounded:
		require.Equal(t, Infeasible, sd.Status)
	case Infeasible:
		require.NotEqual(t, Optimal, sd.Status)
	}
}

// With all variables boxed, the optimum is attained at a vertex: the least cost over all intersections of n tight
// constraints that are feasible.
func TestSimplexAgreesWithVertexEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyProgram(t, 3)
		n := len(g.cost)
		for j := range n {
			r := make([]term.Num, n)
			r[j] = term.NewInt(1)
			g.coefs, g.senses, g.bounds = append(g.coefs, r), append(g.senses, AtMost), append(g.bounds, term.NewInt(10))
			g.coefs, g.senses, g.bounds = append(g.coefs, r), append(g.senses, AtLeast), append(g.bounds, term.NewInt(-10))
			if !g.free[j] {
				g.coefs, g.senses, g.bounds = append(g.coefs, r), append(g.senses, AtLeast), append(g.bounds, term.Num{})
			}
		}
		var best *term.Num
		choose(len(g.coefs), n, func(tight []int) {
			matrix := make([][]term.Num, n)
			for i, k := range tight {
				matrix[i] = append(append([]term.Num{}, g.coefs[k]...), g.bounds[k].Neg())
			}
			ker := kernel(matrix, n+1)
			if len(ker) != 1 || ker[0][n].IsZero() {
				return
			}
			x := make([]term.Num, n)
			for j := range x {
				x[j] = ker[0][j].Div(ker[0][n])
			}
			if c := dot(g.cost, x); g.feasible(x) && (best == nil || c.Cmp(*best) < 0) {
				best = &c
			}
		})
		s, err := g.lp().Minimize(Limit{})
		require.NoError(t, err)
		if best == nil {
			require.Equal(t, Infeasible, s.Status)
			return
		}
		require.Equal(t, Optimal, s.Status)
		require.True(t, g.feasible(s.Values))
		require.True(t, s.Cost.Equal(*best), "simplex %v vertices %v", s.Cost, *best)
	})
}

// choose calls visit with every k-subset of 0..n-1.
func choose(n, k int, visit func([]int)) {
	var pick func(from int, chosen []int)
	pick = func(from int, chosen []int) {
		if len(chosen) == k {
			visit(chosen)
			return
		}
		for i := from; i < n; i++ {
			pick(i+1, append(chosen, i))
		}
	}
	pick(0, make([]int, 0, k))
}

// Beale's example makes the textbook rule cycle.
func TestSimplexEndsOnBealesExample(t *testing.T) {
	q := term.NewRat
	g := program{
		cost: []term.Num{q(-3, 4), q(20, 1), q(-1, 2), q(6, 1)},
		free: make([]bool, 4),
		coefs: [][]term.Num{
			{q(1, 4), q(-8, 1), q(-1, 1), q(9, 1)},
			{q(1, 2), q(-12, 1), q(-1, 2), q(3, 1)},
			{q(0, 1), q(0, 1), q(1, 1), q(0, 1)},
		},
		senses: []Sense{AtMost, AtMost, AtMost},
		bounds: []term.Num{q(0, 1), q(0, 1), q(1, 1)},
	}
	s, err := g.lp().Minimize(Limit{})
	require.NoError(t, err)
	require.Equal(t, Optimal, s.Status)
	require.True(t, s.Cost.Equal(q(-5, 4)), s.Cost.String())
}

func TestSimplexReportsItsBudget(t *testing.T) {
	g := benchmarkProgram(12, 24)
	_, err := g.lp().Minimize(Limit{Pivots: 1})
	require.ErrorIs(t, err, ErrBudget)
	_, err = g.lp().Minimize(Limit{Work: 1000})
	require.ErrorIs(t, err, ErrBudget)
	done := make(chan struct{})
	close(done)
	_, err = benchmarkProgram(30, 60).lp().Minimize(Limit{Done: done})
	require.ErrorIs(t, err, ErrBudget)
}

// benchmarkProgram is a feasible covering problem with a third of its coefficients non-zero.
func benchmarkProgram(m, n int) program {
	var g program
	seed := uint64(1)
	next := func(k uint64) int64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int64((seed >> 33) % k)
	}
	for range n {
		g.cost = append(g.cost, term.NewInt(1+next(3)))
		g.free = append(g.free, false)
	}
	for range m {
		r := make([]term.Num, n)
		for j := range r {
			if next(3) == 0 {
				r[j] = term.NewInt(next(7) - 2)
			}
		}
		g.coefs, g.senses, g.bounds = append(g.coefs, r), append(g.senses, AtLeast), append(g.bounds, term.NewInt(1+next(9)))
	}
	return g
}

func BenchmarkLP20x40(b *testing.B) {
	g := benchmarkProgram(20, 40)
	for b.Loop() {
		if s, err := g.lp().Minimize(Limit{}); err != nil || s.Status != Optimal {
			b.Fatal(s.Status, err)
		}
	}
}
