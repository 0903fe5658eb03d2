package term

import "math/big"

// GCD returns the non-negative greatest common divisor of two integers; GCD(0, 0) is 0.
func GCD(a, b Num) Num {
	if a.isSmallInt() && b.isSmallInt() {
		return Num{n: gcd64(abs64(a.n), abs64(b.n))}
	}
	x, y := a.BigInt(), b.BigInt()
	return NumFromBig(x.GCD(nil, nil, x.Abs(x), y.Abs(y)))
}

// LCM returns the non-negative least common multiple of two integers; it is 0 when one of them is.
func LCM(a, b Num) Num {
	if a.IsZero() || b.IsZero() {
		return Num{}
	}
	q, _ := EuclidDiv(a, GCD(a, b))
	return q.Mul(b).Abs()
}

// EuclidDiv divides integers as SMT-LIB's div and mod do: a = b*q + r with 0 <= r < |b|. It panics when b is 0.
func EuclidDiv(a, b Num) (q, r Num) {
	if b.IsZero() {
		panic("term: integer division of a number by 0")
	}
	if a.isSmallInt() && b.isSmallInt() {
		x, y := a.n/b.n, a.n%b.n
		if y < 0 {
			if b.n > 0 {
				x, y = x-1, y+b.n
			} else {
				x, y = x+1, y-b.n
			}
		}
		return Num{n: x}, Num{n: y}
	}
	m := new(big.Int)
	d, _ := new(big.Int).DivMod(a.BigInt(), b.BigInt(), m)
	return NumFromBig(d), NumFromBig(m)
}
