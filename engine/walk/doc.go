// Package walk looks for refutations of linear clauses over numbers and truth values by running them from the facts on. It keeps
// states that are extreme in some direction, such as the largest value of a counter among states with the same truth values, and goes
// on from these by random steps. So it comes to what takes hundreds of steps with inputs that have to be right, where formulas of
// unrollings are too large. It asks no solver.
//
//	options.go   the bounds of the work
//	engine.go    the engine, and refutations of what is found
//	compile.go   formulas as sequences of operations
//	evaluate.go  what follows from values that are known
//	step.go      random steps
//	archive.go   extreme states
package walk
