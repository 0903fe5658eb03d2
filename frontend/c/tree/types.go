package tree

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
)

// Type is a C type without qualifiers. Types are compared by Same, never by ==, though struct types are the same only if
// they are the same declaration.
type Type interface {
	// Size is in bytes; 0 for functions, void and incomplete types, and for arrays whose length is not a constant.
	Size() int64
	// Align is in bytes, at least 1.
	Align() int64
	// String is the type in C's syntax, as in a cast.
	String() string
	isType()
}

// Integer is an integer type, an enumeration being its underlying type.
type Integer struct {
	Name   string // C's name, such as "unsigned long"
	Bits   int    // 8, 16, 32, 64 or 128; for _Bool 8
	Signed bool
	Bool   bool // _Bool, whose values are 0 and 1
	align  int64
}

// NewInteger makes an integer type. align is in bytes: a long long in a struct has alignment 4 on i386.
func NewInteger(name string, bits int, signed bool, align int64) *Integer {
	return &Integer{Name: name, Bits: bits, Signed: signed, Bool: name == "_Bool", align: align}
}

// Min is the least value of the type.
func (t *Integer) Min() *big.Int {
	if !t.Signed || t.Bool {
		return new(big.Int)
	}
	return new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(t.Bits-1)))
}

// Max is the greatest value of the type.
func (t *Integer) Max() *big.Int {
	one := big.NewInt(1)
	switch {
	case t.Bool:
		return one
	case t.Signed:
		return new(big.Int).Sub(new(big.Int).Lsh(one, uint(t.Bits-1)), one)
	default:
		return new(big.Int).Sub(new(big.Int).Lsh(one, uint(t.Bits)), one)
	}
}

