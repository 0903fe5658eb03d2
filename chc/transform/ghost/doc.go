// Package ghost has what passes share that give predicates numbers about their arrays, such as sums, as arguments.
//
//	clause.go    arrays that are the same, and equations beside theirs
//	system.go    the clauses with more arguments
//	model.go     models in which recursive functions are the arguments
package ghost
