// Package abstraction proves and refutes with an abstract reachability graph over clauses: IMPACT and predicate abstraction as
// configurations of one algorithm, as in Beyer, Dangl and Wendler, "A Unifying View on SMT-Based Software Verification".
//
// The graph's nodes are predicates with a formula, and its hyperedges are clauses over tuples of nodes. A configuration says how a
// new node gets its formula, when a node is covered by another one, so that nothing goes on from it, and what is learned from
// an abstract derivation of a query that is spurious. The block operator of the paper is a pass on the clauses: what is left of
// them are the blocks.
//
//	engine.go         the engines "impact" and "predicates"
//	configuration.go  the table of configurations
//	options.go        their settings and limits
//	graph.go          nodes, hyperedges, covers
//	queue.go          hyperedges that wait, and their order
//	explore.go        the algorithm
//	abstract.go       the formulas of new nodes, and the precision
//	cover.go          when a node is covered
//	refine.go         what is learned of spurious derivations
//	derivation.go     the tree of formulas of an abstract derivation
//	query.go          the solvers' queries
//	witness.go        models and refutations
package abstraction
