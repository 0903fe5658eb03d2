package itp

import (
	"math/big"
	"math/bits"

	"hornbeam/chc/term"
)

// Positions of a vector's two leading entries; the non-basic columns follow.
const (
	rhs   = 0
	denom = 1
	first = 2
)

// vector is one row of the tableau, with integer entries: denom*basic + sum_k entry_k*nonbasic_k = rhs, denom > 0. Its
// entries have no common divisor. They are machine words while they fit, and big integers otherwise.
type vector struct {
	small []int64
	// max bounds the absolute values in small.
	max uint64
	big []*big.Int
}

func abs(i int64) uint64 {
	if i < 0 {
		return uint64(-i)
	}
	return uint64(i)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// newVector takes over entries, divides them by their common divisor and chooses the representation.
func newVector(entries []*big.Int) vector {
	v := vector{big: entries}
	v.reduceBig()
	return v
}

// integerRow returns the least integer multiple of a row over n variables, its slack (or the cost) as the basic variable,
// with the opposite sign when negate is set.
func integerRow(entries []Entry, bound term.Num, n int, negate bool) vector {
	d := bound.Denom()
	for _, e := range entries {
		if !e.Coef.IsInt() {
			d = term.LCM(d, e.Coef.Denom())
		}
	}
	scale := d
	if negate {
		scale = d.Neg()
	}
	if v, ok := smallRow(entries, bound, n, d, scale); ok {
		return v
	}
	out := make([]*big.Int, n+first)
	out[rhs] = bound.Mul(scale).BigInt()
	out[denom] = d.BigInt()
	zero := new(big.Int)
	for k := first; k < len(out); k++ {
		out[k] = zero
	}
	for _, e := range entries {
		k := e.Variable + first
		out[k] = new(big.Int).Add(out[k], e.Coef.Mul(scale).BigInt())
	}
	return newVector(out)
}

// smallRow is integerRow in machine words; false when an entry is large.
func smallRow(entries []Entry, bound term.Num, n int, d, scale term.Num) (vector, bool) {
	const most = 1 << 60
	out := make([]int64, n+first)
	ok := true
	put := func(k int, x term.Num) {
		i, fits := x.Int64()
		out[k] += i
		ok = ok && fits && abs(i) < most && abs(out[k]) < most
	}
	put(rhs, bound.Mul(scale))
	put(denom, d)
	for _, e := range entries {
		put(e.Variable+first, e.Coef.Mul(scale))
		if !ok {
			return vector{}, false
		}
	}
	v := vector{small: out}
	for _, e := range out {
		v.max |= abs(e)
	}
	v.reduceSmall()
	return v, ok
}

func (v *vector) len() int {
	if v.big != nil {
		return len(v.big)
	}
	return len(v.small)
}

func (v *vector) sign(k int) int {
	if v.big != nil {
		return v.big[k].Sign()
	}
	switch i := v.small[k]; {
	case i > 0:
		return 1
	case i < 0:
		return -1
	}
	return 0
}

// isUnit reports whether entry k is 1 or -1.
func (v *vector) isUnit(k int) bool {
	if v.big != nil {
		return v.big[k].IsInt64() && abs(v.big[k].Int64()) == 1
	}
	return abs(v.small[k]) == 1
}

// at returns entry k; the caller must not modify it.
func (v *vector) at(k int) *big.Int {
	if v.big != nil {
		return v.big[k]
	}
	return big.NewInt(v.small[k])
}

// remove deletes column k by moving the last column into its place.
func (v *vector) remove(k int) {
	if v.big != nil {
		v.big[k] = v.big[len(v.big)-1]
		v.big = v.big[:len(v.big)-1]
		return
	}
	v.small[k] = v.small[len(v.small)-1]
	v.small = v.small[:len(v.small)-1]
}

func (v *vector) negate() {
	if v.big != nil {
		for k, e := range v.big {
			v.big[k] = new(big.Int).Neg(e)
		}
		return
	}
	for k := range v.small {
		v.small[k] = -v.small[k]
	}
}

// nonzeros counts the non-zero columns.
func (v *vector) nonzeros() int {
	n := 0
	for k := first; k < v.len(); k++ {
		if v.sign(k) != 0 {
			n++
		}
	}
	return n
}

// widened returns the entries as big integers that the caller may replace, but not modify.
func (v *vector) widened() []*big.Int {
	out := make([]*big.Int, v.len())
	for k := range out {
		out[k] = v.at(k)
	}
	return out
}

// eliminate removes the variable of column k from the row by subtracting a multiple of the pivot row, whose entry k is
// positive. Column k then stands for the pivot row's old basic variable, whose coefficient there is the pivot row's
// denom entry (of any sign). It returns the work that this was, in updates of a machine word.
func (v *vector) eliminate(pivot *vector, k int) int {
	if v.sign(k) == 0 {
		return 1
	}
	if v.big != nil || pivot.big != nil || !v.eliminateSmall(pivot, k) {
		v.eliminateBig(pivot, k)
		return bigWork * v.len()
	}
	return v.len()
}

// eliminateSmall does the work in machine words; it reports false, and changes nothing, when they might overflow.
func (v *vector) eliminateSmall(pivot *vector, k int) bool {
	a, p := v.small[k], pivot.small[k]
	g := int64(gcd(abs(a), uint64(p)))
	alpha, beta := p/g, a/g
	h1, l1 := bits.Mul64(uint64(alpha), v.max)
	h2, l2 := bits.Mul64(abs(beta), pivot.max)
	if h1 != 0 || h2 != 0 || l1 >= 1<<62 || l2 >= 1<<62 {
		return false
	}
	row, from := v.small, pivot.small[:len(v.small)]
	d, dp := row[denom], from[denom]
	var most uint64
	if alpha == 1 {
		for i, f := range from {
			if f != 0 {
				row[i] -= beta * f
			}
			most |= abs(row[i])
		}
	} else {
		for i, f := range from {
			row[i] = alpha*row[i] - beta*f
			most |= abs(row[i])
		}
	}
	row[denom] = alpha * d
	row[k] = -beta * dp
	v.max = most | abs(row[denom]) | abs(row[k])
	v.reduceSmall()
	return true
}

// reduceSmall divides a row of machine words by its common divisor.
func (v *vector) reduceSmall() {
	var g uint64
	for _, e := range v.small {
		if e == 0 {
			continue
		}
		if g = gcd(abs(e), g); g == 1 {
			return
		}
	}
	if g < 2 {
		return
	}
	for k := range v.small {
		v.small[k] /= int64(g)
	}
	v.max /= g
}

func (v *vector) eliminateBig(pivot *vector, k int) {
	row, from := v.widened(), pivot.widened()
	a, p := row[k], from[k]
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(a), p)
	alpha, beta := new(big.Int).Quo(p, g), new(big.Int).Quo(a, g)
	var t big.Int
	out := make([]*big.Int, len(row))
	for i := range row {
		e := new(big.Int).Mul(alpha, row[i])
		if i != denom && i != k && from[i].Sign() != 0 {
			e.Sub(e, t.Mul(beta, from[i]))
		}
		out[i] = e
	}
	out[k].Neg(out[k].Mul(beta, from[denom]))
	v.small, v.big = nil, out
	v.reduceBig()
}

