package interpret

import (
	"math"
	"math/big"
	"strings"

	"hornbeam/frontend/c/lib"
)

// math is what <math.h> and <fenv.h> have. Functions whose value is exact, or the nearest one by definition, are computed;
// of the others, such as sin, libraries differ in the last digit.
func (m *machine) math(v *invocation) uint64 {
	name := v.fn.special.Name
	if x, ok := m.environment(v); ok {
		return x
	}
	base, class := mathBase(name, v)
	arg := func(i int) float64 {
		if i >= len(v.args) {
			m.undefined(v.call, "%s is called with %d arguments", name, len(v.args))
		}
		s := shapeOf(v.types[i])
		switch {
		case s.floating():
			return math.Float64frombits(v.args[i])
		case s.signed:
			return float64(int64(v.args[i]))
		}
		return float64(v.args[i])
	}
	if truth, ok := m.classify(base, class, v, arg); ok {
		return truth
	}
	if m.rounding != 0 {
		switch base {
		case "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "lround", "llround", "lrint", "llrint", "copysign", "fmin", "fmax":
		default:
			m.undetermined(v.call, "%s in another rounding mode", name)
		}
	}
	if r, ok := m.rounded(base, v, arg); ok {
		return r
	}
	if base == "rint" || base == "nearbyint" {
		return math.Float64bits(m.roundInMode(arg(0)))
	}
	if base == "copysign" {
		m.sign(v, arg(1))
	}
	r, ok := exactMath(base, arg)
	if !ok {
		r = m.otherMath(base, class, v, arg)
	}
	if result := shapeOf(v.call.T); !result.floating() {
		m.undefined(v.call, "%s is called as if it returned a %s", name, v.call.T)
	} else if result.class == float32Class {
		r = float64(float32(r))
	}
	return math.Float64bits(r)
}

// mathBase is a function's name without the letter for float or long double, and the class that it works on.
func mathBase(name string, v *invocation) (string, class) {
	s := none
	if len(v.types) > 0 {
		s = shapeOf(v.types[0]).class
	}
	name = strings.TrimPrefix(name, "__")
	switch name {
	case "modf", "inf", "isinf", "ceil", "signbit", "isnormal", "issubnormal", "huge_val":
		return name, s
	}
	for _, base := range []string{
		"fabs", "sqrt", "floor", "ceil", "trunc", "round", "lround", "llround", "rint", "nearbyint", "lrint", "llrint", "fmod", "remainder",
		"copysign", "fmin", "fmax", "fdim", "modf", "fma", "frexp", "ldexp", "scalbn", "ilogb", "logb", "nan", "inf", "huge_val", "isnan",
		"isinf", "finite", "signbit", "isnormal", "iszero", "issubnormal", "fpclassify",
	} {
		switch name {
		case base + "f":
			return base, float32Class
		case base + "l":
			return base, extended
		}
	}
	return name, s
}

// environment is what <fenv.h> has.
func (m *machine) environment(v *invocation) (uint64, bool) {
	switch v.fn.special.Name {
	case "fesetround":
		switch mode := m.argumentOf(v, 0); mode {
		case 0, 0x400, 0x800, 0xc00:
			m.rounding = mode
			return 0, true
		}
		return 1, true
	case "fegetround":
		return m.rounding, true
	case "difftime":
		x, y := big.NewInt(int64(m.argumentOf(v, 0))), big.NewInt(int64(m.argumentOf(v, 1)))
		r, _ := new(big.Float).SetInt(x.Sub(x, y)).Float64()
		return math.Float64bits(r), true
	}
	for _, prefix := range []string{"fe", "sincos", "remquo", "lgamma_r", "lgammaf_r", "lgammal_r"} {
		if strings.HasPrefix(v.fn.special.Name, prefix) {
			m.undetermined(v.call, "%s is not supported", v.fn.decl.Name)
		}
	}
	return 0, false
}

