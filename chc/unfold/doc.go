// Package unfold writes out all derivations from clauses: those of queries from clauses without recursion as one formula, and those from
// linear clauses by their length, as far as there are any.
//
//	unfold.go   instances of predicates, and what clauses derive of them
//	singles.go  predicates that a derivation has once at most
//	formula.go  one formula of all derivations
//	unwind.go   derivations by their length
//	unifier.go  the values of a clause's variables in terms of what its premises derive
//	reads.go    reads of stores as choices between what is stored
//	values.go   the few values that an index may have
//	scalars.go  the formula without arrays
//	indices.go  when two indices of a matrix that is stored row by row are equal
//	limits.go   limits
package unfold
