// Package lib is C's library: it says which functions have a meaning that a program does not give, those of the library and those
// that are errors, end a path or assume, and has the definitions in C of what can be said in C.
//
// The table of names and kinds is data only. What the kinds do is in the packages that use it: the translation says it in Boogie,
// the interpreter executes it, the harness answers as the run did. A function that is not in the table and has no body is an
// undefined extern: it returns any value of its declared type, as __VERIFIER_nondet_int and its likes do.
//
// The definitions, in the folder source, are linked like user code: the front end parses those that a program uses and does not
// define itself, and gives each call a copy of its own, at the position of the call. The interpreter runs the copy, the translation
// expands it in place of the call, and harnesses have the text. What stays an intrinsic, with a meaning in the interpreter and in
// the translation, is what is no C (malloc, free, <math.h>) and what proofs need in another form: memset, memcpy, memmove and their
// likes and calloc without loops, and the functions of bits in operations that are exact on integers, too. Definitions with variable arguments, snprintf and sprintf, are exact in runs and any text in
// proofs.
//
//	library.go   the kinds, and what a name means
//	table.go     the names of each kind
//	results.go   what is known of results that are left open
//	format.go    what a call prints by its format
//	source.go    the definitions in C
package lib
