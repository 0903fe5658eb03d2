// Package chc holds systems of constrained Horn clauses: predicates, clauses over them with a constraint from
// chc/term, the graph of how predicates depend on each other, and the printing of all three.
//
//	Predicate    an unknown relation
//	App          a predicate applied to terms
//	Clause       body atoms and a constraint imply a head, or false (a query)
//	System       the clauses to be satisfied
//	Graph        who derives whom: components, cut points, reachability; drawn as DOT or SVG
//	Description  a system's figures: counts, shape, theories
//
// Write prints a system as an SMT-LIB HORN script that reads back to the same clauses.
package chc
