package term

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Num is an exact rational number. It is a value; the zero value is 0. Numbers whose numerator and denominator fit a
// machine word are held unboxed, larger ones by math/big; every operation returns to the small form when it fits.
// Compare numbers with Equal or Cmp, never with ==.
type Num struct {
	n int64    // numerator, never math.MinInt64
	d int64    // denominator - 1, never negative
	b *big.Rat // non-nil exactly when numerator or denominator do not fit; never modified
}

// NewInt returns i.
func NewInt(i int64) Num {
	if i == math.MinInt64 {
		return Num{b: new(big.Rat).SetInt64(i)}
	}
	return Num{n: i}
}

// NewRat returns n/d in lowest terms. It panics when d is 0.
func NewRat(n, d int64) Num {
	if d == 0 {
		panic("term: rational with denominator 0")
	}
	if n == math.MinInt64 || d == math.MinInt64 {
		return NumFromRat(big.NewRat(n, d))
	}
	if d < 0 {
		n, d = -n, -d
	}
	if g := gcd64(abs64(n), d); g > 1 {
		n, d = n/g, d/g
	}
	return Num{n: n, d: d - 1}
}

// NumFromBig returns the integer b. b is not kept.
func NumFromBig(b *big.Int) Num {
	if b.IsInt64() {
		if i := b.Int64(); i != math.MinInt64 {
			return Num{n: i}
		}
	}
	return Num{b: new(big.Rat).SetInt(b)}
}

// NumFromRat returns the rational r. r is not kept.
func NumFromRat(r *big.Rat) Num {
	return fromRat(new(big.Rat).Set(r))
}

// fromRat takes over r.
func fromRat(r *big.Rat) Num {
	if r.Num().IsInt64() && r.Denom().IsInt64() {
		if n := r.Num().Int64(); n != math.MinInt64 {
			return Num{n: n, d: r.Denom().Int64() - 1}
		}
	}
	return Num{b: r}
}

// ParseNum reads an integer ("-12"), a decimal ("1.50") or a fraction ("3/4").
func ParseNum(s string) (Num, error) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || strings.Count(digits, ".")+strings.Count(digits, "/") > 1 || digits[0] == '.' || digits[0] == '/' ||
		digits[len(digits)-1] == '.' || digits[len(digits)-1] == '/' {
		return Num{}, fmt.Errorf("not a number: %q", s)
	}
	for i := range len(digits) {
		if c := digits[i]; (c < '0' || c > '9') && c != '.' && c != '/' {
			return Num{}, fmt.Errorf("not a number: %q", s)
		}
	}
	if len(s) <= 18 {
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return Num{n: i}, nil
		}
	}
	if _, den, ok := strings.Cut(digits, "/"); ok && strings.Trim(den, "0") == "" {
		return Num{}, fmt.Errorf("denominator 0 in %q", s)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return Num{}, fmt.Errorf("not a number: %q", s)
	}
	return fromRat(r), nil
}

func abs64(i int64) int64 {
	if i < 0 {
		return -i
	}
	return i
}

// gcd64 is the greatest common divisor of two non-negative numbers.
func gcd64(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func add64(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0) && c != math.MinInt64
}

