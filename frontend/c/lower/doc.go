// Package lower represents the machine integers of a program as mathematical integers or bit-vectors, as the option --bits says.
//
// A program in the machine dialect (package machine) names the machine type of every operation and leaves its representation open.
// Lower makes a plain Boogie program of it. Expressions that must be represented alike form a class; a class is represented by
// integers or by bit-vectors. On integers, an operation that has no exact form of bearable size becomes a fresh value with facts
// about it, an Occurrence. Since a fresh value has more behaviours than the operation, a proof holds and a refutation may be
// spurious; Refine then makes more of the program exact: occurrences first, in the end classes as bit-vectors.
//
// The modes are those of He and Rakamarić, "Counterexample-Guided Bit-Precision Selection": no bit-vectors, all bit-vectors, and
// classes lifted by counterexamples; and a fourth, ranged, whose integers wrap around as the machine's do.
//
//	mode.go       the modes, and what a verdict in each is worth
//	options.go    limits of exact forms and of loop unrolling
//	classes.go    which expressions are represented alike (the paper's Fig. 6)
//	lower.go      programs and declarations
//	statement.go  statements, and what is put before them
//	expression.go expressions
//	integer.go    operations on integers: wrap-around, conversions, division by constants
//	bitwise.go    bit operations on integers
//	inexact.go    operations that are exact only on demand
//	division.go   division by variables
//	vector.go     operations on bit-vectors
//	float.go      operations on floating-point numbers, which are represented by their ordinals
//	floatfacts.go facts about their results
//	floatconvert.go conversions that are exact
//	elements.go   maps that are indexed by elements instead of bytes
//	load.go       ranges of what is read of maps
//	candidate.go  divisibility as candidates for invariants
//	unroll.go     loops that are unrolled because operations in them become exact
//	refine.go     what is made exact after a spurious counterexample
//	build.go      construction of expressions
//
// Subpackages: interval (the abstract domain), ranges (the analysis of ranges), loops (copies of iterations).
package lower
