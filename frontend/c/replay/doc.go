// Package replay answers the questions of a run of C with the values that a refutation of the program's clauses chose, so that
// the interpreter of C can repeat what was refuted.
//
//	player.go    choices of single executions: results of calls, uninitialised objects, inputs
//	contents.go  what memory behind pointers holds where nothing was stored
package replay
