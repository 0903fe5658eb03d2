// Package families generates systems of Horn clauses and C programs whose size is a parameter: call trees, lock protocols,
// loops and recursions as SMT-LIB text, and programs on arrays and on structs behind pointers, each safe or with a bug. The two sides of an instance differ
// in one clause or place only, the fault, so that a measured difference between them is one between proving and refuting.
//
// The same parameters give the same text, on every machine.
//
//	families.go  what a family is, its parameters, and the list of all
//	script.go    writing clauses
//	calls.go     trees of calls of which few matter
//	locks.go     a lock protocol through many procedures, among variables that do not matter
//	loops.go     loops and recursions whose fault shows after so many steps
//	heap.go      C programs on structs behind pointers
//	programs.go  C programs on arrays of so many elements, from the folder programs
package families
