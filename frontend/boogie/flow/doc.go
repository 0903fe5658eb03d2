// Package flow turns the body of a Boogie implementation into a graph of blocks: commands without structure, and edges
// that a run may choose between. Structured statements become blocks by the rules of the language's definition: a guard
// is assumed at the beginning of the branch that it leads to, a loop's invariants are asserted at its head, and what
// cannot be reached is left out.
//
//	graph.go   the graph
//	build.go   statements to blocks
//	loops.go   loop heads, and the order of blocks
//	split.go   a block for every command
//	live.go    the live variables of blocks
package flow
