// Package inputs enumerates the values of what a deterministic program is given, up to values that make no difference to its run.
//
// A run is asked for one input after the other. It says of each how far the value may be raised without changing anything but the
// values that are copied: up to where a comparison would have another result, by multiples of a divisor once only a remainder was
// used, and not at all once the value itself was computed with. What lies between is covered by the one run. Tree goes through the
// inputs depth first, each from its least value upwards, so that all runs are covered when it comes to its end.
//
//	input.go  one input of a run
//	tree.go   the order in which values are tried, and how many runs there seem to be
package inputs
