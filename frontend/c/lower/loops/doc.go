// Package loops copies the iterations of loops in programs of the machine dialect. Expand copies a number of iterations of some loops; the
// loop stays behind its copies, so that a program keeps its runs whatever the numbers are. Unwind copies all iterations of all loops
// where ranges bound them. Cut copies iterations and recursive calls of any program, with an assertion behind the copies.
//
//	loops.go      where the loops of a program are
//	expand.go     copies of their iterations
//	recursion.go  copies of recursive procedures
//	unwind.go     all iterations of all loops, or as many as are asked for
//	options.go    limits
package loops
