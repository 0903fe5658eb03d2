package tree

import (
	"cmp"
	"slices"
)

// Overlapping tells whether two scalars in an object of the type can share bits: the type is or has a union, a struct with
// anonymous unions among its members, or an array of length 0 with something behind it. The value of such an object is not
// the values of its fields: a store to one changes others.
func Overlapping(t Type) bool {
	switch t := t.(type) {
	case *Array:
		open := openArrays(t.Elem, 0)
		return Overlapping(t.Elem) || len(open) > 0 && t.Len > 1
	case *Struct:
		if known := t.overlap.Load(); known != nil {
			return *known
		}
		found := t.overlaps()
		if t.Complete {
			t.overlap.Store(&found)
		}
		return found
	}
	return false
}

// overlaps computes what Overlapping says of a struct.
func (t *Struct) overlaps() bool {
	if t.Union {
		return true
	}
	type bits struct{ low, high int64 }
	ranges := make([]bits, 0, len(t.Fields))
	for _, f := range t.Fields {
		if Overlapping(f.Type) {
			return true
		}
		low, size := f.Offset*8+int64(f.Shift), f.Type.Size()*8
		if f.Bits > 0 {
			size = int64(f.Bits)
		}
		if size > 0 {
			ranges = append(ranges, bits{low, low + size})
		}
	}
	slices.SortFunc(ranges, func(a, b bits) int { return cmp.Compare(a.low, b.low) })
	for i := 1; i < len(ranges); i++ {
		if ranges[i].low < ranges[i-1].high {
			return true
		}
	}
	return slices.ContainsFunc(openArrays(t, 0), func(offset int64) bool { return offset < t.Size() })
}

// openArrays are the offsets of the arrays without a length in a type that begins at the offset: an index leads to what is
// behind them.
func openArrays(t Type, offset int64) []int64 {
	var out []int64
	switch t := t.(type) {
	case *Array:
		if t.Len <= 0 && t.Count == nil {
			return []int64{offset}
		}
		return openArrays(t.Elem, offset)
	case *Struct:
		for _, f := range t.Fields {
			out = append(out, openArrays(f.Type, offset+f.Offset)...)
		}
	}
	return out
}

// Open tells whether an object of the type may have elements behind its end: it is an array without a length, or its last member is.
func Open(t Type) bool {
	return slices.ContainsFunc(openArrays(t, 0), func(offset int64) bool { return offset >= t.Size() || Overlapping(t) })
}

// Part is a member of a partition of an object: Count scalars of a type, one every Stride bytes, the first at Offset. Field is
// the bit-field that it is, else nil.
type Part struct {
	Type   Type
	Field  *Field
	Offset int64
	Count  int64
	Stride int64
}

func (p Part) end() int64 { return p.Offset + (p.Count-1)*p.Stride + p.Type.Size() }

// MaxParts is how many scalars of an array, and how many bytes in a row, are parts of their own: a part whose Count is not 1
// has more.
const MaxParts = 64

// byteType is the type of parts that are bytes.
var byteType = NewInteger("unsigned char", 8, false, 1)

// Partition takes an object of an Overlapping type apart: the parts are disjoint, in ascending order, and have all that its
// fields have. Where fields overlap the parts are bytes, unless all of them there have alike types.
func Partition(t Type) []Part {
	leaves := appendLeaves(nil, t, nil, 0)
	slices.SortStableFunc(leaves, func(a, b Part) int { return cmp.Compare(a.Offset, b.Offset) })
	var out []Part
	for i := 0; i < len(leaves); {
		end, k := leaves[i].end(), i+1
		for k < len(leaves) && leaves[k].Offset < end {
			end = max(end, leaves[k].end())
			k++
		}
		out = appendMerged(out, leaves[i:k], min(end, t.Size()))
		i = k
	}
	return out
}

