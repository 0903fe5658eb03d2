// Package loops makes procedures of the loops of a Boogie program, as Corral does [Lal, Qadeer, Lahiri: A solver for
// reachability modulo theories, CAV 2012]: a loop becomes a procedure that takes one turn and calls itself, and that
// returns at the edges that leave the loop, with a number that says which one it was. What is left has no loops, but
// procedures that call themselves.
//
// A loop's procedure gets the locals that matter at its head, and the old values of globals that it speaks of, and returns
// the locals that it changed and that matter behind it. Globals are the program's own. Statements keep their places.
//
// An implementation with a loop that has several entries, or in which there is a code expression, keeps its loops.
//
//	extract.go  the program with procedures for loops
//	nest.go     the loops of a graph, and what goes in and out of each
//	emit.go     statements of blocks
//	rewrite.go  expressions in terms of a loop's own variables
package loops
