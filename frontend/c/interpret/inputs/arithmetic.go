package inputs

import (
	"math/bits"

	"hornbeam/frontend/c/tree"
)

// Type is a type of integers, as registers have them: extended to 64 bits by their sign, if they have one.
type Type struct {
	Bits   uint
	Signed bool
	// Wraps says that results of operations that the type lacks are wrapped around, which is all that happens.
	Wraps bool
}

// Borders are the least and the greatest integer of a type.
func (t Type) Borders() (least, last uint64) {
	if t.Signed {
		least = -(uint64(1) << (t.Bits - 1))
		return least, ^least
	}
	return 0, ^uint64(0) >> (64 - t.Bits)
}

// negative reports whether an integer is less than zero.
func (t Type) negative(x uint64) bool { return t.Signed && int64(x) < 0 }

// Operand is a value, and what it is raised by.
type Operand struct {
	Value uint64
	Sum   *Sum
}

// Operation is what the result of an operation on integers of a type is raised by, or its only operand in x for - and ~, as which 0 - x and
// -1 - x are given. The result is the present one.
func (t Type) Operation(o tree.BinaryOp, x, y Operand, result uint64) *Sum {
	if x.Sum == nil && y.Sum == nil {
		return nil
	}
	if x.Sum == nil && (o == tree.Mul || o == tree.And) {
		x, y = y, x
	}
	switch o {
	case tree.Div, tree.Rem, tree.Shr, tree.And:
		return t.divided(o, x, y)
	case tree.Shl:
		o, y.Value = tree.Mul, 1<<y.Value
	}
	if o == tree.Mul {
		y.Sum.Fix()
		y.Sum = nil
	}
	if w := width(x.Sum, y.Sum); w != 0 && (w < t.Bits || !t.Wraps) {
		return t.residues(o, x, y, result)
	}
	var sum *Sum
	exact := true
	switch o {
	case tree.Add:
		sum, exact = x.Sum.plus(y.Sum)
	case tree.Sub:
		negative, ok := y.Sum.times(-1)
		sum, exact = x.Sum.plus(negative)
		exact = exact && ok
	case tree.Mul:
		sum, exact = t.multiple(x.Sum, y.Value)
	default:
		exact = false
	}
	if !exact && (!t.Wraps || sum == nil) {
		x.Sum.Fix()
		y.Sum.Fix()
		return nil
	}
	return t.fit(sum, result, !exact)
}

// multiple is a sum for as many times the value as an integer of the type is.
func (t Type) multiple(s *Sum, n uint64) (*Sum, bool) {
	if !t.Signed && n>>63 != 0 {
		sum, _ := s.times(int64(n))
		return sum, false
	}
	return s.times(int64(n))
}

// fit is a sum for a value of the type, which is present now: it neither rises nor falls further than the integers of the type go, or is
// known modulo as many as there are. partial says that it is not known any better.
func (t Type) fit(s *Sum, present uint64, partial bool) *Sum {
	if s == nil {
		return nil
	}
	least, last := t.Borders()
	single := len(s.terms) == 1 && (s.terms[0].times == 1 || s.terms[0].times == -1)
	switch {
	case s.bits != 0 && s.bits < t.Bits && t.holds(s.span):
		return s
	case s.bits == 0 && !partial && (!t.Wraps || single || s.far(1) <= last-present && s.far(-1) <= present-least):
		s.Rise(last - present)
		s.Fall(present - least)
		return s
	}
	w := t.Bits
	if s.bits != 0 {
		w = min(w, s.bits)
	}
	// The terms of a residue do not vanish in the bits that it is known for, and where they do in less, which are those of the type, the value is
	// what it is.
	r, _ := residue(s, w, t.span(), present)
	return r
}

// Converted is what a value is raised by that was converted to the type, and is present then.
func (t Type) Converted(s *Sum, present uint64) *Sum {
	t.Wraps = true
	return t.fit(s, present, false)
}

// Read is what a value is raised by that is read in the type, which has as many bits as that in which it was written. Here nothing wraps around.
func (t Type) Read(s *Sum, present uint64) *Sum {
	t.Wraps = false
	return t.fit(s, present, false)
}

// divided is what a quotient or a remainder is raised by, those of shifts and masks among them.
func (t Type) divided(o tree.BinaryOp, x, y Operand) *Sum {
	if y.Sum.Open() {
		x.Sum.Fix()
		y.Sum.Fix()
		return nil
	}
	by, mask := y.Value, y.Value
	switch {
	case o == tree.And && !t.negative(by):
		by = 1 << bits.Len64(by) // 0 for what has all bits
	case o == tree.Shr && by < uint64(t.Bits):
		by = 1 << by
	case o == tree.Rem && t.negative(by):
		by = -by
	case o != tree.Div && o != tree.Rem || t.negative(by):
		by = 0
	}
	s := x.Sum
	if by == 0 || by>>63 != 0 {
		s.Fix()
		return nil
	}
	parity := by&(by-1) == 0 && (o == tree.And || o == tree.Rem && (!t.Signed || s.span.low >= 0))
	if s.bits != 0 && !parity {
		s.Fix()
		return nil
	}
	if t.negative(x.Value) {
		if s.single() && (o == tree.And || o == tree.Rem && s.bits == 0) {
			// The remainder of what is negative is another one.
			s.terms[0].input.Modulo(by)
			if o == tree.Rem {
				s.Rise(-x.Value - 1)
			}
		} else {
			s.Fix()
		}
		return nil
	}
	if s.bits == 0 && t.Signed {
		s.Fall(x.Value)
	}
	// What divides out does so for all values.
	rest := &Sum{bits: s.bits}
	quotient := &Sum{}
	for _, m := range s.terms {
		if m.times%int64(by) == 0 {
			quotient.terms = append(quotient.terms, term{m.input, m.times / int64(by)})
		} else {
			rest.terms = append(rest.terms, m)
		}
	}
	left := x.Value % by
	if o == tree.Div || o == tree.Shr {
		rest.Rise(by - 1 - left)
		rest.Fall(left)
		return sumOf(quotient.terms, 0)
	}
	if rest = sumOf(rest.terms, rest.bits); rest == nil {
		return nil
	}
	if rest.bits == 0 && rest.far(1) <= by-1-left && rest.far(-1) <= left && (o == tree.Rem || mask == by-1) {
		return rest
	}
	if rest.single() {
		rest.terms[0].input.Modulo(by)
		return nil
	}
	rest.Fix()
	return nil
}

// Comparison says that the comparison of two values of the type had its result.
func (t Type) Comparison(o tree.BinaryOp, x, y Operand) {
	if x.Sum.Partial() || y.Sum.Partial() {
		t.compareResidues(o, x, y)
		return
	}
	apart := x.Sum.minus(y.Sum)
	up, down := y.Value-x.Value, x.Value-y.Value
	switch {
	case x.Value == y.Value:
		if o != tree.Lt && o != tree.Ge {
			apart.Rise(0)
		}
		if o != tree.Le && o != tree.Gt {
			apart.Fall(0)
		}
	case t.Less(x.Value, y.Value):
		if o != tree.Le && o != tree.Gt {
			up--
		}
		apart.Rise(up)
	default:
		if o != tree.Lt && o != tree.Ge {
			down--
		}
		apart.Fall(down)
	}
}

// Less reports whether one integer of the type is less than another one.
func (t Type) Less(a, b uint64) bool {
	if t.Signed {
		return int64(a) < int64(b)
	}
	return a < b
}

// single reports whether a sum is that of copies of an input.
func (s *Sum) single() bool { return len(s.terms) == 1 && s.terms[0].times == 1 }
