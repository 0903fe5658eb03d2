package tree

import (
	"strings"

	"hornbeam/chc"
)

// Pos is a place in a source file. Line and Column count from 1, columns in bytes; an unknown place is the zero Pos.
type Pos = chc.Position

// Model is a data model: the sizes of C's types.
type Model struct {
	Name         string // "ILP32" or "LP64"
	PointerBytes int64
}

// The data models.
var (
	ILP32 = Model{Name: "ILP32", PointerBytes: 4} // int, long and pointers have 32 bits: i386
	LP64  = Model{Name: "LP64", PointerBytes: 8}  // long and pointers have 64 bits: x86-64
)

// Program is a whole C program: its translation units with what they include.
type Program struct {
	Name      string // the first file's name as given
	Model     Model
	Functions []*Function // defined or called, in the order of their first declaration
	Globals   []*Object   // objects that live as long as the program: globals, statics, string literals
	Structs   []*Struct   // every complete one, in the source's order
	// Copies are the definitions of C's library that calls have for themselves.
	Copies []*Function
	// Contracts says that the program checks contracts, which no compiler knows, and Library that its main function is made
	// up: it calls any one of the functions with contracts.
	Contracts, Library bool
	// PassedOver are annotations that are neither checked nor assumed: what of them is not read, with the place.
	PassedOver []string
	// Trusted are the names of the functions without a body that contracts stand for.
	Trusted []string
	// Separate are the names of the functions that modular verification proves one by one.
	Separate []string
	// Bounded says that annotations compute with integers of 64 bits that may wrap around, where their language has no bounds.
	Bounded bool
	// Anywhere says that objects begin with any values, whatever their definitions say.
	Anywhere bool
	// Errno is the object that errno is, which functions of the library may write; nil if the program does not use it.
	Errno *Object
	// Int, Size and Difference are the types int, size_t and ptrdiff_t; Char is plain char.
	Int, Size, Difference, Char *Integer
}

// Function finds a function by its name; nil if there is none. Static functions have their own names: where another translation unit
// has a function of the same name, that of their unit is part of it.
func (p *Program) Function(name string) *Function {
	for _, f := range p.Functions {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// StartAnywhere makes the objects that live as long as the program begin with any values, but for those that are const.
func (p *Program) StartAnywhere() {
	for _, o := range p.Globals {
		if !o.Const && (o.Storage == Global || o.Storage == Static) {
			o.External, o.Init = true, nil
		}
	}
	p.Anywhere = true
}

// Function is a function of the program.
type Function struct {
	Name     string
	Type     *FunctionType
	Params   []*Object // of the definition
	Body     *Block    // nil if the program only declares it
	Locals   []*Object // every automatic object of the body, without Params, in the source's order
	Pos      Pos       // of its name in the definition, else in the first declaration
	End      Pos       // of the closing brace
	Implicit bool      // called without a declaration
	// NoReturn and Weak are set by its attributes: that it does not return, and that a definition elsewhere replaces its own.
	NoReturn, Weak bool
	// Ends is the function that an instrumented one is called at the end of, for which objects of that do not exist any more.
	Ends *Function
	// Library says that the definition is one of C's library.
	Library bool
	// Instrumented says that the function is made for contracts, and no part of the source.
	Instrumented bool
	// Error is set by whoever asks about calls of the function: to call it is an error, whatever its body says.
	Error bool
}

// Storage tells how long an object lives.
type Storage int

const (
	Global    Storage = iota // a name at file scope, or a block's `extern` one
	Static                   // a static object of a function
	Literal                  // a string literal, or a compound literal at file scope
	Automatic                // a local variable, or a compound literal in a function
	Parameter
)

// Object is an object in C's sense: memory with a name: all declarations of one thing are one Object.
type Object struct {
	Name     string // as in the source; "" for literals
	Unique   string // a name that no other object or function of the program has; Name where that is free
	Type     Type
	Storage  Storage
	Function *Function // of Static, Automatic and Parameter
	Pos      Pos
	External bool // declared extern and nowhere defined: its initial value is not known
	// Given says of an automatic object that it stands for what a made-up main function is given: pointers in it may lead to what is
	// not the program's.
	Given    bool
	Const    bool
	Volatile bool
	Weak     bool // a definition elsewhere replaces its own
	// Init is what a static object begins with, in the order in which later values win; all that it leaves out is zero.
	// An automatic object is initialised by its Declare.
	Init []Initial
	// Extent is how many bytes an object has whose initialiser gives elements to the flexible array member of its struct; 0 for
	// other objects, which are as large as their type.
	Extent int64
	// Escapes is set if the object's address is used for anything but reading or writing the object, an element or a
	// field of it right there: &x, an array that decays other than to be indexed, a struct's field whose address is taken.
	Escapes bool
	// Written is set if anything assigns to the object by name after its initialisation.
	Written bool
}

// Invented reports whether the object is none of the source's, in which no name has a dot.
func (o *Object) Invented() bool { return strings.Contains(o.Name, ".") }

// Size is how many bytes the object has: those of its type, or more where a flexible array member was given elements. It is 0 if
// that is not known.
func (o *Object) Size() int64 { return max(o.Type.Size(), o.Extent) }

// Initial is the value of one scalar in an initialiser. A string literal that initialises an array of characters is one
// Initial with Bytes; `[a ... b] = v` is one Initial with a Repeat.
type Initial struct {
	Offset int64  // in bytes from the object's beginning
	Path   []Step // the same place by elements and fields
	Type   Type   // of the scalar, or of the struct that Value copies
	Value  Value  // converted to Type
	Bytes  []byte // for strings, without what the array has no room for; Value is nil
	Repeat int64  // how many elements in a row have the value, at least 1
	Field  *Field // the bit-field that is initialised, else nil
}

// Step goes from a place into a part of it: a field, or, if Field is nil, an element.
type Step struct {
	Field *Field
	Index int64
}
