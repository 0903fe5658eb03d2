// Package verify goes from a program to a verdict: encode it as clauses, have these decided, repeat a refutation on the program,
// refine the encoding where that is no run of it, and say what the verdict rests on. The way is the same for all languages; see
// package frontend for what a language hands over.
//
//	verify.go      a request, by language, to its result
//	options.go     the options of programs
//	loop.go        rounds of one attempt: clauses, engines, witness
//	race.go        the strategies of a program, side by side
//	beside.go      a search for a run that fails, beside the proof
//	boogie.go      the way of a Boogie program
//	contracts.go   proofs by the program's own contracts, before the engines are asked
//	modular.go     each procedure by itself, by contracts and invariants
//	annotate.go    the proof in Boogie's words, and an annotated program that is verified again
//	c.go           the way of a C program
//	cruns.go       runs of C: at random, and the only one of a program that leaves nothing open
//	creport.go     a C program's trace, witness, harness and proof
//	queries.go     several properties of one system, each with its own verdict
package verify
