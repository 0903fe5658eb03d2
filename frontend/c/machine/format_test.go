package machine_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c/machine"
)

var (
	float32Type  = machine.Type{Bits: 32, Signed: true}
	float64Type  = machine.Type{Bits: 64, Signed: true}
	extendedType = machine.Type{Bits: 128, Signed: true}
)

func format(t machine.Type) machine.Format {
	f, ok := machine.FormatOf(t)
	if !ok {
		panic("no format")
	}
	return f
}

func ordinal64(x float64) *big.Int {
	return format(float64Type).Ordinal(new(big.Int).SetUint64(math.Float64bits(x)))
}

func ordinal32(x float32) *big.Int {
	return format(float32Type).Ordinal(new(big.Int).SetUint64(uint64(math.Float32bits(x))))
}

func double(x *big.Int) float64 { return math.Float64frombits(format(float64Type).Bits(x).Uint64()) }

// doubles draws numbers of all kinds: any bits, small integers and halves, the ends of binades.
func doubles(t *rapid.T, label string) float64 {
	switch rapid.IntRange(0, 4).Draw(t, label+" kind") {
	case 0:
		return math.Float64frombits(rapid.Uint64().Draw(t, label))
	case 1:
		return float64(rapid.IntRange(-9, 9).Draw(t, label)) / 2
	case 2:
		x := math.Ldexp(1, rapid.IntRange(-1080, 1023).Draw(t, label))
		return math.Nextafter(x, float64(rapid.IntRange(-1, 1).Draw(t, label+" beside")*100))
	case 3:
		return rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 0x1p-1074}).Draw(t, label)
	}
	return rapid.Float64Range(-1e6, 1e6).Draw(t, label)
}

// TestOrdinals says that the order of ordinals is that of numbers, with -0 right below +0, and that nothing is lost.
func TestOrdinals(t *testing.T) {
	f := format(float64Type)
	require.Equal(t, big.NewInt(0), ordinal64(0))
	require.Equal(t, big.NewInt(-1), ordinal64(math.Copysign(0, -1)))
	require.Zero(t, f.Infinity().Cmp(ordinal64(math.Inf(1))))
	require.Zero(t, f.Binade(0).Cmp(ordinal64(1)))
	require.Zero(t, f.Binade(-3).Cmp(ordinal64(0.125)))
	rapid.Check(t, func(t *rapid.T) {
		x, y := doubles(t, "x"), doubles(t, "y")
		i, j := ordinal64(x), ordinal64(y)
		require.True(t, float64Type.Has(i))
		require.Equal(t, math.Float64bits(x), math.Float64bits(double(i)))
		require.Equal(t, math.IsNaN(x), f.IsNaN(i))
		require.Equal(t, math.IsInf(x, 0), f.IsInfinite(i))
		if x < y {
			require.Negative(t, i.Cmp(j))
		}
		require.Zero(t, ordinal64(-x).Cmp(machine.Negate(i)))
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			v, _ := f.Value(i).Float64()
			require.Equal(t, x, v)
		}
	})
}

