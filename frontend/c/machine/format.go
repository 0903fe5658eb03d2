package machine

import (
	"math/big"
)

// Format is a binary format of IEEE 754. The dialect represents a floating-point number by its ordinal, the integer that is its position
// in the order of all numbers of the format: 0 is +0, 1 the least positive number, and so on to infinity; -1 is -0, -2 the greatest
// negative number, and so on to minus infinity. Words beyond the infinities are NaNs. So comparisons, signs and bounds are those of
// integers.
type Format struct {
	// Word is the type of ordinals.
	Word Type
	// Exponent and Fraction are how many bits the exponent and the fraction have.
	Exponent, Fraction int
}

// FormatOf returns the format whose ordinals are words of a type: that of float for i32, of double for i64, and of x86's long
// double for i128, whose integer bit is left out.
func FormatOf(t Type) (Format, bool) {
	switch {
	case !t.Signed:
	case t.Bits == 32:
		return Format{t, 8, 23}, true
	case t.Bits == 64:
		return Format{t, 11, 52}, true
	case t.Bits == 128:
		return Format{t, 15, 63}, true
	}
	return Format{}, false
}

// Bias returns the exponent of 1.
func (f Format) Bias() int { return 1<<(f.Exponent-1) - 1 }

// Binade returns the ordinal of two to the power of a number, which is the exponent of a normal number.
func (f Format) Binade(exponent int) *big.Int {
	return new(big.Int).Lsh(big.NewInt(int64(exponent+f.Bias())), uint(f.Fraction))
}

// Infinity returns the ordinal of infinity.
func (f Format) Infinity() *big.Int {
	return new(big.Int).Lsh(big.NewInt(1<<f.Exponent-1), uint(f.Fraction))
}

// Negate returns the ordinal of the number with the other sign.
func Negate(x *big.Int) *big.Int { return new(big.Int).Not(x) }

// Magnitude returns the ordinal of the number without its sign.
func Magnitude(x *big.Int) *big.Int {
	if x.Sign() < 0 {
		return Negate(x)
	}
	return x
}

// IsNaN reports whether an ordinal stands for no number.
func (f Format) IsNaN(x *big.Int) bool { return Magnitude(x).Cmp(f.Infinity()) > 0 }

// IsInfinite reports whether an ordinal is that of an infinity.
func (f Format) IsInfinite(x *big.Int) bool { return Magnitude(x).Cmp(f.Infinity()) == 0 }

// Value returns the number that has the ordinal of a finite one.
func (f Format) Value(x *big.Int) *big.Rat {
	m := Magnitude(x)
	exponent := int(new(big.Int).Rsh(m, uint(f.Fraction)).Int64())
	significand := new(big.Int).And(m, new(big.Int).Sub(Power(f.Fraction), big.NewInt(1)))
	if exponent == 0 {
		exponent = 1
	} else {
		significand.Add(significand, Power(f.Fraction))
	}
	r := scaled(significand, exponent-f.Bias()-f.Fraction)
	if x.Sign() < 0 {
		r.Neg(r)
	}
	return r
}

// scaled returns n times two to the power of a number.
func scaled(n *big.Int, exponent int) *big.Rat {
	if exponent >= 0 {
		return new(big.Rat).SetInt(new(big.Int).Lsh(n, uint(exponent)))
	}
	return new(big.Rat).SetFrac(n, Power(-exponent))
}

// Round returns the ordinal of the number of the format that is nearest to another one, with an even fraction if two are. Zero is +0.
func (f Format) Round(r *big.Rat) *big.Int {
	if r.Sign() == 0 {
		return new(big.Int)
	}
	n, d := new(big.Int).Abs(r.Num()), r.Denom()
	least := 1 - f.Bias()
	// The exponent e is the greatest with 2^e <= n/d, or the least there is.
	e := n.BitLen() - d.BitLen()
	if shifted(n, -e).Cmp(shifted(d, e)) < 0 {
		e--
	}
	e = max(e, least)
	quotient, rest := new(big.Int).QuoRem(shifted(n, f.Fraction-e), shifted(d, e-f.Fraction), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(shifted(d, e-f.Fraction)) {
	case 1:
		quotient.Add(quotient, big.NewInt(1))
	case 0:
		quotient.Add(quotient, new(big.Int).And(quotient, big.NewInt(1)))
	}
	// Of normal numbers the quotient has the integer bit, which counts one more exponent.
	m := quotient.Add(quotient, new(big.Int).Lsh(big.NewInt(int64(e-least)), uint(f.Fraction)))
	if infinity := f.Infinity(); m.Cmp(infinity) > 0 {
		m = infinity
	}
	if r.Sign() < 0 {
		return Negate(m)
	}
	return m
}

// shifted returns n shifted to the left where by is positive, and n where it is not.
func shifted(n *big.Int, by int) *big.Int {
	return new(big.Int).Lsh(n, uint(max(by, 0)))
}

// Bits returns the word that a float or a double is in memory, as a number that is not negative. It is its own inverse on the words
// of the type, up to their sign.
func (f Format) Bits(x *big.Int) *big.Int {
	if x.Sign() < 0 {
		return new(big.Int).Add(Negate(x), Power(f.Word.Bits-1))
	}
	return x
}

// Ordinal returns the ordinal of the number that memory has as a word, of a float or a double.
func (f Format) Ordinal(bits *big.Int) *big.Int {
	if m := new(big.Int).Sub(bits, Power(f.Word.Bits-1)); m.Sign() >= 0 {
		return Negate(m)
	}
	return bits
}
