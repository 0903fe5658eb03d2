// Package indices decides Horn clauses over arrays by replacing each array by its elements at tracked indices, none at first: EUREKA's
// abstraction of arrays and its refinement ("Building SMT-based Software Model Checkers: an Experience Report", section 3.2). The clauses
// over elements over-approximate the source, so a model of them is one of the source, which speaks of the elements by selects. A
// refutation of them is tried on the arrays; when it does not hold there, the indices are added at which what contradicts it reads and
// writes, for the values that the refutation has, and the loop begins again.
//
//	engine.go      the engine, and in options.go its settings
//	loop.go        the loop
//	derivation.go  a refutation over elements on the arrays, and in execute.go by following its steps
//	refine.go      indices that exclude a spurious one
package indices
