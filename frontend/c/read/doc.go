// Package read resolves the parser's tree of a C program to a tree.Program: names are resolved, conversions are written out and
// objects are laid out.
//
// Everything that the parser leaves open is settled here: types and their layout, constant expressions, initialisers, what
// converts to what. Nothing is taken from the parser's type checker.
//
//	reader.go          Program: the order of reading, scopes, declarations at file scope
//	types.go           the data models' types, promotions and common types
//	specifiers.go      declaration specifiers; attributes.go: attributes and pragmas
//	declarators.go     declarators
//	records.go         structs, unions and enumerations; layout.go: their layout
//	objects.go         objects and functions by their names; declarations.go: declarations in blocks
//	functions.go       function definitions, and those that run before main
//	expressions.go     expressions; operators.go, calls.go, builtins.go, overflow.go, literals.go: their parts
//	conversions.go     conversions
//	constants.go       constant expressions
//	initialisers.go    initialisers
//	statements.go      statements; switches.go: switch statements
//	contracts.go       SMACK's code contracts
//	link.go            the definitions of C's library for the calls of its functions
//	uses.go            which objects escape and are written; which are used at all
package read
