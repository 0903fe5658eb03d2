// Package bits decides how machine integers become numbers or bit-vectors, and how exactly.
//
// A program in the machine dialect (package machine) says of every operation which machine type it works on, and leaves
// open what that means. Lower makes a plain Boogie program of it: in each class of expressions that have to be represented
// alike, machine integers are either integers or bit-vectors. On integers, what is not expressible exactly at a bearable
// price becomes a fresh value with true facts about it: an Occurrence. Since a fresh value has more behaviours than the
// operation, a proof holds and a refutation may be spurious; Refine then makes more of the program exact: occurrences
// first, classes as bit-vectors in the end.
//
// The modes are those of He and Rakamarić, "Counterexample-Guided Bit-Precision Selection": no bit-vectors, all
// bit-vectors, and classes lifted by counterexamples; and a fourth, ranged, whose integers wrap around exactly as the
// machine's do.
//
//	mode.go      the modes, and what each may claim
//	kind.go      machine types
//	classes.go   which expressions are represented alike (the paper's Fig. 6)
//	lower.go     programs and declarations
//	statement.go statements, and what is put before them
//	expression.go expressions
//	integer.go   operations on integers: wrap-around, conversions, division
//	bitwise.go   bit operations on integers
//	inexact.go   what is exact only on demand
//	vector.go    operations on bit-vectors
//	division.go  division by variables
//	float.go     operations on floating numbers
//	floatfacts.go what is known of their results
//	floatexact.go their exact forms
//	floatsum.go  sums with a constant, exactly
//	floatrange.go their ranges
//	learn.go     what is learnt of them from refutations
//	interval.go  intervals
//	congruence.go what intervals know of divisibility
//	ranges.go    ranges of variables, which make corrections needless
//	fixpoint.go  loops, from the inside out
//	order.go     the order in which blocks are looked at
//	facts.go     what is known, shared between places
//	calls.go     ranges across calls
//	guard.go     what conditions say about ranges
//	evaluate.go  ranges of expressions
//	candidate.go what is offered to those who prove
//	unroll.go    loops written out, where that makes operations exact
//	refine.go    what to make exact after a spurious counterexample
//	build.go     making expressions
package bits
