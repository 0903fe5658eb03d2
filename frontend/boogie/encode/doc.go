// Package encode turns a checked Boogie program into constrained Horn clauses.
//
// Each procedure with a body has two predicates: its summary relates parameters, results and the globals that it reads
// or writes, before and after; its failure holds of the parameters and globals with which it may run into an error, its
// own or that of a procedure that it calls. Each cut point of a body, such as a loop head, has a predicate over what
// matters there. Between cut points everything is one clause. The query asks whether an entry fails. Loops can become
// procedures, too, so that there are no other predicates.
//
// A constant is one argument of all the predicates that depend on it, so that its value is the same everywhere; a
// function without a body is a constant map. Values of an uninterpreted type are integers, of which only equality is
// used: there are enough of them, and a run over fewer values is one over integers too. So are values of a procedure's
// type parameters.
//
// An assumption for all values is instantiated at the terms that a clause suggests. Then the clauses
// over-approximate the program, and System.Approximation says so, unless the assumption is redundant: it follows from
// an assertion before it, or from preconditions that are checked at calls.
//
//	encode.go      the program: procedures, predicates and the query
//	reach.go       the entries, and what is reached from them
//	effects.go     what a procedure reads, writes and calls
//	types.go       types to sorts
//	expression.go  expressions to terms
//	code.go        code expressions, by their paths
//	operator.go    operators and functions that are built in
//	function.go    functions: expanded, or constant maps
//	quantifier.go  assumptions about all values
//	instances.go   their instances
//	pools.go       terms for instances beside those of triggers: pools and comparisons
//	datatypes.go   datatypes and records
//	polymorphic.go polymorphic maps, as tuples of the maps that are used of them
//	pointwise.go   operators on maps, entry by entry
//	symbol.go      the constants and maps that a procedure depends on, axioms and folding
//	limits.go      the limits of an encoding
//	cuts.go        cut points where loops are procedures
//	state.go       what is known at a point of a symbolic execution
//	region.go      symbolic execution from one cut point to the next ones
//	tally.go       in how many lists terms are
//	command.go     what commands do to a state
//	inference.go   candidates: which of them count, and as formulas for an inference
//	origin.go      the meaning of predicates and clauses in the program
//	assumptions.go what can fail in the program, and what a verdict assumes
package encode
