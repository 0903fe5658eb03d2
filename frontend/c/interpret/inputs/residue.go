package inputs

import (
	"math"

	"hornbeam/frontend/c/tree"
)

// span is a range of integers in which a value is that is only known modulo a power of two. That of unsigned numbers of 64 bits, which it has
// no room for, is not used.
type span struct{ low, high int64 }

// span is that of all integers of a type.
func (t Type) span() span {
	least, last := t.Borders()
	return span{int64(least), int64(last)}
}

// holds reports whether all integers of a range are in the type.
func (t Type) holds(s span) bool {
	if !t.Signed && t.Bits == 64 {
		return s.low >= 0
	}
	all := t.span()
	return all.low <= s.low && s.high <= all.high
}

// span is the range that a value of a type is in; false if it is not known to be one of numbers of 63 bits and a sign.
func (x Operand) span(t Type) (span, bool) {
	if x.Sum.Partial() {
		return x.Sum.span, x.Sum.bits < 64 || t.Signed
	}
	up, down := x.Sum.far(1), x.Sum.far(-1)
	low, high := int64(x.Value-down), int64(x.Value+up)
	v := int64(x.Value)
	ok := (t.Signed || v >= 0) && up <= math.MaxInt64 && down <= math.MaxInt64 && low <= v && v <= high
	return span{low, high}, ok
}

// unique reports whether a value that is known modulo 2^width, and is in the range, is the only one of those.
func (s span) unique(value uint64, width uint) bool {
	above, below := uint64(s.high)-value, value-uint64(s.low)
	return width < 64 && above < 1<<width && below < 1<<width
}

// residue is a sum for a value that is known modulo 2^width and is in a range, with what is left of the terms. It reports false if that does not
// tell the value, though no terms are left.
func residue(s *Sum, width uint, in span, present uint64) (*Sum, bool) {
	var terms []term
	if s != nil {
		terms = s.terms
	}
	if s = sumOf(terms, width); s == nil {
		return nil, in.unique(present, width)
	}
	s.span = in
	return s, true
}

// residues is Operation where one of the operands is known modulo fewer integers than the type has, or modulo all of them though none of its
// operations wraps around.
func (t Type) residues(o tree.BinaryOp, x, y Operand, result uint64) *Sum {
	fix := func() *Sum {
		x.Sum.Fix()
		y.Sum.Fix()
		return nil
	}
	a, known := x.span(t)
	b, too := y.span(t)
	if !known || !too {
		return fix()
	}
	var sum *Sum
	var in span
	fits := true
	within := func(r int64, ok bool) int64 {
		fits = fits && ok
		return r
	}
	switch o {
	case tree.Add:
		sum, _ = x.Sum.plus(y.Sum)
		in = span{within(added(a.low, b.low)), within(added(a.high, b.high))}
	case tree.Sub:
		negative, _ := y.Sum.times(-1)
		sum, _ = x.Sum.plus(negative)
		fits = b.low != math.MinInt64
		in = span{within(added(a.low, -b.high)), within(added(a.high, -b.low))}
	case tree.Mul:
		n := int64(y.Value)
		fits = t.Signed || n >= 0
		sum, _ = x.Sum.times(n)
		in = span{within(multiplied(a.low, n)), within(multiplied(a.high, n))}
		in = span{min(in.low, in.high), max(in.low, in.high)}
	default:
		return fix()
	}
	if !fits || !t.holds(in) {
		return fix()
	}
	s, ok := residue(sum, width(x.Sum, y.Sum), in, result)
	if !ok {
		return fix()
	}
	return s
}

// width is modulo how many bits a value is known that two others are known for.
func width(x, y *Sum) uint {
	switch {
	case !x.Partial():
		if y == nil {
			return 0
		}
		return y.bits
	case !y.Partial():
		return x.bits
	}
	return min(x.bits, y.bits)
}

// compareResidues is Comparison where one of the operands is a residue.
func (t Type) compareResidues(o tree.BinaryOp, x, y Operand) {
	apart := x.Sum.minus(y.Sum)
	apart.Fix()
	w := width(x.Sum, y.Sum)
	differ := (x.Value-y.Value)<<(64-w) != 0
	equality := o == tree.Eq || o == tree.Ne
	if equality && differ || w == t.Bits && (equality || !differ) {
		return
	}
	a, known := x.span(t)
	b, too := y.span(t)
	if w < 63 && known && too {
		// The values are apart by less than 2^62 both ways, or it is not known how far.
		const far = 1 << 61
		if a.low > -far && a.high < far && b.low > -far && b.high < far && (span{a.low - b.high, a.high - b.low}).unique(x.Value-y.Value, w) {
			return
		}
	}
	x.Sum.Fix()
	y.Sum.Fix()
}
