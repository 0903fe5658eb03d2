package tree

import (
	"cmp"
	"math/big"
)

// Node is anything with a place in the source.
type Node interface{ Pos() Pos }

// At is embedded by every node.
type At struct{ Position Pos }

// Pos is where the node begins in the source; what comes from a macro is where the macro is used.
func (a At) Pos() Pos { return a.Position }

// Place is an expression that denotes an object, or a part of one.
type Place interface {
	Node
	Type() Type
	isPlace()
}

// Value is an expression that has a value: a scalar, a struct, or nothing if its type is void.
type Value interface {
	Node
	Type() Type
	isValue()
}

// Places.
type (
	// Use is an object by its name, or a literal.
	Use struct {
		At
		Object *Object
	}
	// Dereference is *Pointer; Pointer's type is a Pointer to an object type.
	Dereference struct {
		At
		Pointer Value
	}
	// Member is a field of a struct or union.
	Member struct {
		At
		Struct Place
		Field  *Field
	}
	// Element is an element of an array place. Index has an integer type of any width, which counts elements.
	Element struct {
		At
		Array Place
		Index Value
	}
	// Temporary is the place of a struct that is a value, as in f().x.
	Temporary struct {
		At
		Init Value
	}
	// CompoundLiteral is the object of a compound literal in a function, made and filled anew at each evaluation.
	CompoundLiteral struct {
		At
		Declaration *Declare
	}
)

// Values.
type (
	// Constant is an integer, or, if T is a pointer, an address. It is within the range of its type.
	Constant struct {
		At
		T   Type
		Int *big.Int
	}
	// FloatConstant is a floating constant.
	FloatConstant struct {
		At
		T     Type
		Float float64
		Text  string // as in the source
	}
	// Load is what a place holds: C's conversion from an lvalue. It has the place's type, a scalar or a struct. The value
	// of a bit-field has the declared type of the field.
	Load struct {
		At
		Place Place
	}
	// Address is the address of a place. Decay is set where an array is used as the pointer to its first element: then
	// Place is the array's place, and T the pointer to its element.
	Address struct {
		At
		T     *Pointer
		Place Place
		Decay bool
	}
	// FunctionAddress is a function's name, not called directly.
	FunctionAddress struct {
		At
		T        *Pointer
		Function *Function
	}
	// Unary is -x, ~x, !x. The operand of Neg and Complement has the type T; that of Not is any scalar, and T is int.
	Unary struct {
		At
		T  Type
		Op UnaryOp
		X  Value
	}
	// Binary is an operation without control flow. Of arithmetic operations both operands have the type T; a shift's right
	// operand has its own promoted type. The operands of comparisons have one type, and T is int.
	Binary struct {
		At
		T    Type
		Op   BinaryOp
		X, Y Value
	}
	// PointerSum is P + Count elements, or P - Count if Minus. Count has an integer type of any width.
	PointerSum struct {
		At
		T     *Pointer
		P     Value
		Count Value
		Minus bool
	}
	// PointerDifference is the number of elements between two pointers.
	PointerDifference struct {
		At
		T    Type
		X, Y Value
	}
	// Logical is X && Y, or X || Y if Or; the operands are scalars. T is int.
	Logical struct {
		At
		T    Type
		Or   bool
		X, Y Value
	}
	// Conditional is Test ? Then : Else, both converted to T, which may be void. Of GNU's Test ?: Else, Then is nil and
	// the value is Test, converted to T.
	Conditional struct {
		At
		T          Type
		Test       Value
		Then, Else Value
	}
	// Comma is First, then Second.
	Comma struct {
		At
		First, Second Value
	}
	// Assign stores Value, which has the place's type, and has the value that the place then holds.
	Assign struct {
		At
		Place Place
		Value Value
	}
	// Update is Place op= Operand, ++ and --. The place is evaluated once; what it holds is converted to Compute, combined
	// with Operand, and converted back. Its value is what the place then holds, or, if Post, what it held. If the place is
	// a pointer, Compute is its type, Op is Add or Sub, and Operand counts elements. A shift's operand has its own type.
	Update struct {
		At
		Place   Place
		Op      BinaryOp
		Compute Type
		Operand Value
		Post    bool
		Spelled string // the operator as written: "+=", "++", ...
	}
	// Call calls Function, or, if that is nil, what Callee points to. Arguments are converted as the callee's type says.
	Call struct {
		At
		T         Type
		Function  *Function
		Callee    Value
		Arguments []Value
		// Closing is where the call's closing parenthesis is.
		Closing Pos
		// Library is the definition of a function of C's library that the program does not define: a copy for this call alone,
		// whose nodes all have the position of the call. It is nil for other functions, and for those that are intrinsics.
		Library *Function
		// Known is the integer that the call returns, where package evaluate has found that it depends on nothing and changes
		// nothing; nil elsewhere.
		Known *Constant
	}
	// Convert is a conversion, written as a cast or not. To void it evaluates X for its effects.
	Convert struct {
		At
		T        Type
		X        Value
		Explicit bool
	}
	// StatementValue is GNU's ({ ... }): the block, and Result after its last statement, in its scope; nil if void.
	StatementValue struct {
		At
		T      Type
		Block  *Block
		Result Value
	}
	// SizeOf is the size of a type whose array length is computed; all other sizes are constants.
	SizeOf struct {
		At
		T  Type
		Of Type
	}
	// UnsupportedValue is what can't be handled, named. It is an error only if it can be reached.
	UnsupportedValue struct {
		At
		T    Type
		What string
	}
)

