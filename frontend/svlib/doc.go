// Package svlib reads programs in SV-LIB, and writes their proofs and failing runs as witnesses of SV-LIB.
//
// SV-LIB 1.0 [Beyer, Ernst, Jonáš, Lingsch-Rosenfeld: SV-LIB 1.0: A Standard Exchange Format for Software-Verification Tasks,
// arXiv 2511.21509, 2025] is SMT-LIB with procedures: a script declares variables and procedures, annotates tagged statements
// with what is to hold, and asks by verify-call whether all runs of a procedure respect that. Each verify-call of a script is
// one Boogie program; its text and its sorts and terms are read by package smtlib.
//
// What annotations mean is that of sections 6.1 to 6.3. A :check-true holds whenever a run comes to its statement, at a loop or
// label each time. An :invariant and the contract of a procedure, :requires and :ensures, have to hold in all runs, too, and also
// to be inductive: Runs translates to a program in which a run fails that violates an annotation, Modular to one in which a loop
// is replaced by its invariants and a call by its contract, so that each is proved from the others alone.
//
//	tree.go       a script, resolved
//	read.go       text to script: commands
//	statements.go statements and their properties
//	translate.go  a verify-call to a Boogie program
//	body.go       statements to Boogie
//	types.go      sorts to types
//	witness.go    a script with its witness
//	correct.go    a proof as a correctness witness
//	smt.go        conditions of Boogie as SMT-LIB
//	violation.go  a failing run as a violation witness
//	trace.go      select-trace
//	replay.go     a run as a select-trace says
//	explain.go    a run in the script's words
package svlib
