package machine

import "math/big"

// Compute returns the result of an operation on floating-point numbers, rounded to the nearest number: its ordinal, or the integer of
// FloatTo. It is nil if the result is NaN or undefined in C.
func (o Operation) Compute(args ...*big.Int) *big.Int {
	if o.Op == FloatFrom {
		to, _ := FormatOf(o.To)
		return to.Round(new(big.Rat).SetInt(args[0]))
	}
	f, ok := FormatOf(o.Type)
	if !ok {
		return nil
	}
	for _, a := range args {
		if f.IsNaN(a) {
			return nil
		}
	}
	x := args[0]
	switch o.Op {
	case FloatAdd:
		return f.sum(x, args[1])
	case FloatSub:
		return f.sum(x, Negate(args[1]))
	case FloatMul:
		return f.product(x, args[1])
	case FloatDiv:
		return f.quotient(x, args[1])
	case FloatMod, FloatRemainder:
		return f.remainder(x, args[1], o.Op == FloatRemainder)
	case FloatSqrt:
		return f.root(x)
	case FloatConvert:
		to, _ := FormatOf(o.To)
		if f.IsInfinite(x) {
			return signed(x, to.Infinity())
		}
		return signed(x, Magnitude(to.Round(f.Value(x))))
	case FloatTo:
		if f.IsInfinite(x) {
			return nil
		}
		n := roundInteger(f.Value(x), FloatTruncate)
		if !o.To.Has(n) {
			return nil
		}
		return n
	case FloatTruncate, FloatFloor, FloatCeiling, FloatRound, FloatNearest:
		if f.IsInfinite(x) {
			return x
		}
		return signed(x, Magnitude(f.Round(new(big.Rat).SetInt(roundInteger(f.Value(x), o.Op)))))
	}
	return nil
}

// signed returns a magnitude with the sign of x.
func signed(x, magnitude *big.Int) *big.Int {
	if x.Sign() < 0 {
		return Negate(magnitude)
	}
	return magnitude
}

// sum returns x + y. Zero is -0 only if both are.
func (f Format) sum(x, y *big.Int) *big.Int {
	switch {
	case f.IsInfinite(x) && f.IsInfinite(y) && x.Cmp(y) != 0:
		return nil
	case f.IsInfinite(x):
		return x
	case f.IsInfinite(y):
		return y
	case x.Cmp(y) == 0 && x.Cmp(big.NewInt(-1)) == 0:
		return x
	}
	return f.Round(new(big.Rat).Add(f.Value(x), f.Value(y)))
}

func isZero(x *big.Int) bool { return Magnitude(x).Sign() == 0 }

// opposite returns a number with a negative sign if exactly one of x and y has one, and else 0.
func opposite(x, y *big.Int) *big.Int {
	if (x.Sign() < 0) != (y.Sign() < 0) {
		return big.NewInt(-1)
	}
	return new(big.Int)
}

func (f Format) product(x, y *big.Int) *big.Int {
	sign := opposite(x, y)
	switch {
	case f.IsInfinite(x) || f.IsInfinite(y):
		if isZero(x) || isZero(y) {
			return nil
		}
		return signed(sign, f.Infinity())
	}
	return signed(sign, Magnitude(f.Round(new(big.Rat).Mul(f.Value(x), f.Value(y)))))
}

func (f Format) quotient(x, y *big.Int) *big.Int {
	sign := opposite(x, y)
	switch {
	case f.IsInfinite(x) && f.IsInfinite(y), isZero(x) && isZero(y):
		return nil
	case f.IsInfinite(x) || isZero(y):
		return signed(sign, f.Infinity())
	case f.IsInfinite(y):
		return signed(sign, new(big.Int))
	}
	return signed(sign, Magnitude(f.Round(new(big.Rat).Quo(f.Value(x), f.Value(y)))))
}

// remainder returns x - n*y, where n is the quotient, truncated or the nearest integer. It is exact. Zero has the sign of x.
func (f Format) remainder(x, y *big.Int, nearest bool) *big.Int {
	switch {
	case f.IsInfinite(x) || isZero(y):
		return nil
	case f.IsInfinite(y):
		return x
	}
	how := FloatTruncate
	if nearest {
		how = FloatNearest
	}
	a, b := f.Value(x), f.Value(y)
	n := new(big.Rat).SetInt(roundInteger(new(big.Rat).Quo(a, b), how))
	r := n.Sub(a, n.Mul(n, b))
	if r.Sign() == 0 {
		return signed(x, new(big.Int))
	}
	return f.Round(r)
}

// root returns the square root.
func (f Format) root(x *big.Int) *big.Int {
	switch {
	case isZero(x):
		return x
	case x.Sign() < 0:
		return nil
	case f.IsInfinite(x):
		return x
	}
	v := f.Value(x)
	// x is n / 4^k; the root of n * 4^m has more bits than the format, and what is cut off says only that there is more.
	k := (v.Denom().BitLen() + 1) / 2
	n := new(big.Int).Mul(v.Num(), new(big.Int).Div(Power(2*k), v.Denom()))
	m := f.Fraction + 4
	n.Lsh(n, uint(2*m))
	s := new(big.Int).Sqrt(n)
	exact := new(big.Int).Mul(s, s).Cmp(n) == 0
	s.Lsh(s, 1)
	if !exact {
		s.Add(s, big.NewInt(1))
	}
	return f.Round(scaled(s, -k-m-1))
}

// roundInteger returns an integer next to a number: the one that the operation says.
func roundInteger(r *big.Rat, how Op) *big.Int {
	// floor is the greatest integer that is not above, and up says to take the next one.
	floor, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() == 0 {
		return floor
	}
	half := new(big.Int).Lsh(rest, 1).Cmp(r.Denom())
	up := false
	switch how {
	case FloatTruncate:
		up = r.Sign() < 0
	case FloatCeiling:
		up = true
	case FloatRound:
		up = half > 0 || half == 0 && r.Sign() > 0
	case FloatNearest:
		up = half > 0 || half == 0 && floor.Bit(0) == 1
	}
	if up {
		floor.Add(floor, big.NewInt(1))
	}
	return floor
}
