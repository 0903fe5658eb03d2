package interval

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c/machine"
)

// within tells whether a number is in an interval, by what the parts of an interval mean.
func within(i Interval, n *big.Int) bool {
	return (i.Low == nil || i.Low.Cmp(n) <= 0) && (i.High == nil || i.High.Cmp(n) >= 0) &&
		(i.Ones == nil || n.Sign() >= 0 && new(big.Int).AndNot(n, i.Ones).Sign() == 0) &&
		i.Congruence.Has(n) && (!i.Nonzero || n.Sign() != 0)
}

// drawInterval is an interval, and numbers of a type that are in it.
func drawInterval(rt *rapid.T, t machine.Type) (Interval, []*big.Int) {
	step := rapid.SampledFrom([]int64{1, 1, 2, 3, 4, 6, 8}).Draw(rt, "step")
	base := rapid.OneOf(rapid.Int64Range(-9, 9), rapid.Int64()).Draw(rt, "base")
	var members []*big.Int
	var i Interval
	for k := range rapid.IntRange(1, 4).Draw(rt, "members") {
		n := new(big.Int).Add(big.NewInt(base), big.NewInt(step*rapid.Int64Range(0, 9).Draw(rt, "member")))
		n = t.Wrap(n)
		members = append(members, n)
		if k == 0 {
			i = Point(n)
		} else {
			i = i.Join(Point(n))
		}
	}
	if ones := i.Bits(); ones != nil && rapid.Bool().Draw(rt, "bits") {
		all := new(big.Int)
		for _, n := range members {
			all.Or(all, n)
		}
		i = i.WithBits(all)
	}
	if i.HasZero() && rapid.Bool().Draw(rt, "no zero") {
		i = i.WithoutZero()
		var rest []*big.Int
		for _, n := range members {
			if n.Sign() != 0 {
				rest = append(rest, n)
			}
		}
		members = rest
	}
	return i, members
}

var anyType = rapid.SampledFrom([]machine.Type{
	{Bits: 8, Signed: true}, {Bits: 8}, {Bits: 16, Signed: true}, {Bits: 32, Signed: true}, {Bits: 32}, {Bits: 64},
})

// What operations on intervals say is true of all numbers in them; none is forgotten, by bounds, bits, congruences or 0.
func TestIntervals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		i, xs := drawInterval(rt, anyType.Draw(rt, "type"))
		j, ys := drawInterval(rt, anyType.Draw(rt, "type"))
		thresholds := []*big.Int{big.NewInt(-100), new(big.Int), big.NewInt(7), big.NewInt(1 << 40)}
		stride := rapid.IntRange(1, 6).Draw(rt, "stride")
		for _, x := range xs {
			require.True(rt, within(i, x))
			require.True(rt, within(i.Join(j), x), "join")
			require.True(rt, within(j.Join(i), x), "join")
			require.True(rt, within(i.Widen(j, thresholds, stride), x), "widening")
			require.True(rt, within(j.Widen(i, thresholds, stride), x), "widening")
			require.True(rt, within(i.Negate(), new(big.Int).Neg(x)), "negation")
			if within(j, x) {
				require.True(rt, within(i.Meet(j), x) && within(j.Meet(i), x), "meet")
			}
			if b := i.Bits(); b != nil {
				require.Zero(rt, new(big.Int).AndNot(x, b).Sign(), "bits")
			}
			require.True(rt, i.Congruences().Has(x))
			for _, y := range ys {
				require.True(rt, within(i.Add(j), new(big.Int).Add(x, y)), "sum")
				require.True(rt, within(i.Mul(j), new(big.Int).Mul(x, y)), "product of %v and %v", x, y)
			}
		}
	})
}

func TestFewNumbers(t *testing.T) {
	require.True(t, Between(big.NewInt(-1), big.NewInt(2)).AtMost(4))
	require.False(t, Between(big.NewInt(-1), big.NewInt(2)).AtMost(3))
	require.False(t, Interval{Low: big.NewInt(0)}.AtMost(1<<30))
	require.False(t, Interval{High: big.NewInt(0)}.AtMost(1<<30))
}

// The join of numbers with known bits has the bits of both, and no others.
func TestJoinsOfBits(t *testing.T) {
	i, j := Between(new(big.Int), big.NewInt(255)).WithBits(big.NewInt(0xf0)), Between(new(big.Int), big.NewInt(255)).WithBits(big.NewInt(0x05))
	require.Equal(t, int64(0xf5), i.Join(j).Bits().Int64())
	require.Equal(t, int64(0xf5), j.Join(i).Bits().Int64())
	// A number without that knowledge has those of its size.
	require.Equal(t, int64(0xf7), i.Join(Between(big.NewInt(1), big.NewInt(5))).Bits().Int64())
	// What may be negative has none.
	require.Nil(t, i.Join(Point(big.NewInt(-1))).Bits())
	// Widening gives up bits that do not stay.
	require.Nil(t, i.Widen(j, nil, 1).Ones)
	require.Equal(t, int64(0xf0), i.Widen(i, nil, 1).Ones.Int64())
}

// Of products the corners of both intervals count, whatever the signs.
func TestProductsOfIntervals(t *testing.T) {
	of := func(low, high int64) Interval { return Between(big.NewInt(low), big.NewInt(high)) }
	for _, c := range []struct{ x, y, want Interval }{
		{of(2, 3), of(5, 7), of(10, 21)},
		{of(-2, 3), of(5, 7), of(-14, 21)},
		{of(-3, -2), of(-7, -5), of(10, 21)},
		{of(-3, 2), of(-7, 5), of(-15, 21)},
	} {
		require.True(t, c.x.Mul(c.y).In(c.want) && c.want.In(c.x.Mul(c.y)), "%v", c)
	}
	require.Nil(t, Interval{Low: new(big.Int)}.Mul(of(1, 2)).High)
}
