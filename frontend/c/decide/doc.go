// Package decide takes a C program from its tree to an answer: it translates, lowers, has the clauses decided, runs what a
// refutation says on the exact interpreter, and refines what is not exact until the answer is one about C.
//
// A program is unsafe only if the interpreter of C, which shares no code with the translation, reached the error. It is safe
// only if the clauses of a lowering have a checked model, and the lowering has all runs of the machine. Everything else is
// unknown, with the reason.
//
//	decide.go    the loop
//	overflow.go  proofs that take for granted that nothing overflows
//	player.go    the values of a refutation as answers to the interpreter's questions
//	contents.go  what memory holds where nothing was stored
//	explore.go   runs at random, beside the proof
//	label.go     labels that are errors
//	reason.go    why there is no answer
package decide
