package interpret

import (
	"math"
	"math/big"
	"strconv"

	"hornbeam/frontend/c/tree"
)

// Value is a value of a scalar type: what a question is answered with, and what an event tells.
//
// An integer or an address is its 64 low bits in two's complement; an answer is wrapped to the type that is asked for. A
// floating value is a float64, which a float is rounded from.
type Value struct {
	// Type is the value's type; it is nil in answers.
	Type tree.Type
	// Fresh stands, in an answer, for the address of an object that nobody has seen before; its contents are asked for
	// when they are read.
	Fresh bool
	// Text is what an address points to, in an event.
	Text string

	bits     uint64
	floating bool
}

// Int is an integer, or an address, as an answer.
func Int(x int64) Value { return Value{bits: uint64(x)} }

// Unsigned is an integer, or an address, as an answer.
func Unsigned(x uint64) Value { return Value{bits: x} }

// BigInt is an integer as an answer: its 64 low bits.
func BigInt(x *big.Int) Value {
	return Value{bits: new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()}
}

// Real is a floating value as an answer.
func Real(x float64) Value { return Value{bits: math.Float64bits(x), floating: true} }

// Fresh is the address of a new object as an answer.
func Fresh() Value { return Value{Fresh: true} }

// IsFloat tells whether the value is a floating one.
func (v Value) IsFloat() bool { return v.floating }

// Float is the value as a float64.
func (v Value) Float() float64 {
	if v.floating {
		return math.Float64frombits(v.bits)
	}
	return float64(int64(v.bits))
}

// Bits are the 64 low bits of an integer or an address, sign-extended if the type is signed.
func (v Value) Bits() uint64 { return v.bits }

// Big is the value of an integer or an address.
func (v Value) Big() *big.Int {
	if t, ok := v.Type.(*tree.Integer); v.Type == nil || ok && t.Signed {
		return big.NewInt(int64(v.bits))
	}
	return new(big.Int).SetUint64(v.bits)
}

// String is the value in C's notation, or what an address points to.
func (v Value) String() string {
	switch {
	case v.Fresh:
		return "fresh"
	case v.Text != "":
		return v.Text
	case v.floating:
		x := v.Float()
		if t, ok := v.Type.(*tree.Float); ok && t.Bytes == 4 {
			return strconv.FormatFloat(x, 'g', -1, 32)
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if _, ok := v.Type.(*tree.Pointer); ok && v.bits != 0 {
		return "0x" + strconv.FormatUint(v.bits, 16)
	}
	return v.Big().String()
}

// class tells how a scalar is computed with and represented in memory.
type class uint8

const (
	none class = iota
	integer
	boolean
	pointer
	float32Class
	float64Class
	// extended is long double: 80 bits in memory, of which a float64 has to be enough.
	extended
	// wide is an integer of more than 64 bits, which is not computed with.
	wide
)

// shape is what there is to know about a scalar type. In registers an integer is sign-extended or zero-extended to 64
// bits, an address zero-extended, and every floating value is the bits of a float64.
type shape struct {
	class  class
	signed bool
	size   int64 // in memory, of all bytes
	bits   uint  // of integers and addresses
}

func shapeOf(t tree.Type) shape {
	switch t := t.(type) {
	case *tree.Integer:
		switch {
		case t.Bool:
			return shape{class: boolean, size: 1, bits: 8}
		case t.Bits > 64:
			return shape{class: wide, size: int64(t.Bits / 8), signed: t.Signed, bits: uint(t.Bits)}
		}
		return shape{class: integer, size: int64(t.Bits / 8), signed: t.Signed, bits: uint(t.Bits)}
	case *tree.Pointer:
		return shape{class: pointer, size: t.Bytes, bits: uint(t.Bytes * 8)}
	case *tree.Float:
		switch t.Bytes {
		case 4:
			return shape{class: float32Class, size: 4}
		case 8:
			return shape{class: float64Class, size: 8}
		}
		return shape{class: extended, size: t.Bytes}
	}
	return shape{}
}

func (s shape) whole() bool    { return s.class == integer || s.class == boolean || s.class == pointer }
func (s shape) floating() bool { return s.class >= float32Class && s.class <= extended }

// wrap is the value of the type with the same low bits; for _Bool it is whether there are any.
func (s shape) wrap(x uint64) uint64 {
	switch {
	case s.class == boolean:
		return bit(x != 0)
	case s.bits >= 64:
		return x
	case s.signed:
		return uint64(int64(x<<(64-s.bits)) >> (64 - s.bits))
	}
	return x & (1<<s.bits - 1)
}

// show is a scalar of a type, as events tell it.
func (m *machine) show(t tree.Type, bits uint64) Value {
	v := Value{Type: t, bits: bits, floating: shapeOf(t).floating()}
	if _, ok := t.(*tree.Pointer); ok {
		v.Text = m.pointee(bits)
	}
	return v
}
