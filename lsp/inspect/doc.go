// Package inspect says of the text of a file what an editor shows: what is wrong with it, the verdict of each procedure or check with
// the run that fails, and what proofs found out. It knows nothing of editors' messages.
//
//	inspect.go    a file, and what is found out about it
//	settings.go   the options
//	boogie.go     the entries of a Boogie program, one by one
//	c.go          the checks of a C program
//	horn.go       the checks of a script in SMT-LIB
package inspect
