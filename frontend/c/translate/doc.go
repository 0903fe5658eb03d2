// Package translate turns a resolved C program into Boogie in the dialect of package machine. Package origin says what
// each part of the result stands for, package usage what the translation depends on.
//
// The program is whole: it has what main reaches, and an entry procedure that initialises the globals and calls main. Each
// function becomes a procedure with one result, or one per scalar of a struct. What a function does in which order is fixed
// as from left to right: expressions become terms without effects, and what has effects is put before them as statements.
//
// Memory is taken apart as far as names allow. A scalar whose address is not used is a variable; an array that is only
// indexed is a map of its own; a struct is a variable for each of its scalars. A pointer parameter through which a function
// only reads and writes, and which callers give addresses of named objects, is no pointer at all: there is an instance of the
// procedure for each choice of objects, which names globals and takes local objects as parameters that go in and out. What
// remains, behind pointers, is in maps from addresses, one for each region that package region tells apart.
//
//	translate.go     the program as a whole; what can't be handled
//	instance.go      procedures for functions, by what their pointers stand for; names
//	procedure.go     the body of a procedure
//	statement.go     statements, loops and jumps
//	value.go         expressions with a value
//	condition.go     conditions, and what decides what a run does
//	operator.go      operators, literals and their folding, conversions
//	float.go         floating numbers
//	place.go         places
//	assign.go        assignments, values of struct type
//	storage.go       objects as variables; what is kept of a program's state; the scopes of objects in memory
//	initial.go       initialisers
//	memory.go        what is behind pointers
//	copies.go        structs in memory, memory that is accessed in several ways, and bit-fields in memory
//	allocate.go      objects in memory, and their first contents
//	safety.go        checks of accesses to memory, and of what is freed
//	metadata.go      what SeaHorn's functions ask about memory, and these functions
//	bare.go          values that come from objects without a value, as variables of package bare say
//	call.go          calls
//	inplace.go       calls that are translated in place: guards, and definitions of the library
//	special.go       functions that mean something by their names
//	intrinsics.go    functions that copy or fill memory, and those of bits
//	math.go          the functions of <math.h> and <fenv.h>
//	assumptions.go   what verdicts assume
package translate
