// Package refine is a C program as package verify sees it: strategies that represent its integers in different ways, and for
// each an attempt that translates the program, lowers it, encodes it as clauses, repeats what a refutation says on the exact
// interpreter, and refines what is not exact until the answer is one about C.
//
// A program is unsafe only if the interpreter of C, which shares no code with the translation, reached the error. It is safe
// only if the clauses of a lowering have a checked model, and the lowering has all runs of the machine. Everything else stays
// open, with the reason.
//
//	strategies.go   the ways of representing a program's integers
//	congruences.go  the strategy that looks for sums modulo 2^width only
//	operations.go   which operations a small program has, which strategies depend on
//	attempt.go      rounds: clauses, models, refutations
//	longest.go      how many turns loops have in runs that are tried
//	run.go          a refutation as a run of C
//	shorten.go      a shorter run with the same end
//	evidence.go     what a verdict rests on
//	assumptions.go  what it assumes
//	overflow.go     signed operations that may overflow
//	lengths.go      arrays of constant length, for the pass that expands them
package refine
