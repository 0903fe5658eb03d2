// Package interpret runs C programs, as package tree has them, on concrete values: from main to the first error.
//
// It shares no code with what turns programs into clauses, so that a run that reaches the error here is evidence of its own.
// Its C is that of gcc -fwrapv: arithmetic wraps around, division truncates, what C leaves unsequenced is evaluated from left
// to right. Memory is exact to the byte: every object has an address and bytes of its own, so that casts, unions, bit-fields
// and copies do what they do on a machine. What a program leaves open, such as the result of an undefined function or what
// an uninitialised object holds, is answered by a Choices when it is needed.
//
// A run that meets undefined behaviour ends there as Undefined, and one that comes to what can't be executed exactly as
// Undetermined; neither counts as reaching the error. Signed overflow is no undefined behaviour here, and neither are
// unspecified values.
//
//	outcome.go      options, and how a run ends
//	value.go        values, and the shapes of scalar types
//	choices.go      what a program leaves open, and what answers it
//	events.go       what a run tells on its way, with places in C's terms
//	program.go      programs made ready: functions, static objects
//	code.go         instructions and their execution; statements.go: from statements to instructions
//	values.go       from values to closures; places.go, operators.go, initial.go: their parts
//	run.go          the machine: runs, calls, frames
//	calls.go        calls, and functions with a meaning of their own
//	memory.go       objects and their addresses; access.go: what is in them
//	bare.go         values that come from objects without a value
//	allocation.go   malloc, free, scanf, memcpy; metadata.go: what SeaHorn knows of memory; math.go: C's library
//	absent.go       what calls of functions without a body may change
//	jump.go         turns of loops that are left out, as package turns says what they do
//	explore.go      random runs in search of the error, as package coverage says what they have covered
//	every.go        every run, but for values that make no difference, which package inputs enumerates, and from states that were seen, which
//	                packages live and states tell; linear.go: which values are followed, and where control depends on them
package interpret
