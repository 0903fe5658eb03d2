// Package loops copies the iterations of loops in programs of the machine dialect: a number of iterations of some loops (Expand), or
// all iterations of all loops where ranges bound them (Unwind). The loop stays behind its copies, so that a program keeps its runs
// whatever the numbers are.
//
//	loops.go   where the loops of a program are
//	expand.go  copies of their iterations
//	unwind.go  all iterations of all loops
//	options.go limits
package loops
