// Package transform is the contract of the preprocessing passes. A pass rewrites a system of Horn clauses into one that is
// easier to decide and returns a Translator that carries models and refutations of the result back to the system before the
// pass, so that every witness is one of the source's clauses. Pipeline runs a list of passes, repeats those that feed each
// other, and composes their Translators.
//
// The passes are in the folders below this one; package passes lists them. This package has what they share: the Translator
// of passes that keep each step a step of one old clause (ClauseTranslator), whose remaining variables follow from the
// premises, from recorded definitions or, last, from a solver's model (Recoverer); and that of passes that change sorts only
// (Retyping).
//
//	folder        pass                           models                                        refutations
//	guard         selectors, divisions           unchanged                                     unchanged
//	guard         determined                     unchanged (they may fail)                     unchanged
//	peano         peano                          a recursive function for a number's value     successors of zero
//	flatten       flatten                        fields and elements of the arguments          tuples and arrays of tuples of the components' values
//	constructors  constructors                   a test for the constructor, and the fields    building the values from their fields
//	intblast      int-blast                      sums in vectors as wide as their values       converting the values
//	masks         masks                          formulas over int2bv of the arguments         converting the values
//	specialise    specialise                     a case for each copy's constants              renaming, constants put back
//	simplify      normalise                      unchanged                                     the eliminated variables' definitions
//	simplify      subsume, unsat-bodies          unchanged                                     unchanged
//	simplify      merge                          unchanged                                     the first disjunct that holds
//	prune         coi                            false (not derivable) or true (not needed)    unchanged
//	prune         constants                      equations for the dropped arguments           the premises' values
//	prune         slice                          any value for the dropped arguments           the premises' values
//	prune         free-arguments                 any value for the dropped arguments           the values that each use needs
//	prune         context                        the context implies the interpretation        unchanged
//	prune         forget-first                   true for the predicates of the first loops    none
//	inline        inline                         interpolants or projections                   one step for each clause that was resolved
//	demand        demand                         what holds where the inputs are asked for     without the questions
//	cells         cells, cell-…, cells-apart     quantifiers over the indices                  the same clauses and tree over arrays, where that holds
//	variants      variants                       the tag and the fields of the arguments         building the values from the tag and the fields
//	expand        expand                         the elements of the arrays                    arrays of the elements' values
//	accelerate    accelerate                     unchanged                                     rounds of the loop, or a repeated step
//
// The passes cells, cell-pairs, cells-apart, cell-companions and forget-first over-approximate: a refutation that does not hold over arrays is an error
// that wraps ErrSpurious. Packages resolve (resolution of clauses) and qe (elimination of quantified variables) hold no
// pass; passes use them.
package transform
