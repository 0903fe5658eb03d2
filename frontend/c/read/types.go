package read

import (
	"fmt"

	"hornbeam/frontend/c/tree"
)

// types are the types of a data model, each made once.
type types struct {
	model tree.Model

	boolean                    *tree.Integer
	char, schar, uchar         *tree.Integer
	short, ushort              *tree.Integer
	int, uint                  *tree.Integer
	long, ulong                *tree.Integer
	longLong, ulongLong        *tree.Integer
	int128, uint128            *tree.Integer
	size, difference, wide     *tree.Integer
	float, double, longDouble  *tree.Float
	quad                       *tree.Float
	void                       *tree.Void
	charPointer, voidPointer   *tree.Pointer
	opaqueTypes                map[string]*tree.Struct
	naturalLong, naturalDouble int64 // what __alignof__ says of long long and of double
}

// newTypes makes the types of a data model, as the System V ABI for i386 or x86-64 has them.
func newTypes(model tree.Model) *types {
	word := int(model.PointerBytes * 8)
	eight := model.PointerBytes // the alignment of long long and double within a struct
	t := &types{
		model:         model,
		boolean:       tree.NewInteger("_Bool", 8, false, 1),
		char:          tree.NewInteger("char", 8, true, 1),
		schar:         tree.NewInteger("signed char", 8, true, 1),
		uchar:         tree.NewInteger("unsigned char", 8, false, 1),
		short:         tree.NewInteger("short", 16, true, 2),
		ushort:        tree.NewInteger("unsigned short", 16, false, 2),
		int:           tree.NewInteger("int", 32, true, 4),
		uint:          tree.NewInteger("unsigned int", 32, false, 4),
		long:          tree.NewInteger("long", word, true, model.PointerBytes),
		ulong:         tree.NewInteger("unsigned long", word, false, model.PointerBytes),
		longLong:      tree.NewInteger("long long", 64, true, eight),
		ulongLong:     tree.NewInteger("unsigned long long", 64, false, eight),
		int128:        tree.NewInteger("__int128", 128, true, 16),
		uint128:       tree.NewInteger("unsigned __int128", 128, false, 16),
		float:         tree.NewFloat("float", 4, 4),
		double:        tree.NewFloat("double", 8, eight),
		quad:          tree.NewFloat("_Float128", 16, 16),
		void:          &tree.Void{},
		opaqueTypes:   map[string]*tree.Struct{},
		naturalLong:   8,
		naturalDouble: 8,
	}
	if model.PointerBytes == 4 {
		t.size, t.difference, t.wide = t.uint, t.int, t.long
		t.longDouble = tree.NewFloat("long double", 12, 4)
	} else {
		t.size, t.difference, t.wide = t.ulong, t.long, t.int
		t.longDouble = tree.NewFloat("long double", 16, 16)
	}
	t.charPointer, t.voidPointer = t.pointer(t.char), t.pointer(t.void)
	return t
}

// pointer is the type of pointers to elem.
func (t *types) pointer(elem tree.Type) *tree.Pointer {
	return &tree.Pointer{Elem: elem, Bytes: t.model.PointerBytes}
}

// The tags of types that are structs here: they are copied and have members, but what computes with them is unsupported.
const (
	complexTag = "_Complex "
	vectorTag  = "vector of "
	formatTag  = "number of type "
)

// opaqueStruct is the struct of a type that nothing computes with, each made once.
func (t *types) opaqueStruct(tag string, size, align int64, fields ...*tree.Field) *tree.Struct {
	s := t.opaqueTypes[tag]
	if s == nil {
		s = &tree.Struct{Tag: tag, Complete: true, Fields: fields}
		for i, f := range fields {
			f.Parent, f.Index = s, i
		}
		s.Layout(size, align)
		t.opaqueTypes[tag] = s
	}
	return s
}

// complex is the type of complex numbers over an arithmetic type.
func (t *types) complex(part tree.Type) *tree.Struct {
	return t.opaqueStruct(complexTag+part.String(), 2*part.Size(), part.Align(),
		&tree.Field{Name: "re", Type: part}, &tree.Field{Name: "im", Type: part, Offset: part.Size()})
}

// vector is gcc's type of vectors of the size in bytes over a type.
func (t *types) vector(elem tree.Type, size int64) *tree.Struct {
	n := size / elem.Size()
	return t.opaqueStruct(fmt.Sprintf("%s%d %s", vectorTag, n, elem), size, size,
		&tree.Field{Name: "elements", Type: &tree.Array{Elem: elem, Len: n}})
}

// opaque is a type of numbers in a format that is not computed with, of the size of an integer type.
func (t *types) opaque(name string, bits *tree.Integer) *tree.Struct {
	return t.opaqueStruct(formatTag+name, bits.Size(), bits.Size(), &tree.Field{Name: "bits", Type: bits})
}

