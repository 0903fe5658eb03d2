// Package fault names what can be wrong with a run of a C program, so that what is asked about the program, what the
// translation asserts and what the interpreter detects are the same.
package fault