// Wrap is the value of the type that is congruent to x modulo 2^Bits; for _Bool it is 1 unless x is 0.
func (t *Integer) Wrap(x *big.Int) *big.Int {
	if t.Bool {
		if x.Sign() == 0 {
			return new(big.Int)
		}
		return big.NewInt(1)
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	r := new(big.Int).Mod(x, modulus)
	if t.Signed && r.Cmp(t.Max()) > 0 {
		r.Sub(r, modulus)
	}
	return r
}

// Float is float, double or long double.
type Float struct {
	Name  string
	Bytes int64 // as in memory: a long double has 12 or 16 of them
	align int64
}

// NewFloat makes a floating type.
func NewFloat(name string, bytes, align int64) *Float {
	return &Float{Name: name, Bytes: bytes, align: align}
}

// Pointer is a pointer type.
type Pointer struct {
	Elem  Type
	Bytes int64 // 4 or 8
}

// Array is an array type. A Len below 0 is unknown: an incomplete type, or, where Count is set, one whose length is
// computed when its declaration is executed.
type Array struct {
	Elem Type
	Len  int64
	// Count is the number of elements of a variable length array, else nil. In a function it is what an object without a name
	// holds, which is assigned to where the type is evaluated: by a declaration, where the function begins if the type is that
	// of a parameter, or in the expression that the type is in.
	Count Value
}

// Struct is a struct or a union. Two are the same if they are one pointer.
type Struct struct {
	Tag      string // "" if it has none
	Union    bool
	Fields   []*Field // with the fields of anonymous members in place of these, at their offsets
	Complete bool
	size     int64
	align    int64
	// overlap is what Overlapping found, once it was asked about the complete type.
	overlap atomic.Pointer[bool]
}

// Layout sets what Size and Align say, in bytes.
func (t *Struct) Layout(size, align int64) { t.size, t.align = size, align }

// Field is a member of a struct or union.
type Field struct {
	Name   string
	Type   Type
	Offset int64   // in bytes, of the field, or of the storage unit that a bit-field is in
	Bits   int     // the width of a bit-field, 0 for other fields
	Shift  int     // where a bit-field begins in its storage unit, from the least significant bit
	Parent *Struct // the struct that lists it
	Index  int     // its place in Parent.Fields
}

// FunctionType is the type of a function. Without a prototype, Params is empty and Unspecified is set.
type FunctionType struct {
	Result      Type
	Params      []Type
	Variadic    bool
	Unspecified bool
	// ReadOnly says of each parameter whether it is a pointer to a const type. It is no part of the type that Same compares.
	ReadOnly []bool
}

// Reads tells whether the parameter with the number is a pointer to a const type.
func (t *FunctionType) Reads(n int) bool { return n < len(t.ReadOnly) && t.ReadOnly[n] }

// Void is the type without values.
type Void struct{}

func (*Integer) isType()      {}
func (*Float) isType()        {}
func (*Pointer) isType()      {}
func (*Array) isType()        {}
func (*Struct) isType()       {}
func (*FunctionType) isType() {}
func (*Void) isType()         {}

func (t *Integer) Size() int64    { return int64(t.Bits / 8) }
func (t *Float) Size() int64      { return t.Bytes }
func (t *Pointer) Size() int64    { return t.Bytes }
func (t *Struct) Size() int64     { return t.size }
func (*FunctionType) Size() int64 { return 0 }
func (*Void) Size() int64         { return 0 }
func (t *Array) Size() int64 {
	if t.Len < 0 {
		return 0
	}
	return t.Len * t.Elem.Size()
}

func (t *Integer) Align() int64    { return max(t.align, 1) }
func (t *Float) Align() int64      { return max(t.align, 1) }
func (t *Pointer) Align() int64    { return t.Bytes }
func (t *Array) Align() int64      { return t.Elem.Align() }
func (t *Struct) Align() int64     { return max(t.align, 1) }
func (*FunctionType) Align() int64 { return 1 }
func (*Void) Align() int64         { return 1 }

func (t *Integer) String() string      { return t.Name }
func (t *Float) String() string        { return t.Name }
func (*Void) String() string           { return "void" }
func (t *Pointer) String() string      { return Declaration(t, "") }
func (t *Array) String() string        { return Declaration(t, "") }
func (t *FunctionType) String() string { return Declaration(t, "") }
func (t *Struct) String() string {
	kind, tag := "struct", t.Tag
	if t.Union {
		kind = "union"
	}
	if tag == "" {
		tag = "{...}"
	}
	return kind + " " + tag
}

// Declaration is a declaration of the name with the type, in C's syntax: Declaration(t, "x") is "int (*x)[3]" for a pointer to an
// array. Without a name it is the type as in a cast.
func Declaration(t Type, name string) string {
	switch t := t.(type) {
	case *Pointer:
		switch t.Elem.(type) {
		case *Array, *FunctionType:
			return Declaration(t.Elem, "(*"+name+")")
		}
		return Declaration(t.Elem, "*"+name)
	case *Array:
		if t.Len < 0 {
			return Declaration(t.Elem, name+"[]")
		}
		return Declaration(t.Elem, fmt.Sprintf("%s[%d]", name, t.Len))
	case *FunctionType:
		params := make([]string, 0, len(t.Params)+1)
		for _, p := range t.Params {
			params = append(params, p.String())
		}
		switch {
		case t.Variadic:
			params = append(params, "...")
		case len(params) == 0 && !t.Unspecified:
			params = append(params, "void")
		}
		return Declaration(t.Result, name+"("+strings.Join(params, ", ")+")")
	}
	if name == "" {
		return t.String()
	}
	return t.String() + " " + name
}

// Same tells whether two types are the same for what a program can do: integers of the same width and sign are, whatever
// their names; so are structs that are one declaration.
func Same(a, b Type) bool {
	switch a := a.(type) {
	case *Integer:
		b, ok := b.(*Integer)
		return ok && a.Bits == b.Bits && a.Signed == b.Signed && a.Bool == b.Bool
	case *Float:
		b, ok := b.(*Float)
		return ok && a.Name == b.Name
	case *Pointer:
		b, ok := b.(*Pointer)
		return ok && Same(a.Elem, b.Elem)
	case *Array:
		b, ok := b.(*Array)
		return ok && a.Len == b.Len && Same(a.Elem, b.Elem)
	case *FunctionType:
		b, ok := b.(*FunctionType)
		if !ok || len(a.Params) != len(b.Params) || a.Variadic != b.Variadic || !Same(a.Result, b.Result) {
			return false
		}
		for i := range a.Params {
			if !Same(a.Params[i], b.Params[i]) {
				return false
			}
		}
		return true
	case *Struct:
		return Type(a) == b
	case *Void:
		_, ok := b.(*Void)
		return ok
	}
	return false
}

// IsInteger, IsPointer, IsFloat and IsVoid tell kinds of types apart.
func IsInteger(t Type) bool { _, ok := t.(*Integer); return ok }
func IsPointer(t Type) bool { _, ok := t.(*Pointer); return ok }
func IsFloat(t Type) bool   { _, ok := t.(*Float); return ok }
func IsVoid(t Type) bool    { _, ok := t.(*Void); return ok }

// Scalar tells whether values of the type are numbers or addresses.
func Scalar(t Type) bool {
	return IsInteger(t) || IsFloat(t) || IsPointer(t)
}

// HasPointer tells whether objects of the type have pointers.
func HasPointer(t Type) bool {
	switch t := t.(type) {
	case *Pointer:
		return true
	case *Array:
		return HasPointer(t.Elem)
	case *Struct:
		return slices.ContainsFunc(t.Fields, func(f *Field) bool { return HasPointer(f.Type) })
	}
	return false
}

// Compatible tells whether a call through a pointer may call a function of the type: as many arguments, of types that are
// passed alike.
func Compatible(f *FunctionType, call *Call) bool {
	if len(call.Arguments) < len(f.Params) || len(call.Arguments) > len(f.Params) && !f.Variadic && !f.Unspecified {
		return false
	}
	for i, p := range f.Params {
		if !passedAlike(p, call.Arguments[i].Type()) {
			return false
		}
	}
	return passedAlike(f.Result, call.T)
}

// passedAlike tells whether values of the types are passed to functions in one way.
func passedAlike(a, b Type) bool {
	switch a := a.(type) {
	case *Integer:
		b, ok := b.(*Integer)
		return ok && a.Bits == b.Bits
	case *Pointer:
		_, ok := b.(*Pointer)
		return ok
	}
	return Same(a, b)
}
