// Package svcomp speaks the languages of the competition on software verification: properties, words for results, and
// witnesses in format 2.0.
//
//	property.go     properties
//	result.go       results
//	witness.go      what both kinds of witnesses have in common
//	violation.go    violation witnesses, from a run
//	correctness.go  correctness witnesses, from invariants
//	invariants.go   what a proof says of loops
//	scope.go        which names are known where
//	expression.go   conditions in C that can be evaluated without undefined behaviour
package svcomp