// classify is isnan and its likes.
func (m *machine) classify(base string, c class, v *invocation, arg func(int) float64) (uint64, bool) {
	yes := func(b bool) (uint64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	subnormal := func(x float64) bool {
		least := 0x1p-1022
		if c == float32Class {
			least = 0x1p-126
		}
		return x != 0 && math.Abs(x) < least && c != extended
	}
	switch base {
	case "isnan":
		return yes(math.IsNaN(arg(0)))
	case "isinf":
		return yes(math.IsInf(arg(0), 0))
	case "isinf_sign":
		if math.IsInf(arg(0), -1) {
			return math.MaxUint64, true
		}
		return yes(math.IsInf(arg(0), 1))
	case "finite", "isfinite":
		return yes(!math.IsInf(arg(0), 0) && !math.IsNaN(arg(0)))
	case "signbit":
		return yes(m.sign(v, arg(0)))
	case "iszero":
		return yes(arg(0) == 0)
	case "issubnormal":
		return yes(subnormal(arg(0)))
	case "isnormal":
		x := arg(0)
		return yes(x != 0 && !math.IsInf(x, 0) && !math.IsNaN(x) && !subnormal(x))
	case "fpclassify":
		switch x := arg(0); {
		case math.IsNaN(x):
			return 0, true
		case math.IsInf(x, 0):
			return 1, true
		case x == 0:
			return 2, true
		case subnormal(x):
			return 3, true
		}
		return 4, true
	case "isgreater":
		return yes(arg(0) > arg(1))
	case "isgreaterequal":
		return yes(arg(0) >= arg(1))
	case "isless":
		return yes(arg(0) < arg(1))
	case "islessequal":
		return yes(arg(0) <= arg(1))
	case "islessgreater":
		return yes(arg(0) < arg(1) || arg(0) > arg(1))
	case "isunordered":
		return yes(math.IsNaN(arg(0)) || math.IsNaN(arg(1)))
	}
	return 0, false
}

// sign tells whether a number has a negative sign. Which one it is that a NaN has is not defined.
func (m *machine) sign(v *invocation, x float64) bool {
	if math.IsNaN(x) {
		m.undetermined(v.call, "the sign of what is not a number")
	}
	return math.Signbit(x)
}

// rounded is lround, lrint, ilogb and their likes, which return integers.
func (m *machine) rounded(base string, v *invocation, arg func(int) float64) (uint64, bool) {
	var r float64
	switch base {
	case "lround", "llround":
		r = math.Round(arg(0))
	case "lrint", "llrint":
		r = m.roundInMode(arg(0))
	case "ilogb":
		x := arg(0)
		if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
			m.undetermined(v.call, "ilogb of %v", x)
		}
		return uint64(int64(math.Ilogb(x))), true
	default:
		return 0, false
	}
	s := shapeOf(v.call.T)
	if border := math.Ldexp(1, int(s.bits)-1); s.class != integer || !(r >= -border && r < border) {
		m.undefined(v.call, "%s of %v", base, arg(0))
	}
	return uint64(int64(r)), true
}

// roundInMode is an integer beside the number, as the rounding mode says.
func (m *machine) roundInMode(x float64) float64 {
	switch m.rounding {
	case 0x400:
		return math.Floor(x)
	case 0x800:
		return math.Ceil(x)
	case 0xc00:
		return math.Trunc(x)
	}
	return math.RoundToEven(x)
}

