// Package transform holds the preprocessing passes. A pass rewrites a system of Horn clauses into one that is easier to
// decide and hands back a Translator that carries models and refutations of the result to the system it was given, so
// that every witness speaks of the clauses of the source. Pipeline runs a list of passes, repeats those that feed each
// other, and composes their Translators.
//
// Most passes keep every clause's origin: a step of a new clause is a step of one old clause, whose other variables are
// read off the premises, off recorded definitions or, as a last resort, off a solver's model (carrier, recoverer).
//
//	pass            models come back by                           refutations come back by
//	divmod          -                                             leaving out the quotients
//	peano           a recursive function for a number's value     successors of zero
//	flatten         fields and elements of the arguments          tuples and arrays of tuples of the components' values
//	constructors    a test for the constructor, and the fields    building the values from their fields
//	sizes           a recursive function for the size             leaving out the sizes
//	bit-blast       bits extracted from the vectors               putting the vectors together
//	int-blast       sums in vectors as wide as their values       converting the values
//	specialise      a case for each copy's constants              renaming, constants put back
//	normalise       -                                             the eliminated variables' definitions
//	coi             false (not derivable) or true (not needed)    -
//	subsume         -                                             -
//	constants       equations for the dropped arguments           the premises' values
//	slice           any value for the dropped arguments           the premises' values
//	free-arguments  any value for the dropped arguments           the values that each user asks for
//	inline          interpolants or projections                   one step for each clause that was resolved
//	context         asking the context first                      -
//	unsat-bodies    -                                             -
//	merge           -                                             the first disjunct that holds
//	cells…          quantifiers over the indices                  the same clauses and tree over arrays, where that holds
//	split-or        -                                             -
//
// The passes cells, cell-pairs and cells-apart over-approximate: a refutation that does not hold over arrays is an error
// that wraps ErrSpurious.
package transform
