// Package region finds out which parts of memory a C program may access through one pointer, so that each can have a map
// of its own.
//
// The analysis unifies, as Steensgaard's does: every object, allocation and function is a node, every pointer expression
// leads to a node at an offset, and assignments make both sides lead to the same place. Nodes are told apart by fields:
// what is at different offsets is different memory, until an array index or a cast makes offsets uncertain; then they are
// folded, modulo the size of the elements. It looks at the whole program at once, in no order of execution, and at every
// function once, for all its calls.
//
// It assumes what C's standard promises: pointer arithmetic stays within the array that it begins in.
//
//	node.go     nodes, offsets and their unification
//	analyse.go  the constraints of statements and calls
//	external.go calls that may execute code of other files
//	place.go    the constraints of places and values
//	region.go   what comes out: regions
//	opaque.go   groups whose addresses do not matter
package region
