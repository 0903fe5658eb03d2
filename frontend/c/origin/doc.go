// Package origin maps the translation of a C program back to the program: the values that the source leaves
// open, the objects that variables hold, loops, labels, calls and allocations. It is plain data, which replays, proofs and
// reports read.
package origin
