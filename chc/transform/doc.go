// Package transform holds the preprocessing passes. A pass rewrites a system of Horn clauses into one that is easier to
// decide and hands back a Translator that carries models and refutations of the result to the system it was given, so
// that every witness speaks of the clauses of the source. Pipeline runs a list of passes and composes their Translators.
//
// Most passes keep every clause's origin: a step of a new clause is a step of one old clause whose remaining variables
// are read off the premises, recorded definitions or, as a last resort, a solver (carrier).
package transform
