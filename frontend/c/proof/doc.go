// Package proof says in C what a proof of a C program is: what holds at its functions and loops.
//
// Two languages serve. What validators of witnesses evaluate are C's own expressions, which must not have undefined behaviour
// and can only say something of single elements of arrays. What is shown to readers is in ACSL, the specification language of
// Frama-C, which has quantifiers, integers without bounds and values of earlier times. What neither has words for is left out,
// and counted: what holds at a place then need not be a proof by itself.
//
//	claims.go      what the model of the clauses says of which statement
//	reduce.go      the same in fewer words
//	scope.go       which names are known where
//	expression.go  conditions
//	number.go      numbers
//	vector.go      bit-vectors, as unsigned numbers
//	place.go       variables and memory as the parts of objects that they are
//	quantifier.go  conditions about all elements
//	list.go        what holds where, as text
//	annotate.go    the same as comments in the program
package proof
