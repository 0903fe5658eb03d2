// Package houdini infers summaries from a pool of candidates: the largest subset of it that is inductive (the Houdini of
// Flanagan and Leino, as it is used for summaries in "A Solver for Reachability Modulo Theories", 4.2). What survives
// holds of every tuple that the clauses derive, whatever the queries are.
//
// Candidates are formulas over a predicate's canonical parameters; the package makes them from the clauses, and takes
// those of a caller. Each predicate has one solver with its clauses, in which candidates of the body are assumptions; a
// model of "some candidate of the head fails" drops every candidate that is false in it. Predicates are looked at in the
// order of their dependencies, again only when a candidate was dropped that the last proof needed.
//
//	engine.go      the engine "houdini"
//	options.go     its settings and its limits
//	infer.go       the worklist
//	checker.go     the solver of a predicate and its queries
//	program.go     clauses and predicates in the form that is asserted
//	candidates.go  the pool made from the clauses: families of candidates and how many are taken of each
//	atoms.go       candidates that are atoms of clauses, moved onto arguments
//	numbers.go     bounds, differences, sums and congruences
//	segments.go    facts about the indices that a loop has visited
//	grids.go       the same for two nested loops over arrays of arrays
//	indexfacts.go  what clauses say of the elements at an index
//	survey.go      constants, moduli and pairs of arguments that occur in the clauses
//	strongest.go   survivors without those that another one obviously implies
//	exchange.go    survivors for the engines that work on the same clauses
package houdini
