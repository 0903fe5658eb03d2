package term

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// borderInts are where int64 arithmetic overflows or rounds.
var borderInts = []int64{0, 1, -1, 2, -2, 3, 7, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 31, 1 << 32,
	-(1 << 32), 1<<32 - 1, 3037000499, 3037000500, math.MaxInt64 / 2, math.MinInt64 / 2, math.MaxInt64 / 3}

func drawInt64() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.SampledFrom(borderInts), rapid.Int64Range(-20, 20), rapid.Int64())
}

func drawRat() *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		n, d := big.NewInt(drawInt64().Draw(t, "n")), big.NewInt(drawInt64().Draw(t, "d"))
		if rapid.IntRange(0, 4).Draw(t, "huge") == 0 {
			n.Mul(n, big.NewInt(drawInt64().Draw(t, "n2")))
		}
		if d.Sign() == 0 || rapid.Bool().Draw(t, "integer") {
			d.SetInt64(1)
		}
		return new(big.Rat).SetFrac(n, d)
	})
}

// requireNum checks that n is r, in the small form exactly when that holds it.
func requireNum(t *rapid.T, r *big.Rat, n Num) {
	require.Zero(t, r.Cmp(n.Rat()), "want %v, got %v", r, n)
	small := r.Num().IsInt64() && r.Denom().IsInt64() && r.Num().Int64() != math.MinInt64
	require.Equal(t, small, n.b == nil, "form of %v", r)
	require.Equal(t, r.RatString(), n.String())
	require.Equal(t, NumFromRat(r).Hash(), n.Hash())
	require.True(t, n.Equal(NumFromRat(r)))
}

func TestNumAgreesWithBigRat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawRat().Draw(t, "x"), drawRat().Draw(t, "y")
		a, b := NumFromRat(x), NumFromRat(y)
		requireNum(t, x, a)
		requireNum(t, new(big.Rat).Add(x, y), a.Add(b))
		requireNum(t, new(big.Rat).Sub(x, y), a.Sub(b))
		requireNum(t, new(big.Rat).Mul(x, y), a.Mul(b))
		requireNum(t, new(big.Rat).Neg(x), a.Neg())
		requireNum(t, new(big.Rat).Abs(x), a.Abs())
		if y.Sign() != 0 {
			requireNum(t, new(big.Rat).Quo(x, y), a.Div(b))
			requireNum(t, new(big.Rat).Inv(y), b.Inv())
		}
		require.Equal(t, x.Cmp(y), a.Cmp(b))
		require.Equal(t, x.Cmp(y) == 0, a.Equal(b))
		require.Equal(t, x.Sign(), a.Sign())
		require.Equal(t, x.IsInt(), a.IsInt())
		requireNum(t, new(big.Rat).SetInt(x.Num()), a.Num())
		requireNum(t, new(big.Rat).SetInt(x.Denom()), a.Denom())
		floor := new(big.Int).Div(x.Num(), x.Denom())
		requireNum(t, new(big.Rat).SetInt(floor), a.Floor())
		ceil := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(x.Num()), x.Denom()))
		requireNum(t, new(big.Rat).SetInt(ceil), a.Ceil())
		i, ok := a.Int64()
		require.Equal(t, x.IsInt() && x.Num().IsInt64(), ok)
		if ok {
			require.Equal(t, x.Num().Int64(), i)
			requireNum(t, x, NewInt(i))
		}
		back, err := ParseNum(a.String())
		require.NoError(t, err)
		requireNum(t, x, back)
	})
}

func TestIntegerDivisionIsEuclidean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawRat().Draw(t, "x").Num(), drawRat().Draw(t, "y").Num()
		a, b := NumFromBig(x), NumFromBig(y)
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
		requireNum(t, new(big.Rat).SetInt(g), GCD(a, b))
		if y.Sign() == 0 {
			require.Panics(t, func() { EuclidDiv(a, b) })
			require.True(t, LCM(a, b).IsZero())
			return
		}
		q, r := EuclidDiv(a, b)
		require.True(t, b.Mul(q).Add(r).Equal(a))
		require.GreaterOrEqual(t, r.Sign(), 0)
		require.Negative(t, r.Cmp(b.Abs()))
		require.True(t, q.IsInt())
		l := LCM(a, b)
		require.True(t, l.Mul(GCD(a, b)).Equal(a.Mul(b).Abs()))
	})
}

func TestNewRatReduces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := drawInt64().Draw(t, "n"), drawInt64().Draw(t, "d")
		if d == 0 {
			require.Panics(t, func() { NewRat(n, d) })
			return
		}
		requireNum(t, big.NewRat(n, d), NewRat(n, d))
	})
}

func TestParseNum(t *testing.T) {
	for s, want := range map[string]string{"12": "12", "-3": "-3", "1.50": "3/2", "-0.25": "-1/4", "3/4": "3/4", "6/4": "3/2", "007": "7",
		"123456789012345678901234567890": "123456789012345678901234567890", "0.0": "0", "-0": "0", "9223372036854775808": "9223372036854775808"} {
		n, err := ParseNum(s)
		require.NoError(t, err, s)
		require.Equal(t, want, n.String(), s)
	}
	for _, s := range []string{"", "-", "1e5", "0x10", "1/0", "1.2/3", "1.", ".5", "--1", "+1", "1_000", "1/-2", " 1", "1 ", "1-2", "a"} {
		_, err := ParseNum(s)
		require.Error(t, err, "%q", s)
	}
	require.True(t, Num{}.IsZero())
	require.Panics(t, func() { NewInt(1).Div(Num{}) })
	require.Panics(t, func() { NewRat(1, 2).BigInt() })
}
