// Package persona answers as other Horn solvers do, for programs that call these: it takes the command lines of z3 and of Eldarica
// (eld), reads a file or standard input, and prints what they would.
//
//	arguments.go  their command lines
//	persona.go    a call
//	naturals.go   models for solc, which has no sort for bv2nat
//	cache.go      answers of earlier calls
package persona
