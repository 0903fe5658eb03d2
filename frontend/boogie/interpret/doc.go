// Package interpret runs checked Boogie programs, statement by statement, on concrete values.
//
// It works on the syntax tree alone and shares no code with the packages that turn programs into clauses, so that a run
// that fails here is evidence of its own. Numbers are exact, maps are total, and a Choices decides what a program
// leaves open, such as a havoc, a branch or the result of a procedure without a body. Calls run bodies; the contract
// of a procedure without one is applied. What cannot be decided, such as an assumption about all integers, ends a run
// as Undetermined: it counts neither as a failure nor as an assumption that holds.
//
//	limits.go      the limits of a run
//	values.go      values and their equality
//	maps.go        maps, and the equality of maps
//	domain.go      the values of a type: how many, all, some, one
//	code.go        bodies as instructions
//	events.go      the options, the outcome and the events of a run
//	run.go         the machine and the bodies that it runs
//	statement.go   what statements do, assertions and assumptions
//	calls.go       calls and contracts
//	evaluate.go    expressions
//	operators.go   operators and functions that are built in
//	bitvectors.go  those on bit-vectors
//	quantifier.go  quantifiers over what is finite, or have a candidate witness
//	gaps.go        quantifiers over integers that maps and comparisons decide, and what maps would have to be
//	data.go        values of datatypes, records and polymorphic maps
//	pointwise.go   operators on maps, entry by entry
//	closure.go     when lambda expressions are the same map
//	definitions.go axioms that define functions
//	symbols.go     constants, functions without bodies and axioms
//	choices.go     what answers open questions
package interpret
