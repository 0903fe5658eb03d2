// Package c reads C programs: GNU C11 as SV-COMP's, SMACK's and SeaHorn's programs use it, preprocessed or not.
//
// Read gives a tree.Program, in which names are resolved, conversions are written out and objects are laid out. The
// preprocessor and the parser are those of modernc.org/cc/v4; everything that the parser leaves open is settled here: types
// and their layout, constant expressions, initialisers, what converts to what. Nothing is taken from its type checker. No
// host compiler and no header of the host is used: the standard headers, and SMACK's and SeaHorn's, are the ones in
// include, which only declare.
//
// What is wrong with a program is an Error with its place. What is C but cannot be handled (threads, setjmp, computed
// gotos, ...) is no error here: it becomes a tree.Unsupported or tree.UnsupportedValue that names it, so that a
// program whose verdict does not depend on it can still be decided.
//
//	read.go            Read and its options
//	configuration.go   how the parser is set up, and what is predefined
//	headers.go         where #include finds files
//	source.go          what is mended in the text before it is parsed
//	errors.go          errors
//	reader.go          the state of reading, scopes, declarations at file scope
//	types.go           the data models' types, promotions and common types
//	specifiers.go      declaration specifiers; attributes.go: attributes
//	declarators.go     declarators
//	records.go         structs, unions and enumerations; layout.go: their layout
//	objects.go         objects and functions by their names; declarations.go: declarations in blocks
//	functions.go       function definitions
//	expressions.go     expressions; operators.go, calls.go, builtins.go, literals.go: their parts
//	variadic.go        functions with variable arguments; atomics.go: operations on shared memory
//	conversions.go     conversions
//	constants.go       constant expressions
//	initialisers.go    initialisers
//	statements.go      statements; switches.go: switch statements
//	uses.go            which objects escape and are written; which are used at all
package c