// TestComputing says that operations round as the processor does.
func TestComputing(t *testing.T) {
	same := func(t *rapid.T, name string, want float64, got *big.Int) {
		if math.IsNaN(want) {
			require.Nil(t, got, name)
			return
		}
		require.NotNil(t, got, name)
		require.Equal(t, math.Float64bits(want), math.Float64bits(double(got)), "%s: %v, not %v", name, double(got), want)
	}
	unary := map[machine.Op]func(float64) float64{
		machine.FloatSqrt: math.Sqrt, machine.FloatTruncate: math.Trunc, machine.FloatFloor: math.Floor, machine.FloatCeiling: math.Ceil,
		machine.FloatRound: math.Round, machine.FloatNearest: math.RoundToEven,
	}
	binary := map[machine.Op]func(x, y float64) float64{
		machine.FloatAdd: func(x, y float64) float64 { return x + y }, machine.FloatSub: func(x, y float64) float64 { return x - y },
		machine.FloatMul: func(x, y float64) float64 { return x * y }, machine.FloatDiv: func(x, y float64) float64 { return x / y },
		machine.FloatMod: math.Mod, machine.FloatRemainder: math.Remainder,
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := doubles(t, "x"), doubles(t, "y")
		i, j := ordinal64(x), ordinal64(y)
		for op, f := range unary {
			o := machine.Operation{Op: op, Type: float64Type}
			same(t, o.Name(), f(x), o.Compute(i))
		}
		for op, f := range binary {
			o := machine.Operation{Op: op, Type: float64Type}
			same(t, o.Name(), f(x, y), o.Compute(i, j))
		}
		narrow := machine.Operation{Op: machine.FloatConvert, Type: float64Type, To: float32Type}
		wide := machine.Operation{Op: machine.FloatConvert, Type: float32Type, To: float64Type}
		if math.IsNaN(x) {
			require.Nil(t, narrow.Compute(i))
		} else {
			z := narrow.Compute(i)
			require.Zero(t, ordinal32(float32(x)).Cmp(z))
			same(t, "widen", float64(float32(x)), wide.Compute(z))
			// Through long double and back nothing is lost.
			there := machine.Operation{Op: machine.FloatConvert, Type: float64Type, To: extendedType}
			back := machine.Operation{Op: machine.FloatConvert, Type: extendedType, To: float64Type}
			same(t, "long double", x, back.Compute(there.Compute(i)))
			sum := machine.Operation{Op: machine.FloatMul, Type: float32Type}
			if w := float32(y); !math.IsNaN(y) {
				if want := float32(x) * w; want == want {
					require.Zero(t, ordinal32(want).Cmp(sum.Compute(z, ordinal32(w))))
				}
			}
		}
		n := rapid.Int64().Draw(t, "n") >> rapid.IntRange(0, 63).Draw(t, "shift")
		from := machine.Operation{Op: machine.FloatFrom, Type: float64Type, To: float64Type}
		same(t, "from", float64(n), from.Compute(big.NewInt(n)))
		to := machine.Operation{Op: machine.FloatTo, Type: float64Type, To: float32Type}
		if v := math.Trunc(x); v >= math.MinInt32 && v <= math.MaxInt32 {
			require.Equal(t, int64(v), to.Compute(i).Int64())
		} else {
			require.Nil(t, to.Compute(i))
		}
	})
}

// TestLongDouble says that a long double has eleven bits more than a double.
func TestLongDouble(t *testing.T) {
	one := machine.Operation{Op: machine.FloatFrom, Type: float32Type, To: extendedType}.Compute(big.NewInt(1))
	next := new(big.Int).Add(one, big.NewInt(1))
	f := format(extendedType)
	require.Equal(t, "9223372036854775809/9223372036854775808", f.Value(next).String())
	require.Zero(t, one.Cmp(f.Round(new(big.Rat).Add(f.Value(one), new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 64))))))
	require.Negative(t, next.Cmp(f.Infinity()))
}

// TestComputingCorners says what random numbers hardly meet: signs of zeros, ties, roots of what is no square.
func TestComputingCorners(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, c := range []struct {
		op         machine.Op
		x, y, want float64
	}{
		{machine.FloatAdd, minus, minus, minus}, {machine.FloatAdd, minus, 0, 0}, {machine.FloatAdd, -1, 1, 0}, {machine.FloatSub, 0, 0, 0},
		{machine.FloatSub, minus, 0, minus}, {machine.FloatMul, -1, 0, minus}, {machine.FloatDiv, 1, minus, math.Inf(-1)},
		{machine.FloatAdd, 0x1p53, 1, 0x1p53}, {machine.FloatAdd, 0x1p53 + 2, 1, 0x1p53 + 4}, {machine.FloatMod, -2, 1, minus},
		{machine.FloatMul, math.MaxFloat64, 2, math.Inf(1)}, {machine.FloatMul, 0x1p-1074, 0.5, 0}, {machine.FloatMul, 0x1.8p-1074, 0.5, 0x1p-1074},
	} {
		got := machine.Operation{Op: c.op, Type: float64Type}.Compute(ordinal64(c.x), ordinal64(c.y))
		require.Equal(t, math.Float64bits(c.want), math.Float64bits(double(got)), "%v %v %v", c.op, c.x, c.y)
	}
	for n := range 200 {
		x := 1 + float64(n)*0x1p-52
		require.Equal(t, math.Sqrt(x), double(machine.Operation{Op: machine.FloatSqrt, Type: float64Type}.Compute(ordinal64(x))))
	}
}