// exactMath is what no rounding is needed for.
func exactMath(base string, arg func(int) float64) (float64, bool) {
	switch base {
	case "fabs":
		return math.Abs(arg(0)), true
	case "floor":
		return math.Floor(arg(0)), true
	case "ceil":
		return math.Ceil(arg(0)), true
	case "trunc":
		return math.Trunc(arg(0)), true
	case "round":
		return math.Round(arg(0)), true
	case "fmod":
		return math.Mod(arg(0), arg(1)), true
	case "remainder", "drem":
		return math.Remainder(arg(0), arg(1)), true
	case "copysign":
		return math.Copysign(arg(0), arg(1)), true
	case "fmin", "fmax":
		x, y := arg(0), arg(1)
		switch {
		case math.IsNaN(x):
			return y, true
		case math.IsNaN(y):
			return x, true
		case base == "fmin":
			return math.Min(x, y), true
		}
		return math.Max(x, y), true
	case "logb":
		return math.Logb(arg(0)), true
	case "nan":
		return math.NaN(), true
	case "inf", "huge_val":
		return math.Inf(1), true
	}
	return 0, false
}

// otherMath is what has to be rounded, or stores something.
func (m *machine) otherMath(base string, c class, v *invocation, arg func(int) float64) float64 {
	result := shapeOf(v.call.T).class
	exact := func(ok bool) {
		if result == extended && !ok {
			m.undetermined(v.call, "a long double that no double is equal to")
		}
	}
	switch base {
	case "sqrt":
		x := arg(0)
		r := math.Sqrt(x)
		if !math.IsNaN(r) && !math.IsInf(r, 0) {
			square := new(big.Float).SetPrec(200).SetFloat64(r)
			exact(square.Mul(square, square).Cmp(big.NewFloat(x)) == 0)
		}
		return r
	case "fdim":
		x, y := arg(0), arg(1)
		if x <= y {
			return 0
		}
		r := x - y
		if !math.IsInf(x, 0) && !math.IsInf(y, 0) && !math.IsNaN(r) {
			difference := new(big.Float).SetPrec(2200).Sub(new(big.Float).SetPrec(2200).SetFloat64(x), new(big.Float).SetPrec(2200).SetFloat64(y))
			d, accuracy := difference.Float64()
			exact(accuracy == big.Exact && d == r)
		}
		return r
	case "fma":
		if result == float64Class {
			return math.FMA(arg(0), arg(1), arg(2))
		}
	case "modf":
		whole, fraction := math.Modf(arg(0))
		if math.IsInf(arg(0), 0) {
			fraction = math.Copysign(0, arg(0))
		}
		m.storeReal(v, 1, whole)
		return math.Copysign(fraction, arg(0))
	case "frexp":
		fraction, exponent := math.Frexp(arg(0))
		s := shapeOf(m.p.source.Int)
		o, off := m.region(m.argumentOf(v, 1), uint64(s.size), v.call)
		m.write(o, off, &s, uint64(int64(exponent)), v.call)
		return fraction
	case "ldexp", "scalbn":
		x, by := arg(0), int64(int32(m.argumentOf(v, 1)))
		r := math.Ldexp(x, int(by))
		if result != extended && (r == 0 || math.Abs(r) >= 0x1p-100 && math.Abs(r) < 0x1p100 || result == float64Class) {
			return r
		}
	}
	m.undetermined(v.call, "%s is not supported", v.fn.decl.Name)
	return 0
}

// storeReal stores a floating value where an argument points.
func (m *machine) storeReal(v *invocation, i int, x float64) {
	address := m.argumentOf(v, i)
	s := shape{class: float64Class, size: 8}
	if r := shapeOf(v.call.T); r.floating() {
		s = r
	}
	o, off := m.region(address, uint64(s.size), v.call)
	m.write(o, off, &s, math.Float64bits(x), v.call)
}

// compute is __builtin_popcount and its likes.
func (m *machine) compute(v *invocation) uint64 {
	name := v.fn.special.Name
	if name == "__builtin_constant_p" {
		return 0
	}
	long := 64
	if m.p.layout.narrow {
		long = 32
	}
	base, width := lib.BitFunction(name, long)
	if width == 0 {
		m.undetermined(v.call, "%s is not supported", v.fn.decl.Name)
	}
	r, ok := lib.Bits(base, width, m.argumentOf(v, 0))
	if !ok {
		m.undefined(v.call, "%s of 0", name)
	}
	return r
}
