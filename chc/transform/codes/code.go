package codes

import (
	"math/bits"
	"slices"

	"hornbeam/chc/term"
)

// code numbers the parts into which constants divide the values of a sort: each constant is a part, and the others are one part, or
// one before, between and after the constants each if values are compared by order. No constant comparison tells the
// values of a part apart. The number is written in bits; numbers beyond the last part stand for the last part.
type code struct {
	sort *term.Sort
	// parts hold a value of each part, in order if ordered is set; else the last one stands for the values that are no
	// constants.
	parts   []part
	ordered bool
}

// part is a part of the values.
type part struct {
	value term.Num
	// single says that the part has this value only.
	single bool
}

// newCode returns the code for the values of a sort and constants, which it sorts. It returns nil when there are more than limit parts.
func newCode(s *term.Sort, constants []term.Num, ordered bool, limit int) *code {
	slices.SortFunc(constants, term.Num.Cmp)
	constants = slices.CompactFunc(constants, term.Num.Equal)
	if len(constants) == 0 || len(constants) > limit {
		return nil
	}
	c := &code{sort: s, ordered: ordered}
	one := term.NewInt(1)
	first, last := constants[0], constants[len(constants)-1]
	if ordered {
		c.parts = append(c.parts, part{value: first.Sub(one)})
	}
	for i, n := range constants {
		if ordered && i > 0 {
			before := constants[i-1]
			switch {
			case s != term.Int:
				c.parts = append(c.parts, part{value: before.Add(n).Div(term.NewInt(2))})
			case !before.Add(one).Equal(n):
				c.parts = append(c.parts, part{value: before.Add(one)})
			}
		}
		c.parts = append(c.parts, part{n, true})
	}
	switch {
	case !s.IsBitVec():
		c.parts = append(c.parts, part{value: last.Add(one)})
	case s.Width > 16 || len(constants) < 1<<s.Width:
		free := term.Num{}
		for slices.ContainsFunc(constants, free.Equal) {
			free = free.Add(one)
		}
		c.parts = append(c.parts, part{value: free})
	}
	if len(c.parts) > limit {
		return nil
	}
	return c
}

// width is the number of bits.
func (c *code) width() int { return bits.Len(uint(len(c.parts) - 1)) }

// of returns the number of the part that a constant is.
func (c *code) of(n term.Num) int {
	return slices.IndexFunc(c.parts, func(r part) bool { return r.single && r.value.Equal(n) })
}

// value returns a value of the part that the bits stand for.
func (c *code) value(bs []term.Value) term.Value {
	n := 0
	for i, b := range bs {
		if b.Bool() {
			n |= 1 << i
		}
	}
	return term.NumValue(c.parts[min(n, len(c.parts)-1)].value, c.sort)
}

// term returns the value of a part.
func (c *code) term(p *term.Pool, r part) *term.Term { return term.NumValue(r.value, c.sort).Term(p) }

// among says, of variables that are a code's bits, that they stand for one of the parts for which in is true.
func (c *code) among(p *term.Pool, bs []*term.Term, in func(part) bool) *term.Term {
	var from func(bit, first int) *term.Term
	from = func(bit, first int) *term.Term {
		if bit < 0 {
			return p.Bool(in(c.parts[min(first, len(c.parts)-1)]))
		}
		low, high := from(bit-1, first), from(bit-1, first|1<<bit)
		if low == high {
			return low
		}
		return p.Or(p.And(bs[bit], high), p.And(p.Not(bs[bit]), low))
	}
	return from(len(bs)-1, 0)
}

// bit says that a bit of the code of x is set.
func (c *code) bit(p *term.Pool, x *term.Term, bit int) *term.Term {
	set := func(i int) bool { return i>>bit&1 == 1 }
	last := len(c.parts) - 1
	if !c.ordered {
		rest := !c.parts[last].single && set(last)
		var of []*term.Term
		for i, r := range c.parts {
			if r.single && set(i) != rest {
				of = append(of, p.Eq(x, c.term(p, r)))
			}
		}
		if rest {
			return p.Not(p.Or(of...))
		}
		return p.Or(of...)
	}
	var runs []*term.Term
	for i := 0; i <= last; i++ {
		if !set(i) {
			continue
		}
		j := i
		for j < last && set(j+1) {
			j++
		}
		runs = append(runs, p.And(c.above(p, x, i), c.below(p, x, j)))
		i = j
	}
	return p.Or(runs...)
}

// above says that x is not before a part.
func (c *code) above(p *term.Pool, x *term.Term, i int) *term.Term {
	switch {
	case i == 0:
		return p.True()
	case c.parts[i].single:
		return p.Le(c.term(p, c.parts[i]), x)
	default:
		return p.Lt(c.term(p, c.parts[i-1]), x)
	}
}

// below says that x is not behind a part.
func (c *code) below(p *term.Pool, x *term.Term, i int) *term.Term {
	switch {
	case i == len(c.parts)-1:
		return p.True()
	case c.parts[i].single:
		return p.Le(x, c.term(p, c.parts[i]))
	default:
		return p.Lt(x, c.term(p, c.parts[i+1]))
	}
}
