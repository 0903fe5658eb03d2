// Package tree is a C program with everything resolved: what every name is, what every expression's type is, where every
// conversion happens, how every object is laid out.
//
// Package read makes it from what the parser leaves, and all later rooms work on it: the translation into Boogie,
// the interpreter, the analysis of memory, witnesses and harnesses. None of them needs to know the parser or its faults.
//
// Three things make the tree smaller than C. Every implicit conversion is a Convert. Places (what can be assigned or have
// an address) and values are told apart: a Load reads a place, an Address yields a place's address, and an array that
// decays is the Address of its first element's place. What C spells in several ways has one node: x->f is the Member of a
// Dereference, p[i] is the Dereference of a pointer sum, while a[i] of an array place is an Element.
//
//	types.go        types and their layout
//	layout.go       how the scalars of an object are laid out, and whether they share bits
//	constants.go    constants with more digits than a double
//	objects.go      objects, functions and the program
//	expressions.go  places and values
//	statements.go   statements
//	walk.go         walking a tree
//	sequence.go     what C leaves the order of open
//	build.go        small trees
package tree
