// Package trace turns a refutation of a program's clauses into a run of the program that fails, in terms of its
// source.
//
// The steps of a refutation determine the branches of the run and the values of its nondeterministic choices. With these as answers a
// concrete interpreter runs the program, and its events are the trace. A refutation that is not a run of the program
// has no trace. The trace is of the form that all languages share, hornbeam/frontend/trace.
//
//	script.go   a refutation as a list of answers
//	limits.go   the limits of a replay
//	values.go   values of the clauses as values of the program
//	replay.go   the replay and its result
//	evidence.go whether a run that depends on quantifiers is one of the program
//	build.go    the trace, from the events of the interpreter
//	effect.go   what an event depends on, and what depends on it
//	straight.go the run as a Boogie program without branches and calls
//	source.go   the trace of a generated program in the terms of its source
package trace
