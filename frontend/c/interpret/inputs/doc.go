// Package inputs enumerates the values of what a deterministic program is given, up to values that make no difference to its run.
//
// A run is asked for one input after the other, and is given the least values that lead to it. It says of each how far the value may be
// raised, by itself or as far as another one is, without changing anything but the values that are sums of multiples of inputs, copies among
// them: up to where a comparison of such a value would have another result, by multiples of a divisor once only a remainder was used, and not
// at all once the value itself was computed with in another way.
// Each of these limits is a branch of a tree, behind which other runs lie if values exist that are raised further. Tree goes through it
// depth first, so that all runs are covered when it comes to its end.
//
// Values are unsigned numbers from 0 on, which are added to the least value of the input's type. Since every relation between them is of the
// form x + n <= y, or is about a single one, the least of several values that meet them meets them, too: there is one least solution.
//
//	input.go       one input of a run
//	sum.go         sums of multiples of what inputs are raised by
//	arithmetic.go  what C's operations make of sums
//	residue.go     values that are known modulo powers of two
//	tree.go        the branches, in the order in which they are taken
//	estimate.go    how many runs there seem to be
//	relation.go    relations between inputs, and their opposites
//	region.go      what a set of relations allows: its least and its greatest values
package inputs
