// Package induction proves clauses about recursive datatypes by reading predicates as the recursive functions that their
// clauses define, and by induction over these: that a predicate has one result for each input, say, or that it is
// transitive. What the proofs need beside the definitions it finds by theory exploration, as equations between functions that
// hold under many assignments.
//
//	options.go     the bounds of its work
//	invariants.go  equalities and disequalities of arguments that hold by induction over the clauses
//	functions.go   predicates that are functions by structural recursion
//	determine.go   a clause as one case of a function
//	prover.go      clauses proved over these functions, by unfolding and induction
//	explore.go     equations between these functions
//	terms.go       the terms that equations are made from, and which are conjectured to be equal
//	values.go      the assignments under which they are compared
//	counting.go    numbers that count, and the sizes of values
package induction