// promoted is what a value of an integer type is promoted to (C11 6.3.1.1): int if that holds all its values.
func (t *types) promoted(i *tree.Integer) *tree.Integer {
	if rank(i) < rank(t.int) {
		return t.int
	}
	return i
}

// rank orders integer types of one width as C does: int before long before long long.
func rank(i *tree.Integer) int {
	switch i.Name {
	case "long", "unsigned long":
		return 5
	case "long long", "unsigned long long":
		return 6
	case "__int128", "unsigned __int128":
		return 7
	}
	switch {
	case i.Bits < 16:
		return 1
	case i.Bits < 32:
		return 2
	case i.Bits == 32:
		return 4
	}
	return 5
}

// unsigned is the unsigned type that corresponds to a signed one of at least int's rank.
func (t *types) unsigned(i *tree.Integer) *tree.Integer {
	switch rank(i) {
	case 4:
		return t.uint
	case 5:
		return t.ulong
	case 6:
		return t.ulongLong
	case 7:
		return t.uint128
	}
	return i
}

// common is the common real type of two arithmetic types (C11 6.3.1.8), nil if one is not arithmetic.
func (t *types) common(a, b tree.Type) tree.Type {
	fa, fb := floatRank(a), floatRank(b)
	if fa > 0 || fb > 0 {
		if _, ok := a.(*tree.Integer); !ok && fa == 0 {
			return nil
		}
		if _, ok := b.(*tree.Integer); !ok && fb == 0 {
			return nil
		}
		if fa >= fb {
			return a
		}
		return b
	}
	x, ok := a.(*tree.Integer)
	if !ok {
		return nil
	}
	y, ok := b.(*tree.Integer)
	if !ok {
		return nil
	}
	x, y = t.promoted(x), t.promoted(y)
	switch {
	case x.Signed == y.Signed:
		if rank(y) > rank(x) || rank(y) == rank(x) && y.Bits > x.Bits {
			return y
		}
		return x
	case x.Signed:
		x, y = y, x
		fallthrough
	default: // x is unsigned, y is signed
		switch {
		case rank(x) >= rank(y):
			return x
		case y.Bits > x.Bits:
			return y
		}
		return t.unsigned(y)
	}
}

// floatRank orders the floating types; it is 0 for all other types.
func floatRank(t tree.Type) int {
	f, ok := t.(*tree.Float)
	if !ok {
		return 0
	}
	switch f.Name {
	case "float":
		return 1
	case "double":
		return 2
	case "long double":
		return 3
	}
	return 4
}

// isArithmetic and isFunction tell kinds of types apart.
func isArithmetic(t tree.Type) bool { return tree.IsInteger(t) || tree.IsFloat(t) }
func isFunction(t tree.Type) bool   { _, ok := t.(*tree.FunctionType); return ok }

// complete tells whether objects of the type have a size, though it may be computed only when a declaration is executed.
func complete(t tree.Type) bool {
	switch t := t.(type) {
	case *tree.Void, *tree.FunctionType:
		return false
	case *tree.Struct:
		return t.Complete
	case *tree.Array:
		return (t.Len >= 0 || t.Count != nil) && complete(t.Elem)
	}
	return true
}

// variable tells whether the type's size is computed when a declaration is executed.
func variable(t tree.Type) bool {
	for {
		a, ok := t.(*tree.Array)
		if !ok {
			return false
		}
		if a.Count != nil {
			return true
		}
		t = a.Elem
	}
}

// modified tells whether a type is variably modified: a length in it is computed.
func modified(t tree.Type) bool {
	switch t := t.(type) {
	case *tree.Array:
		return t.Count != nil || modified(t.Elem)
	case *tree.Pointer:
		return modified(t.Elem)
	case *tree.FunctionType:
		return modified(t.Result)
	}
	return false
}

// compatible tells whether two types are compatible: the same, but for what an incomplete one leaves open.
func compatible(a, b tree.Type) bool {
	switch x := a.(type) {
	case *tree.Array:
		y, ok := b.(*tree.Array)
		return ok && (x.Len < 0 || y.Len < 0 || x.Len == y.Len) && compatible(x.Elem, y.Elem)
	case *tree.Pointer:
		y, ok := b.(*tree.Pointer)
		return ok && compatible(x.Elem, y.Elem)
	case *tree.Integer:
		y, ok := b.(*tree.Integer)
		return ok && tree.Same(x, y) && x.Name == y.Name
	case *tree.FunctionType:
		y, ok := b.(*tree.FunctionType)
		if !ok || !compatible(x.Result, y.Result) {
			return false
		}
		if x.Unspecified || y.Unspecified {
			return true
		}
		if len(x.Params) != len(y.Params) || x.Variadic != y.Variadic {
			return false
		}
		for i := range x.Params {
			if !compatible(x.Params[i], y.Params[i]) {
				return false
			}
		}
		return true
	}
	return tree.Same(a, b)
}