func mul64(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	hi, lo := bits.Mul64(uint64(abs64(a)), uint64(abs64(b)))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func (a Num) isSmallInt() bool { return a.b == nil && a.d == 0 }

// rat returns a's value for reading only.
func (a Num) rat() *big.Rat {
	if a.b != nil {
		return a.b
	}
	return big.NewRat(a.n, a.d+1)
}

// Rat returns a as a fresh big.Rat.
func (a Num) Rat() *big.Rat {
	if a.b != nil {
		return new(big.Rat).Set(a.b)
	}
	return big.NewRat(a.n, a.d+1)
}

// BigInt returns the integer a as a fresh big.Int. It panics when a is not an integer.
func (a Num) BigInt() *big.Int {
	if !a.IsInt() {
		panic("term: BigInt of the fraction " + a.String())
	}
	if a.b != nil {
		return new(big.Int).Set(a.b.Num())
	}
	return big.NewInt(a.n)
}

// Int64 returns a as an int64 and whether it is an integer that fits.
func (a Num) Int64() (int64, bool) {
	if a.b != nil {
		if a.b.IsInt() && a.b.Num().IsInt64() {
			return a.b.Num().Int64(), true
		}
		return 0, false
	}
	return a.n, a.d == 0
}

// Add returns a+b.
func (a Num) Add(b Num) Num {
	if a.b == nil && b.b == nil {
		if a.d == 0 && b.d == 0 {
			if c, ok := add64(a.n, b.n); ok {
				return Num{n: c}
			}
		} else if x, ok := mul64(a.n, b.d+1); ok && b.d != math.MaxInt64 && a.d != math.MaxInt64 {
			if y, ok := mul64(b.n, a.d+1); ok {
				if n, ok := add64(x, y); ok {
					if d, ok := mul64(a.d+1, b.d+1); ok {
						return NewRat(n, d)
					}
				}
			}
		}
	}
	return fromRat(new(big.Rat).Add(a.rat(), b.rat()))
}

// Sub returns a-b.
func (a Num) Sub(b Num) Num { return a.Add(b.Neg()) }

// Mul returns a*b.
func (a Num) Mul(b Num) Num {
	if a.b == nil && b.b == nil {
		if n, ok := mul64(a.n, b.n); ok {
			if a.d == 0 && b.d == 0 {
				return Num{n: n}
			}
			if d, ok := mul64(a.d+1, b.d+1); ok {
				return NewRat(n, d)
			}
		}
	}
	return fromRat(new(big.Rat).Mul(a.rat(), b.rat()))
}

// Div returns a/b. It panics when b is 0.
func (a Num) Div(b Num) Num { return a.Mul(b.Inv()) }

// Inv returns 1/a. It panics when a is 0.
func (a Num) Inv() Num {
	if a.b != nil {
		return fromRat(new(big.Rat).Inv(a.b))
	}
	if a.n == 0 {
		panic("term: division of a number by 0")
	}
	if a.n < 0 {
		return Num{n: -(a.d + 1), d: -a.n - 1}
	}
	return Num{n: a.d + 1, d: a.n - 1}
}

// Neg returns -a.
func (a Num) Neg() Num {
	if a.b != nil {
		return fromRat(new(big.Rat).Neg(a.b))
	}
	return Num{n: -a.n, d: a.d}
}

// Abs returns the absolute value of a.
func (a Num) Abs() Num {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

// Sign returns -1, 0 or 1.
func (a Num) Sign() int {
	switch {
	case a.b != nil:
		return a.b.Sign()
	case a.n > 0:
		return 1
	case a.n < 0:
		return -1
	}
	return 0
}

// Cmp returns -1, 0 or 1 as a is less than, equal to or greater than b.
func (a Num) Cmp(b Num) int {
	if a.b == nil && b.b == nil {
		if a.d == b.d {
			switch {
			case a.n < b.n:
				return -1
			case a.n > b.n:
				return 1
			}
			return 0
		}
		if x, ok := mul64(a.n, b.d+1); ok {
			if y, ok := mul64(b.n, a.d+1); ok {
				switch {
				case x < y:
					return -1
				case x > y:
					return 1
				}
				return 0
			}
		}
	}
	return a.rat().Cmp(b.rat())
}

// Equal reports whether a and b are the same number.
func (a Num) Equal(b Num) bool {
	if a.b == nil || b.b == nil {
		return a.b == b.b && a.n == b.n && a.d == b.d
	}
	return a.b.Cmp(b.b) == 0
}

// IsZero reports whether a is 0.
func (a Num) IsZero() bool { return a.b == nil && a.n == 0 }

// IsOne reports whether a is 1.
func (a Num) IsOne() bool { return a.b == nil && a.n == 1 && a.d == 0 }

// IsInt reports whether a is an integer.
func (a Num) IsInt() bool {
	if a.b != nil {
		return a.b.IsInt()
	}
	return a.d == 0
}

// Floor returns the greatest integer not above a.
func (a Num) Floor() Num {
	if a.IsInt() {
		return a
	}
	if a.b != nil {
		// Denominators are positive, so Euclidean division is floor division.
		return NumFromBig(new(big.Int).Div(a.b.Num(), a.b.Denom()))
	}
	q := a.n / (a.d + 1)
	if a.n < 0 {
		q--
	}
	return Num{n: q}
}

// Ceil returns the least integer not below a.
func (a Num) Ceil() Num {
	if a.IsInt() {
		return a
	}
	return a.Floor().Add(NewInt(1))
}

// Num returns the numerator of a in lowest terms; it has a's sign.
func (a Num) Num() Num {
	if a.b != nil {
		return NumFromBig(a.b.Num())
	}
	return Num{n: a.n}
}

// Denom returns the positive denominator of a in lowest terms.
func (a Num) Denom() Num {
	if a.b != nil {
		return NumFromBig(a.b.Denom())
	}
	return Num{n: a.d + 1}
}

// Hash returns a hash of a's value.
func (a Num) Hash() uint64 {
	if a.b == nil {
		return mix(uint64(a.n)+0x9e3779b97f4a7c15, uint64(a.d))
	}
	h := uint64(a.b.Sign())
	for _, w := range a.b.Num().Bits() {
		h = mix(h, uint64(w))
	}
	for _, w := range a.b.Denom().Bits() {
		h = mix(h, uint64(w))
	}
	return h
}

// String returns a as "12", "-3" or "3/4".
func (a Num) String() string {
	switch {
	case a.b != nil:
		return a.b.RatString()
	case a.d == 0:
		return strconv.FormatInt(a.n, 10)
	}
	return strconv.FormatInt(a.n, 10) + "/" + strconv.FormatInt(a.d+1, 10)
}