// reduceBig divides by the common divisor and returns to machine words when the entries fit comfortably.
func (v *vector) reduceBig() {
	if g := content(v.big); g != nil {
		for k, e := range v.big {
			v.big[k] = new(big.Int).Quo(e, g)
		}
	}
	most := 0
	for _, e := range v.big {
		most = max(most, e.BitLen())
	}
	if most > 61 {
		return
	}
	v.small = make([]int64, len(v.big))
	v.max = 0
	for k, e := range v.big {
		v.small[k] = e.Int64()
		v.max |= abs(v.small[k])
	}
	v.big = nil
}

// content returns the entries' common divisor when it exceeds 1, else nil. A few entries usually decide; the others are
// only checked by division, which costs a fraction of a greatest common divisor.
func content(entries []*big.Int) *big.Int {
	g := new(big.Int)
	var q, r big.Int
	for _, e := range entries {
		if e.Sign() == 0 {
			continue
		}
		if g.Sign() == 0 {
			g.Abs(e)
		} else if q.QuoRem(e, g, &r); r.Sign() != 0 {
			g.GCD(nil, nil, g, r.Abs(&r))
		}
		if g.IsInt64() && g.Int64() == 1 {
			return nil
		}
	}
	if g.Sign() == 0 {
		return nil
	}
	return g
}

// compareFractions compares |a[i]| / |b[j]| with |c[k]| / |d[l]|; the divisors are not 0.
func compareFractions(a *vector, i int, b *vector, j int, c *vector, k int, d *vector, l int) int {
	if a.big == nil && b.big == nil && c.big == nil && d.big == nil {
		h1, l1 := bits.Mul64(abs(a.small[i]), abs(d.small[l]))
		h2, l2 := bits.Mul64(abs(c.small[k]), abs(b.small[j]))
		switch {
		case h1 != h2 && h1 < h2, h1 == h2 && l1 < l2:
			return -1
		case h1 == h2 && l1 == l2:
			return 0
		}
		return 1
	}
	x := new(big.Int).Mul(a.at(i), d.at(l))
	y := new(big.Int).Mul(c.at(k), b.at(j))
	return x.CmpAbs(y)
}
