// Package frontend is the contract between the languages and package verify: what a language hands over for its programs to
// be verified.
//
// A language gives a program as strategies, which are data: each says how the program is encoded as clauses, and what a proof
// of these clauses is worth. The attempt that a strategy begins answers three questions for as many rounds as it takes:
//
//	Clauses  what is to be decided next
//	Proved   what a model of these clauses says about the program
//	Refuted  what a refutation of them says about it
//
// Both witnesses have passed their check on the clauses before. An attempt never calls an engine, and reports a bug only when
// it has repeated it in the language's own terms; where a refutation is no run of the program it refines the encoding, so that
// the next round excludes it.
package frontend
