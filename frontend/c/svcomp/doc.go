// Package svcomp speaks the languages of the competition on software verification: properties, words for results, and
// witnesses in format 2.0.
//
//	property.go     properties
//	label.go        the error label of older benchmarks
//	result.go       results
//	witness.go      what both kinds of witnesses have in common
//	violation.go    violation witnesses, from a run
//	correctness.go  correctness witnesses, from invariants
package svcomp
