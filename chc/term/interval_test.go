package term

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawNum draws a small number, mostly an integer.
func drawNum(t *rapid.T, name string) Num {
	n := NewInt(rapid.Int64Range(-6, 6).Draw(t, name))
	if rapid.IntRange(0, 4).Draw(t, name+" is a fraction") == 0 {
		return n.Div(NewInt(4))
	}
	return n
}

// drawInterval draws an interval and a number in it.
func drawInterval(t *rapid.T, name string) (Interval, Num) {
	n := drawNum(t, name)
	var i Interval
	if rapid.Bool().Draw(t, name+" has a least number") {
		low := n.Sub(drawNum(t, name+" low").Abs())
		i.Low = &low
	}
	if rapid.Bool().Draw(t, name+" has a greatest number") {
		high := n.Add(drawNum(t, name+" high").Abs())
		i.High = &high
	}
	require.True(t, i.Has(n))
	return i, n
}

// What operations on intervals have are the results on their numbers.
func TestIntervalsHaveTheResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, x := drawInterval(t, "x")
		j, y := drawInterval(t, "y")
		c := drawNum(t, "c")
		require.False(t, i.Empty())
		require.True(t, i.Add(j).Has(x.Add(y)), "%v + %v", i, j)
		require.True(t, i.Scale(c).Has(x.Mul(c)), "%v * %v", i, c)
		require.True(t, i.Mul(j).Has(x.Mul(y)), "%v * %v", i, j)
		require.True(t, i.Hull(j).Has(x) && i.Hull(j).Has(y), "%v or %v", i, j)
		require.True(t, i.Within(i.Hull(j)) && j.Within(i.Hull(j)))
		require.Equal(t, i.Has(c) && j.Has(c), i.Meet(j).Has(c), "%v and %v", i, j)
		require.True(t, i.Meet(j).Within(i) && i.Meet(j).Within(j))
		if i.Within(j) {
			require.True(t, j.Has(x))
		}
		if !i.Bounded() {
			beyond := NewInt(1000)
			require.True(t, i.Has(beyond) || i.Has(beyond.Neg()))
		}
		if k := c.Abs(); k.Sign() > 0 {
			require.True(t, i.FloorDiv(k).Has(x.Div(k).Floor()), "%v div %v", i, k)
		}
	})
}

// The ends of bounded results are reached, so that no smaller interval would do.
func TestIntervalsAreTight(t *testing.T) {
	two, five := NewInt(2), NewInt(5)
	i, j := Between(two.Neg(), five), Between(NewInt(-3), two)
	require.Equal(t, Between(NewInt(-5), NewInt(7)), i.Add(j))
	require.Equal(t, Between(NewInt(-15), NewInt(10)), i.Mul(j))
	require.Equal(t, Between(NewInt(-10), NewInt(4)), i.Scale(two.Neg()))
	require.Equal(t, Between(NewInt(-3), five), i.Hull(j))
	require.Equal(t, Between(two.Neg(), two), i.Meet(j))
	require.Equal(t, Between(NewInt(-1), two), i.FloorDiv(two))
	require.True(t, Point(five).Meet(j).Empty())
	require.Equal(t, Interval{High: &two}, Interval{High: &two}.Hull(j))
}

func TestRangeOfALinearForm(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", Int), p.Var("y", Int)
	ranges := map[*Term]Interval{x: Between(NewInt(0), NewInt(3)), y: Between(NewInt(-1), NewInt(1))}
	l := p.Linear(p.Add(p.Scale(NewInt(2), x), p.Scale(NewInt(-5), y), p.Int(1)))
	require.Equal(t, Between(NewInt(-4), NewInt(12)), l.Range(func(t *Term) Interval { return ranges[t] }))
	delete(ranges, y)
	require.Equal(t, Interval{}, l.Range(func(t *Term) Interval { return ranges[t] }))
}

// TestBoundsOfLiterals reads the bounds of literals over integers and reals, and compares those of one side.
func TestBoundsOfLiterals(t *testing.T) {
	p := NewPool()
	i, r := p.Var("i", Int), p.Var("r", Real)
	two := p.Numeral(NewInt(2), Real)
	for _, c := range []struct {
		lit  *Term
		want Bound
	}{
		{p.Le(i, p.Int(2)), Bound{Sum: i, N: NewInt(2), Upper: true}},
		{p.Not(p.Le(i, p.Int(2))), Bound{Sum: i, N: NewInt(3)}},
		{p.Le(r, two), Bound{Sum: r, N: NewInt(2), Upper: true}},
		{p.Lt(r, two), Bound{Sum: r, N: NewInt(2), Upper: true, Strict: true}},
		{p.Ge(r, two), Bound{Sum: r, N: NewInt(2)}},
		{p.Gt(r, two), Bound{Sum: r, N: NewInt(2), Strict: true}},
	} {
		got, ok := ReadBound(c.lit)
		require.True(t, ok, "%s", c.lit)
		require.Equal(t, c.want, got, "%s", c.lit)
		require.False(t, got.Tighter(got))
	}
	_, ok := ReadBound(p.Eq(i, p.Int(2)))
	require.False(t, ok)
	at := func(n int64, upper, strict bool) Bound {
		return Bound{Sum: r, N: NewInt(n), Upper: upper, Strict: strict}
	}
	require.True(t, at(2, false, false).Tighter(at(1, false, true)))
	require.True(t, at(1, true, true).Tighter(at(2, true, true)))
	require.True(t, at(1, true, true).Tighter(at(1, true, false)))
	require.False(t, at(1, false, false).Tighter(at(2, false, false)))
}
