// Package harness writes C programs that repeat a run: the program itself, preprocessed, with definitions of everything that
// it leaves open, which give the answers of the run in their order. Compiled by gcc and run, such a program says that the
// error is reached and exits with 107, if gcc's program goes the way that the interpreter's run went.
//
// It stands on its own: C's library is needed for mathematical functions only. Uninitialised objects are filled after their
// declarations, and functions that end without a return get one; what cannot be forced in C is said in the text.
//
//	record.go   what a run chose
//	harness.go  the program's text with its changes
//	answers.go  functions that give a run's answers
//	values.go   values in C
//	text/       what every harness has: memory, strings and its end, without a library
//	run.go      compiling and running what was written
package harness