// appendLeaves appends the scalars that a type has. An array with too many is one leaf, of bytes if its elements are no scalars.
func appendLeaves(out []Part, t Type, field *Field, offset int64) []Part {
	switch t := t.(type) {
	case *Array:
		switch {
		case t.Size() <= 0:
			return out
		case scalars(t) <= MaxParts:
			for k := range t.Len {
				out = appendLeaves(out, t.Elem, nil, offset+k*t.Elem.Size())
			}
			return out
		}
		inner := t.Elem
		for {
			a, ok := inner.(*Array)
			if !ok {
				break
			}
			inner = a.Elem
		}
		if !Scalar(inner) {
			inner = byteType
		}
		return append(out, Part{inner, nil, offset, t.Size() / inner.Size(), inner.Size()})
	case *Struct:
		for _, f := range t.Fields {
			if f.Straddles() {
				for _, p := range f.ByteFields() {
					out = appendLeaves(out, p.Type, p, offset+p.Offset)
				}
				continue
			}
			out = appendLeaves(out, f.Type, f, offset+f.Offset)
		}
		return out
	case *Void, *FunctionType:
		return out
	}
	if field != nil && field.Bits == 0 {
		field = nil
	}
	return append(out, Part{t, field, offset, 1, t.Size()})
}

// scalars is how many scalars an object of the type has, at most MaxParts+1.
func scalars(t Type) int64 {
	n := int64(1)
	switch t := t.(type) {
	case *Array:
		if t.Len > MaxParts {
			return MaxParts + 1
		}
		n = max(t.Len, 0) * scalars(t.Elem)
	case *Struct:
		n = 0
		for _, f := range t.Fields {
			n += scalars(f.Type)
		}
	}
	return min(n, MaxParts+1)
}

// appendMerged appends the parts for leaves that overlap and end where end says.
func appendMerged(out, leaves []Part, end int64) []Part {
	first := leaves[0]
	if len(leaves) == 1 {
		return append(out, first)
	}
	if whole, ok := merged(leaves); ok {
		return append(out, whole)
	}
	if n := end - first.Offset; n > MaxParts {
		return append(out, Part{byteType, nil, first.Offset, n, 1})
	}
	for k := first.Offset; k < end; k++ {
		out = append(out, Part{byteType, nil, k, 1, 1})
	}
	return out
}

// merged is one part that has the same bits as leaves that begin at one offset and have alike types.
func merged(leaves []Part) (Part, bool) {
	whole := leaves[0]
	bits := Field{}
	for _, p := range leaves {
		if p.Offset != whole.Offset || p.Count != whole.Count || p.Stride != whole.Stride || !Alike(p.Type, whole.Type) {
			return Part{}, false
		}
		switch {
		case p.Field == nil:
			whole.Field = nil
		case whole.Field != nil && bits.Bits == 0:
			bits = *p.Field
		case whole.Field != nil:
			low, high := min(bits.Shift, p.Field.Shift), max(bits.Shift+bits.Bits, p.Field.Shift+p.Field.Bits)
			bits.Shift, bits.Bits = low, high-low
		}
	}
	if i, ok := whole.Type.(*Integer); ok && whole.Field != nil {
		if i.Bool && bits.Bits > 1 {
			return Part{}, false
		}
		bits.Name, bits.Type = "", whole.Type
		whole.Field = &bits
		if bits.Bits == i.Bits {
			whole.Field = nil
		}
	}
	return whole, true
}

// Alike tells whether one variable can hold scalars of both types: pointers all are alike, and integers of one width are, up to
// a conversion.
func Alike(a, b Type) bool {
	switch a := a.(type) {
	case *Pointer:
		_, ok := b.(*Pointer)
		return ok
	case *Integer:
		b, ok := b.(*Integer)
		return ok && a.Bits == b.Bits && a.Bool == b.Bool
	}
	return Same(a, b)
}

// Aligned tells whether the field is where its type wants it in a struct that is where that wants to be: not so in packed ones.
func (f *Field) Aligned() bool {
	align := f.Type.Align()
	return f.Offset%align == 0 && (f.Parent == nil || f.Parent.Align()%align == 0)
}

// Straddles tells whether a bit-field reaches beyond the unit that begins at its Offset, as packed ones may.
func (f *Field) Straddles() bool { return f.Bits > 0 && int64(f.Shift+f.Bits) > 8*f.Type.Size() }

// ByteFields are bit-fields in one byte each that have the bits of a bit-field, those of the least significant ones first.
func (f *Field) ByteFields() []*Field {
	var out []*Field
	for bit, end := f.Shift, f.Shift+f.Bits; bit < end; {
		n := min(8-bit%8, end-bit)
		out = append(out, &Field{Type: byteType, Offset: f.Offset + int64(bit/8), Bits: n, Shift: bit % 8})
		bit += n
	}
	return out
}
