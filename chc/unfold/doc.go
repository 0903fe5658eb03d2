// Package unfold writes out all derivations of queries from clauses without recursion as one formula.
//
//	unfold.go   instances of predicates, and what clauses derive of them
//	unifier.go  the values of a clause's variables in terms of what its premises derive
//	reads.go    reads of stores as choices between what is stored
//	indices.go  when two indices of a matrix that is stored row by row are equal
//	limits.go   limits
package unfold
