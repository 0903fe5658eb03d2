// Package calls makes linear clauses of calls: where a loop of a procedure has a predicate that relates what the procedure was called
// with and what there is now, a call joins that predicate with what the caller knows. Where the call is in a loop, too, the loop is entered from
// the caller's clause here instead and carries what the caller still needs, so that there is one derivation and not two.
//
//	calls.go      the pass
//	context.go    what a use of a component knows before it
//	copies.go     the clauses of a component for one such context
//	translator.go models and refutations of the system before
//	limits.go     how much may be copied
package calls
