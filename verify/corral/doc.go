// Package corral hunts in Boogie programs with Corral's flags and prints what Corral prints, for scripts that call it.
//
//	corral.go  hunts up to recursion bounds, bug after bug
//	flags.go   the flags of a call
//	trace.go   a run as Corral tells it
package corral
