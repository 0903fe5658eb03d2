package machine

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// Names of types that are not integers.
const (
	Ref   = "ref"
	Float = "float"
	// Int is Boogie's own type of mathematical integers, and Bool that of conditions.
	Int  = "int"
	Bool = "bool"
)

// Type is a machine integer's type.
type Type struct {
	Bits   int
	Signed bool
}

// String returns the type's name in the dialect: i32, u8.
func (t Type) String() string {
	if t.Signed {
		return "i" + strconv.Itoa(t.Bits)
	}
	return "u" + strconv.Itoa(t.Bits)
}

// ParseType recognises the name of an integer type.
func ParseType(name string) (Type, bool) {
	switch name {
	case "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128":
		bits, _ := strconv.Atoi(name[1:])
		return Type{Bits: bits, Signed: name[0] == 'i'}, true
	}
	return Type{}, false
}

// Min returns the least value of the type.
func (t Type) Min() *big.Int {
	if !t.Signed {
		return new(big.Int)
	}
	return new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(t.Bits-1)))
}

// Max returns the greatest value of the type.
func (t Type) Max() *big.Int {
	bits := t.Bits
	if t.Signed {
		bits--
	}
	return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1))
}

// Wrap returns the value of the type that is congruent to x modulo 2^Bits.
func (t Type) Wrap(x *big.Int) *big.Int {
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	r := new(big.Int).Mod(x, modulus)
	if t.Signed && r.Cmp(t.Max()) > 0 {
		r.Sub(r, modulus)
	}
	return r
}

// Has reports whether x is a value of the type.
func (t Type) Has(x *big.Int) bool { return x.Cmp(t.Min()) >= 0 && x.Cmp(t.Max()) <= 0 }

// Op is an operation without its type.
type Op uint8

// The operations.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Neg
	Not
	Lt
	Le
	Gt
	Ge
	Convert
	Index
	Integer
	Address
	// Those on floating numbers, which are words with ordinals: see Format.
	FloatAdd
	FloatSub
	FloatMul
	FloatDiv
	FloatMod
	FloatRemainder
	FloatSqrt
	FloatTruncate
	FloatFloor
	FloatCeiling
	FloatRound
	FloatNearest
	FloatConvert
	FloatFrom
	FloatTo
)

var opNames = [...]string{
	Add: "add", Sub: "sub", Mul: "mul", Div: "div", Rem: "rem", And: "and", Or: "or", Xor: "xor", Shl: "shl", Shr: "shr",
	Neg: "neg", Not: "not", Lt: "lt", Le: "le", Gt: "gt", Ge: "ge", Convert: "convert", Index: "index", Integer: "integer",
	Address:  "address",
	FloatAdd: "fadd", FloatSub: "fsub", FloatMul: "fmul", FloatDiv: "fdiv", FloatMod: "fmod", FloatRemainder: "fremainder",
	FloatSqrt: "fsqrt", FloatTruncate: "ftruncate", FloatFloor: "ffloor", FloatCeiling: "fceiling", FloatRound: "fround",
	FloatNearest: "fnearest", FloatConvert: "fconvert", FloatFrom: "ffrom", FloatTo: "fto",
}

var opsByName = func() map[string]Op {
	m := map[string]Op{}
	for op, name := range opNames {
		m[name] = Op(op)
	}
	return m
}()

// String returns the operation's name without the $.
func (op Op) String() string { return opNames[op] }

// Arity returns the number of operands: 1 or 2.
func (op Op) Arity() int {
	if op <= Shr || op.Comparison() || op >= FloatAdd && op <= FloatRemainder {
		return 2
	}
	return 1
}

// Floats reports whether the operation is one on floating numbers.
func (op Op) Floats() bool { return op >= FloatAdd }

// converts reports whether the operation's name says two types.
func (op Op) converts() bool { return op == Convert || op >= FloatConvert }

// Comparison reports whether the result is a condition.
func (op Op) Comparison() bool { return op >= Lt && op <= Ge }

// Overflows reports whether there is a fits form of the operation.
func (op Op) Overflows() bool {
	switch op {
	case Add, Sub, Mul, Div, Shl, Neg:
		return true
	}
	return false
}

// Operation is an operation with its type, or the question whether its result fits.
type Operation struct {
	Op   Op
	Type Type // of a conversion: what is converted
	To   Type // of a conversion: the result; zero for all others
	Fits bool // whether the result of Op would be within Type
}

