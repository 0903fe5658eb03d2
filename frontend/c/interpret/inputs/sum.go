package inputs

import (
	"math"
	"math/bits"
	"slices"
)

// mostTerms is how many inputs a sum has at most. The inputs of larger ones are fixed.
const mostTerms = 32

// Sum is what a value is raised by where inputs are: the sum of multiples of what these are raised by. Nil is that of a value that stays
// as it is.
type Sum struct {
	// terms are those of inputs that may be raised, in the order of the inputs.
	terms []term
	// bits is not 0 if the value is only known modulo 2^bits, and to be in span.
	bits uint
	span span
}

// term is a multiple of what an input is raised by; times is not 0.
type term struct {
	input *Input
	times int64
}

// Sum is that of copies of an input.
func (in *Input) Sum() *Sum { return &in.sum }

// Open reports whether the run may have been given values for which the sum is another one.
func (s *Sum) Open() bool {
	if s != nil {
		for i := range s.terms {
			if s.terms[i].input.Open() {
				return true
			}
		}
	}
	return false
}

// Partial reports whether the value is known modulo a power of two only.
func (s *Sum) Partial() bool { return s != nil && s.bits != 0 }

// Terms calls f with each input that may be raised, and how often it is added modulo 2^64. It reports false if these do not tell the value, as
// it is known modulo a power of two only and is in a range that has more of those.
func (s *Sum) Terms(f func(in *Input, times uint64)) bool {
	if !s.Open() {
		return true
	}
	for _, t := range s.terms {
		if t.input.Open() {
			f(t.input, uint64(t.times))
		}
	}
	return s.bits == 0 || s.bits == 64 || uint64(s.span.high)-uint64(s.span.low) < 1<<s.bits
}

// Residue is modulo how many bits the value is known, 0 for all, and the range that it is in then.
func (s *Sum) Residue() (width uint, low, high int64) {
	if !s.Open() || s.bits == 0 {
		return 0, 0, 0
	}
	return s.bits, s.span.low, s.span.high
}

// Fix says that the run depends on the value itself.
func (s *Sum) Fix() {
	if s == nil {
		return
	}
	for _, t := range s.terms {
		t.input.Fix()
	}
}

// Rise says that the run would be another one if the value were raised by more than room.
func (s *Sum) Rise(room uint64) { s.bound(room, 1) }

// Fall says that the run would be another one if the value fell by more than room.
func (s *Sum) Fall(room uint64) { s.bound(room, -1) }

// bound bounds how far the value rises, or falls if direction is -1.
func (s *Sum) bound(room uint64, direction int64) {
	if s.Partial() {
		s.Fix()
		return
	}
	for s = s.open(); s.far(direction) > room; {
		switch t := s.terms; {
		case len(t) == 1:
			t[0].input.Limit(room / uint64(t[0].times*direction))
			return
		case len(t) == 2 && t[0].times == -t[1].times:
			x, y := t[0], t[1]
			if x.times*direction < 0 {
				x, y = y, x
			}
			x.input.LimitTo(y.input, room/uint64(x.times*direction))
			return
		default:
			// The inputs that were given last are those of which it is asked soonest whether other values make a difference.
			i := len(t) - 1
			for t[i].times*direction < 0 {
				i--
			}
			t[i].input.Fix()
			s = &Sum{terms: slices.Delete(slices.Clone(t), i, i+1)}
		}
	}
}

// open is the sum, which is known as it is, without the inputs that can't be raised if there are several.
func (s *Sum) open() *Sum {
	if s == nil || len(s.terms) == 1 || !slices.ContainsFunc(s.terms, func(t term) bool { return !t.input.Open() }) {
		return s
	}
	return sumOf(s.terms, 0)
}

// far is how far the value may rise, or fall if direction is -1; the greatest number if it is that or more.
func (s *Sum) far(direction int64) uint64 {
	far := uint64(0)
	if s == nil {
		return far
	}
	for _, t := range s.terms {
		if by := t.times * direction; by > 0 {
			high, low := bits.Mul64(t.input.room(), uint64(by))
			sum, carry := bits.Add64(far, low, 0)
			if high != 0 || carry != 0 {
				return math.MaxUint64
			}
			far = sum
		}
	}
	return far
}

// room is how much an input may be raised at most.
func (in *Input) room() uint64 {
	v := &in.tree.region.variables[in.index]
	return v.high - v.value
}

// sumOf is a sum with terms of which those that are zero, or whose inputs can't be raised, are left out.
func sumOf(terms []term, width uint) *Sum {
	s := &Sum{bits: width}
	for _, t := range terms {
		if width != 0 {
			t.times = t.times << (64 - width) >> (64 - width)
		}
		if t.times != 0 && t.input.Open() {
			s.terms = append(s.terms, t)
		}
	}
	switch {
	case len(s.terms) == 0:
		return nil
	case len(s.terms) > mostTerms:
		s.Fix()
		return nil
	}
	return s
}

// times is a multiple of a sum; false if a number of times is more than 64 bits have.
func (s *Sum) times(n int64) (*Sum, bool) {
	if s == nil {
		return nil, true
	}
	exact := true
	terms := slices.Clone(s.terms)
	for i := range terms {
		product, ok := multiplied(terms[i].times, n)
		// The least number has no opposite.
		exact = exact && ok && product != math.MinInt64
		terms[i].times = product
	}
	return sumOf(terms, s.bits), exact
}

// plus is the sum of two sums; false if a number of times is more than 64 bits have.
func (s *Sum) plus(o *Sum) (*Sum, bool) {
	if s == nil || o == nil {
		if s == nil {
			s = o
		}
		return s, true
	}
	exact := true
	var terms []term
	x, y := s.terms, o.terms
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].input.index < y[0].input.index:
			terms = append(terms, x[0])
			x = x[1:]
		case len(x) == 0 || y[0].input.index < x[0].input.index:
			terms = append(terms, y[0])
			y = y[1:]
		default:
			n, ok := added(x[0].times, y[0].times)
			exact = exact && ok && n != math.MinInt64
			terms = append(terms, term{x[0].input, n})
			x, y = x[1:], y[1:]
		}
	}
	return sumOf(terms, width(s, o)), exact
}

// added and multiplied are the 64 low bits of a result, and whether it has no more.
func added(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

func multiplied(a, b int64) (int64, bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	high -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	return int64(low), int64(high) == int64(low)>>63
}

// minus is what one value is raised by more than another one. Both are fixed, and it is nil, if that can't be told.
func (s *Sum) minus(o *Sum) *Sum {
	negative, ok := o.times(-1)
	sum, exact := s.plus(negative)
	if !ok || !exact && !sum.Partial() {
		s.Fix()
		o.Fix()
		return nil
	}
	return sum
}
