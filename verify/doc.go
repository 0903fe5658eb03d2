// Package verify goes from a program to a verdict: encode it as clauses, have these decided, repeat a refutation on the program,
// refine the encoding where that is no run of it, and say what the verdict rests on. The way is the same for all languages; see
// package frontend for what a language hands over.
//
//	verify.go      a request, by language, to its result
//	options.go     the options of programs
//	loop.go        rounds of one attempt: clauses, engines, witness
//	race.go        the strategies of a program, side by side
//	raceinturns.go the same in turns, where work is counted
//	beside.go      a search for a run that fails, beside the proof
//	boogie.go      the way of a Boogie program
//	goals.go       a Boogie program of which each goal is decided
//	contracts.go   proofs by the program's own contracts, before the engines are asked
//	modular.go     each procedure by itself, by contracts and invariants
//	annotate.go    the proof in Boogie's words, and an annotated program that is verified again
//	inplace.go     a Boogie program annotated in its own text; insertions.go: the text that a proof inserts into a program
//	c.go           the way of a C program
//	cmodular.go    a C program of which each function is proved by itself
//	cruns.go       runs of C: at random, and the only one of a program that leaves nothing open
//	creport.go     a C program's trace, witness, harness and proof
//	svlib.go       the way of a script in SV-LIB
//	queries.go     several properties of one system, each with its own verdict
//	properties.go  several properties of one C program
//	checks.go      several checks of one program: questions and their results
//	settle.go      groups of questions that one run of an engine may answer
package verify
