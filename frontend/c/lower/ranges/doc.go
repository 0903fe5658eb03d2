// Package ranges is an abstract interpreter: it finds, for each statement of a program in the machine dialect, intervals and
// congruences of the integer variables.
//
// A procedure is analysed once for all of its calls. Loops are stabilised from the inside out, in Bourdoncle's weak topological
// order, with widening to the constants of the program and two rounds of narrowing.
//
//	ranges.go    the analysis and what it answers
//	options.go   its limits
//	calls.go     procedures and calls
//	fixpoint.go  loops; how many iterations one has
//	order.go     weak topological order
//	facts.go     states, as trees that share what is equal
//	evaluate.go  intervals of expressions
//	guard.go     what conditions say about variables
//	float.go     intervals of operations on floating-point numbers
package ranges
