// Package trace turns a refutation of a program's clauses into a run of the program that fails, in the words of its
// source.
//
// The steps of a refutation say which ways the run took and what it chose where it had a choice. With these as answers a
// concrete interpreter runs the program, and what the interpreter does is the trace: a refutation that is no run of the
// program makes none. The trace is of the form that all languages share, hornbeam/frontend/trace.
//
//	script.go   a refutation as a list of answers
//	values.go   values of the clauses as values of the program
//	replay.go   the replay, and what it proves
//	evidence.go whether a run that depends on quantifiers is one of the program
//	tell.go     the trace, from what the interpreter reports
//	source.go   the trace of a generated program in the terms of its source
package trace