// UnaryOp is an operator with one operand.
type UnaryOp int

const (
	Neg UnaryOp = iota
	Complement
	Not
)

// BinaryOp is an operator with two operands.
type BinaryOp int

const (
	Add BinaryOp = iota
	Sub
	Mul
	Div
	Rem
	Shl
	Shr
	And
	Or
	Xor
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
)

var binaryNames = [...]string{"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="}

func (o BinaryOp) String() string { return binaryNames[o] }

// Comparison tells whether the result is a truth value.
func (o BinaryOp) Comparison() bool { return o >= Eq }

// Compare is the truth of a comparison.
func Compare[T cmp.Ordered](o BinaryOp, x, y T) bool {
	switch o {
	case Eq:
		return x == y
	case Ne:
		return x != y
	case Lt:
		return x < y
	case Le:
		return x <= y
	case Gt:
		return x > y
	}
	return x >= y
}

// Arithmetic is the exact result of an operation on integers: what has to be wrapped to a type. It is nil where C defines none for
// any type: for a division by zero, a shift by less than zero, and for comparisons.
func (o BinaryOp) Arithmetic(x, y *big.Int) *big.Int {
	z := new(big.Int)
	switch o {
	case Add:
		return z.Add(x, y)
	case Sub:
		return z.Sub(x, y)
	case Mul:
		return z.Mul(x, y)
	case And:
		return z.And(x, y)
	case Or:
		return z.Or(x, y)
	case Xor:
		return z.Xor(x, y)
	}
	switch {
	case o == Div && y.Sign() != 0:
		return z.Quo(x, y)
	case o == Rem && y.Sign() != 0:
		return z.Rem(x, y)
	case o == Shl && y.Sign() >= 0:
		return z.Lsh(x, uint(y.Uint64()))
	case o == Shr && y.Sign() >= 0:
		return z.Rsh(x, uint(y.Uint64()))
	}
	return nil
}

// Float is the result of an operation on numbers as doubles have it; false if it is not defined for them.
func (o BinaryOp) Float(x, y float64) (float64, bool) {
	switch o {
	case Add:
		return x + y, true
	case Sub:
		return x - y, true
	case Mul:
		return x * y, true
	case Div:
		return x / y, true
	}
	return 0, false
}

func (o UnaryOp) String() string { return [...]string{"-", "~", "!"}[o] }

func (*Use) isPlace()             {}
func (*Dereference) isPlace()     {}
func (*Member) isPlace()          {}
func (*Element) isPlace()         {}
func (*Temporary) isPlace()       {}
func (*CompoundLiteral) isPlace() {}

// Target is the function that a proof takes a call for: a definition of C's library if there is one for the call, else Function,
// which is nil for a call through a pointer. Definitions with variable arguments, those that print into memory, are for runs
// alone: they are many loops for a text that hardly any proof needs, so that there the text is any one.
func (v *Call) Target() *Function {
	if v.Library != nil && !v.Library.Type.Variadic {
		return v.Library
	}
	return v.Function
}

func (*Constant) isValue()          {}
func (*FloatConstant) isValue()     {}
func (*Load) isValue()              {}
func (*Address) isValue()           {}
func (*FunctionAddress) isValue()   {}
func (*Unary) isValue()             {}
func (*Binary) isValue()            {}
func (*PointerSum) isValue()        {}
func (*PointerDifference) isValue() {}
func (*Logical) isValue()           {}
func (*Conditional) isValue()       {}
func (*Comma) isValue()             {}
func (*Assign) isValue()            {}
func (*Update) isValue()            {}
func (*Call) isValue()              {}
func (*Convert) isValue()           {}
func (*StatementValue) isValue()    {}
func (*SizeOf) isValue()            {}
func (*UnsupportedValue) isValue()  {}

func (p *Use) Type() Type             { return p.Object.Type }
func (p *Dereference) Type() Type     { return p.Pointer.Type().(*Pointer).Elem }
func (p *Member) Type() Type          { return p.Field.Type }
func (p *Element) Type() Type         { return p.Array.Type().(*Array).Elem }
func (p *Temporary) Type() Type       { return p.Init.Type() }
func (p *CompoundLiteral) Type() Type { return p.Declaration.Object.Type }

func (v *Constant) Type() Type          { return v.T }
func (v *FloatConstant) Type() Type     { return v.T }
func (v *Load) Type() Type              { return v.Place.Type() }
func (v *Address) Type() Type           { return v.T }
func (v *FunctionAddress) Type() Type   { return v.T }
func (v *Unary) Type() Type             { return v.T }
func (v *Binary) Type() Type            { return v.T }
func (v *PointerSum) Type() Type        { return v.T }
func (v *PointerDifference) Type() Type { return v.T }
func (v *Logical) Type() Type           { return v.T }
func (v *Conditional) Type() Type       { return v.T }
func (v *Comma) Type() Type             { return v.Second.Type() }
func (v *Assign) Type() Type            { return v.Place.Type() }
func (v *Update) Type() Type            { return v.Place.Type() }
func (v *Call) Type() Type              { return v.T }
func (v *Convert) Type() Type           { return v.T }
func (v *StatementValue) Type() Type    { return v.T }
func (v *SizeOf) Type() Type            { return v.T }
func (v *UnsupportedValue) Type() Type  { return v.T }
