// Package folds gives predicates the sums of the elements before an index that loops over arrays add up.
//
// A loop that adds up the elements of an array a has, before the element at i, the sum of a's elements from index 0 to before i. No
// formula over the loop's variables says that, but with the sum as an argument it is an equation. So is what a loop that moves
// elements does to the sum of all.
//
//	folds.go     the pass
//	addend.go    what an element adds, and the loops that add
//	measure.go   which sums a predicate gets
//	clause.go    what a clause is told of the sums of its arrays
//	model.go     sums in models as recursive functions
//	limits.go    how many sums there are at most
package folds
