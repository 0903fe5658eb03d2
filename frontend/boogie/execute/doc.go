// Package execute runs the clauses of a Boogie program on concrete values, as the program would run, to find bugs
// that need many turns of loops or recursions with few choices: a counter that fails after thousands of turns costs an engine
// that unrolls as many copies of the loop, and a run as many steps.
//
// A run knows the values at a cut point. Of the clauses that begin there it takes one whose constraint these values
// allow: most variables follow from equations, and what the program leaves open is guessed within the bounds that the
// constraint has for it. A call runs the callee's clauses and takes what it derives. Each clause that is taken is a
// step of a refutation, so that a run that fails is one: the usual checks of refutations and the usual replay decide
// whether it is a bug, and nothing rests on this package.
//
//	execute.go   runs, calls and the refutation
//	clause.go    clauses by where they begin
//	solve.go     values for the variables of one clause
//	limits.go    the bounds of the search
package execute
