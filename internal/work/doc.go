// Package work measures how far a part of a run is, and bounds it. Under a context without a Part that goes by the time that passes.
// Under one with a Part it goes by the work of solvers, which is the same in each run of the same input: parts of a Line work one at a
// time, in an order that their work alone decides, so that what they tell each other, and who is first, is the same too.
//
//	clock.go    time or work: Now, Since, Measured, WithTimeout
//	line.go     parts that take turns: Line, Part
//	turns.go    whose turn it is, and what a part has spent
//	made.go     terms that a part makes, as work
package work
