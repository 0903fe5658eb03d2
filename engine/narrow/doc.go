// Package narrow looks for refutations by running clauses over recursive datatypes as a functional logic program. An atom
// whose arguments leave one clause is resolved at once; where all atoms wait for more, a variable that one of them needs is
// split by its constructors (needed narrowing). Inputs are known only as far as the search has looked at them, so that one
// failure excludes all that agree so far, as in Lazy SmallCheck. The search deepens by the number of splits.
//
// Clauses without datatypes are run on small numbers, where the queries are about functions.
//
// It is for clauses that define functions, such as an evaluator or a matcher, and a query that is false for some small
// input: on these, formulas of unrollings grow with the sizes of all intermediate results.
//
//	options.go     the bounds of the work
//	engine.go      the engine: deepening, and refutations of what is found
//	program.go     clauses as patterns
//	modes.go       which arguments are results
//	bounds.go      intervals of integer arguments
//	values.go      values that are known in part, unification, and undoing
//	resolve.go     atoms: the clauses that apply, and what is needed to tell them apart
//	table.go       answers of calls, so that each is computed once
//	formula.go     constraints, evaluated as soon as they are determined
//	search.go      what is split, and the search
//	numbers.go     queries about functions on numbers
//	naming.go      what formulas of several clauses have in common
package narrow