// Name returns the function's name in the tree, such as $add.i32, $convert.i32.u8 or $fits.add.i32.
func (o Operation) Name() string {
	switch {
	case o.Op.converts():
		return "$" + o.Op.String() + "." + o.Type.String() + "." + o.To.String()
	case o.Fits:
		return "$fits." + o.Op.String() + "." + o.Type.String()
	}
	return "$" + o.Op.String() + "." + o.Type.String()
}

// Parse recognises the name of an operation.
func Parse(name string) (Operation, bool) {
	rest, ok := strings.CutPrefix(name, "$")
	if !ok {
		return Operation{}, false
	}
	parts := strings.Split(rest, ".")
	var o Operation
	if len(parts) == 3 && parts[0] == "fits" {
		o.Fits = true
		parts = parts[1:]
	}
	if len(parts) < 2 || len(parts) > 3 {
		return Operation{}, false
	}
	var found bool
	if o.Op, found = opsByName[parts[0]]; !found || o.Fits && !o.Op.Overflows() || (len(parts) == 3) != o.Op.converts() {
		return Operation{}, false
	}
	if o.Type, found = ParseType(parts[1]); !found {
		return Operation{}, false
	}
	if o.Op.converts() {
		if o.To, found = ParseType(parts[2]); !found {
			return Operation{}, false
		}
	}
	return o, true
}

// Recognise returns the operation that an expression applies.
func Recognise(e ast.Expr) (Operation, []ast.Expr, bool) {
	a, ok := e.(*ast.Application)
	if !ok {
		return Operation{}, nil, false
	}
	o, ok := Parse(a.Name)
	if !ok {
		return Operation{}, nil, false
	}
	return o, a.Args, true
}

// Signature returns the names of the types of the operands, one for each, and of the result.
func (o Operation) Signature() (operands []string, result string) {
	t := o.Type.String()
	switch {
	case o.Op.converts():
		return []string{t}, o.To.String()
	case o.Op == Index:
		return []string{t}, Int
	case o.Op == Integer:
		return []string{Ref}, t
	case o.Op == Address:
		return []string{t}, Ref
	}
	operands = []string{t, t}[:o.Op.Arity()]
	if o.Fits || o.Op.Comparison() {
		return operands, Bool
	}
	return operands, t
}

// Result returns the type of the operation's result, where that is a word.
func (o Operation) Result() Type {
	if o.Op.converts() {
		return o.To
	}
	return o.Type
}

// Apply applies the operation. It panics if the number of operands is wrong.
func (o Operation) Apply(pos chc.Position, operands ...ast.Expr) *ast.Application {
	if len(operands) != o.Op.Arity() {
		panic(fmt.Sprintf("%s has %d operands, not %d", o.Name(), o.Op.Arity(), len(operands)))
	}
	return &ast.Application{Node: ast.Node{Pos: pos}, Name: o.Name(), Args: operands}
}

// Literal returns a number whose type is that of its context; it may be negative.
func Literal(pos chc.Position, x *big.Int) *ast.IntLiteral {
	return &ast.IntLiteral{Node: ast.Node{Pos: pos}, Value: x}
}

// Number returns a small Literal.
func Number(pos chc.Position, x int64) *ast.IntLiteral { return Literal(pos, big.NewInt(x)) }

// TypeNamed returns a type of the dialect by its name.
func TypeNamed(pos chc.Position, name string) *ast.TypeName {
	return &ast.TypeName{Pos: pos, Name: name}
}

// MapFrom returns the type of maps from domain, which is Int or Ref, to a type.
func MapFrom(pos chc.Position, domain string, to ast.TypeSyntax) *ast.MapSyntax {
	return &ast.MapSyntax{Pos: pos, Domain: []ast.TypeSyntax{TypeNamed(pos, domain)}, Range: to}
}

// Constant returns the map from domain that has the value at every index.
func Constant(pos chc.Position, domain string, value ast.Expr) *ast.Lambda {
	v := &ast.Variable{Pos: pos, Kind: ast.Bound, Name: "i", Syntax: TypeNamed(pos, domain)}
	return &ast.Lambda{Node: ast.Node{Pos: pos}, Bound: []*ast.Variable{v}, Body: value}
}
