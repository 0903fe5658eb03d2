// Package library says which functions have a meaning that a program does not give: those that are errors, end a path or
// assume, and those of C's own library.
//
// It is data only. What the kinds do is in the packages that use it: the translation says it in Boogie, the interpreter
// executes it, the harness leaves out what C's library defines. A function that is not here and has no body is an undefined
// extern: it returns any value of its declared type, as __VERIFIER_nondet_int and its likes do.
package library
